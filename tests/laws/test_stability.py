"""What holds for all fabrics: growth moves nothing, addresses are disjoint, both ends agree."""

from hypothesis import given, settings
from hypothesis import strategies as st

from fabric_auto.device.derive import derive
from fabric_auto.fabric.model import Fabric
from tests.fabrics import fabric_of
from tests.strategies import Shape, grown, shapes


def moved(before: Fabric, after: Fabric) -> list[str]:
    """Return what exists in both and is not the same in both."""
    found = [
        name
        for name in before.devices.keys() & after.devices.keys()
        if (before.devices[name].loopback, before.devices[name].bgp.asn)
        != (after.devices[name].loopback, after.devices[name].bgp.asn)
    ]
    ours, theirs = ({link.name: (link.lower, link.upper) for link in fabric.links} for fabric in (before, after))
    found += [name for name in ours.keys() & theirs.keys() if ours[name] != theirs[name]]
    ours, theirs = (
        {(port.host, port.nic): (port.device, port.port, port.v4, port.v6) for port in fabric.host_ports}
        for fabric in (before, after)
    )
    found += [f"{host}/nic{nic}" for host, nic in ours.keys() & theirs.keys() if ours[host, nic] != theirs[host, nic]]
    return sorted(found)


@given(grown())
@settings(deadline=None)
def test_no_name_address_or_port_moves_when_leaves_spines_or_hosts_come_or_go(pair: tuple[Shape, Shape]) -> None:
    before, after = (fabric_of(shape.intent) for shape in pair)
    assert moved(before, after) == []


@given(shapes(), st.lists(st.integers(0, 100), min_size=7, max_size=7))
@settings(deadline=None)
def test_the_order_of_keys_means_nothing(shape: Shape, order: list[int]) -> None:
    straight, shuffled = fabric_of(shape.intent), fabric_of(shape.shuffled(order))
    assert moved(straight, shuffled) == []
    assert list(straight.devices) == list(shuffled.devices)
    assert [link.name for link in straight.links] == [link.name for link in shuffled.links]


@given(shapes())
@settings(deadline=None)
def test_no_address_is_given_twice_and_every_one_is_inside_its_pool(shape: Shape) -> None:
    fabric = fabric_of(shape.intent)
    addresses = []
    for link in fabric.links:
        for end in (link.lower, link.upper):
            assert end.v4.ip in fabric.pools.link4
            assert end.v6.ip in fabric.pools.link
            addresses += [end.v4.ip, end.v6.ip]
    for device in fabric.devices.values():
        assert device.loopback.v4.ip in fabric.pools.loopback4
        assert device.loopback.v6.ip in fabric.pools.loopback
        addresses += [device.loopback.v4.ip, device.loopback.v6.ip]
        if device.vlan is not None:
            addresses += [device.vlan.gateway4.ip, device.vlan.gateway6.ip]
    for host in fabric.host_ports:
        assert host.v4.ip in fabric.pools.host4
        assert host.v6.ip in fabric.pools.host
        addresses += [host.v4.ip, host.v6.ip]
    assert len(addresses) == len(set(addresses))


@given(shapes())
@settings(deadline=None)
def test_no_port_or_lane_is_used_twice(shape: Shape) -> None:
    fabric = fabric_of(shape.intent)
    for name in fabric.devices:
        used = [link.end(name).port.name for link in fabric.links_of(name)] + [
            host.port.name for host in fabric.host_ports_of(name)
        ]
        assert len(used) == len(set(used))
        lanes = [lane for port in derive(fabric, name).ports for lane in port.port.lanes]
        assert len(lanes) == len(set(lanes))


@given(shapes())
@settings(deadline=None)
def test_both_ends_of_a_link_share_a_subnet_and_name_each_other(shape: Shape) -> None:
    fabric = fabric_of(shape.intent)
    configs = {name: derive(fabric, name) for name in fabric.devices}
    for link in fabric.links:
        assert link.lower.v4.network == link.upper.v4.network
        assert link.lower.v6.network == link.upper.v6.network
        assert (link.lower.v4.network.prefixlen, link.lower.v6.network.prefixlen) == (31, 127)
    sessions = {
        (name, str(neighbor.local_address), str(neighbor.address), neighbor.asn)
        for name, config in configs.items()
        for neighbor in config.bgp.neighbors
    }
    for name, local, peer, _ in sessions:
        other = next(each for each in sessions if each[1] == peer and each[2] == local)
        assert other[3] == configs[name].bgp.asn
