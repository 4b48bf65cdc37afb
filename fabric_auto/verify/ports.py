"""Ports with a cable are up, those that the intent shuts are down: FAB901, FAB910."""

from collections.abc import Iterator, Mapping

from fabric_auto.device.observed import Observed
from fabric_auto.diagnostics import Diagnostic
from fabric_auto.fabric.model import Fabric, HostPort, Link, LinkEnd
from fabric_auto.verify import rules
from fabric_auto.verify.links import Trouble, by_device, end_text

_HELP = "see that the cable and transceivers are in, then speed, FEC and breakout at both ends"


def links_down(observed: Mapping[str, Observed], links: tuple[Link, ...]) -> list[Trouble]:
    """Return the enabled links with an end that is not up; one finding a link."""
    return [(link, _down(observed, link, ends)) for link in links if (ends := _ends(observed, link, wanted=True))]


def links_up(observed: Mapping[str, Observed], links: tuple[Link, ...]) -> list[Trouble]:
    """Return the links that the intent shuts with an end that is up; one finding a link."""
    return [
        (
            link,
            rules.PORT_DOWN.at(
                link.origin,
                f"port up: {' and '.join(end_text(end) for end in ends)}, shut by the intent",
                subject=end_text(ends[0]),
                help="see that the configuration is deployed",
            ),
        )
        for link in links
        if (ends := _ends(observed, link, wanted=False))
    ]


def together(fabric: Fabric, troubles: list[Trouble]) -> Iterator[Diagnostic]:
    """Yield the findings about links that are down, those of one device together."""
    return by_device(fabric, rules.PORT_DOWN, "ports down", troubles)


def host_ports(fabric: Fabric, observed: Mapping[str, Observed]) -> Iterator[Diagnostic]:
    """Yield one finding a leaf with host ports that are down."""
    for name in fabric.devices:
        if name not in observed:
            continue
        ports = fabric.host_ports_of(name)
        down = [host for host in ports if not observed[name].ports.get(host.port.name, False)]
        if down:
            yield _hosts_down(name, down, len(ports))


def _ends(observed: Mapping[str, Observed], link: Link, *, wanted: bool) -> list[LinkEnd]:
    return [
        end
        for end in (link.lower, link.upper)
        if end.device in observed and observed[end.device].ports.get(end.port.name, False) is not wanted
    ]


def _down(observed: Mapping[str, Observed], link: Link, ends: list[LinkEnd]) -> Diagnostic:
    missing = [end for end in ends if end.port.name not in observed[end.device].ports]
    own = (missing or ends)[0]
    peer = link.peer(own.device)
    if missing:
        message = f"port missing: {end_text(own)}, cabled to {end_text(peer)}"
        help_text = "see that the configuration is deployed: the front-panel port may not be broken out"
    elif len(ends) > 1:
        message, help_text = f"ports down: {end_text(own)} and {end_text(peer)}, the ends of one cable", _HELP
    else:
        message, help_text = f"port down: {end_text(own)}, cabled to {end_text(peer)}", _HELP
    return rules.PORT_DOWN.at(link.origin, message, subject=end_text(own), help=help_text)


def _hosts_down(device: str, down: list[HostPort], total: int) -> Diagnostic:
    first = down[0]
    cable = f"{first.port.name}, cabled to {first.host} nic{first.nic}"
    message = (
        f"host port down: {device} {cable}"
        if len(down) == 1
        else f"host ports down: {len(down)} of {total} on {device}, first {cable}"
    )
    return rules.HOST_PORT_DOWN.at(first.origin, message, subject=f"{device} {first.port.name}", help=_HELP)
