"""Host ports: groups fill a leaf from the bottom, each group in the room its capacity reserves; and the leaf's VLAN."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from fabric_auto.core.addresses import PoolExhaustedError
from fabric_auto.core.names import fill
from fabric_auto.core.units import format_speed
from fabric_auto.fabric import allocate, rules
from fabric_auto.fabric.model import Device, HostPort, Link, Role, Vlan
from fabric_auto.fabric.ports import default_hosts
from fabric_auto.fabric.problems import Draft
from fabric_auto.intent import rules as intent_rules
from fabric_auto.intent.fabric import HostGroup
from fabric_auto.platforms.model import Platform, Port


@dataclass(frozen=True, slots=True)
class _Room:
    """A group and what lies before it: NIC ports (for addresses) of the groups below, and its capacity in hosts."""

    group: HostGroup
    index: int
    first_nic: int
    capacity: int


Taken = dict[int, dict[str, Link]]
"""Front-panel port → port name → the link that takes it."""


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A leaf, its host subnet, and the ports that its uplinks take."""

    device: Device
    subnet: allocate.HostSubnet
    taken: Taken


def build_hosts(
    draft: Draft, devices: dict[str, Device], links: list[Link], platforms: Mapping[str, Platform | None]
) -> tuple[list[HostPort], dict[str, Device]]:
    """Return the host ports, and the devices with their host VLAN; what is wrong goes to ``draft.problems``."""
    rooms = _rooms(draft, platforms[draft.intent.spec.tiers[0].name])
    if draft.problems.any() or not rooms:
        return [], devices
    ports: list[HostPort] = []
    result = dict(devices)
    for leaf in _leaves(draft, devices, links, rooms):
        gateway4, gateway6 = leaf.subnet.gateway
        vlan = Vlan(draft.intent.spec.vlan, gateway4, gateway6, draft.at("hosts"))
        result[leaf.device.name] = replace(leaf.device, vlan=vlan)
        ports.extend(_host_ports(draft, leaf, rooms))
    return ports, result


def _leaves(draft: Draft, devices: dict[str, Device], links: list[Link], rooms: list[_Room]) -> list[_Leaf]:
    underlay = draft.intent.spec.underlay
    lengths = (underlay.host_subnet4, underlay.host_subnet)
    taken = _taken(links)
    leaves: list[_Leaf] = []
    for device in devices.values():
        if device.role is not Role.LEAF:
            continue
        try:
            subnet = allocate.host_subnet(draft.pools, lengths, device.index)
        except PoolExhaustedError as error:
            count = draft.intent.spec.tiers[0].count
            draft.problems.exhausted(draft.intent, f"give each of {count} leaves a subnet", error)
            return []
        if not _fits(draft, rooms, subnet):
            return []
        leaves.append(_Leaf(device, subnet, taken.get(device.name, {})))
    return leaves


def _rooms(draft: Draft, platform: Platform | None) -> list[_Room]:
    rooms: list[_Room] = []
    first_nic = 0
    groups = draft.intent.spec.hosts
    for index, group in enumerate(groups):
        if any(group.name == other.name for other in groups[:index]):
            draft.problems.add(
                intent_rules.DUPLICATE_NAME.at(
                    draft.at("hosts", index, "name"),
                    f"two host groups are named `{group.name}`",
                    help="give each its own",
                )
            )
        capacity = group.capacity or (default_hosts(platform, group.speed, group.nics) if platform else 0)
        if platform is not None and platform.breakout_for(group.speed) is None:
            _no_such_speed(draft, index, platform)
        else:
            _check_room(draft, index, capacity)
        rooms.append(_Room(group, index, first_nic, capacity))
        first_nic += capacity * group.nics
    return rooms


def _check_room(draft: Draft, index: int, capacity: int) -> None:
    group = draft.intent.spec.hosts[index]
    if group.capacity is None and index < len(draft.intent.spec.hosts) - 1:
        draft.problems.add(
            rules.HOST_CAPACITY.at(
                draft.at("hosts", index),
                f"host group `{group.name}` is followed by another and reserves no room",
                help=f"declare `capacity: {group.per_leaf}` or more, so that growth moves nothing",
            )
        )
    if group.per_leaf > capacity:
        said = "declared" if group.capacity else "half of the leaf's ports"
        draft.problems.add(
            rules.HOST_CAPACITY.at(
                draft.at("hosts", index, "per_leaf"),
                f"{group.per_leaf} hosts a leaf of {group.nics} NICs, `capacity` is {capacity} hosts ({said})",
                help=f"declare `capacity: {group.per_leaf}` or more",
            )
        )


