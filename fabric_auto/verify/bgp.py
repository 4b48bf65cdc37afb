"""BGP sessions of links whose cable is right: FAB905, FAB908."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from fabric_auto.device.observed import Observed, Session
from fabric_auto.diagnostics import Diagnostic
from fabric_auto.fabric.model import Fabric, Link, LinkEnd
from fabric_auto.verify import rules
from fabric_auto.verify.expected import FAMILIES, address_of
from fabric_auto.verify.links import Trouble, by_device, end_text, link_text

_ESTABLISHED: Final = "established"
_ABSENT: Final = "not configured"
_UNSTATED_ASN: Final = 0
"""AS 0 is nobody's (RFC 7607): the device does not say."""


@dataclass(slots=True)
class Sessions:
    """What is wrong with the sessions.

    Attributes:
        findings: FAB905 and FAB908.
        broken: (link name, IP version) of sessions that are not established and so carry no routes.
    """

    findings: list[Diagnostic] = field(default_factory=list)
    broken: set[tuple[str, int]] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class _Misnumbered:
    device: str
    expected: int
    seen: int


def sessions(
    fabric: Fabric,
    observed: Mapping[str, Observed],
    links: tuple[Link, ...],
    unproven: frozenset[str],
) -> Sessions:
    """Judge both families' sessions of the links, which are enabled and have their ports up.

    Args:
        fabric: the fabric.
        observed: by device name.
        links: the links to judge.
        unproven: names of links whose cable is reported already: a session that is down follows from that.
    """
    result = Sessions()
    down: dict[tuple[int, ...], list[Trouble]] = {}
    misnumbered: dict[_Misnumbered, list[tuple[Link, int]]] = {}
    for link in links:
        states: dict[int, list[str]] = {}
        for version in FAMILIES:
            seen = [(end, _session(observed, link, end, version)) for end in _observed_ends(observed, link)]
            bad = [_state(session) for _, session in seen if _state(session) != _ESTABLISHED]
            wrong = [each for end, session in seen if (each := _number(fabric, link, end, session))]
            for each in wrong:
                misnumbered.setdefault(each, []).append((link, version))
            if bad:
                result.broken.add((link.name, version))
            if bad and not wrong and link.name not in unproven:
                states[version] = bad
        if states:
            down.setdefault(tuple(states), []).append((link, _down(link, states)))
    result.findings.extend(_misnumbered(fabric, misnumbered))
    for versions, troubles in down.items():
        result.findings.extend(by_device(fabric, rules.SESSION_DOWN, _heading(versions), troubles))
    return result


def uninvited(observed: Mapping[str, Observed], links: tuple[Link, ...]) -> Iterator[Diagnostic]:
    """FAB908: yield one finding a link that the intent shuts and that has an established session."""
    for link in links:
        up = [
            _addresses(link, version)
            for version in FAMILIES
            for end in _observed_ends(observed, link)
            if _state(_session(observed, link, end, version)) == _ESTABLISHED
        ]
        if up:
            yield rules.SESSION_UNEXPECTED.at(
                link.origin,
                f"BGP session established: {up[0]}, over a link that the intent shuts",
                subject=end_text(link.lower),
                help="see that the configuration is deployed",
            )


def _observed_ends(observed: Mapping[str, Observed], link: Link) -> list[LinkEnd]:
    return [end for end in (link.lower, link.upper) if end.device in observed]


def _session(observed: Mapping[str, Observed], link: Link, end: LinkEnd, version: int) -> Session | None:
    return observed[end.device].sessions.get(address_of(link.peer(end.device), version))


def _state(session: Session | None) -> str:
    return session.state if session is not None else _ABSENT


def _number(fabric: Fabric, link: Link, end: LinkEnd, session: Session | None) -> _Misnumbered | None:
    expected = fabric.devices[link.peer(end.device).device].bgp.asn
    if session is None or session.peer_asn in {expected, _UNSTATED_ASN}:
        return None
    return _Misnumbered(end.device, expected, session.peer_asn)


def _misnumbered(fabric: Fabric, found: Mapping[_Misnumbered, list[tuple[Link, int]]]) -> Iterator[Diagnostic]:
    for each, hits in found.items():
        link, version = hits[0]
        peer = link.peer(each.device)
        more = f" (and {len(hits) - 1} more)" if len(hits) > 1 else ""
        yield rules.SESSION_UNEXPECTED.at(
            fabric.devices[peer.device].bgp.origin,
            f"AS number differs: {each.device} has AS {each.seen} for {peer.device} {address_of(peer, version)}, "
            f"not {each.expected}{more}",
            subject=f"{each.device} {address_of(peer, version)}",
            help="see that the configuration of both devices is deployed",
        )


def _down(link: Link, states: Mapping[int, list[str]]) -> Diagnostic:
    versions = tuple(states)
    seen = ", ".join(sorted({state for each in states.values() for state in each}))
    if len(versions) == 1:
        message = f"BGP session down: {_addresses(link, versions[0])} ({seen})"
    else:
        message = f"BGP sessions down: {link_text(link)}, IPv4 and IPv6 ({seen})"
    return rules.SESSION_DOWN.at(
        link.origin,
        message,
        subject=end_text(link.lower),
        help="compare addresses, AS numbers and the last notification at both ends",
    )


def _addresses(link: Link, version: int) -> str:
    return " to ".join(f"{end.device} {address_of(end, version)}" for end in (link.lower, link.upper))


def _heading(versions: tuple[int, ...]) -> str:
    return "BGP sessions down" if len(versions) > 1 else f"IPv{versions[0]} BGP sessions down"
