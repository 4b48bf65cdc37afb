"""SR Linux steps against RFC 6241 §7.2 and the models (mandatory leaves, lists ordered by user)."""

import pytest
from lxml import etree

from fabric_auto.plan.build import plan_device
from fabric_auto.plan.model import DevicePlan, Impact
from fabric_auto.plan.state import DeviceState
from fabric_auto.vendors.base import Leaves
from fabric_auto.vendors.srlinux.tree import build, parse
from tests.plan.srlinux_cases import BGP, DEFAULT, OPERATION, Wish, bgp, last_of, policy, port, running_of
from tests.plan.test_laws import kept

IDLE = Wish(asn=None, statements=(), lldp=False)


def plan(running: Leaves, intended: Wish | None, state: DeviceState | None = None) -> DevicePlan:
    return plan_device("spine-01", "srlinux", running_of(running), intended.rendered if intended else None, state)


def operations(made: DevicePlan) -> list[tuple[str, str, str]]:
    """Every operation of the one document: (operation, element, first key)."""
    assert [step.kind for step in made.steps] == ["edit-config"]
    root = etree.fromstring(made.steps[0].content)
    return [
        (operation, etree.QName(element).localname, (element[0].text or "") if len(element) else "")
        for element in root.iter()
        if (operation := element.get(OPERATION))
    ]


def configured(intended: Wish) -> tuple[Leaves, DeviceState]:
    """A box that runs ``intended`` and nothing else, with our state."""
    made = plan({}, intended)
    return parse(build(made.target, {})), kept(made)


def test_an_entry_of_ours_that_changes_is_replaced_whole() -> None:
    running, state = configured(Wish(ports={1: "10.11.0.2/31"}))
    made = plan(running, Wish(ports={1: "10.11.0.2/31"}, mtu="4214"), state)
    assert operations(made) == [("replace", "interface", "ethernet-1/1")]
    entry = etree.fromstring(made.steps[0].content)[0]
    assert entry.findtext("{*}mtu") == "4214"
    assert entry.findtext("{*}subinterface/{*}ipv4/{*}address/{*}ip-prefix") == "10.11.0.2/31"


def test_an_entry_that_is_no_longer_intended_is_removed_by_its_key() -> None:
    running, state = configured(Wish(ports={1: "10.11.0.2/31", 2: "10.11.0.4/31"}))
    made = plan(running, Wish(ports={1: "10.11.0.2/31"}), state)
    assert operations(made) == [("remove", "interface", "ethernet-1/2"), ("remove", "interface", "ethernet-1/2.0")]
    removed = etree.fromstring(made.steps[0].content)[0]
    assert [etree.QName(child).localname for child in removed] == ["name"]


def test_no_operation_stands_on_a_container_that_others_may_use() -> None:
    made = plan({}, Wish(ports={1: "10.11.0.2/31"}, neighbors={"10.11.0.3": "4200100000"}))
    assert {element for _, element, _ in operations(made)} == {"interface", "afi-safi", "group", "neighbor", "policy"}
    assert {operation for operation, _, _ in operations(made)} == {"replace"}


def test_a_single_field_is_merged() -> None:
    made = plan({("system", "name", "host-name"): "srlinux"}, IDLE)
    assert operations(made) == []
    assert etree.fromstring(made.steps[0].content).findtext("{*}system/{*}name/{*}host-name") == "east-spine-01"


def test_decommissioning_removes_the_bgp_instance_that_we_made_whole() -> None:
    running, state = configured(Wish(neighbors={"10.11.0.3": "4200100000"}, statements=(), lldp=True))
    running |= {("network-instance[name=mgmt]",): "", ("network-instance[name=mgmt]", "type"): "ip-vrf"}
    made = plan(running, None, state)
    assert operations(made) == [
        ("remove", "network-instance", "default"),
        ("remove", "lldp", ""),
        ("remove", "host-name", ""),
    ]
    assert made.target == {("network-instance[name=mgmt]",): "", ("network-instance[name=mgmt]", "type"): "ip-vrf"}


def test_the_bgp_instance_keeps_its_mandatory_leaves_while_an_operators_neighbor_is_in_it() -> None:
    # srl_nokia-bgp.yang: autonomous-system and router-id are mandatory in the presence container bgp
    running, state = configured(Wish(neighbors={"10.11.0.3": "4200100000"}))
    running |= {
        (*BGP, "neighbor[peer-address=192.0.2.1]"): "",
        (*BGP, "neighbor[peer-address=192.0.2.1]", "peer-as"): "65000",
    }
    made = plan(running, None, state)
    assert made.target[(*BGP, "autonomous-system")] == "4200000000"
    assert made.target[(*BGP, "router-id")] == "10.10.0.9"
    assert made.target[DEFAULT, "type"] == "default"
    assert made.target[(*BGP, "afi-safi[afi-safi-name=ipv4-unicast]", "admin-state")] == "enable"
    assert (*BGP, "neighbor[peer-address=10.11.0.3]") not in made.target
    assert (*BGP, "group[group-name=fabric-v4]") not in made.target
    assert last_of(running, made.steps) == made.target