def _no_such_speed(draft: Draft, index: int, platform: Platform, device: str = "") -> None:
    speed = format_speed(draft.intent.spec.hosts[index].speed)
    where = draft.at("hosts", index, "speed")
    draft.problems.add(rules.SPEED.at(where, f"`{platform.name}` has no {speed} ports"), device)


def _fits(draft: Draft, rooms: list[_Room], subnet: allocate.HostSubnet) -> bool:
    last = rooms[-1]
    needed = last.first_nic + last.group.nics * last.group.per_leaf
    if needed <= subnet.largest:
        return True
    key = "host_subnet4" if subnet.v4.num_addresses <= subnet.v6.num_addresses else "host_subnet"
    draft.problems.add(
        rules.HOST_SUBNET.at(
            draft.at("underlay", key),
            f"a leaf has {needed} host ports to address, its subnets (/{subnet.v4.prefixlen} and "
            f"/{subnet.v6.prefixlen}) have room for {subnet.largest}",
            help=f"declare a shorter `{key}`",
        )
    )
    return False


def _taken(links: list[Link]) -> dict[str, Taken]:
    """Return, a device, the ports that links take."""
    taken: dict[str, Taken] = {}
    for link in links:
        taken.setdefault(link.lower.device, {}).setdefault(link.lower.port.panel, {})[link.lower.port.name] = link
    return taken


def _host_ports(draft: Draft, leaf: _Leaf, rooms: list[_Room]) -> list[HostPort]:
    found: list[HostPort] = []
    panel = 0
    for room in rooms:
        breakout = leaf.device.platform.breakout_for(room.group.speed)
        if breakout is None:
            _no_such_speed(draft, room.index, leaf.device.platform, leaf.device.name)
            return []
        wanted = room.group.per_leaf * room.group.nics
        ports = breakout.ports[panel * breakout.count :][:wanted]
        if len(ports) < wanted:
            _too_few_ports(draft, leaf, room, len(breakout.ports))
            return []
        if not all(_is_free(draft, leaf, room, port) for port in ports):
            return []
        found.extend(_host_port(draft, leaf, room, port, number) for number, port in enumerate(ports))
        panel += -(-room.capacity * room.group.nics // breakout.count)
    return found


def _too_few_ports(draft: Draft, leaf: _Leaf, room: _Room, ports: int) -> None:
    group = room.group
    draft.problems.add(
        rules.PORTS_EXHAUSTED.at(
            draft.at("hosts", room.index),
            f"host group `{group.name}` needs {group.per_leaf * group.nics} ports, `{leaf.device.platform.name}` has "
            f"{ports} at {format_speed(group.speed)}, less those of the groups before it",
            help="use fewer hosts, or a platform with more ports",
        ),
        leaf.device.name,
    )


def _is_free(draft: Draft, leaf: _Leaf, room: _Room, port: Port) -> bool:
    links = leaf.taken.get(port.panel, {})
    other = links.get(port.name) or next((link for link in links.values() if link.lower.port.mode != port.mode), None)
    if other is None:
        return True  # an unused sibling of an uplink's port, broken out the same way, is free
    draft.problems.add(
        rules.PORT_USED_TWICE.at(
            draft.at("hosts", room.index),
            f"front-panel port {port.panel} is wanted by host group `{room.group.name}` and by link `{other.name}`",
            help="use fewer hosts or uplinks, or a platform with more ports",
        ),
        leaf.device.name,
    )
    return False


def _host_port(draft: Draft, leaf: _Leaf, room: _Room, port: Port, number: int) -> HostPort:
    naming, group = draft.intent.spec.naming, room.group
    host = str(leaf.device.index * room.capacity + number // group.nics + 1).zfill(naming.digits)
    v4, v6 = leaf.subnet.host(room.first_nic + number)
    return HostPort(
        host=fill(naming.host, {"fabric": draft.intent.name, "hosts": group.name, "n": host}),
        nic=number % group.nics + 1,
        device=leaf.device.name,
        port=port,
        speed_mbps=group.speed,
        cable_m=group.cable,
        v4=v4,
        v6=v6,
        origin=draft.at("hosts", room.index),
    )
