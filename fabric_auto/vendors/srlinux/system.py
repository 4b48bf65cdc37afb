"""System settings (``/system``): the host name (module srl_nokia-system-name), which LLDP announces, LLDP, and the MTU of bridging."""

from dataclasses import dataclass

from fabric_auto.device.model import DeviceConfig
from fabric_auto.vendors.srlinux.lldp import lldp_ports
from fabric_auto.vendors.srlinux.ports import l2_mtu


@dataclass(frozen=True, slots=True)
class System:
    """The system settings that this tool writes.

    Attributes:
        default_l2_mtu: bytes; None where the box's default stays.
    """

    host_name: str
    lldp_ports: tuple[str, ...]
    default_l2_mtu: int | None


def system(device: DeviceConfig) -> System:
    """Return the device's system settings."""
    return System(device.name, lldp_ports(device), l2_mtu(device))
