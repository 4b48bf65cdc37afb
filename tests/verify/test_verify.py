"""One thing broken at a time, on a fabric of two leaves and two spines (leaves SONiC, spines SR Linux).

Cables: leaf n Ethernet504 to spine 1 ethernet-1/n, leaf n Ethernet496 to spine 2 ethernet-1/n. Hosts at Ethernet0 and 8.
"""

from dataclasses import replace

import pytest

from fabric_auto.diagnostics import Diagnostic
from fabric_auto.fabric.model import Fabric
from fabric_auto.verify.run import verify
from tests.fabrics import fabric_of
from tests.strategies import SPECTRUM4, Shape
from tests.verify.live import Network, hear, neighbor_of, network, plug, port_state, route, session

L1S1, L1S2 = "east-leaf-01/east-spine-01/1", "east-leaf-01/east-spine-02/1"
L2S1, L2S2 = "east-leaf-02/east-spine-01/1", "east-leaf-02/east-spine-02/1"
LEAF1_PORTS = ("Ethernet504", "Ethernet496")


@pytest.fixture(scope="module")
def fabric() -> Fabric:
    return fabric_of(Shape(leaves=2, spines=2).intent)


@pytest.fixture(scope="module")
def shut() -> Fabric:
    return fabric_of(Shape(leaves=2, spines=2, overrides=({"link": "leaf-01/spine-01/1", "admin": "down"},)).intent)


def told(fabric: Fabric, net: Network) -> list[tuple[str, str]]:
    return [(finding.code, finding.message) for finding in verify(fabric, net)]


def only(fabric: Fabric, net: Network) -> Diagnostic:
    (finding,) = verify(fabric, net)
    return finding


def cut(net: Network, *ends: str) -> None:
    for end in ends:
        device, port = end.split(" ")
        port_state(net, device, port, up=False)


@pytest.mark.parametrize(
    "shape",
    [
        Shape(leaves=2, spines=2),
        Shape(leaves=1, spines=1, hosts=0),
        Shape(leaves=4, spines=3, per_pair=2, leaf_platform=SPECTRUM4, spine_platform=SPECTRUM4),
        Shape(leaves=3, spines=2, speed="100G", absent=("leaf-02",)),
    ],
)
def test_a_healthy_network_has_no_findings(shape: Shape) -> None:
    fabric = fabric_of(shape.intent)
    assert verify(fabric, network(fabric)) == ()


def test_a_device_that_was_not_asked_is_not_judged_and_its_neighbours_are(fabric: Fabric) -> None:
    net = network(fabric)
    del net["east-spine-01"], net["east-leaf-02"]
    assert verify(fabric, net) == ()
    assert verify(fabric, {}) == ()


def test_a_device_that_the_fabric_does_not_know_is_left_out(fabric: Fabric) -> None:
    net = network(fabric)
    net["west-leaf-01"] = net["east-leaf-01"]
    assert verify(fabric, net) == ()


