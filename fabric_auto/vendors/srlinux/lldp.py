"""LLDP (``/system/lldp``, module srl_nokia-lldp): on for every port that is used; the port ID announced is its name."""

from fabric_auto.device.model import DeviceConfig


def lldp_ports(device: DeviceConfig) -> tuple[str, ...]:
    """Return the ports that announce themselves, bottom first."""
    return tuple(port.port.name for port in device.ports if port.enabled)
