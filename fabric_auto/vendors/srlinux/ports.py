"""Physical ports: connectors, breakout, speed and MTU (``/interface``, module srl_nokia-interfaces)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from fabric_auto.core.units import format_speed
from fabric_auto.device.model import DeviceConfig, PortConfig
from fabric_auto.diagnostics import Span

ETHERNET_HEADER: Final = 14
"""Bytes: ``mtu`` counts the Ethernet header, not the FCS; ``ip-mtu`` does not."""

DEFAULT_MTU: Final = 9232
"""Bytes: the default of a port's ``mtu`` and of a bridged subinterface's ``l2-mtu`` (srl_nokia-mtu, ``/system/mtu``)."""


@dataclass(frozen=True, slots=True)
class Breakout:
    """A connector used as several ports (``breakout-mode``): how many, and each one's speed (``100G``)."""

    ports: str
    speed: str


@dataclass(frozen=True, slots=True)
class PhysicalPort:
    """A port or a connector.

    Attributes:
        admin_state: ``enable`` or ``disable``.
        mtu: bytes, Ethernet header included; None where the default stays: on a host port that needs no more, and on a
            broken-out connector, which may have none.
        speed: ``port-speed``, empty when the port runs at its native speed.
    """

    name: str
    description: str
    admin_state: str
    mtu: int | None
    speed: str
    breakout: Breakout | None
    origin: Span


def physical_ports(device: DeviceConfig) -> Iterator[PhysicalPort]:
    """Yield the device's ports bottom first, each broken-out connector before its children."""
    connectors: set[str] = set()
    bridged = {port.name for port in device.host_vlan.members} if device.host_vlan is not None else set()
    for port in device.ports:
        if port.port.count > 1:
            connector = port.port.name.rpartition("/")[0]
            if connector not in connectors:
                connectors.add(connector)
                yield _connector(connector, port)
        mtu = l2_mtu(device) if port.port.name in bridged else port.ip_mtu + ETHERNET_HEADER
        yield _port(device, port, mtu)


def l2_mtu(device: DeviceConfig) -> int | None:
    """Return the ``default-l2-mtu`` (bytes, Ethernet header included) that the hosts' frames need, None: the default.

    A bridged subinterface stays down when its ``l2-mtu`` exceeds the port's ``mtu``, and the gateway's does when its
    ``ip-mtu`` and header exceed the ``l2-mtu`` (srl_nokia-interfaces, ``l2-mtu``; srl_nokia-network-instance,
    ``oper-mac-vrf-mtu``). The 7220 IXR-H4 has no ``l2-mtu`` of a subinterface, so both stay at their defaults or both move.
    """
    if device.host_vlan is None or device.host_vlan.ip_mtu + ETHERNET_HEADER <= DEFAULT_MTU:
        return None
    return device.host_vlan.ip_mtu + ETHERNET_HEADER


def admin_state(enabled: bool) -> str:
    """Spell an administrative state (typedef admin-state of srl_nokia-common).

    >>> admin_state(True)
    'enable'
    """
    return "enable" if enabled else "disable"


def _connector(name: str, child: PortConfig) -> PhysicalPort:
    ports, _, speed = child.port.mode.partition("x")
    return PhysicalPort(name, "", admin_state(True), None, "", Breakout(ports, speed), child.origin)


def _port(device: DeviceConfig, port: PortConfig, mtu: int | None) -> PhysicalPort:
    native = next((each.speeds_mbps[0] for each in device.platform.breakouts if each.count == port.port.count), None)
    return PhysicalPort(
        name=port.port.name,
        description=port.description,
        admin_state=admin_state(port.enabled),
        mtu=mtu,
        speed="" if port.speed_mbps == native else format_speed(port.speed_mbps),
        breakout=None,
        origin=port.origin,
    )