def test_what_a_foreign_neighbor_refers_to_stays() -> None:
    running, state = configured(Wish(neighbors={"10.11.0.3": "4200100000"}))
    running |= {
        (*BGP, "neighbor[peer-address=192.0.2.1]"): "",
        (*BGP, "neighbor[peer-address=192.0.2.1]", "peer-as"): "65000",
        (*BGP, "neighbor[peer-address=192.0.2.1]", "peer-group"): "fabric-v4",
    }
    made = plan(running, None, state)
    gone = {path for path in running if path not in made.target}
    neighbor = (*BGP, "neighbor[peer-address=10.11.0.3]")
    assert gone == {neighbor, (*neighbor, "peer-as"), (*neighbor, "peer-group"), *LLDP, ("system", "name", "host-name")}
    assert last_of(running, made.steps) == made.target


LLDP = (("system", "lldp"), ("system", "lldp", "admin-state"))


def test_an_instance_that_was_there_before_us_gets_its_values_back() -> None:
    instance = bgp("65000", {"192.0.2.9": "65001"}, "old-out") | policy("old-out", ("old",))
    before = parse(build({(DEFAULT,): "", **instance}, {}))
    made = plan(before, Wish(neighbors={"10.11.0.3": "4200100000"}))
    after = last_of(before, made.steps)
    assert after[(*BGP, "autonomous-system")] == "4200000000"
    assert last_of(after, plan(after, None, kept(made)).steps) == before


def test_policy_statements_keep_the_order_of_the_intent() -> None:
    # srl_nokia-routing-policy.yang: list statement is ordered-by user
    made = plan({}, Wish(statements=("loopbacks", "hosts")))
    names = etree.fromstring(made.steps[0].content).findall("{*}routing-policy/{*}policy/{*}statement/{*}name")
    assert [name.text for name in names] == ["loopbacks", "hosts"]


def test_a_policy_of_another_order_takes_that_of_the_intent_when_it_changes() -> None:
    running, state = configured(Wish(statements=("hosts", "loopbacks")))
    made = plan(running, Wish(statements=("loopbacks", "hosts", "links")), state)
    names = etree.fromstring(made.steps[0].content).findall("{*}routing-policy/{*}policy/{*}statement/{*}name")
    assert [name.text for name in names] == ["loopbacks", "hosts", "links"]


def test_foreign_policies_are_not_in_the_document() -> None:
    made = plan(parse(build(policy("operators", ("one",)), {})), Wish())
    assert b"operators" not in made.steps[0].content
    assert b"operators" not in made.inverse[0].content


def test_the_inverse_removes_what_was_not_there_and_replaces_what_was() -> None:
    running = parse(build(port(1, "192.0.2.1/31", "1514"), {}))
    made = plan(running, Wish(ports={1: "10.11.0.2/31", 2: "10.11.0.4/31"}, asn=None, statements=(), lldp=False))
    root = etree.fromstring(made.inverse[0].content)
    found = {entry.findtext("{*}name"): entry.get(OPERATION) for entry in root.findall("{*}interface")}
    assert found == {"ethernet-1/1": "replace", "ethernet-1/2": "remove"}


@pytest.mark.parametrize(
    ("before", "after", "impact"),
    [
        (IDLE, Wish(ports={1: "10.11.0.2/31"}, asn=None), Impact.HITLESS),
        (Wish(ports={1: "10.11.0.2/31"}), Wish(ports={1: "10.11.0.2/31"}, mtu="4214"), Impact.PORT_BOUNCE),
        (Wish(ports={1: "10.11.0.2/31"}), Wish(), Impact.PORT_BOUNCE),
        (Wish(), Wish(neighbors={"10.11.0.3": "4200100000"}), Impact.HITLESS),
        (Wish(neighbors={"10.11.0.3": "1"}), Wish(neighbors={"10.11.0.3": "2"}), Impact.SESSION_RESET),
        (Wish(neighbors={"10.11.0.3": "1"}), Wish(), Impact.SESSION_RESET),
        (Wish(), Wish(asn="4200000001"), Impact.SESSION_RESET),
        (Wish(), Wish(statements=("loopbacks",)), Impact.HITLESS),
    ],
)
def test_what_a_change_costs(before: Wish, after: Wish, impact: Impact) -> None:
    running, state = configured(before)
    assert plan(running, after, state).impact is impact