class TestCables:
    def test_two_cables_swapped_on_one_leaf_are_one_finding(self, fabric: Fabric) -> None:
        net = network(fabric, dead=(L1S1, L1S2))
        plug(
            net,
            fabric,
            ("east-leaf-01 Ethernet504", "east-spine-02 ethernet-1/1"),
            ("east-leaf-01 Ethernet496", "east-spine-01 ethernet-1/1"),
        )
        finding = only(fabric, net)
        assert (finding.code, finding.message) == (
            "FAB902",
            (
                "cables swapped: east-leaf-01 Ethernet504 goes to east-spine-02 ethernet-1/1, "
                "Ethernet496 to east-spine-01 ethernet-1/1"
            ),
        )
        assert finding.span == fabric.links[0].origin
        assert finding.subject == "east-leaf-01 Ethernet504"
        assert [note.message for note in finding.notes] == [
            "the intent has east-leaf-01 Ethernet504 to east-spine-01 ethernet-1/1",
            "the intent has east-leaf-01 Ethernet496 to east-spine-02 ethernet-1/1",
        ]

    def test_two_cables_swapped_between_two_leaves_are_one_finding(self, fabric: Fabric) -> None:
        net = network(fabric, dead=(L1S1, L2S1))
        plug(
            net,
            fabric,
            ("east-leaf-01 Ethernet504", "east-spine-01 ethernet-1/2"),
            ("east-leaf-02 Ethernet504", "east-spine-01 ethernet-1/1"),
        )
        assert told(fabric, net) == [
            (
                "FAB902",
                (
                    "cables swapped: east-leaf-01 Ethernet504 goes to east-spine-01 ethernet-1/2, "
                    "east-leaf-02 Ethernet504 to east-spine-01 ethernet-1/1"
                ),
            )
        ]

    def test_a_leaf_cabled_to_a_leaf_and_a_spine_to_a_spine_is_a_swap(self, fabric: Fabric) -> None:
        net = network(fabric, dead=(L1S1, L2S2))
        plug(
            net,
            fabric,
            ("east-leaf-01 Ethernet504", "east-leaf-02 Ethernet496"),
            ("east-spine-01 ethernet-1/1", "east-spine-02 ethernet-1/2"),
        )
        assert told(fabric, net) == [
            (
                "FAB902",
                (
                    "cables swapped: east-leaf-01 Ethernet504 goes to east-leaf-02 Ethernet496, "
                    "east-spine-01 ethernet-1/1 to east-spine-02 ethernet-1/2"
                ),
            )
        ]

    def test_three_cables_in_a_ring_are_one_finding(self, fabric: Fabric) -> None:
        net = network(fabric, dead=(L1S1, L1S2, L2S1))
        plug(
            net,
            fabric,
            ("east-leaf-01 Ethernet504", "east-spine-02 ethernet-1/1"),
            ("east-leaf-01 Ethernet496", "east-spine-01 ethernet-1/2"),
            ("east-leaf-02 Ethernet504", "east-spine-01 ethernet-1/1"),
        )
        assert told(fabric, net) == [
            (
                "FAB902",
                (
                    "cables swapped: east-leaf-01 Ethernet504 goes to east-spine-02 ethernet-1/1, "
                    "Ethernet496 to east-spine-01 ethernet-1/2, east-leaf-02 Ethernet504 to east-spine-01 ethernet-1/1"
                ),
            )
        ]

    def test_two_separate_swaps_are_two_findings(self) -> None:
        fabric = fabric_of(Shape(leaves=4, spines=2).intent)
        dead = [link.name for link in fabric.links if link.lower.device in {"east-leaf-01", "east-leaf-03"}]
        net = network(fabric, dead=dead)
        for n in (1, 3):
            plug(
                net,
                fabric,
                (f"east-leaf-0{n} Ethernet504", f"east-spine-02 ethernet-1/{n}"),
                (f"east-leaf-0{n} Ethernet496", f"east-spine-01 ethernet-1/{n}"),
            )
        assert [finding.code for finding in verify(fabric, net)] == ["FAB902", "FAB902"]

    def test_a_swap_is_seen_when_only_the_leaf_was_asked(self, fabric: Fabric) -> None:
        net = network(fabric, dead=(L1S1, L1S2))
        net = {"east-leaf-01": net["east-leaf-01"]}
        plug(
            net,
            fabric,
            ("east-leaf-01 Ethernet504", "east-spine-02 ethernet-1/1"),
            ("east-leaf-01 Ethernet496", "east-spine-01 ethernet-1/1"),
        )
        assert [finding.code for finding in verify(fabric, net)] == ["FAB902"]

    def test_a_cable_in_a_spare_port_is_a_wrong_neighbour_once(self, fabric: Fabric) -> None:
        net = network(fabric, dead=(L1S1,))
        cut(net, "east-spine-01 ethernet-1/1")
        plug(net, fabric, ("east-leaf-01 Ethernet504", "east-spine-01 ethernet-1/9"))
        finding = only(fabric, net)
        assert (finding.code, finding.message) == (
            "FAB903",
            "wrong neighbour: east-leaf-01 Ethernet504 goes to east-spine-01 ethernet-1/9, not to east-spine-01 ethernet-1/1",
        )
        assert finding.span == fabric.links[0].origin

    def test_a_cable_to_a_foreign_switch_is_a_wrong_neighbour(self, fabric: Fabric) -> None:
        net = network(fabric, dead=(L1S1,))
        cut(net, "east-spine-01 ethernet-1/1")
        plug(net, fabric, ("east-leaf-01 Ethernet504", "core-09 Eth1/7"))
        assert told(fabric, net) == [
            (
                "FAB903",
                "wrong neighbour: east-leaf-01 Ethernet504 goes to core-09 Eth1/7, not to east-spine-01 ethernet-1/1",
            )
        ]

    def test_a_cable_in_the_port_of_another_is_one_finding_with_both_cables_named(self, fabric: Fabric) -> None:
        net = network(fabric, dead=(L1S1, L2S1))
        cut(net, "east-spine-01 ethernet-1/1", "east-leaf-02 Ethernet504")
        plug(net, fabric, ("east-leaf-01 Ethernet504", "east-spine-01 ethernet-1/2"))
        finding = only(fabric, net)
        assert (finding.code, finding.message) == (
            "FAB903",
            "wrong neighbour: east-leaf-01 Ethernet504 goes to east-spine-01 ethernet-1/2, not to east-spine-01 ethernet-1/1",
        )
        assert [note.message for note in finding.notes] == [
            "the intent has east-leaf-01 Ethernet504 to east-spine-01 ethernet-1/1",
            "the intent has east-leaf-02 Ethernet504 to east-spine-01 ethernet-1/2",
        ]

    def test_an_uplink_in_a_host_port_is_one_finding(self, fabric: Fabric) -> None:
        net = network(fabric, dead=(L1S1,))
        hear(net, "east-leaf-01", "Ethernet504", None)  # the host plugged here does not speak
        plug(net, fabric, ("east-leaf-01 Ethernet0", "east-spine-01 ethernet-1/1"))
        finding = only(fabric, net)
        assert (finding.code, finding.message) == (
            "FAB903",
            "wrong neighbour: east-spine-01 ethernet-1/1 goes to east-leaf-01 Ethernet0, not to east-leaf-01 Ethernet504",
        )
        assert [note.message for note in finding.notes] == ["the intent has east-leaf-01 Ethernet0 to east-gpu-01 nic1"]

    def test_two_host_ports_cabled_to_each_other_are_a_wrong_neighbour(self, fabric: Fabric) -> None:
        net = network(fabric)
        plug(net, fabric, ("east-leaf-01 Ethernet0", "east-leaf-02 Ethernet8"))
        finding = only(fabric, net)
        assert (finding.code, finding.message) == (
            "FAB903",
            "wrong neighbour: east-leaf-01 Ethernet0 goes to east-leaf-02 Ethernet8, not to east-gpu-01 nic1",
        )
        assert finding.span == fabric.host_ports[0].origin

    def test_a_host_port_may_hear_its_host(self, fabric: Fabric) -> None:
        net = network(fabric)
        plug(net, fabric, ("east-leaf-01 Ethernet0", "gpu-a b8:ce:f6:00:00:01"))
        assert verify(fabric, net) == ()

    def test_a_fully_qualified_system_name_is_the_device(self, fabric: Fabric) -> None:
        net = network(fabric)
        hear(
            net,
            "east-leaf-01",
            "Ethernet504",
            replace(neighbor_of(fabric, "east-spine-01", "ethernet-1/1"), system_name="east-spine-01.dc.example"),
        )
        assert verify(fabric, net) == ()

    def test_a_sonic_port_is_known_by_its_alias_and_not_by_its_name(self, fabric: Fabric) -> None:
        net = network(fabric)
        heard = net["east-spine-01"].neighbors["ethernet-1/1"]
        assert heard.port_id == "Ethernet64/1"  # Arista-7060DX5-64S, port_config.ini: Ethernet504 has this alias
        hear(net, "east-spine-01", "ethernet-1/1", replace(heard, port_id="Ethernet504"))
        assert told(fabric, net) == [
            (
                "FAB903",
                (
                    "wrong neighbour: east-spine-01 ethernet-1/1 goes to east-leaf-01 port ID Ethernet504, "
                    "not to east-leaf-01 Ethernet504"
                ),
            )
        ]

    def test_nobody_heard_at_one_end(self, fabric: Fabric) -> None:
        net = network(fabric)
        hear(net, "east-spine-01", "ethernet-1/1", None)
        finding = only(fabric, net)
        assert (finding.code, finding.message, finding.subject) == (
            "FAB904",
            "no neighbour heard: east-spine-01 ethernet-1/1, where east-leaf-01 Ethernet504 is expected",
            "east-spine-01 ethernet-1/1",
        )

    def test_nobody_heard_at_both_ends_is_one_finding_and_explains_the_sessions(self, fabric: Fabric) -> None:
        net = network(fabric, dead=(L1S1,))
        hear(net, "east-spine-01", "ethernet-1/1", None)
        hear(net, "east-leaf-01", "Ethernet504", None)
        assert told(fabric, net) == [
            ("FAB904", "no neighbour heard: either end of east-leaf-01 Ethernet504 to east-spine-01 ethernet-1/1")
        ]

    def test_a_device_without_lldp_is_one_finding(self, fabric: Fabric) -> None:
        net = network(fabric)
        for port in LEAF1_PORTS:
            hear(net, "east-leaf-01", port, None)
        for spine in ("east-spine-01", "east-spine-02"):
            hear(net, spine, "ethernet-1/1", None)
        finding = only(fabric, net)
        assert (finding.code, finding.message, finding.span) == (
            "FAB904",
            "no neighbour heard: all 2 links of east-leaf-01, first east-leaf-01 Ethernet504 to east-spine-01 ethernet-1/1",
            fabric.devices["east-leaf-01"].origin,
        )


