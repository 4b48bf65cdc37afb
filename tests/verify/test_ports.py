"""Ports that are down, and links that the intent shuts: FAB901, FAB910, and FAB908 of a shut link.

Cables: leaf n Ethernet504 to spine 1 ethernet-1/n, leaf n Ethernet496 to spine 2 ethernet-1/n. Hosts at Ethernet0 and 8.
"""

from fabric_auto.fabric.model import Fabric
from fabric_auto.verify.run import verify
from tests.verify.live import L1S1, L2S1, cut, network, only, port_state, route, session, told


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
