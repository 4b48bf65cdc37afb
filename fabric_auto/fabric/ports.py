"""Which port carries which cable (intent-language.md, "Ports, counted after breakout").

Hosts from the bottom; uplink ``j = k·U + s`` (link k to upper device s) at the top minus j; on an upper device, link k to
lower device i at ``k·D + i`` from the bottom. U and D are capacities, so growth moves nothing.
"""

from dataclasses import dataclass

from fabric_auto.platforms.model import Breakout, Platform, Port


@dataclass(frozen=True, slots=True)
class Placement:
    """The ports of one device at one speed, with the capacity that numbers its links.

    Attributes:
        capacity: how many devices of the other tier the numbering leaves room for.
    """

    breakout: Breakout
    capacity: int
    per_pair: int

    def uplink_number(self, link: int, upper_index: int) -> int:
        """Return j for link ``link`` (from 0) to upper device ``upper_index``."""
        return link * self.capacity + upper_index

    def uplink_port(self, link: int, upper_index: int) -> Port:
        """Return the lower device's port of that link."""
        return self.breakout.ports[-1 - self.uplink_number(link, upper_index)]

    def downlink_port(self, link: int, lower_index: int) -> Port:
        """Return the upper device's port of link ``link`` to lower device ``lower_index``."""
        return self.breakout.ports[link * self.capacity + lower_index]

    @property
    def needed(self) -> int:
        """Ports that the whole capacity takes."""
        return self.capacity * self.per_pair


def default_uplinks(ports: int, per_pair: int) -> int:
    """Return U when nothing is declared: half the ports, divided by the links of a pair.

    >>> default_uplinks(64, 8)
    4
    """
    return ports // 2 // per_pair


def default_downlinks(ports: int, per_pair: int) -> int:
    """Return D when nothing is declared: the ports divided by the links of a pair.

    >>> default_downlinks(64, 8)
    8
    """
    return ports // per_pair


def default_hosts(platform: Platform, speed_mbps: int, nics: int) -> int:
    """Return the hosts a leaf reserves when nothing is declared: half its ports at that speed, divided by a host's NICs."""
    breakout = platform.breakout_for(speed_mbps)
    return len(breakout.ports) // 2 // nics if breakout else 0