class TestPorts:
    def test_a_cut_cable_is_one_finding(self, fabric: Fabric) -> None:
        net = network(fabric, dead=(L1S1,))
        cut(net, "east-leaf-01 Ethernet504", "east-spine-01 ethernet-1/1")
        finding = only(fabric, net)
        assert (finding.code, finding.message) == (
            "FAB901",
            "ports down: east-leaf-01 Ethernet504 and east-spine-01 ethernet-1/1, the ends of one cable",
        )
        assert finding.span == fabric.links[0].origin

    def test_one_end_down(self, fabric: Fabric) -> None:
        net = network(fabric, dead=(L1S1,))
        cut(net, "east-spine-01 ethernet-1/1")
        assert told(fabric, net) == [
            ("FAB901", "port down: east-spine-01 ethernet-1/1, cabled to east-leaf-01 Ethernet504")
        ]

    def test_a_port_that_does_not_exist_is_missing(self, fabric: Fabric) -> None:
        net = network(fabric, dead=(L1S1,))
        port_state(net, "east-leaf-01", "Ethernet504", up=None)
        cut(net, "east-spine-01 ethernet-1/1")
        assert told(fabric, net) == [
            ("FAB901", "port missing: east-leaf-01 Ethernet504, cabled to east-spine-01 ethernet-1/1")
        ]

    def test_a_device_that_is_off_is_one_finding(self, fabric: Fabric) -> None:
        net = network(fabric, dead=(L1S1, L2S1))
        del net["east-spine-01"]
        for leaf in ("east-leaf-01", "east-leaf-02"):
            cut(net, f"{leaf} Ethernet504")
        finding = only(fabric, net)
        assert (finding.code, finding.message, finding.span) == (
            "FAB901",
            "ports down: all 2 links of east-spine-01, first east-leaf-01 Ethernet504 to east-spine-01 ethernet-1/1",
            fabric.devices["east-spine-01"].origin,
        )

    def test_a_host_port_down(self, fabric: Fabric) -> None:
        net = network(fabric)
        cut(net, "east-leaf-01 Ethernet8")
        finding = only(fabric, net)
        assert (finding.code, finding.message, finding.span) == (
            "FAB910",
            "host port down: east-leaf-01 Ethernet8, cabled to east-gpu-02 nic1",
            fabric.host_ports[1].origin,
        )

    def test_no_host_up_is_one_finding_though_the_subnet_is_withdrawn_everywhere(self, fabric: Fabric) -> None:
        net = network(fabric)
        cut(net, "east-leaf-01 Ethernet0", "east-leaf-01 Ethernet8")
        for device in ("east-leaf-02", "east-spine-01", "east-spine-02"):
            route(net, device, "10.20.0.0/26")
            route(net, device, "fd00:20::/64")
        assert told(fabric, net) == [
            ("FAB910", "host ports down: 2 of 2 on east-leaf-01, first Ethernet0, cabled to east-gpu-01 nic1")
        ]


