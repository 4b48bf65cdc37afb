"""Which leaves are changed, removed, put back and remembered."""

from fabric_auto.plan.diff import changes_between, compare, path_key, previous_after, target
from fabric_auto.plan.model import Change
from fabric_auto.vendors.base import NOTHING, Leaves, Ownership, Rendered
from tests.plan.sonic_cases import SPAN

MTU = ("PORT", "Ethernet0", "mtu")
ROW = ("PORT", "Ethernet0")
PEER = ("BGP_NEIGHBOR", "10.11.0.1")
ASN = (*PEER, "asn")


def rendered(leaves: Leaves, entries: set[tuple[str, ...]] | None = None) -> Rendered:
    ownership = Ownership(frozenset(entries or ()), frozenset(path for path in leaves if len(path) == 3))
    return Rendered((), leaves, ownership, dict.fromkeys(leaves, SPAN))


EMPTY = rendered({})


def test_an_intended_leaf_that_differs_is_updated_with_the_intent_line_behind_it() -> None:
    assert compare({ROW: "", MTU: "9100"}, rendered({ROW: "", MTU: "4200"}), NOTHING, {}) == (
        Change(MTU, "9100", "4200", SPAN),
    )


def test_an_intended_leaf_that_is_absent_is_created() -> None:
    assert compare({}, rendered({PEER: "", ASN: "1"}, {PEER}), NOTHING, {}) == (
        Change(PEER, None, "", SPAN),
        Change(ASN, None, "1", SPAN),
    )


def test_a_leaf_inside_an_entry_of_ours_that_is_not_intended_goes() -> None:
    extra = (*PEER, "holdtime")
    running: Leaves = {PEER: "", ASN: "1", extra: "180"}
    assert compare(running, rendered({PEER: "", ASN: "1"}, {PEER}), NOTHING, {}) == (Change(extra, "180", None, None),)


def test_a_row_that_matches_a_pattern_of_ours_goes() -> None:
    row = ("INTERFACE", "Ethernet0|192.0.2.0/31")
    owned = Rendered((), {}, Ownership(frozenset({("INTERFACE", "Ethernet0|*")}), frozenset()), {})
    assert compare({row: ""}, owned, NOTHING, {}) == (Change(row, "", None, None),)


def test_a_leaf_that_nobody_said_is_ours_is_left_alone() -> None:
    assert compare({PEER: "", ASN: "65000", ROW: "", MTU: "9100"}, EMPTY, NOTHING, {}) == ()


def test_a_field_that_we_let_go_of_gets_its_old_value_back() -> None:
    last = Ownership(frozenset(), frozenset({MTU}))
    assert compare({ROW: "", MTU: "4200"}, EMPTY, last, {MTU: "9100"}) == (Change(MTU, "4200", "9100", None),)


def test_a_field_that_we_let_go_of_and_that_was_not_there_before_us_goes() -> None:
    last = Ownership(frozenset(), frozenset({MTU}))
    assert compare({ROW: "", MTU: "4200"}, EMPTY, last, {}) == (Change(MTU, "4200", None, None),)


def test_an_entry_that_we_let_go_of_goes_with_all_that_is_in_it() -> None:
    last = Ownership(frozenset({PEER}), frozenset())
    assert compare({PEER: "", ASN: "1"}, EMPTY, last, {}) == (
        Change(PEER, "", None, None),
        Change(ASN, "1", None, None),
    )


def test_changes_are_in_natural_path_order() -> None:
    changes = changes_between({}, {("PORT", f"Ethernet{number}"): "" for number in (16, 8, 112, 0)})
    assert [change.path[1] for change in changes] == ["Ethernet0", "Ethernet8", "Ethernet16", "Ethernet112"]
    assert path_key(("PORT", "Ethernet8")) < path_key(("PORT", "Ethernet8", "mtu")) < path_key(("PORT", "Ethernet16"))


def test_the_target_has_the_changes_and_everything_else() -> None:
    changes = (Change(MTU, "9100", "4200", None), Change(ASN, "1", None, None), Change(PEER, "", None, None))
    assert target({MTU: "9100", PEER: "", ASN: "1", ROW: ""}, changes) == {MTU: "4200", ROW: ""}


def test_the_value_remembered_is_the_one_that_was_there_before_us() -> None:
    ours = rendered({ROW: "", MTU: "4200"})
    first = previous_after({ROW: "", MTU: "9100"}, ours, NOTHING, {})
    assert first == {ROW: "", MTU: "9100"}
    last = Ownership(frozenset(), frozenset({MTU, ROW}))
    assert previous_after({ROW: "", MTU: "1500"}, ours, last, first) == first


def test_nothing_is_remembered_of_what_we_let_go_of() -> None:
    assert previous_after({MTU: "4200"}, EMPTY, Ownership(frozenset(), frozenset({MTU})), {MTU: "9100"}) == {}
