"""The expanded fabric: every device, port, link and address, each with the intent line it came from.

Built by :func:`fabric_auto.fabric.build.build`; everything here is frozen and comparable.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from ipaddress import IPv4Interface, IPv4Network, IPv6Interface, IPv6Network

from fabric_auto.diagnostics import Span
from fabric_auto.platforms.model import Platform, Port


class Role(StrEnum):
    """What a device is in the Clos."""

    LEAF = "leaf"
    SPINE = "spine"


@dataclass(frozen=True, slots=True)
class Loopback:
    """The device's own addresses: /32 (also its router ID) and /128."""

    v4: IPv4Interface
    v6: IPv6Interface


@dataclass(frozen=True, slots=True)
class LinkEnd:
    """One end of a link: the device, its port, and its addresses on the link."""

    device: str
    port: Port
    v4: IPv4Interface
    v6: IPv6Interface


@dataclass(frozen=True, slots=True)
class Link:
    """A cable between two switches, numbered on both families.

    Attributes:
        name: ``lower/upper/number``, number from 1 within the pair.
        lower: the end on the lower tier (even address of the /31 and /127).
        upper: the end on the upper tier.
        speed_mbps: Mb/s.
        cable_m: length in metres.
        enabled: False when the intent shuts the link.
        origin: the intent line.
    """

    name: str
    lower: LinkEnd
    upper: LinkEnd
    speed_mbps: int
    cable_m: int
    enabled: bool
    origin: Span

    def end(self, device: str) -> LinkEnd:
        """Return the end on that device."""
        return self.lower if self.lower.device == device else self.upper

    def peer(self, device: str) -> LinkEnd:
        """Return the end that is not on that device."""
        return self.upper if self.lower.device == device else self.lower


@dataclass(frozen=True, slots=True)
class HostPort:
    """A cable from a leaf port to a host NIC (``host`` and ``nic`` number from 1)."""

    host: str
    nic: int
    device: str
    port: Port
    speed_mbps: int
    cable_m: int
    v4: IPv4Interface
    v6: IPv6Interface
    origin: Span


@dataclass(frozen=True, slots=True)
class Vlan:
    """The VLAN that a leaf's host ports join, with the leaf's gateway addresses."""

    vlan_id: int
    gateway4: IPv4Interface
    gateway6: IPv6Interface
    origin: Span


@dataclass(frozen=True, slots=True)
class Bgp:
    """The device's autonomous system."""

    asn: int
    origin: Span


@dataclass(frozen=True, slots=True)
class Device:
    """A switch.

    Attributes:
        name: full name, ``{fabric}-{tier}-{n}``.
        short_name: the name inside its fabric, ``{tier}-{n}``.
        index: position in the tier, from 0.
        release: NOS release, as the vendor writes it ("202505", "25.3.1").
        release_stated: False when the release is the project's default.
        vlan: the host VLAN of a leaf that has hosts.
        origin: the tier's line in the intent (or the override's).
    """

    name: str
    short_name: str
    fabric: str
    tier: str
    role: Role
    index: int
    platform: Platform
    release: str
    release_stated: bool
    bgp: Bgp
    loopback: Loopback
    vlan: Vlan | None
    origin: Span

    @property
    def nos(self) -> str:
        """The network operating system: ``sonic`` or ``srlinux``."""
        return self.platform.nos


@dataclass(frozen=True, slots=True)
class Pools:
    """The fabric's address pools; route policies are made from them."""

    loopback: IPv6Network
    loopback4: IPv4Network
    link: IPv6Network
    link4: IPv4Network
    host: IPv6Network
    host4: IPv4Network


@dataclass(frozen=True, slots=True)
class Fabric:
    """One fabric, whole.

    Attributes:
        mtu: IP MTU in bytes on every fabric and host port.
        host_lengths: prefix lengths of a leaf's host subnets, IPv4 and IPv6.
        devices: by full name, in tier then index order.
        links: in (lower device, link number, upper device) order.
        host_ports: in (leaf, port) order.
        origins: intent lines of settings that belong to the whole fabric: ``mtu``, ``pools.link`` …
    """

    name: str
    mtu: int
    pools: Pools
    host_lengths: tuple[int, int]
    devices: dict[str, Device]
    links: tuple[Link, ...]
    host_ports: tuple[HostPort, ...]
    origins: dict[str, Span]
    links_by_device: dict[str, tuple[Link, ...]] = field(compare=False, repr=False)
    host_ports_by_device: dict[str, tuple[HostPort, ...]] = field(compare=False, repr=False)

    def links_of(self, device: str) -> tuple[Link, ...]:
        """Return the links of a device, in this fabric's link order."""
        return self.links_by_device.get(device, ())

    def host_ports_of(self, device: str) -> tuple[HostPort, ...]:
        """Return the host ports of a leaf, in port order."""
        return self.host_ports_by_device.get(device, ())
