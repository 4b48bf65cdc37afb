"""Cabling as LLDP hears it against the cables of the fabric: FAB902, FAB903, FAB904.

A cable is judged by both of its ends. Cables that meet each other's ends are one finding: closed among themselves they are
swapped, else something is plugged elsewhere.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from fabric_auto.device.observed import Observed
from fabric_auto.diagnostics import Diagnostic, Note, Span
from fabric_auto.fabric.model import Fabric, HostPort, Link, LinkEnd
from fabric_auto.verify import rules
from fabric_auto.verify.links import Trouble, by_device, end_text, link_text
from fabric_auto.verify.plugs import Cable, End, Plugs, components, ends_of, plugs_of, wrong_cables

_SHOWN: Final = 8
"""Cables named in one finding; more are counted."""


@dataclass(frozen=True, slots=True)
class Misplugged:
    """The cables that lead elsewhere, and the names of the links whose trouble follows from that."""

    findings: tuple[Diagnostic, ...]
    links: frozenset[str]


def misplugged(fabric: Fabric, observed: Mapping[str, Observed]) -> Misplugged:
    """FAB902, FAB903: every cable leads where the intent has it."""
    plugs = plugs_of(fabric, observed)
    findings: list[Diagnostic] = []
    names: set[str] = set()
    for component in components(plugs):
        links = list({link.name: link for end in component if (link := plugs.links.get(end))}.values())
        names.update(link.name for link in links)
        cables = wrong_cables(plugs, component)
        swapped = len(links) > 1 and all(end in plugs.far and end in plugs.links for end in component)
        findings.append(_swapped(cables, links) if swapped else _elsewhere(plugs, component, cables, links))
    return Misplugged(tuple(findings), frozenset(names))


@dataclass(frozen=True, slots=True)
class Silent:
    """Links that are up with an end that hears nobody; ``unproven`` are the names of those heard at neither end."""

    findings: tuple[Diagnostic, ...]
    unproven: frozenset[str]


def silent(fabric: Fabric, observed: Mapping[str, Observed], links: tuple[Link, ...]) -> Silent:
    """FAB904: somebody is heard at both ends of every link; those of one device are one finding.

    Args:
        fabric: the fabric.
        observed: by device name.
        links: enabled links whose ports are up and that do not lead elsewhere.
    """
    troubles: list[Trouble] = []
    unproven: set[str] = set()
    for link in links:
        ends = [end for end in (link.lower, link.upper) if end.device in observed]
        deaf = [end for end in ends if end.port.name not in observed[end.device].neighbors]
        if deaf:
            troubles.append((link, _silence(link, deaf)))
        if deaf and len(deaf) == len(ends):
            unproven.add(link.name)
    findings = by_device(fabric, rules.NO_NEIGHBOUR, "no neighbour heard", troubles)
    return Silent(tuple(findings), frozenset(unproven))


def _silence(link: Link, deaf: list[LinkEnd]) -> Diagnostic:
    own = deaf[0]
    where = (
        f"{end_text(own)}, where {end_text(link.peer(own.device))} is expected"
        if len(deaf) == 1
        else f"either end of {link_text(link)}"
    )
    return rules.NO_NEIGHBOUR.at(
        link.origin,
        f"no neighbour heard: {where}",
        subject=end_text(own),
        help="see whether LLDP runs on both devices; a neighbour speaks every 30 s",
    )


def _swapped(cables: list[Cable], links: list[Link]) -> Diagnostic:
    return rules.CABLES_SWAPPED.at(
        links[0].origin,
        f"cables swapped: {_text(cables)}",
        subject=" ".join(cables[0][0]),
        notes=tuple(_as_intended(links)),
        help="exchange the plugs at one end, or change the intent",
    )


def _elsewhere(plugs: Plugs, component: list[End], cables: list[Cable], links: list[Link]) -> Diagnostic:
    own = cables[0][0]
    instead = _instead(plugs, own) if len(cables) == 1 else ""
    hosts = [host for end in component if (host := plugs.hosts.get(end)) and not (len(cables) == 1 and end == own)]
    intended = _as_intended(links) if len(links) > 1 or len(cables) > 1 else iter(())
    return rules.WRONG_NEIGHBOUR.at(
        _origin(links, hosts, plugs.hosts.get(own)),
        f"wrong neighbour: {_text(cables)}{instead}",
        subject=" ".join(own),
        notes=(*intended, *(Note(f"the intent has {_host_text(host)}", host.origin) for host in hosts)),
        help="plug the cable as the intent has it, or change the intent",
    )


def _origin(links: list[Link], hosts: list[HostPort], own: HostPort | None) -> Span | None:
    return next((each.origin for each in (*links, own, *hosts) if each is not None), None)


def _text(cables: list[Cable]) -> str:
    parts: list[str] = []
    before = ""
    for own, far in cables[:_SHOWN]:
        where = own[1] if own[0] == before else " ".join(own)
        parts.append(f"{where} {'to' if parts else 'goes to'} {' '.join(far)}")
        before = own[0]
    more = len(cables) - _SHOWN
    return ", ".join(parts) + (f" (and {more} more)" if more > 0 else "")


def _instead(plugs: Plugs, own: End) -> str:
    link, host = plugs.links.get(own), plugs.hosts.get(own)
    if link is not None:
        lower, upper = ends_of(link)
        return f", not to {' '.join(upper if own == lower else lower)}"
    return f", not to {host.host} nic{host.nic}" if host is not None else ""


def _as_intended(links: list[Link]) -> Iterator[Note]:
    yield from (Note(f"the intent has {link_text(link)}", link.origin) for link in links[:_SHOWN])


def _host_text(host: HostPort) -> str:
    return f"{host.device} {host.port.name} to {host.host} nic{host.nic}"
