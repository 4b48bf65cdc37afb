"""What should be true on the live network, a device, from the fabric alone."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from fabric_auto.device.observed import Neighbor, Prefix
from fabric_auto.fabric.model import Device, Fabric, Link, LinkEnd
from fabric_auto.verify.paths import Paths, shortest

FAMILIES: Final = (4, 6)


@dataclass(frozen=True, slots=True)
class ExpectedSession:
    """A BGP session as one of its ends should see it; down when the intent shuts the link."""

    peer: str
    peer_asn: int
    established: bool


@dataclass(frozen=True, slots=True)
class Expected:
    """What one switch should say of itself (compare :class:`~fabric_auto.device.observed.Observed`).

    Attributes:
        ports: port name → up, for ports with a cable.
        neighbors: port name → what LLDP hears (IEEE 802.1AB); enabled links only, hosts need not speak.
        sessions: peer address → session.
        routes: prefix of another device → next hops over all shortest valid paths, before the platform's ECMP limit.
    """

    release: str
    model: str
    ports: dict[str, bool]
    neighbors: dict[str, Neighbor]
    sessions: dict[str, ExpectedSession]
    routes: dict[Prefix, frozenset[str]]


def expected(fabric: Fabric) -> dict[str, Expected]:
    """Return what every device should say of itself when all is well, by device name."""
    enabled = tuple(link for link in fabric.links if link.enabled)
    routes = expected_routes(fabric, dict.fromkeys(FAMILIES, enabled))
    return {name: _expected(fabric, device, routes[name]) for name, device in fabric.devices.items()}


def expected_routes(fabric: Fabric, working: Mapping[int, tuple[Link, ...]]) -> dict[str, dict[Prefix, frozenset[str]]]:
    """Return, a device, the next hops to every prefix of another device that it can reach.

    Args:
        fabric: the fabric.
        working: IP version → the links whose sessions of that family carry routes.
    """
    routes: dict[str, dict[Prefix, frozenset[str]]] = {name: {} for name in fabric.devices}
    before: tuple[Link, ...] | None = None
    paths: Paths = {}
    for version, links in working.items():
        if links != before:  # both families mostly work over the same links
            before, paths = links, shortest(fabric.devices, links)
        prefixes = {name: prefixes_of(device, version) for name, device in fabric.devices.items()}
        hops = _hops(links, version)
        for name, groups in paths.items():
            for over, destinations in groups:
                via = frozenset(hop for peer in over for hop in hops[name, peer])
                routes[name].update((prefix, via) for each in destinations for prefix in prefixes[each])
    return routes


def prefixes_of(device: Device, version: int) -> tuple[Prefix, ...]:
    """Return what a device originates in a family: its loopback, and its host subnet when it has hosts."""
    loopback = device.loopback.v4 if version == 4 else device.loopback.v6  # noqa: PLR2004  (an IP version)
    if device.vlan is None:
        return (loopback.network,)
    gateway = device.vlan.gateway4 if version == 4 else device.vlan.gateway6  # noqa: PLR2004  (an IP version)
    return (loopback.network, gateway.network)


def address_of(end: LinkEnd, version: int) -> str:
    """Return the end's address of a family, as text."""
    return str(end.v4.ip if version == 4 else end.v6.ip)  # noqa: PLR2004  (an IP version)


def announced(end: LinkEnd) -> Neighbor:
    """Return what LLDP at the other end hears of this one: SONiC announces the port's alias, SR Linux its name.

    The catalogue gives a port of SR Linux its name as alias.
    """
    return Neighbor(end.device, end.port.alias)


def _hops(links: Iterable[Link], version: int) -> dict[tuple[str, str], list[str]]:
    """Return the peer's addresses by (device, peer)."""
    hops: dict[tuple[str, str], list[str]] = {}
    for link in links:
        for own, peer in ((link.lower, link.upper), (link.upper, link.lower)):
            hops.setdefault((own.device, peer.device), []).append(address_of(peer, version))
    return hops


def _expected(fabric: Fabric, device: Device, routes: dict[Prefix, frozenset[str]]) -> Expected:
    name = device.name
    ports = {link.end(name).port.name: link.enabled for link in fabric.links_of(name)}
    ports.update((host.port.name, True) for host in fabric.host_ports_of(name))
    return Expected(
        release=device.release,
        model=device.platform.model,
        ports=ports,
        neighbors={
            link.end(name).port.name: announced(link.peer(name)) for link in fabric.links_of(name) if link.enabled
        },
        sessions={
            address_of(link.peer(name), version): ExpectedSession(
                link.peer(name).device, fabric.devices[link.peer(name).device].bgp.asn, link.enabled
            )
            for link in fabric.links_of(name)
            for version in FAMILIES
        },
        routes=routes,
    )
