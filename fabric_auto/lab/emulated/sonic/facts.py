"""What the show commands answer from."""

from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final

from fabric_auto.lab.emulated.device import Prefix, State
from fabric_auto.lab.emulated.sonic.addresses import configured
from fabric_auto.lab.emulated.sonic.bgp import Bgp
from fabric_auto.lab.emulated.sonic.database import Row, Tables
from fabric_auto.lab.emulated.topology import LabDevice

_ASICS: Final = (("mlnx", "mellanox"), ("nvidia", "mellanox"), ("kvm", "vs"))


@dataclass(frozen=True, slots=True)
class Facts:
    """A device at one moment."""

    hardware: LabDevice
    tables: Tables
    bgp: Bgp
    state: State

    @property
    def metadata(self) -> Row:
        """``DEVICE_METADATA|localhost``."""
        return self.tables.get("DEVICE_METADATA", {}).get("localhost", {})

    @property
    def hostname(self) -> str:
        """The host name."""
        return str(self.metadata.get("hostname", "sonic"))

    @property
    def asic(self) -> str:
        """``asic_type`` of the platform."""
        return next((asic for word, asic in _ASICS if word in self.hardware.platform), "broadcom")

    def port_up(self, port: str) -> bool:
        """Return True when a port is operationally up."""
        return port in self.state.ports_up

    def interface_towards(self, address: str) -> str:
        """Return the interface whose subnet holds an address, or ""."""
        for each in configured(self.tables):
            if address != str(each.address.ip) and _holds(each.address.network, address):
                return each.name
        return ""

    def interface_of(self, network: Prefix) -> str:
        """Return the interface that has an address of this subnet, or ""."""
        return next((each.name for each in configured(self.tables) if each.address.network == network), "")


def _holds(network: Prefix, address: str) -> bool:
    target = ip_address(address)
    return target.version == network.version and target in network
