"""BGP sessions: which neighbours find each other over the links that are up.

Only external BGP to a directly connected address is modelled (RFC 4271 section 5.1.3, one IP hop). States follow the
finite state machine of RFC 4271 section 8.2.2:

* ``Idle``: BGP cannot start, no up interface has the neighbour's subnet, or the OPEN was refused by a NOTIFICATION (bad
  peer AS, no family in common: section 6.2, RFC 5492 section 5).
* ``Connect``: the subnet is up and nobody at the other end has the address.
* ``Active``: the address is there and refuses the connection, as it has no such neighbour.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import ip_address

from fabric_auto.lab.emulated.device import AddressView, Prefix, SessionView, View
from fabric_auto.lab.emulated.links import Links
from fabric_auto.lab.emulated.topology import CableEnd


@dataclass(frozen=True, slots=True)
class LocalAddress:
    """An address of a device, without its prefix length, and the ports that carry it."""

    address: str
    ports: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Speaker:
    """What a view says about addresses and neighbours, indexed; it depends on the view alone.

    Attributes:
        owned: (address, port) for each port that carries the address.
        neighbors: sessions by canonical neighbour address.
        connected: for each session address, the local addresses whose subnet holds it.
        networks: each address and its subnet.
        runs: BGP has what it needs to start (RFC 4271 section 4.2: an AS number and a BGP identifier).
    """

    view: View
    owned: frozenset[tuple[str, str]]
    neighbors: dict[str, SessionView]
    connected: dict[str, tuple[LocalAddress, ...]]
    networks: tuple[tuple[AddressView, Prefix], ...]
    runs: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a configured session.

    Attributes:
        state: ``Idle``, ``Connect``, ``Active`` or ``Established``.
        peer: the device at the other end; with ``peer_session`` (the address it knows us by) and ``families`` only when
            established.
    """

    state: str
    peer: str = ""
    peer_session: str = ""
    families: frozenset[str] = frozenset()


@lru_cache(maxsize=65536)
def canonical(address: str) -> str:
    """Return an address in its canonical text form (RFC 5952), or "" when it is none."""
    try:
        return str(ip_address(address))
    except ValueError:
        return ""


def carriers(address: AddressView) -> tuple[str, ...]:
    """Return the ports that carry an address; none for a loopback."""
    return (address.port,) if address.port else address.members


def is_up(address: AddressView, ports_up: frozenset[str]) -> bool:
    """Return True when the L3 interface of the address is up: always for a loopback, never for an empty VLAN or LAG."""
    ports = carriers(address)
    if not ports:
        return not address.interface.startswith(("Vlan", "irb", "lag", "PortChannel"))
    return any(port in ports_up for port in ports)


def index(view: View) -> Speaker:
    """Index a view."""
    owned: set[tuple[str, str]] = set()
    subnets: dict[tuple[int, int, int], list[LocalAddress]] = {}
    networks = []
    for each in view.addresses:
        text, ports, network = str(each.address.ip), carriers(each), each.address.network
        owned.update((text, port) for port in ports)
        networks.append((each, network))
        key = (network.version, network.prefixlen, int(network.network_address))
        subnets.setdefault(key, []).append(LocalAddress(text, ports))
    lengths = {(version, length) for version, length, _ in subnets}
    return Speaker(
        view,
        frozenset(owned),
        {canonical(each.address): each for each in view.sessions},
        {each.address: tuple(_connected(each, subnets, lengths)) for each in view.sessions},
        tuple(networks),
        bool(view.asn and "." in canonical(view.router_id)),
    )


def establish(speakers: Mapping[str, Speaker], links: Links) -> dict[str, dict[str, Outcome]]:
    """Return the outcome of every configured session, by device and neighbour address as configured."""
    outcomes = {
        name: {session.address: _outcome(name, session, speakers, links) for session in speaker.view.sessions}
        for name, speaker in speakers.items()
    }
    # With an address configured twice both ends may have chosen differently: there is one connection at most.
    return {
        name: {
            address: each if _mutual(name, address, each, outcomes) else Outcome("Active")
            for address, each in of.items()
        }
        for name, of in outcomes.items()
    }


def _connected(
    session: SessionView, subnets: Mapping[tuple[int, int, int], list[LocalAddress]], lengths: set[tuple[int, int]]
) -> Iterator[LocalAddress]:
    text = canonical(session.address)
    if not text:
        return
    address, source = ip_address(text), canonical(session.local)
    for version, length in sorted(lengths):
        if version != address.version:
            continue
        shift = address.max_prefixlen - length
        for local in subnets.get((version, length, int(address) >> shift << shift), ()):
            if not session.local or local.address == source:
                yield local


def _outcome(name: str, session: SessionView, speakers: Mapping[str, Speaker], links: Links) -> Outcome:
    speaker, up = speakers[name], links.ports[name]
    local_addresses = [each for each in speaker.connected[session.address] if not up.isdisjoint(each.ports)]
    if not speaker.runs or not local_addresses:
        return Outcome("Idle")
    address, found = canonical(session.address), False
    for local in local_addresses:
        for peer in _owners(address, local, links.far[name], speakers):
            found = True
            answer = _answer(speakers[peer], local.address, address)
            if answer is not None:
                return _opened(session, speaker.view, peer, speakers[peer].view, answer)
    return Outcome("Active" if found else "Connect")


def _owners(
    address: str, local: LocalAddress, far: Mapping[str, CableEnd], speakers: Mapping[str, Speaker]
) -> Iterator[str]:
    """Yield the devices plugged into a port of ``local`` that have ``address`` on the port at their end."""
    for port in local.ports:
        end = far.get(port)
        if end is not None and end.device in speakers and (address, end.port) in speakers[end.device].owned:
            yield end.device


def _answer(peer: Speaker, source: str, address: str) -> SessionView | None:
    """Return the peer's session that takes a connection from ``source`` to its ``address``."""
    session = peer.neighbors.get(source)
    if not peer.runs or session is None:
        return None
    return session if any(local.address == address for local in peer.connected[session.address]) else None


def _mutual(name: str, address: str, outcome: Outcome, outcomes: Mapping[str, Mapping[str, Outcome]]) -> bool:
    if outcome.state != "Established":
        return True
    back = outcomes[outcome.peer][outcome.peer_session]
    return (back.peer, back.peer_session) == (name, address)


def _opened(session: SessionView, view: View, peer: str, peer_view: View, answer: SessionView) -> Outcome:
    families = session.families & answer.families
    as_expected = session.peer_asn == peer_view.asn and answer.peer_asn == view.asn
    if not as_expected or not families or view.asn == peer_view.asn:
        return Outcome("Idle")
    return Outcome("Established", peer, answer.address, families)
