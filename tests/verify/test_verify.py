"""One thing broken at a time, on a fabric of two leaves and two spines (leaves SONiC, spines SR Linux).

Cables: leaf n Ethernet504 to spine 1 ethernet-1/n, leaf n Ethernet496 to spine 2 ethernet-1/n. Hosts at Ethernet0 and 8.
"""

import pytest

from fabric_auto.fabric.model import Fabric
from fabric_auto.verify.run import verify
from tests.fabrics import fabric_of
from tests.strategies import SPECTRUM4, Shape
from tests.verify.live import L2S2, cut, network


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


def test_two_faults_are_two_findings_in_their_total_order(fabric: Fabric) -> None:
    net = network(fabric, dead=(L2S2,))
    cut(net, "east-leaf-02 Ethernet496", "east-spine-02 ethernet-1/2", "east-leaf-01 Ethernet0")
    assert [(finding.code, finding.subject) for finding in verify(fabric, net)] == [
        ("FAB901", "east-leaf-02 Ethernet496"),
        ("FAB910", "east-leaf-01 Ethernet0"),
    ]
