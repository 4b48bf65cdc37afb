"""Addresses: routed ports, the loopback, and the host VLAN with its gateway.

Models: sonic-interface, sonic-loopback-interface and sonic-vlan.yang. An address is a row of its own below the
interface's base row. An address or a membership that somebody else put on a port of ours cannot stand beside ours (a
VLAN member may not be a router port), so those keys are claimed as patterns.
"""

from collections.abc import Iterator
from ipaddress import IPv4Interface, IPv6Interface
from typing import Final

from fabric_auto.device.model import DeviceConfig, HostVlan
from fabric_auto.diagnostics import Span
from fabric_auto.vendors.base import Path
from fabric_auto.vendors.sonic.tables import Row

LOOPBACK: Final = "Loopback0"


def interface_rows(device: DeviceConfig) -> Iterator[Row]:
    """Yield the rows of every interface with an address, and of the host VLAN."""
    for routed in device.routed_ports:
        yield from _addressed("INTERFACE", routed.port.name, (routed.v4, routed.v6), routed.origin)
    loopback = device.loopback
    yield from _addressed("LOOPBACK_INTERFACE", LOOPBACK, (loopback.v4, loopback.v6), loopback.origin)
    if device.host_vlan is not None:
        yield from _vlan(device.host_vlan)


def claims(device: DeviceConfig) -> frozenset[Path]:
    """Return the keys and patterns of rows that cannot stand beside ours."""
    claimed: set[Path] = {("LOOPBACK_INTERFACE", f"{LOOPBACK}|*")}
    used = {port.port.name for port in device.ports if port.enabled} | {each.port.name for each in device.routed_ports}
    for name in used:
        claimed |= {("INTERFACE", name), ("INTERFACE", f"{name}|*")}
        claimed |= {("VLAN_MEMBER", f"*|{name}"), ("PORTCHANNEL_MEMBER", f"*|{name}")}
    if device.host_vlan is not None:
        claimed.add(("VLAN_INTERFACE", f"{vlan_name(device.host_vlan)}|*"))
    return frozenset(claimed)


def vlan_name(vlan: HostVlan) -> str:
    """Return the VLAN's row key, ``Vlan100``."""
    return f"Vlan{vlan.vlan_id}"


def _vlan(vlan: HostVlan) -> Iterator[Row]:
    name = vlan_name(vlan)
    yield Row("VLAN", name, {"mtu": str(vlan.ip_mtu), "vlanid": str(vlan.vlan_id)}, vlan.origin)
    for port in vlan.members:
        yield Row("VLAN_MEMBER", f"{name}|{port.name}", {"tagging_mode": "untagged"}, vlan.origin)
    yield from _addressed("VLAN_INTERFACE", name, (vlan.gateway4, vlan.gateway6), vlan.origin)


def _addressed(
    table: str, name: str, addresses: tuple[IPv4Interface | IPv6Interface, ...], origin: Span
) -> Iterator[Row]:
    yield Row(table, name, {}, origin)
    for address in addresses:
        yield Row(table, f"{name}|{address}", {}, origin)