class TestShutLinks:
    def test_a_link_that_the_intent_shuts_is_down_and_no_finding(self, shut: Fabric) -> None:
        assert [link.enabled for link in shut.links] == [False, True, True, True]
        assert verify(shut, network(shut)) == ()

    def test_without_the_link_the_spine_has_no_path_to_the_leaf(self, shut: Fabric) -> None:
        # spine-01 → leaf-02 → spine-02 → leaf-01 passes the spines' AS twice
        assert all(str(prefix) != "10.10.0.1/32" for prefix in network(shut)["east-spine-01"].routes)

    def test_a_shut_link_that_is_up_is_one_finding(self, shut: Fabric, fabric: Fabric) -> None:
        assert told(shut, network(fabric)) == [
            ("FAB901", "port up: east-leaf-01 Ethernet504 and east-spine-01 ethernet-1/1, shut by the intent")
        ]

    def test_a_session_over_a_shut_link_is_one_finding(self, shut: Fabric) -> None:
        net = network(shut)
        session(net, "east-leaf-01", "10.11.0.1", state="established")
        assert told(shut, net) == [
            (
                "FAB908",
                (
                    "BGP session established: east-leaf-01 10.11.0.0 to east-spine-01 10.11.0.1, "
                    "over a link that the intent shuts"
                ),
            )
        ]


