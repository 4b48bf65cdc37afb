"""Routes over established sessions: selection, multipath, loops, policies and counts (RFC 4271 section 9)."""

from dataclasses import replace
from ipaddress import IPv4Network, IPv6Network, ip_network
from random import Random

import pytest

from fabric_auto.lab.emulated.control_plane import ControlPlane, compute
from fabric_auto.lab.emulated.device import Prefix, Route, State, View
from fabric_auto.lab.emulated.topology import Cable, CableEnd
from tests.lab.emulated.clos import FIRST_LEAF_ASN, SPINE_ASN, clos

LEAF_1_LOOPBACK = IPv4Network("10.0.1.1/32")
LEAF_1_VLAN = IPv4Network("10.20.1.0/24")
SPINE_0_LOOPBACK = IPv4Network("10.1.0.1/32")


def first_session(state: State, family: str) -> dict[str, int]:
    session = next(each for each in state.sessions.values() if each.families == {family})
    return {"received": session.received[family], "sent": session.sent[family]}


def test_a_leaf_reaches_another_over_every_spine() -> None:
    states = compute(*clos(leaves=2, spines=4))
    # Link n is 172.16.0.(2n)/31 with the leaf at the even address; leaf-0 has links 0 to 3.
    assert states["leaf-0"].routes[LEAF_1_LOOPBACK] == Route(
        LEAF_1_LOOPBACK,
        "bgp",
        ("172.16.0.1", "172.16.0.3", "172.16.0.5", "172.16.0.7"),
        (SPINE_ASN, FIRST_LEAF_ASN + 1),
    )
    assert states["spine-3"].routes[LEAF_1_LOOPBACK].as_path == (FIRST_LEAF_ASN + 1,)


def test_ipv6_prefixes_follow_the_ipv6_sessions() -> None:
    states = compute(*clos(leaves=2, spines=2))
    route = states["leaf-0"].routes[IPv6Network("2001:db8:20:1::/64")]
    assert route.next_hops == ("2001:db8:ffff::1", "2001:db8:ffff::3")


@pytest.mark.parametrize(("width", "expected"), [(1, 1), (3, 3), (64, 4)])
def test_multipath_is_as_wide_as_the_device_says(width: int, expected: int) -> None:
    states = compute(*clos(leaves=2, spines=4, maximum_paths=width))
    assert len(states["leaf-0"].routes[LEAF_1_LOOPBACK].next_hops) == expected


def test_multipath_takes_equally_long_paths_through_different_ases() -> None:
    states = compute(*clos(leaves=2, spines=4, unique_spine_asn=True))
    route = states["leaf-0"].routes[LEAF_1_LOOPBACK]
    assert len(route.next_hops) == 4
    # The best of the four is the one from the lowest BGP identifier: spine-0, 10.1.0.1.
    assert route.as_path == (SPINE_ASN, FIRST_LEAF_ASN + 1)


def test_spines_of_one_as_do_not_learn_each_other_through_a_leaf() -> None:
    states = compute(*clos(leaves=2, spines=2))
    assert SPINE_0_LOOPBACK not in states["spine-1"].routes


def test_allow_own_as_lets_spines_of_one_as_learn_each_other() -> None:
    views, cables = clos(leaves=2, spines=2)
    views["spine-1"] = replace(views["spine-1"], allow_own_as=1)
    states = compute(views, cables)
    route = states["spine-1"].routes[SPINE_0_LOOPBACK]
    assert route.as_path == (FIRST_LEAF_ASN, SPINE_ASN)
    assert len(route.next_hops) == 2
    assert IPv4Network("10.1.1.1/32") not in states["spine-0"].routes


def test_spines_of_different_ases_learn_each_other_through_the_leaves() -> None:
    states = compute(*clos(leaves=2, spines=2, unique_spine_asn=True))
    assert states["spine-1"].routes[SPINE_0_LOOPBACK].as_path == (FIRST_LEAF_ASN, SPINE_ASN)


