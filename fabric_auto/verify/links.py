"""Links as findings speak of them: in words, and all of a device's together when they share a fault."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from fabric_auto.diagnostics import Diagnostic, Rule
from fabric_auto.fabric.model import Fabric, Link, LinkEnd

Trouble: TypeAlias = tuple[Link, Diagnostic]
"""A link and the finding about it alone."""


def end_text(end: LinkEnd) -> str:
    """Return ``east-leaf-01 Ethernet504``."""
    return f"{end.device} {end.port.name}"


def link_text(link: Link) -> str:
    """Return ``east-leaf-01 Ethernet504 to east-spine-01 ethernet-1/1``."""
    return f"{end_text(link.lower)} to {end_text(link.upper)}"


def by_device(fabric: Fabric, rule: Rule, what: str, troubles: Sequence[Trouble]) -> Iterator[Diagnostic]:
    """Yield the findings, those about all enabled links of one device (two or more) as one.

    Args:
        fabric: the fabric.
        rule: the rule that all of the findings are of.
        what: begins the common finding: ``ports down``.
        troubles: the same fault of different links.
    """
    left = {link.name: (link, finding) for link, finding in troubles}
    for device in _hit_wholly(fabric, left):
        taken = [left.pop(link.name) for link in _enabled(fabric, device) if link.name in left]
        if len(taken) == 1:
            yield taken[0][1]
        elif taken:
            link, finding = taken[0]
            yield rule.at(
                fabric.devices[device].origin,
                f"{what}: all {len(_enabled(fabric, device))} links of {device}, first {link_text(link)}",
                subject=device,
                help=finding.help,
            )
    for _, finding in left.values():
        yield finding


def _hit_wholly(fabric: Fabric, names: Iterable[str]) -> list[str]:
    """Return the devices none of whose enabled links is spared, those with the most links first."""
    hit = set(names)
    whole = [
        device
        for device in fabric.devices
        if len(links := _enabled(fabric, device)) > 1 and all(link.name in hit for link in links)
    ]
    return sorted(whole, key=lambda device: -len(_enabled(fabric, device)))


def _enabled(fabric: Fabric, device: str) -> list[Link]:
    return [link for link in fabric.links_of(device) if link.enabled]
