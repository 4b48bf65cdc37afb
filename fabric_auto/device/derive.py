"""Fabric and device name to device configuration: what this one switch should run."""

from collections.abc import Iterator
from typing import Final

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
from fabric_auto.fabric.model import Device, Fabric, Link
from fabric_auto.platforms.model import Port

KEEPALIVE_S: Final = 3
HOLD_S: Final = 9
"""Fabric sessions are one hop on a dedicated link: fast timers (RFC 7938 §4.2 wants failure seen within seconds)."""

_PAM4_LANE_SPEED: Final = 50_000


def derive(fabric: Fabric, name: str) -> DeviceConfig:
    """Return the configuration of one device of the fabric.

    Raises:
        KeyError: the fabric has no such device.
    """
    device = fabric.devices[name]
    links = fabric.links_of(name)
    return DeviceConfig(
        name=name,
        fabric=fabric.name,
        role=device.role,
        platform=device.platform,
        release=device.release,
        ports=_ports(fabric, device),
        loopback=LoopbackConfig(device.loopback.v4, device.loopback.v6, fabric.origins["pools.loopback"]),
        routed_ports=tuple(sorted(_routed(links, name), key=lambda routed: routed.port.position)),
        host_vlan=_host_vlan(fabric, device),
        bgp=_bgp(fabric, device, links),
        origin=device.origin,
    )


def _ports(fabric: Fabric, device: Device) -> tuple[PortConfig, ...]:
    used = {port.port.name: port for port in (*_link_ports(fabric, device), *_host_ports(fabric, device))}
    ports = dict(used)
    for config in used.values():
        if config.port.count == 1:
            continue
        for sibling in device.platform.siblings(config.port):
            ports.setdefault(
                sibling.name,
                PortConfig(
                    sibling,
                    config.speed_mbps,
                    config.fec,
                    fabric.mtu,
                    enabled=False,
                    description="",
                    origin=config.origin,
                ),
            )
    return tuple(sorted(ports.values(), key=lambda each: (each.port.panel, each.port.channel)))


def _link_ports(fabric: Fabric, device: Device) -> Iterator[PortConfig]:
    for link in fabric.links_of(device.name):
        peer = link.peer(device.name)
        yield PortConfig(
            port=link.end(device.name).port,
            speed_mbps=link.speed_mbps,
            fec=fec_of(link.end(device.name).port, link.speed_mbps),
            ip_mtu=fabric.mtu,
            enabled=link.enabled,
            description=f"{peer.device} {peer.port.name}",
            origin=link.origin,
        )


def _host_ports(fabric: Fabric, device: Device) -> Iterator[PortConfig]:
    for host in fabric.host_ports_of(device.name):
        yield PortConfig(
            port=host.port,
            speed_mbps=host.speed_mbps,
            fec=fec_of(host.port, host.speed_mbps),
            ip_mtu=fabric.mtu,
            enabled=True,
            description=f"{host.host} nic{host.nic}",
            origin=host.origin,
        )


def fec_of(port: Port, speed_mbps: int) -> str:
    """Return the FEC a port needs at a speed: RS on every PAM4 lane (50 Gb/s and up, IEEE 802.3 Clauses 91, 119, 134), else none."""
    lanes = len(port.lanes) or 1
    return "rs" if speed_mbps / lanes >= _PAM4_LANE_SPEED or speed_mbps >= 2 * _PAM4_LANE_SPEED else "none"


def _routed(links: tuple[Link, ...], name: str) -> Iterator[RoutedPort]:
    for link in links:
        end = link.end(name)
        yield RoutedPort(end.port, end.v4, end.v6, link.origin)


def _host_vlan(fabric: Fabric, device: Device) -> HostVlan | None:
    if device.vlan is None:
        return None
    members = tuple(host.port for host in fabric.host_ports_of(device.name))
    return HostVlan(
        device.vlan.vlan_id, fabric.mtu, members, device.vlan.gateway4, device.vlan.gateway6, device.vlan.origin
    )


def _bgp(fabric: Fabric, device: Device, links: tuple[Link, ...]) -> BgpConfig:
    return BgpConfig(
        asn=device.bgp.asn,
        router_id=device.loopback.v4.ip,
        maximum_paths=device.platform.limits.ecmp_paths,
        keepalive_s=KEEPALIVE_S,
        hold_s=HOLD_S,
        neighbors=tuple(
            sorted(_neighbors(fabric, device, links), key=lambda each: (each.address.version, int(each.address)))
        ),
        policy=_policy(fabric),
        origin=device.bgp.origin,
    )


def _neighbors(fabric: Fabric, device: Device, links: tuple[Link, ...]) -> Iterator[BgpNeighbor]:
    for link in links:
        own, peer = link.end(device.name), link.peer(device.name)
        asn = fabric.devices[peer.device].bgp.asn
        yield BgpNeighbor(peer.v4.ip, own.v4.ip, asn, peer.device, link.origin)
        yield BgpNeighbor(peer.v6.ip, own.v6.ip, asn, peer.device, link.origin)


def _policy(fabric: Fabric) -> BgpPolicy:
    pools, lengths = fabric.pools, fabric.host_lengths
    return BgpPolicy(
        loopback4=pools.loopback4,
        loopback6=pools.loopback,
        host4=pools.host4,
        host6=pools.host,
        host4_length=lengths[0],
        host6_length=lengths[1],
        origin=fabric.origins["underlay"],
    )