def test_counts_are_what_was_accepted_and_what_was_sent() -> None:
    states = compute(*clos(leaves=3, spines=2))
    # IPv4, leaf-0 with spine-0. Received: two other leaves' loopback and VLAN, the spine's loopback.
    # Sent: its own loopback and VLAN, and spine-1's loopback; what spine-0 is best for does not go back to it.
    assert first_session(states["leaf-0"], "ipv4") == {"received": 5, "sent": 3}
    # The spine takes leaf-0's two, refuses spine-1's (its own AS), and sends its own and the other leaves' four.
    assert first_session(states["spine-0"], "ipv4") == {"received": 2, "sent": 5}
    # IPv6 has VLAN prefixes only.
    assert first_session(states["leaf-0"], "ipv6") == {"received": 2, "sent": 1}


def test_an_import_policy_that_rejects_keeps_the_session_and_drops_the_routes() -> None:
    views, cables = clos(leaves=2, spines=1)
    views["leaf-0"] = replace(views["leaf-0"], imports=lambda _neighbor, _prefix, _protocol: False)
    states = compute(views, cables)
    session = states["leaf-0"].sessions["172.16.0.1"]
    assert (session.state, session.received) == ("Established", {"ipv4": 0})
    assert {each.protocol for each in states["leaf-0"].routes.values()} == {"local"}


def test_an_export_policy_sees_what_is_local_and_what_is_learnt() -> None:
    views, cables = clos(leaves=2, spines=1)
    asked: set[tuple[Prefix, str]] = set()

    def local_only(neighbor: str, prefix: Prefix, protocol: str) -> bool:
        asked.add((prefix, protocol))
        return protocol == "local"

    views["spine-0"] = replace(views["spine-0"], exports=local_only)
    states = compute(views, cables)
    assert (SPINE_0_LOOPBACK, "local") in asked
    assert (LEAF_1_LOOPBACK, "bgp") in asked
    assert SPINE_0_LOOPBACK in states["leaf-0"].routes
    assert LEAF_1_LOOPBACK not in states["leaf-0"].routes


def test_a_policy_is_asked_about_the_neighbour_the_route_goes_to() -> None:
    views, cables = clos(leaves=3, spines=1)
    to_leaf_0 = "172.16.0.0"
    views["spine-0"] = replace(views["spine-0"], exports=lambda neighbor, _prefix, _protocol: neighbor != to_leaf_0)
    states = compute(views, cables)
    assert LEAF_1_LOOPBACK not in states["leaf-0"].routes
    assert LEAF_1_LOOPBACK in states["leaf-2"].routes


def test_a_policy_that_groups_neighbours_is_asked_once_a_group() -> None:
    class Grouped:
        def __init__(self) -> None:
            self.asked: list[tuple[Prefix, str]] = []

        def __call__(self, _neighbor: str, prefix: Prefix, protocol: str) -> bool:
            self.asked.append((prefix, protocol))
            return True

        def group(self, _neighbor: str) -> str:
            return "leaves"

    views, cables = clos(leaves=6, spines=1)
    policy = Grouped()
    views["spine-0"] = replace(views["spine-0"], exports=policy)
    assert len(compute(views, cables)["leaf-0"].routes) > 10
    assert len(policy.asked) == len(set(policy.asked))


def test_a_prefix_is_originated_only_while_its_interface_is_up() -> None:
    views, cables = clos(leaves=2, spines=2)
    assert LEAF_1_VLAN in compute(views, cables)["leaf-0"].routes
    unplugged = [cable for cable in cables if cable.a != CableEnd("leaf-1", "Ethernet900")]
    states = compute(views, unplugged)
    assert LEAF_1_VLAN not in states["leaf-0"].routes
    assert LEAF_1_VLAN not in states["leaf-1"].routes


def test_connected_routes_have_no_next_hop_and_win_over_bgp() -> None:
    views, cables = clos(leaves=2, spines=1)
    views["leaf-0"] = replace(
        views["leaf-0"], addresses=(*views["leaf-0"].addresses, *views["leaf-1"].addresses[:1]), originates=()
    )
    states = compute(views, cables)
    assert states["leaf-0"].routes[LEAF_1_LOOPBACK] == Route(LEAF_1_LOOPBACK, "local", ())
    assert states["leaf-0"].routes[IPv4Network("172.16.0.0/31")].protocol == "local"


