"""Prefixes and the width of their paths: FAB906.

Cables: leaf n Ethernet504 to spine 1 ethernet-1/n, leaf n Ethernet496 to spine 2 ethernet-1/n. Hosts at Ethernet0 and 8.
"""

from dataclasses import replace

from fabric_auto.fabric.model import Fabric
from fabric_auto.verify.run import verify
from tests.fabrics import fabric_of
from tests.strategies import Shape
from tests.verify.live import network, only, route, told


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
