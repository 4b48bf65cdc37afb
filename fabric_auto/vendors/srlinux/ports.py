"""Physical ports: connectors, breakout, speed and MTU (``/interface``, module srl_nokia-interfaces)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from fabric_auto.core.units import format_speed
from fabric_auto.device.model import DeviceConfig, PortConfig
from fabric_auto.diagnostics import Span

ETHERNET_HEADER: Final = 14
"""Bytes: ``mtu`` counts the Ethernet header, not the FCS; ``ip-mtu`` does not."""


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
        mtu: bytes, Ethernet header included; None on a broken-out connector, which may have none.
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
    for port in device.ports:
        if port.port.count > 1:
            connector = port.port.name.rpartition("/")[0]
            if connector not in connectors:
                connectors.add(connector)
                yield _connector(connector, port)
        yield _port(device, port)


def admin_state(enabled: bool) -> str:
    """Spell an administrative state (typedef admin-state of srl_nokia-common).

    >>> admin_state(True)
    'enable'
    """
    return "enable" if enabled else "disable"


def _connector(name: str, child: PortConfig) -> PhysicalPort:
    ports, _, speed = child.port.mode.partition("x")
    return PhysicalPort(name, "", admin_state(True), None, "", Breakout(ports, speed), child.origin)


def _port(device: DeviceConfig, port: PortConfig) -> PhysicalPort:
    native = next((each.speeds_mbps[0] for each in device.platform.breakouts if each.count == port.port.count), None)
    return PhysicalPort(
        name=port.port.name,
        description=port.description,
        admin_state=admin_state(port.enabled),
        mtu=port.ip_mtu + ETHERNET_HEADER,
        speed="" if port.speed_mbps == native else format_speed(port.speed_mbps),
        breakout=None,
        origin=port.origin,
    )
