"""Host ports: groups fill a leaf from the bottom, each group in the room its capacity reserves; and the leaf's VLAN."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from fabric_auto.core.addresses import PoolExhaustedError
from fabric_auto.core.names import fill
from fabric_auto.core.units import format_speed
from fabric_auto.fabric import allocate, rules
from fabric_auto.fabric.model import Device, HostPort, Link, Pools, Role, Vlan
from fabric_auto.fabric.ports import default_hosts
from fabric_auto.fabric.problems import Problems
from fabric_auto.intent import rules as intent_rules
from fabric_auto.intent.fabric import HostGroup
from fabric_auto.intent.parse import FabricIntent
from fabric_auto.platforms.model import Platform, Port


@dataclass(frozen=True, slots=True)
class _Room:
    """A group and what lies before it: NIC ports (for addresses) of the groups below, and its capacity in hosts."""

    group: HostGroup
    index: int
    first_nic: int
    capacity: int


def build_hosts(
    intent: FabricIntent,
    pools: Pools,
    devices: dict[str, Device],
    links: list[Link],
    platforms: Mapping[str, Platform | None],
    problems: Problems,
) -> tuple[list[HostPort], dict[str, Device]]:
    """Return the host ports, and the devices with their host VLAN."""
    rooms = _rooms(intent, platforms[intent.spec.tiers[0].name], problems)
    if problems.any() or not rooms:
        return [], devices
    taken = _taken(links)
    lengths = (intent.spec.underlay.host_subnet4, intent.spec.underlay.host_subnet)
    ports: list[HostPort] = []
    result = dict(devices)
    for device in devices.values():
        if device.role is not Role.LEAF:
            continue
        try:
            subnet = allocate.host_subnet(pools, lengths, device.index)
        except PoolExhaustedError as error:
            leaves = intent.spec.tiers[0].count
            problems.exhausted(intent.at("underlay", "pools"), f"the host pools cannot give each of {leaves} leaves a subnet", error)
            return [], devices
        if not _fits(intent, rooms, subnet, problems):
            return [], devices
        gateway4, gateway6 = subnet.gateway
        result[device.name] = replace(device, vlan=Vlan(intent.spec.vlan, gateway4, gateway6, intent.at("hosts")))
        ports.extend(_host_ports(intent, rooms, device, subnet, taken.get(device.name, {}), problems))
    return ports, result


def _rooms(intent: FabricIntent, platform: Platform | None, problems: Problems) -> list[_Room]:
    rooms: list[_Room] = []
    first_nic = 0
    groups = intent.spec.hosts
    for index, group in enumerate(groups):
        if any(group.name == other.name for other in groups[:index]):
            problems.add(intent_rules.DUPLICATE_NAME.at(intent.at("hosts", index, "name"), f"two host groups are named `{group.name}`", help="give each its own"))
        if group.capacity is None and index < len(groups) - 1:
            problems.add(
                rules.HOST_CAPACITY.at(
                    intent.at("hosts", index),
                    f"host group `{group.name}` is followed by another and reserves no room",
                    help=f"declare `capacity: {group.per_leaf}` or more, so that growth moves nothing",
                )
            )
        capacity = group.capacity or max(default_hosts(platform, group.speed, group.nics) if platform else 0, 0)
        if group.per_leaf > capacity and not _speed_is_missing(intent, index, group, platform, problems):
            said = "declared" if group.capacity else "half of the leaf's ports"
            problems.add(
                rules.HOST_CAPACITY.at(
                    intent.at("hosts", index, "per_leaf"),
                    f"{group.per_leaf} hosts a leaf of {group.nics} NICs, `capacity` is {capacity} hosts ({said})",
                    help=f"declare `capacity: {group.per_leaf}` or more",
                )
            )
        rooms.append(_Room(group, index, first_nic, capacity))
        first_nic += capacity * group.nics
    return rooms


def _speed_is_missing(intent: FabricIntent, index: int, group: HostGroup, platform: Platform | None, problems: Problems) -> bool:
    if platform is None or platform.breakout_for(group.speed) is not None:
        return False
    problems.add(rules.SPEED.at(intent.at("hosts", index, "speed"), f"`{platform.name}` has no {format_speed(group.speed)} ports"))
    return True


def _fits(intent: FabricIntent, rooms: list[_Room], subnet: allocate.HostSubnet, problems: Problems) -> bool:
    needed = sum(room.group.nics * room.group.per_leaf for room in rooms[-1:]) + rooms[-1].first_nic
    if needed <= subnet.largest:
        return True
    key = "host_subnet4" if subnet.v4.num_addresses <= subnet.v6.num_addresses else "host_subnet"
    problems.add(
        rules.HOST_SUBNET.at(
            intent.at("underlay", key),
            f"a leaf has {needed} host ports to address, a subnet ({subnet.v4.prefixlen} bits IPv4, {subnet.v6.prefixlen} bits IPv6) has room for {subnet.largest}",
            help=f"declare a shorter `{key}`",
        )
    )
    return False


Taken = dict[int, dict[str, Link]]
"""Front-panel port → port name → the link that takes it."""


def _taken(links: list[Link]) -> dict[str, Taken]:
    """Return, a device, the ports that links take."""
    taken: dict[str, Taken] = {}
    for link in links:
        taken.setdefault(link.lower.device, {}).setdefault(link.lower.port.panel, {})[link.lower.port.name] = link
    return taken


def _host_ports(
    intent: FabricIntent,
    rooms: list[_Room],
    device: Device,
    subnet: allocate.HostSubnet,
    taken: Taken,
    problems: Problems,
) -> list[HostPort]:
    found: list[HostPort] = []
    panel = 0
    for room in rooms:
        breakout = device.platform.breakout_for(room.group.speed)
        if breakout is None:
            problems.add(
                rules.SPEED.at(intent.at("hosts", room.index, "speed"), f"`{device.platform.name}` has no {format_speed(room.group.speed)} ports"),
                device.name,
            )
            return []
        first = panel * breakout.count
        for number in range(room.group.per_leaf * room.group.nics):
            if first + number >= len(breakout.ports):
                problems.add(
                    rules.PORTS_EXHAUSTED.at(
                        intent.at("hosts", room.index),
                        f"host group `{room.group.name}` needs {room.group.per_leaf * room.group.nics} ports from number {first + 1}, "
                        f"`{device.platform.name}` has {len(breakout.ports)} at {format_speed(room.group.speed)}",
                        help="use fewer hosts, or a platform with more ports",
                    ),
                    device.name,
                )
                return []
            port = breakout.ports[first + number]
            if not _free(intent, room, device, port, taken, problems):
                return []
            found.append(_host_port(intent, room, device, subnet, port, number))
        panel += -(-room.capacity * room.group.nics // breakout.count)
    return found


def _free(
    intent: FabricIntent, room: _Room, device: Device, port: Port, taken: Taken, problems: Problems
) -> bool:
    links = taken.get(port.panel, {})
    other = links.get(port.name) or next((link for link in links.values() if link.lower.port.mode != port.mode), None)
    if other is None:
        return True  # an unused sibling of an uplink's port, broken out the same way, is free
    problems.add(
        rules.PORT_USED_TWICE.at(
            intent.at("hosts", room.index),
            f"front-panel port {port.panel} is wanted by host group `{room.group.name}` and by link `{other.name}`",
            help="use fewer hosts or uplinks, or a platform with more ports",
        ),
        device.name,
    )
    return False


def _host_port(
    intent: FabricIntent, room: _Room, device: Device, subnet: allocate.HostSubnet, port: Port, number: int
) -> HostPort:
    naming, group = intent.spec.naming, room.group
    host = device.index * room.capacity + number // group.nics + 1
    v4, v6 = subnet.host(room.first_nic + number)
    return HostPort(
        host=fill(naming.host, {"fabric": intent.name, "hosts": group.name, "n": str(host).zfill(naming.digits)}),
        nic=number % group.nics + 1,
        device=device.name,
        port=port,
        speed_mbps=group.speed,
        cable_m=group.cable,
        v4=v4,
        v6=v6,
        origin=intent.at("hosts", room.index),
    )
