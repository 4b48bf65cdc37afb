"""System settings (``/system``): the host name (module srl_nokia-system-name), which LLDP announces, and LLDP."""

from dataclasses import dataclass

from fabric_auto.device.model import DeviceConfig
from fabric_auto.vendors.srlinux.lldp import lldp_ports


@dataclass(frozen=True, slots=True)
class System:
    """The system settings that this tool writes."""

    host_name: str
    lldp_ports: tuple[str, ...]


def system(device: DeviceConfig) -> System:
    """Return the device's system settings."""
    return System(device.name, lldp_ports(device))
