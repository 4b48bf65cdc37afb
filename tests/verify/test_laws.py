"""Laws of verification, over drawn fabrics: one cause, one finding."""

from collections.abc import Mapping
from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from fabric_auto.device.observed import Observed
from fabric_auto.fabric.model import Fabric, Link
from fabric_auto.verify.run import verify
from tests.fabrics import fabric_of
from tests.strategies import Shape, shapes
from tests.verify.live import network, plug, port_state

WITHOUT_A_CLOCK: Final = settings(deadline=None)
"""How long a fabric takes is not what these laws are about, and a machine may be busy."""

SWAPS: Final = ("upper ends", "lower to lower")


def drawn(data: st.DataObject, *, links: int) -> tuple[Fabric, list[Link]]:
    """Draw a fabric and that many of its links; it has two leaves or more, and spines to spare."""
    shape = Shape(
        leaves=data.draw(st.integers(2, 5)),
        spines=data.draw(st.integers(3, 4)),
        per_pair=data.draw(st.sampled_from([1, 2])),
        hosts=data.draw(st.integers(0, 2)),
    )
    fabric = fabric_of(shape.intent)
    return fabric, data.draw(st.lists(st.sampled_from(fabric.links), min_size=links, max_size=links, unique=True))


def codes(fabric: Fabric, net: Mapping[str, Observed]) -> list[str]:
    return [finding.code for finding in verify(fabric, net)]


@given(shapes())
@settings(WITHOUT_A_CLOCK, max_examples=30)
def test_a_healthy_network_has_no_findings(shape: Shape) -> None:
    fabric = fabric_of(shape.intent)
    assert verify(fabric, network(fabric)) == ()


@given(st.data())
@WITHOUT_A_CLOCK
def test_any_cut_cable_is_one_finding(data: st.DataObject) -> None:
    fabric, (link,) = drawn(data, links=1)
    net = network(fabric, dead=(link.name,))
    for end in (link.lower, link.upper):
        port_state(net, end.device, end.port.name, up=False)
    assert codes(fabric, net) == ["FAB901"]


@given(st.data())
@WITHOUT_A_CLOCK
def test_any_session_that_is_down_is_one_finding(data: st.DataObject) -> None:
    fabric, (link,) = drawn(data, links=1)
    assert codes(fabric, network(fabric, dead=(link.name,))) == ["FAB905"]


@given(st.data())
@WITHOUT_A_CLOCK
def test_any_two_swapped_cables_are_one_finding(data: st.DataObject) -> None:
    fabric, (one, two) = drawn(data, links=2)
    net = network(fabric, dead=(one.name, two.name))
    lower1, upper1, lower2, upper2 = (
        f"{end.device} {end.port.name}" for end in (one.lower, one.upper, two.lower, two.upper)
    )
    if data.draw(st.sampled_from(SWAPS)) == "upper ends":
        plug(net, fabric, (lower1, upper2), (lower2, upper1))
    else:
        plug(net, fabric, (lower1, lower2), (upper1, upper2))
    assert codes(fabric, net) == ["FAB902"]


@given(st.data())
@WITHOUT_A_CLOCK
def test_the_order_in_which_devices_are_asked_does_not_matter(data: st.DataObject) -> None:
    fabric, (one, two) = drawn(data, links=2)
    net = network(fabric, dead=(one.name, two.name))
    shuffled = {name: net[name] for name in data.draw(st.permutations(list(net)))}
    assert verify(fabric, shuffled) == verify(fabric, net)
