"""BGP sessions: FAB905, FAB908.

Cables: leaf n Ethernet504 to spine 1 ethernet-1/n, leaf n Ethernet496 to spine 2 ethernet-1/n. Hosts at Ethernet0 and 8.
"""

from dataclasses import replace

from fabric_auto.fabric.model import Fabric
from fabric_auto.verify.run import verify
from tests.verify.live import L1S1, L2S1, network, only, session, told


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
