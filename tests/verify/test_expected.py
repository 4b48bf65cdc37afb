"""What a healthy network says, in literals for one fabric, and against brute force for drawn ones."""

from collections.abc import Iterator
from dataclasses import replace
from ipaddress import ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric_auto.device.observed import Neighbor
from fabric_auto.fabric.model import Fabric, Link
from fabric_auto.verify.expected import ExpectedSession, expected
from fabric_auto.verify.paths import shortest
from tests.fabrics import fabric_of
from tests.strategies import Shape


@pytest.fixture(scope="module")
def fabric() -> Fabric:
    return fabric_of(Shape(leaves=2, spines=2).intent)


def test_a_leaf_should_hear_the_spines_by_their_interface_names(fabric: Fabric) -> None:
    leaf = expected(fabric)["east-leaf-02"]
    assert leaf.neighbors == {
        "Ethernet504": Neighbor("east-spine-01", "ethernet-1/2"),
        "Ethernet496": Neighbor("east-spine-02", "ethernet-1/2"),
    }
    assert leaf.ports == {"Ethernet504": True, "Ethernet496": True, "Ethernet0": True, "Ethernet8": True}


def test_a_spine_should_hear_sonic_leaves_by_their_aliases(fabric: Fabric) -> None:
    assert expected(fabric)["east-spine-02"].neighbors == {
        "ethernet-1/1": Neighbor("east-leaf-01", "Ethernet63/1"),
        "ethernet-1/2": Neighbor("east-leaf-02", "Ethernet63/1"),
    }


def test_every_link_has_a_session_a_family(fabric: Fabric) -> None:
    assert expected(fabric)["east-spine-01"].sessions == {
        "10.11.0.0": ExpectedSession("east-leaf-01", 4200100000, established=True),
        "fd00:11::": ExpectedSession("east-leaf-01", 4200100000, established=True),
        "10.11.0.128": ExpectedSession("east-leaf-02", 4200100001, established=True),
        "fd00:11::80": ExpectedSession("east-leaf-02", 4200100001, established=True),
    }


def test_a_leaf_reaches_the_other_leaf_over_both_spines_and_each_spine_over_one_link(fabric: Fabric) -> None:
    routes = expected(fabric)["east-leaf-01"].routes
    both4, both6 = {"10.11.0.1", "10.11.0.3"}, {"fd00:11::1", "fd00:11::3"}
    assert routes == {
        ip_network("10.10.0.2/32"): both4,
        ip_network("10.20.0.64/26"): both4,
        ip_network("10.10.64.1/32"): {"10.11.0.1"},
        ip_network("10.10.64.2/32"): {"10.11.0.3"},
        ip_network("fd00:10::2/128"): both6,
        ip_network("fd00:20:0:1::/64"): both6,
        ip_network("fd00:10::4000:0:0:1/128"): {"fd00:11::1"},
        ip_network("fd00:10::4000:0:0:2/128"): {"fd00:11::3"},
    }


def test_a_spine_does_not_reach_the_other_spine_since_they_share_an_as(fabric: Fabric) -> None:
    routes = expected(fabric)["east-spine-01"].routes
    assert ip_network("10.10.64.2/32") not in routes
    assert ip_network("10.10.0.2/32") in routes


def test_spines_with_as_numbers_of_their_own_reach_each_other_over_the_leaves(fabric: Fabric) -> None:
    other = fabric.devices["east-spine-02"]
    apart = replace(other, bgp=replace(other.bgp, asn=4200000001))
    fabric = replace(fabric, devices={**fabric.devices, other.name: apart})
    assert expected(fabric)["east-spine-01"].routes[ip_network("10.10.64.2/32")] == {"10.11.0.0", "10.11.0.128"}


@st.composite
def partial(draw: st.DrawFn) -> Fabric:
    """Draw a fabric some of whose links are shut."""
    shape = Shape(
        leaves=draw(st.integers(1, 4)), spines=draw(st.integers(1, 3)), per_pair=draw(st.sampled_from([1, 2])), hosts=1
    )
    fabric = fabric_of(shape.intent)
    enabled = draw(st.lists(st.booleans(), min_size=len(fabric.links), max_size=len(fabric.links)))
    links = tuple(replace(link, enabled=on) for link, on in zip(fabric.links, enabled, strict=True))
    return replace(fabric, links=links)


def walks(fabric: Fabric, links: list[Link], walk: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield every walk that goes on from this one and passes no AS twice."""
    yield walk
    seen = {fabric.devices[name].bgp.asn for name in walk}
    for name in {end.device for link in links for end in (link.lower, link.upper) if walk[-1] in pair(link)}:
        if fabric.devices[name].bgp.asn not in seen:
            yield from walks(fabric, links, (*walk, name))


def pair(link: Link) -> set[str]:
    return {link.lower.device, link.upper.device}


@given(partial())
def test_paths_are_the_shortest_of_all_walks_that_pass_no_as_twice(fabric: Fabric) -> None:
    links = [link for link in fabric.links if link.enabled]
    found = {
        (name, destination): set(over)
        for name, groups in shortest(fabric.devices, links).items()
        for over, destinations in groups
        for destination in destinations
    }
    brute: dict[tuple[str, str], dict[int, set[str]]] = {}
    for name in fabric.devices:
        for walk in walks(fabric, links, (name,)):
            if len(walk) > 1:
                brute.setdefault((name, walk[-1]), {}).setdefault(len(walk), set()).add(walk[1])
    assert found == {ends: by_length[min(by_length)] for ends, by_length in brute.items()}