class TestSessions:
    def test_both_families_down_are_one_finding(self, fabric: Fabric) -> None:
        net = network(fabric, dead=(L1S1,))
        finding = only(fabric, net)
        assert (finding.code, finding.message, finding.span) == (
            "FAB905",
            "BGP sessions down: east-leaf-01 Ethernet504 to east-spine-01 ethernet-1/1, IPv4 and IPv6 (active)",
            fabric.links[0].origin,
        )

    def test_one_family_down_takes_only_its_own_routes(self, fabric: Fabric) -> None:
        dead, net = network(fabric, dead=(L1S1,)), network(fabric)
        session(net, "east-leaf-01", "10.11.0.1", state="active")
        session(net, "east-spine-01", "10.11.0.0", state="idle")
        for name, state in net.items():
            routes = {each: hops for each, hops in state.routes.items() if each.version == 6}
            routes |= {each: hops for each, hops in dead[name].routes.items() if each.version == 4}
            net[name] = replace(state, routes=routes)
        assert told(fabric, net) == [
            ("FAB905", "BGP session down: east-leaf-01 10.11.0.0 to east-spine-01 10.11.0.1 (active, idle)")
        ]

    def test_a_session_that_is_not_configured_is_down(self, fabric: Fabric) -> None:
        net = network(fabric, dead=(L1S1,))
        leaf = net["east-leaf-01"]
        kept = {key: value for key, value in leaf.sessions.items() if key not in {"10.11.0.1", "fd00:11::1"}}
        net["east-leaf-01"] = replace(leaf, sessions=kept)
        assert told(fabric, net) == [
            (
                "FAB905",
                (
                    "BGP sessions down: east-leaf-01 Ethernet504 to east-spine-01 ethernet-1/1, IPv4 and IPv6 "
                    "(active, not configured)"
                ),
            )
        ]

    def test_all_sessions_of_a_device_down_are_one_finding(self, fabric: Fabric) -> None:
        assert told(fabric, network(fabric, dead=(L1S1, L2S1))) == [
            (
                "FAB905",
                (
                    "BGP sessions down: all 2 links of east-spine-01, "
                    "first east-leaf-01 Ethernet504 to east-spine-01 ethernet-1/1"
                ),
            )
        ]

    def test_a_wrong_as_number_explains_that_the_session_is_down(self, fabric: Fabric) -> None:
        net = network(fabric, dead=(L1S1,))
        session(net, "east-leaf-01", "10.11.0.1", asn=65000, state="idle")
        session(net, "east-leaf-01", "fd00:11::1", asn=65000, state="idle")
        finding = only(fabric, net)
        assert (finding.code, finding.message, finding.subject) == (
            "FAB908",
            "AS number differs: east-leaf-01 has AS 65000 for east-spine-01 10.11.0.1, not 4200000000 (and 1 more)",
            "east-leaf-01 10.11.0.1",
        )

    def test_a_session_of_an_operator_is_not_judged(self, fabric: Fabric) -> None:
        net = network(fabric)
        leaf = net["east-leaf-01"]
        other = replace(leaf.sessions["10.11.0.1"], address="192.0.2.1", state="idle")
        net["east-leaf-01"] = replace(leaf, sessions={**leaf.sessions, "192.0.2.1": other})
        assert verify(fabric, net) == ()


