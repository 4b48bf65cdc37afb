"""A switch model as the compiler sees it: front-panel ports, how each may be broken out, and its limits."""

from dataclasses import dataclass, field

from fabric_auto.core.releases import is_of


@dataclass(frozen=True, slots=True)
class Port:
    """A port after breakout, spelled as its NOS spells it.

    Attributes:
        name: ``Ethernet8`` (SONiC), ``ethernet-1/2`` or ``ethernet-1/2/1`` (SR Linux).
        panel: front-panel number, from 1.
        channel: 0 when the front-panel port is whole, else its number among its siblings, from 1.
        count: how many ports the front-panel port is broken out into.
        lanes: SerDes lanes; empty where the NOS does not configure them.
        alias: the vendor's front-panel name; SONiC announces it as the LLDP port ID. Same as ``name`` on SR Linux.
        mode: the breakout mode as the vendor names it (``2x400G``).
        position: number among the ports of the same breakout, from 0 at the bottom.
    """

    name: str
    panel: int
    channel: int
    count: int
    lanes: tuple[int, ...]
    alias: str
    mode: str
    position: int


@dataclass(frozen=True, slots=True)
class Breakout:
    """One way to use a front-panel port.

    Attributes:
        mode: ``1x400G``, ``2x200G`` …
        count: ports a panel.
        speeds_mbps: speeds each port can run at, native first.
        ports: every port of the box when all panels are broken out this way, bottom first.
    """

    mode: str
    count: int
    speeds_mbps: tuple[int, ...]
    ports: tuple[Port, ...]


@dataclass(frozen=True, slots=True)
class Limits:
    """Maxima that YANG does not hold. Bytes, and paths a group."""

    ip_mtu: int
    port_mtu: int
    ecmp_paths: int


@dataclass(frozen=True, slots=True)
class Platform:
    """A switch model running one NOS.

    Attributes:
        name: as intents write it (``sonic-th4-64x400g``).
        nos: ``sonic`` or ``srlinux``.
        model: what the device calls itself: SONiC ``hwsku``, SR Linux chassis type.
        releases: release trains it is rendered for: exact on SONiC ("202505"), a prefix on SR Linux ("25.3" is 25.3.1, 25.3.2 …).
        onie_platform: SONiC ``DEVICE_METADATA.platform``; empty on SR Linux.
        breakouts: in catalogue order, the whole port first.
        sources: where each fact comes from, by fact name.
    """

    name: str
    nos: str
    model: str
    asic: str
    onie_platform: str
    releases: tuple[str, ...]
    breakouts: tuple[Breakout, ...]
    limits: Limits
    sources: dict[str, str] = field(compare=False, repr=False)

    def knows(self, release: str) -> bool:
        """Return True when the platform is rendered for this release."""
        return any(is_of(release, train) for train in self.releases)

    def breakout_for(self, speed_mbps: int) -> Breakout | None:
        """Return the breakout that gives the most ports of that speed, or None when no port can run at it."""
        able = [each for each in self.breakouts if speed_mbps in each.speeds_mbps]
        return max(able, key=lambda each: each.count, default=None)

    def siblings(self, port: Port) -> tuple[Port, ...]:
        """Return all ports that share the port's front panel, itself included, bottom first."""
        for breakout in self.breakouts:
            if breakout.count == port.count:
                first = (port.panel - 1) * breakout.count
                return breakout.ports[first : first + breakout.count]
        raise KeyError(port.name)