def test_a_longer_path_is_not_used_beside_a_shorter_one() -> None:
    # leaf-0 loses its link to spine-0 and reaches it through the other leaf: two ASes more.
    views, cables = clos(leaves=2, spines=2, unique_spine_asn=True)
    first = Cable(CableEnd("leaf-0", "Ethernet0"), CableEnd("spine-0", "Ethernet0"), 10)
    states = compute(views, [cable for cable in cables if cable != first])
    assert states["leaf-0"].routes[LEAF_1_LOOPBACK].next_hops == ("172.16.0.3",)
    assert states["leaf-0"].routes[SPINE_0_LOOPBACK].as_path == (SPINE_ASN + 1, FIRST_LEAF_ASN + 1, SPINE_ASN)


def test_the_result_depends_on_neither_the_order_of_devices_nor_of_cables() -> None:
    views, cables = clos(leaves=4, spines=3, unique_spine_asn=True)
    expected = compute(views, cables)
    random = Random(7)
    for _ in range(3):
        names, shuffled = list(views), list(cables)
        random.shuffle(names)
        random.shuffle(shuffled)
        again = compute({name: views[name] for name in names}, shuffled)
        assert again == expected
        assert [list(each.routes) for _, each in sorted(again.items())] == [
            list(each.routes) for _, each in sorted(expected.items())
        ]


def test_a_control_plane_that_remembers_answers_as_a_new_one_does() -> None:
    views, cables = clos(leaves=4, spines=3)
    remembering = ControlPlane()
    remembering.compute(views, cables)
    changed = views | {"leaf-1": without_vlan(views["leaf-1"])}
    changed["spine-2"] = replace(views["spine-2"], exports=lambda _neighbor, prefix, _protocol: prefix.prefixlen == 32)
    for each, plugged in ((changed, cables), (changed, cables[3:]), (views, cables[3:]), (views, cables)):
        remembered, fresh = remembering.compute(each, plugged), compute(each, plugged)
        assert remembered == fresh
        assert {n: list(s.routes) for n, s in remembered.items()} == {n: list(s.routes) for n, s in fresh.items()}


def without_vlan(leaf: View) -> View:
    return replace(leaf, originates=tuple(each for each in leaf.originates if each[1] != "Vlan100"))


def test_the_fixed_point_is_that_of_a_plain_path_vector_simulation() -> None:
    views, cables = clos(leaves=4, spines=3, unique_spine_asn=True)
    views["leaf-2"] = replace(views["leaf-2"], imports=lambda _neighbor, prefix, _protocol: prefix.prefixlen != 24)
    views["spine-1"] = replace(
        views["spine-1"], exports=lambda _neighbor, prefix, _protocol: "10.20.1" not in str(prefix)
    )
    random = Random(11)
    kept = [cable for cable in cables if random.random() > 0.25]
    states = compute(views, kept)
    for text in ("10.20.0.0/24", "10.20.1.0/24", "10.0.3.1/32", "10.1.2.1/32"):
        prefix = ip_network(text)
        assert isinstance(prefix, IPv4Network)
        expected = simulate(views, states, prefix)
        got = {name: each.routes[prefix].as_path for name, each in states.items() if prefix in each.routes}
        assert {name: len(path) for name, path in got.items()} == {name: len(path) for name, path in expected.items()}


def simulate(views: dict[str, View], states: dict[str, State], prefix: Prefix) -> dict[str, tuple[int, ...]]:
    """Every device tells every neighbour its best path, again and again, until nothing changes."""
    owner = {str(each.address.ip): name for name, view in views.items() for each in view.addresses}
    best: dict[str, tuple[int, ...]] = {
        name: ()
        for name, state in states.items()
        if prefix in state.routes and state.routes[prefix].protocol == "local"
    }
    origins = set(best)
    while True:
        heard = dict.fromkeys(origins, ())
        for name, state in states.items():
            if name in origins:
                continue
            paths = []
            for session in state.sessions.values():
                peer = owner[session.address]
                if session.state != "Established" or "ipv4" not in session.families or peer not in best:
                    continue
                mine = next(a for a, s in states[peer].sessions.items() if owner[a] == name and s.families == {"ipv4"})
                path = (views[peer].asn, *best[peer])
                protocol = "local" if peer in origins else "bgp"
                passes = views[peer].exports(mine, prefix, protocol) and views[name].imports(
                    session.address, prefix, "bgp"
                )
                if passes and views[name].asn not in path:
                    paths.append(path)
            if paths:
                heard[name] = min(paths, key=lambda path: (len(path), path))
        if heard == best:
            return best
        best = heard