class TestPrefixes:
    def test_a_prefix_missing_on_one_device(self, fabric: Fabric) -> None:
        net = network(fabric)
        route(net, "east-leaf-01", "10.20.0.64/26")
        finding = only(fabric, net)
        # of leaf-02 two prefixes a family, of each spine one
        assert (finding.code, finding.message, finding.span) == (
            "FAB906",
            "no route: east-leaf-01 lacks 1 of 8 prefixes, first 10.20.0.64/26",
            fabric.devices["east-leaf-01"].origin,
        )
        assert [note.message for note in finding.notes] == ["the paths that it lacks go over east-spine-01 and 1 more"]

    def test_fewer_next_hops_than_there_are_paths(self, fabric: Fabric) -> None:
        net = network(fabric)
        route(net, "east-leaf-01", "10.20.0.64/26", "10.11.0.3")
        route(net, "east-leaf-01", "10.10.0.2/32", "10.11.0.3")
        finding = only(fabric, net)
        assert (finding.code, finding.message) == (
            "FAB906",
            "too few next hops: east-leaf-01 to 2 of 8 prefixes, first 10.10.0.2/32 over 1 of 2",
        )
        assert [note.message for note in finding.notes] == ["the paths that it lacks go over east-spine-01"]

    def test_a_prefix_lost_at_a_spine_is_reported_there_and_not_at_the_leaf_behind_it(self, fabric: Fabric) -> None:
        net = network(fabric)
        route(net, "east-spine-01", "10.20.0.64/26")
        route(net, "east-leaf-01", "10.20.0.64/26", "10.11.0.3")
        assert told(fabric, net) == [("FAB906", "no route: east-spine-01 lacks 1 of 8 prefixes, first 10.20.0.64/26")]

    def test_a_prefix_that_nobody_has_is_its_owners(self, fabric: Fabric) -> None:
        net = network(fabric)
        for device in ("east-leaf-01", "east-spine-01", "east-spine-02"):
            route(net, device, "10.20.0.64/26")
        finding = only(fabric, net)
        assert (finding.code, finding.message, finding.subject) == (
            "FAB906",
            "not advertised: no neighbour of east-leaf-02 has 1 of its 4 prefixes, first 10.20.0.64/26",
            "east-leaf-02",
        )

    def test_a_device_that_takes_nothing_is_one_finding(self, fabric: Fabric) -> None:
        net = network(fabric)
        for prefix in list(net["east-leaf-01"].routes):
            if net["east-leaf-01"].routes[prefix]:
                route(net, "east-leaf-01", str(prefix))
        assert told(fabric, net) == [("FAB906", "no route: east-leaf-01 lacks 8 of 8 prefixes, first 10.10.0.2/32")]

    def test_a_device_that_takes_nothing_and_gives_nothing_is_one_finding(self, fabric: Fabric) -> None:
        net = network(fabric)
        for prefix, hops in list(net["east-leaf-01"].routes.items()):
            if hops:
                route(net, "east-leaf-01", str(prefix))
        for device in ("east-leaf-02", "east-spine-01", "east-spine-02"):
            for prefix in ("10.10.0.1/32", "10.20.0.0/26", "fd00:10::1/128", "fd00:20::/64"):
                route(net, device, prefix)
        finding = only(fabric, net)
        assert finding.message == "no route: east-leaf-01 lacks 8 of 8 prefixes, first 10.10.0.2/32"
        assert finding.notes[-1].message == "its neighbours lack prefixes of east-leaf-01 too"

    def test_a_spine_that_gives_nothing_is_one_finding(self, fabric: Fabric) -> None:
        net = network(fabric)
        for leaf, hops in {
            "east-leaf-01": {"10.11.0.1", "fd00:11::1"},
            "east-leaf-02": {"10.11.0.129", "fd00:11::81"},
        }.items():
            for prefix, had in list(net[leaf].routes.items()):
                if had & hops:
                    route(net, leaf, str(prefix), *(had - hops))
        assert told(fabric, net) == [
            ("FAB906", "not advertised: no neighbour of east-spine-01 has 2 of its 2 prefixes, first 10.10.64.1/32")
        ]

    def test_a_spine_that_gives_no_host_routes_is_one_finding(self, fabric: Fabric) -> None:
        net = network(fabric)
        route(net, "east-leaf-01", "10.20.0.64/26", "10.11.0.3")
        route(net, "east-leaf-02", "10.20.0.0/26", "10.11.0.131")
        finding = only(fabric, net)
        assert (finding.code, finding.message, finding.subject) == (
            "FAB906",
            "too few next hops: 2 devices lack paths over east-spine-01, first east-leaf-01 to 10.20.0.64/26 over 1 of 2",
            "east-spine-01",
        )

    def test_two_causes_on_one_device_are_two_findings(self, fabric: Fabric) -> None:
        net = network(fabric)
        route(net, "east-leaf-01", "10.10.64.1/32")
        route(net, "east-leaf-01", "10.20.0.64/26", "10.11.0.3")
        assert [finding.message.split(":")[0] for finding in verify(fabric, net)] == ["no route", "too few next hops"]

    def test_more_paths_than_the_platform_can_use_are_not_expected(self) -> None:
        fabric = fabric_of(Shape(leaves=2, spines=1, per_pair=4).intent)
        leaf = fabric.devices["east-leaf-01"]
        narrow = replace(leaf.platform, limits=replace(leaf.platform.limits, ecmp_paths=2))
        fabric = replace(fabric, devices={**fabric.devices, leaf.name: replace(leaf, platform=narrow)})
        net = network(fabric)
        via = sorted(net[leaf.name].routes[fabric.devices["east-leaf-02"].loopback.v4.network])
        route(net, leaf.name, "10.10.0.2/32", *via[:2])
        assert (len(via), verify(fabric, net)) == (4, ())
        route(net, leaf.name, "10.10.0.2/32", via[0])
        assert [finding.message for finding in verify(fabric, net)] == [
            "too few next hops: east-leaf-01 to 1 of 6 prefixes, first 10.10.0.2/32 over 1 of 2"
        ]


