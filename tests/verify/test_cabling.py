"""Cables that lead elsewhere, and neighbours that are not heard: FAB902, FAB903, FAB904.

Cables: leaf n Ethernet504 to spine 1 ethernet-1/n, leaf n Ethernet496 to spine 2 ethernet-1/n. Hosts at Ethernet0 and 8.
"""

from dataclasses import replace

from fabric_auto.fabric.model import Fabric
from fabric_auto.verify.run import verify
from tests.fabrics import fabric_of
from tests.strategies import Shape
from tests.verify.live import L1S1, L1S2, L2S1, L2S2, LEAF1_PORTS, cut, hear, neighbor_of, network, only, plug, told


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
