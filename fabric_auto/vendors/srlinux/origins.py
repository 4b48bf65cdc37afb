"""The intent line behind each entry that SR Linux gets."""

from collections.abc import Iterator

from fabric_auto.device.model import DeviceConfig, HostVlan
from fabric_auto.diagnostics import Span
from fabric_auto.vendors.base import Path
from fabric_auto.vendors.srlinux.bgp import FAMILIES, group_name
from fabric_auto.vendors.srlinux.interfaces import IRB, SYSTEM, subinterface_name
from fabric_auto.vendors.srlinux.network_instances import host_instance
from fabric_auto.vendors.srlinux.ports import physical_ports

_DEFAULT = "network-instance[name=default]"
_BGP: Path = (_DEFAULT, "protocols", "bgp")


def origins(device: DeviceConfig) -> dict[Path, Span]:
    """Return the origin of every entry, and of the containers that fields stand in."""
    return dict(_origins(device))


def _origins(device: DeviceConfig) -> Iterator[tuple[Path, Span]]:
    yield from _interfaces(device)
    yield (_DEFAULT,), device.origin
    for routed in device.routed_ports:
        yield (_DEFAULT, f"interface[name={subinterface_name(routed.port.name)}]"), routed.origin
    if device.host_vlan is not None:
        yield from _hosts(device.host_vlan)
    yield from _bgp(device)
    yield ("routing-policy",), device.bgp.policy.origin
    yield ("system",), device.origin
    for port in device.ports:
        yield ("system", "lldp", f"interface[name={port.port.name}]"), port.origin


def _interfaces(device: DeviceConfig) -> Iterator[tuple[Path, Span]]:
    for port in physical_ports(device):
        yield (f"interface[name={port.name}]",), port.origin
    for routed in device.routed_ports:
        yield (f"interface[name={routed.port.name}]", "subinterface[index=0]"), routed.origin
    yield (f"interface[name={SYSTEM}]",), device.loopback.origin
    yield (_DEFAULT, f"interface[name={subinterface_name(SYSTEM)}]"), device.loopback.origin


def _hosts(vlan: HostVlan) -> Iterator[tuple[Path, Span]]:
    yield (f"interface[name={IRB}]",), vlan.origin
    yield ("system", "mtu"), vlan.origin
    yield (f"network-instance[name={host_instance(vlan.vlan_id)}]",), vlan.origin
    yield (_DEFAULT, f"interface[name={subinterface_name(IRB, vlan.vlan_id)}]"), vlan.origin


def _bgp(device: DeviceConfig) -> Iterator[tuple[Path, Span]]:
    yield _BGP, device.bgp.origin
    for version in FAMILIES:
        yield (*_BGP, f"group[group-name={group_name(version)}]"), device.bgp.origin
    for neighbor in device.bgp.neighbors:
        yield (*_BGP, f"neighbor[peer-address={neighbor.address}]"), neighbor.origin