class TestSoftware:
    def test_another_release(self, fabric: Fabric) -> None:
        net = network(fabric)
        net["east-leaf-02"] = replace(net["east-leaf-02"], release="202411")
        finding = only(fabric, net)
        assert (finding.code, finding.message, finding.span) == (
            "FAB907",
            "compiled for another device: east-leaf-02 runs release 202411, not 202505",
            fabric.devices["east-leaf-02"].origin,
        )

    def test_another_model_and_release_are_one_finding(self, fabric: Fabric) -> None:
        net = network(fabric)
        net["east-spine-01"] = replace(net["east-spine-01"], release="24.10.1", model="7220 IXR-D3L")
        assert told(fabric, net) == [
            (
                "FAB907",
                (
                    "compiled for another device: east-spine-01 is model 7220 IXR-D3L, not 7220 IXR-H4 "
                    "and runs release 24.10.1, not 25.3.1"
                ),
            )
        ]

    def test_the_same_difference_on_many_devices_is_one_finding(self, fabric: Fabric) -> None:
        net = {name: replace(state, release="202411") for name, state in network(fabric).items() if "leaf" in name}
        assert told(fabric, net) == [
            ("FAB907", "compiled for another device: east-leaf-01 runs release 202411, not 202505 (and 1 more)")
        ]

    def test_a_release_of_the_stated_train_is_right(self, fabric: Fabric) -> None:
        spine = replace(fabric.devices["east-spine-01"], release="25.3")
        fabric = replace(fabric, devices={**fabric.devices, spine.name: spine})
        net = network(fabric)
        net["east-spine-01"] = replace(net["east-spine-01"], release="25.3.2")
        assert verify(fabric, net) == ()


def test_two_faults_are_two_findings_in_their_total_order(fabric: Fabric) -> None:
    net = network(fabric, dead=(L2S2,))
    cut(net, "east-leaf-02 Ethernet496", "east-spine-02 ethernet-1/2", "east-leaf-01 Ethernet0")
    assert [(finding.code, finding.subject) for finding in verify(fabric, net)] == [
        ("FAB901", "east-leaf-02 Ethernet496"),
        ("FAB910", "east-leaf-01 Ethernet0"),
    ]
