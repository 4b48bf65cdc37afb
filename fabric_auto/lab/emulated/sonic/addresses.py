"""The L3 interfaces of a configuration: which addresses are configured, on what, in the default VRF."""

from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import IPv4Interface, IPv6Interface, ip_interface
from typing import Final, TypeAlias

from fabric_auto.lab.emulated.sonic.database import Tables

Interface: TypeAlias = IPv4Interface | IPv6Interface

_TABLES: Final = ("LOOPBACK_INTERFACE", "INTERFACE", "VLAN_INTERFACE", "PORTCHANNEL_INTERFACE")


@dataclass(frozen=True, slots=True)
class Configured:
    """An address row whose interface has its base row."""

    table: str
    name: str
    address: Interface


def configured(tables: Tables) -> Iterator[Configured]:
    """Yield the addresses of the default VRF.

    An address row takes effect only beside its base row (sonic-swss, cfgmgr/intfmgr.cpp); a base row bound to a VRF takes
    the interface out of the default one.
    """
    for table in _TABLES:
        rows = tables.get(table, {})
        for key in rows:
            name, bar, prefix = key.partition("|")
            base = rows.get(name)
            if bar and base is not None and not base.get("vrf_name") and not base.get("vnet_name"):
                try:
                    yield Configured(table, name, ip_interface(prefix))
                except ValueError:
                    continue


def loopback0(tables: Tables, version: int) -> Interface | None:
    """Return the first address of Loopback0 of an IP version."""
    for each in configured({"LOOPBACK_INTERFACE": tables.get("LOOPBACK_INTERFACE", {})}):
        if each.name == "Loopback0" and each.address.version == version:
            return each.address
    return None
