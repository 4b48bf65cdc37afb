"""Interfaces with their subinterfaces: ports, ``system0`` and ``irb0`` (``/interface``, module srl_nokia-interfaces).

Each family needs its own ``admin-state enable``, and ``ip-mtu`` defaults to 1500 whatever the port's ``mtu``.
``system0`` takes neither a type nor an ``ip-mtu``.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from fabric_auto.device.model import DeviceConfig, HostVlan, RoutedPort
from fabric_auto.vendors.srlinux.ports import ETHERNET_HEADER, PhysicalPort, physical_ports

SYSTEM: Final = "system0"
IRB: Final = "irb0"


@dataclass(frozen=True, slots=True)
class Subinterface:
    """A subinterface.

    Attributes:
        type: ``routed`` or ``bridged``; empty where the interface kind has none.
        ip_mtu: bytes; None where it is not configured.
        ipv4, ipv6: addresses with prefix length; empty: the family is left off.
    """

    index: int
    type: str
    ip_mtu: int | None
    ipv4: tuple[str, ...]
    ipv6: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Interface:
    """An interface as the template writes it: the port's own settings, if it is one, and its subinterfaces."""

    name: str
    admin_state: str
    port: PhysicalPort | None
    subinterfaces: tuple[Subinterface, ...]


def interfaces(device: DeviceConfig) -> tuple[Interface, ...]:
    """Return every interface of the device: ports, then ``system0``, then ``irb0`` of a leaf with hosts."""
    return (*_ports(device), _system(device), *_irb(device))


def subinterface_name(interface: str, index: int = 0) -> str:
    """Return how a network instance names a subinterface.

    >>> subinterface_name("ethernet-1/1")
    'ethernet-1/1.0'
    """
    return f"{interface}.{index}"


def _ports(device: DeviceConfig) -> Iterator[Interface]:
    routed = {each.port.name: each for each in device.routed_ports}
    bridged = {port.name for port in device.host_vlan.members} if device.host_vlan is not None else set()
    for port in physical_ports(device):
        subinterfaces: tuple[Subinterface, ...] = ()
        if port.name in routed:
            subinterfaces = (_routed(routed[port.name], port),)
        elif port.name in bridged:
            subinterfaces = (Subinterface(0, "bridged", None, (), ()),)
        yield Interface(port.name, port.admin_state, port, subinterfaces)


def _routed(routed: RoutedPort, port: PhysicalPort) -> Subinterface:
    ip_mtu = None if port.mtu is None else port.mtu - ETHERNET_HEADER
    return Subinterface(0, "routed", ip_mtu, (str(routed.v4),), (str(routed.v6),))


def _system(device: DeviceConfig) -> Interface:
    addresses = Subinterface(0, "", None, (str(device.loopback.v4),), (str(device.loopback.v6),))
    return Interface(SYSTEM, "enable", None, (addresses,))


def _irb(device: DeviceConfig) -> Iterator[Interface]:
    if device.host_vlan is not None:
        yield Interface(IRB, "enable", None, (_gateway(device.host_vlan),))


def _gateway(vlan: HostVlan) -> Subinterface:
    return Subinterface(vlan.vlan_id, "", vlan.ip_mtu, (str(vlan.gateway4),), (str(vlan.gateway6),))
