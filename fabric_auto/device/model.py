"""What one switch should run, in no vendor's words.

Every part carries ``origin``, the intent line that caused it; :attr:`DeviceConfig.origins` gives them by path.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Interface, IPv4Network, IPv6Address, IPv6Interface, IPv6Network

from fabric_auto.diagnostics import Span
from fabric_auto.platforms.model import Platform, Port


@dataclass(frozen=True, slots=True)
class PortConfig:
    """A physical port that this device uses, or a sibling of one on the same broken-out front panel.

    Attributes:
        speed_mbps: Mb/s.
        fec: ``rs`` (IEEE 802.3 Clause 91/119/134) or ``none``.
        ip_mtu: bytes.
        enabled: administrative state; False for an unused sibling or a link the intent shuts.
        description: ``leaf-01 Ethernet504`` or ``gpu-01 nic1``; empty for an unused sibling.
    """

    port: Port
    speed_mbps: int
    fec: str
    ip_mtu: int
    enabled: bool
    description: str
    origin: Span


@dataclass(frozen=True, slots=True)
class LoopbackConfig:
    """The device's own addresses."""

    v4: IPv4Interface
    v6: IPv6Interface
    origin: Span


@dataclass(frozen=True, slots=True)
class RoutedPort:
    """A port with addresses of its own: an end of a numbered point-to-point link."""

    port: Port
    v4: IPv4Interface
    v6: IPv6Interface
    origin: Span


@dataclass(frozen=True, slots=True)
class HostVlan:
    """The VLAN that host ports join untagged, with the gateway addresses of the leaf."""

    vlan_id: int
    ip_mtu: int
    members: tuple[Port, ...]
    gateway4: IPv4Interface
    gateway6: IPv6Interface
    origin: Span


@dataclass(frozen=True, slots=True)
class BgpNeighbor:
    """One numbered eBGP session: the family follows from the address."""

    address: IPv4Address | IPv6Address
    local_address: IPv4Address | IPv6Address
    asn: int
    peer: str
    origin: Span


@dataclass(frozen=True, slots=True)
class BgpPolicy:
    """What routes the device takes and gives, as prefix sets.

    Both directions: loopbacks (exactly /32 and /128) and host subnets (exactly the leaf's subnet length) of the fabric's
    pools; nothing else. A NOS without route policy for its backend (SONiC bgpcfgd) advertises its loopback and VLAN only.
    """

    loopback4: IPv4Network
    loopback6: IPv6Network
    host4: IPv4Network
    host6: IPv6Network
    host4_length: int
    host6_length: int
    origin: Span


@dataclass(frozen=True, slots=True)
class BgpConfig:
    """The eBGP underlay (RFC 7938).

    Attributes:
        maximum_paths: ECMP width, paths a prefix.
        keepalive_s, hold_s: seconds.
    """

    asn: int
    router_id: IPv4Address
    maximum_paths: int
    keepalive_s: int
    hold_s: int
    neighbors: tuple[BgpNeighbor, ...]
    policy: BgpPolicy
    origin: Span


@dataclass(frozen=True, slots=True)
class DeviceConfig:
    """The whole configuration of one switch.

    Attributes:
        release: NOS release ("202505", "25.3.1").
        ports: bottom first; covers every port named elsewhere.
    """

    name: str
    fabric: str
    role: str
    platform: Platform
    release: str
    ports: tuple[PortConfig, ...]
    loopback: LoopbackConfig
    routed_ports: tuple[RoutedPort, ...]
    host_vlan: HostVlan | None
    bgp: BgpConfig
    origin: Span

    @property
    def nos(self) -> str:
        """The network operating system."""
        return self.platform.nos

    def parts(self) -> Iterator[tuple[str, Span]]:
        """Yield (path, origin) of every part, in a stable order."""
        yield "device", self.origin
        for port in self.ports:
            yield f"ports/{port.port.name}", port.origin
        yield "loopback", self.loopback.origin
        for routed in self.routed_ports:
            yield f"routed_ports/{routed.port.name}", routed.origin
        if self.host_vlan is not None:
            yield "host_vlan", self.host_vlan.origin
        yield "bgp", self.bgp.origin
        for neighbor in self.bgp.neighbors:
            yield f"bgp/neighbors/{neighbor.address}", neighbor.origin
        yield "bgp/policy", self.bgp.policy.origin

    @property
    def origins(self) -> dict[str, Span]:
        """The intent line behind each part of this configuration."""
        return dict(self.parts())
