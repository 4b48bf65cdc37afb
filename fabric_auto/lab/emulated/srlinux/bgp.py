"""What a BGP configuration says of each neighbour, with inheritance: instance, then group, then neighbour.

Source: srl_nokia-bgp; the most specific level that states a value wins.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from lxml.etree import _Element as Element

from fabric_auto.lab.emulated.srlinux.elements import bare, children, descend, enabled, entry, leaf, value
from fabric_auto.lab.emulated.srlinux.interfaces import instance

FAMILIES: Final = {"ipv4-unicast": "ipv4", "ipv6-unicast": "ipv6"}
"""Address families by identity (srl_nokia-common), and their names in the control plane."""


@dataclass(frozen=True, slots=True)
class Peer:
    """A configured neighbour and the levels its configuration comes from.

    Attributes:
        levels: neighbour, group (when it exists) and instance, the most specific first.
    """

    address: str
    levels: tuple[Element, ...]

    @property
    def enabled(self) -> bool:
        """True when no level is administratively down."""
        return all(enabled(level) for level in self.levels)

    def leaf(self, *path: str) -> str:
        """Return the value that the most specific level states, "" when none does."""
        return next((text for level in self.levels if (text := leaf(level, *path))), "")

    def policies(self, direction: str, family: str) -> tuple[str, ...]:
        """Return the policies of the most specific level that lists any; an address family's come before its level's.

        Args:
            direction: ``import-policy`` or ``export-policy``.
            family: ``ipv4-unicast`` or ``ipv6-unicast``.
        """
        for level in self.levels:
            for place in (afi_safi(level, family), level):
                names = tuple(value(each) for each in children(place, direction))
                if names:
                    return names
        return ()


def bgp_of(config: Element) -> Element | None:
    """Return the BGP of network-instance ``default``, None unless it is there and both are administratively up."""
    node = instance(config, "default")
    bgp = descend(node, "protocols", "bgp")
    return bgp if enabled(node) and enabled(bgp) else None


def peers(bgp: Element) -> Iterator[Peer]:
    """Yield the configured neighbours."""
    for node in children(bgp, "neighbor"):
        group = entry(bgp, "group", "group-name", leaf(node, "peer-group"))
        levels = (node, bgp) if group is None else (node, group, bgp)
        yield Peer(leaf(node, "peer-address"), levels)


def afi_safi(level: Element, family: str) -> Element | None:
    """Return a level's entry for an address family."""
    return entry(level, "afi-safi", "afi-safi-name", family)


def families(levels: Sequence[Element]) -> frozenset[str]:
    """Return the address families, by identity, that are enabled at the first of ``levels``."""
    states: dict[str, str] = {}
    for level in levels:
        for each in children(level, "afi-safi"):
            state = leaf(each, "admin-state")
            if state:
                states.setdefault(bare(leaf(each, "afi-safi-name")), state)
    return frozenset(name for name, state in states.items() if state == "enable")
