"""A network as it would speak, made from a fabric by hand: ports, LLDP, sessions, and the routes of two tiers."""

from collections.abc import Collection
from dataclasses import replace
from ipaddress import ip_network

from fabric_auto.device.observed import Neighbor, Observed, Prefix, Session
from fabric_auto.diagnostics import Diagnostic
from fabric_auto.fabric.model import Device, Fabric, Link, LinkEnd, Role
from fabric_auto.verify.run import verify

Network = dict[str, Observed]

L1S1, L1S2 = "east-leaf-01/east-spine-01/1", "east-leaf-01/east-spine-02/1"
L2S1, L2S2 = "east-leaf-02/east-spine-01/1", "east-leaf-02/east-spine-02/1"
LEAF1_PORTS = ("Ethernet504", "Ethernet496")


def network(fabric: Fabric, *, dead: Collection[str] = ()) -> Network:
    """Return what every device says; links named in ``dead`` and links shut by the intent carry no session and no route.

    The dead links' ports are up and hear whom they should; the shut ones' are down and silent.
    """
    alive = [link for link in fabric.links if link.enabled and link.name not in dead]
    return {name: _device(fabric, device, alive) for name, device in fabric.devices.items()}


def _device(fabric: Fabric, device: Device, alive: list[Link]) -> Observed:
    name = device.name
    links = [(link, *ends_from(link, name)) for link in fabric.links_of(name)]
    ports = {own.port.name: link.enabled for link, own, _ in links}
    ports |= {host.port.name: True for host in fabric.host_ports_of(name)}
    return Observed(
        release=device.release,
        model=device.platform.model,
        ports=ports,
        neighbors={own.port.name: heard(fabric, peer) for link, own, peer in links if link.enabled},
        sessions={
            address: Session(
                address, fabric.devices[peer.device].bgp.asn, "established" if link in alive else "active", 0
            )
            for link, _, peer in links
            for address in (str(peer.v4.ip), str(peer.v6.ip))
        },
        routes=_routes(fabric, device, alive),
    )


def heard(fabric: Fabric, end: LinkEnd) -> Neighbor:
    """Return what LLDP says of an end: SONiC its alias, SR Linux its name."""
    sonic = fabric.devices[end.device].platform.nos == "sonic"
    return Neighbor(end.device, end.port.alias if sonic else end.port.name)


def ends_from(link: Link, name: str) -> tuple[LinkEnd, LinkEnd]:
    """Return the device's end and the other."""
    return (link.lower, link.upper) if link.lower.device == name else (link.upper, link.lower)


def own_prefixes(device: Device, version: int) -> list[Prefix]:
    """Return what a device originates."""
    interfaces = [device.loopback.v4, device.loopback.v6]
    if device.vlan is not None:
        interfaces += [device.vlan.gateway4, device.vlan.gateway6]
    return [ip_network(each.network) for each in interfaces if each.version == version]


def _routes(fabric: Fabric, device: Device, alive: list[Link]) -> dict[Prefix, frozenset[str]]:
    routes: dict[Prefix, frozenset[str]] = {}
    for version in (4, 6):
        routes |= dict.fromkeys(own_prefixes(device, version), frozenset())
        for other in fabric.devices.values():
            hops = set()
            for link in alive:
                if device.name not in {link.lower.device, link.upper.device}:
                    continue
                _, peer = ends_from(link, device.name)
                if _leads_to(fabric, device, peer.device, other, alive):
                    hops.add(str(peer.v4.ip if version == 4 else peer.v6.ip))
            if hops:
                routes |= dict.fromkeys(own_prefixes(other, version), frozenset(hops))
    return routes


def _leads_to(fabric: Fabric, device: Device, via: str, other: Device, alive: list[Link]) -> bool:
    """Two tiers: straight to the neighbour, or from a leaf over a spine to another leaf that it has a link to."""
    if via == other.name:
        return True
    if device.role is not Role.LEAF or other.role is not Role.LEAF or device is other:
        return False
    return any((link.lower.device, link.upper.device) == (other.name, via) for link in alive)


def plug(net: Network, fabric: Fabric, *cables: tuple[str, str]) -> None:
    """Let LLDP hear these cables at both ends; an end is ``east-leaf-01 Ethernet504``."""
    for one, other in cables:
        for own, far in ((one, other), (other, one)):
            device, port = own.split(" ")
            if device in net:
                hear(net, device, port, neighbor_of(fabric, *far.split(" ")))


def neighbor_of(fabric: Fabric, device: str, port: str) -> Neighbor:
    """Return what LLDP says of a port by name; foreign devices say what they are given."""
    if device not in fabric.devices:
        return Neighbor(device, port)
    breakouts = fabric.devices[device].platform.breakouts
    alias = next(each.alias for breakout in breakouts for each in breakout.ports if each.name == port)
    return Neighbor(device, alias)


def hear(net: Network, device: str, port: str, neighbor: Neighbor | None) -> None:
    """Let a port hear somebody, or nobody."""
    neighbors = dict(net[device].neighbors)
    neighbors.pop(port, None)
    if neighbor is not None:
        neighbors[port] = neighbor
    net[device] = replace(net[device], neighbors=neighbors)


def port_state(net: Network, device: str, port: str, *, up: bool | None) -> None:
    """Set a port up or down (then it hears nobody), or take it away (None)."""
    ports = dict(net[device].ports)
    ports.pop(port, None)
    if up is not None:
        ports[port] = up
    net[device] = replace(net[device], ports=ports)
    if not up:
        hear(net, device, port, None)


def session(net: Network, device: str, address: str, *, asn: int | None = None, state: str | None = None) -> None:
    """Change a session."""
    old = net[device].sessions[address]
    new = replace(old, peer_asn=asn or old.peer_asn, state=state or old.state)
    net[device] = replace(net[device], sessions={**net[device].sessions, address: new})


def route(net: Network, device: str, prefix: str, *hops: str) -> None:
    """Set the next hops of a route; without any the route is gone."""
    routes = dict(net[device].routes)
    routes.pop(ip_network(prefix))
    if hops:
        routes[ip_network(prefix)] = frozenset(hops)
    net[device] = replace(net[device], routes=routes)


def cut(net: Network, *ends: str) -> None:
    """Take ports down; an end is ``east-leaf-01 Ethernet504``."""
    for end in ends:
        device, port = end.split(" ")
        port_state(net, device, port, up=False)


def told(fabric: Fabric, net: Network) -> list[tuple[str, str]]:
    """Return code and message of every finding."""
    return [(finding.code, finding.message) for finding in verify(fabric, net)]


def only(fabric: Fabric, net: Network) -> Diagnostic:
    """Return the finding, which must be one."""
    (finding,) = verify(fabric, net)
    return finding
