"""Device configurations made by hand: a leaf with hosts and a spine, for each NOS."""

from dataclasses import replace
from ipaddress import IPv4Address, IPv4Interface, IPv4Network, IPv6Interface, IPv6Network, ip_address

from fabric_auto.device.model import (
    BgpConfig,
    BgpNeighbor,
    BgpPolicy,
    DeviceConfig,
    HostVlan,
    LoopbackConfig,
    PortConfig,
    RoutedPort,
)
from fabric_auto.diagnostics import Span
from fabric_auto.platforms import catalogue
from fabric_auto.platforms.model import Platform, Port

CATALOGUE = catalogue.load(None)


def line(number: int) -> Span:
    """A line of the intent file, one for each thing that has an origin of its own."""
    return Span("intents/fabric.yaml", number, 5, number, 9)


DEVICE, LINK_1, LINK_2, HOST, VLAN, LOOPBACK, BGP, POLICY = map(line, range(1, 9))


def platform(name: str) -> Platform:
    """A shipped platform."""
    found = CATALOGUE.get(name)
    assert found is not None
    return found


def ports_of(box: Platform, mode: str) -> tuple[Port, ...]:
    """All ports of a box when every panel is broken out one way."""
    return next(each.ports for each in box.breakouts if each.mode == mode)


def port(
    each: Port, speed: int, description: str, origin: Span, *, enabled: bool = True, mtu: int = 9100
) -> PortConfig:
    """A port with RS-FEC."""
    return PortConfig(each, speed, "rs", mtu, enabled, description, origin)


def bgp(*neighbors: BgpNeighbor, asn: int, router_id: str, paths: int) -> BgpConfig:
    """An underlay with the timers of a fabric."""
    policy = BgpPolicy(
        loopback4=IPv4Network("10.10.0.0/16"),
        loopback6=IPv6Network("fd00:10::/64"),
        host4=IPv4Network("10.20.0.0/16"),
        host6=IPv6Network("fd00:20::/48"),
        host4_length=26,
        host6_length=64,
        origin=POLICY,
    )
    return BgpConfig(asn, IPv4Address(router_id), paths, 3, 9, neighbors, policy, BGP)


def neighbor(address: str, local: str, asn: int, peer: str, origin: Span) -> BgpNeighbor:
    """A session."""
    return BgpNeighbor(ip_address(address), ip_address(local), asn, peer, origin)


def leaf(name: str = "sonic-th4-64x400g", mode: str = "1x400G", release: str = "202505") -> DeviceConfig:
    """A leaf with two uplinks, the second shut, and one host port in VLAN 100."""
    box = platform(name)
    ports = ports_of(box, mode)
    host, down, up = ports[0], ports[-2], ports[-1]
    return DeviceConfig(
        name="east-leaf-01",
        fabric="east",
        role="leaf",
        platform=box,
        release=release,
        ports=(
            port(host, 400_000, "gpu-01 nic1", HOST),
            port(down, 400_000, "east-spine-02 ethernet-1/1", LINK_2, enabled=False),
            port(up, 400_000, "east-spine-01 ethernet-1/1", LINK_1),
        ),
        loopback=LoopbackConfig(IPv4Interface("10.10.0.1/32"), IPv6Interface("fd00:10::1/128"), LOOPBACK),
        routed_ports=(
            RoutedPort(up, IPv4Interface("10.11.0.0/31"), IPv6Interface("fd00:11::/127"), LINK_1),
            RoutedPort(down, IPv4Interface("10.11.0.2/31"), IPv6Interface("fd00:11::2/127"), LINK_2),
        ),
        host_vlan=HostVlan(100, 9100, (host,), IPv4Interface("10.20.0.1/26"), IPv6Interface("fd00:20::1/64"), VLAN),
        bgp=bgp(
            neighbor("10.11.0.1", "10.11.0.0", 4200000000, "east-spine-01", LINK_1),
            neighbor("fd00:11::1", "fd00:11::", 4200000000, "east-spine-01", LINK_1),
            asn=4200100000,
            router_id="10.10.0.1",
            paths=box.limits.ecmp_paths,
        ),
        origin=DEVICE,
    )


def spine(name: str = "srl-7220-ixr-h4", mode: str = "2x200G", release: str = "25.3.1") -> DeviceConfig:
    """A spine whose first panel is broken out in two: one link, one unused sibling."""
    box = platform(name)
    used, sibling = ports_of(box, mode)[:2]
    speed = next(each.speeds_mbps[0] for each in box.breakouts if each.mode == mode)
    return replace(
        leaf(),
        name="east-spine-01",
        role="spine",
        platform=box,
        release=release,
        ports=(
            port(used, speed, "east-leaf-01 Ethernet504", LINK_1),
            port(sibling, speed, "", LINK_1, enabled=False),
        ),
        loopback=LoopbackConfig(IPv4Interface("10.10.64.1/32"), IPv6Interface("fd00:10::4000:0:0:1/128"), LOOPBACK),
        routed_ports=(RoutedPort(used, IPv4Interface("10.11.0.1/31"), IPv6Interface("fd00:11::1/127"), LINK_1),),
        host_vlan=None,
        bgp=bgp(
            neighbor("10.11.0.0", "10.11.0.1", 4200100000, "east-leaf-01", LINK_1),
            neighbor("fd00:11::", "fd00:11::1", 4200100000, "east-leaf-01", LINK_1),
            asn=4200000000,
            router_id="10.10.64.1",
            paths=box.limits.ecmp_paths,
        ),
    )


def srl_leaf() -> DeviceConfig:
    """The leaf on SR Linux."""
    return leaf("srl-7220-ixr-h4", "1x400G", "25.3.1")


def sonic_spine() -> DeviceConfig:
    """The spine on SONiC, its first panel broken out in two."""
    return spine("sonic-spectrum4-64x800g", "2x400G", "202511")
