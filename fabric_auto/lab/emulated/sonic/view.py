"""The configuration as the control plane sees it."""

from collections.abc import Iterator

from fabric_auto.lab.emulated.device import AddressView, PortView, Prefix, SessionView, View
from fabric_auto.lab.emulated.sonic.addresses import Configured, configured
from fabric_auto.lab.emulated.sonic.bgp import MAXIMUM_PATHS, Bgp
from fabric_auto.lab.emulated.sonic.database import Row, Tables
from fabric_auto.lab.emulated.sonic.rules import duplicate_lanes


def view_of(tables: Tables, bgp: Bgp) -> View:
    """Return the view of CONFIG_DB and of what BGP runs."""
    ports = {port.name: port for port in _ports(tables)}
    return View(
        hostname=str(tables.get("DEVICE_METADATA", {}).get("localhost", {}).get("hostname", "sonic")),
        ports=ports,
        addresses=tuple(_addresses(tables, ports)),
        asn=bgp.running.asn,
        router_id=bgp.running.router_id,
        sessions=tuple(
            SessionView(peer.address, peer.local, peer.asn, frozenset({peer.family}))
            for peer in bgp.peers.values()
            if peer.enabled
        ),
        originates=bgp.running.networks,
        imports=_permit,
        exports=_permit,
        maximum_paths={"ipv4": MAXIMUM_PATHS, "ipv6": MAXIMUM_PATHS},
        allow_own_as=bgp.running.allow_own_as,
    )


def _permit(neighbor: str, prefix: Prefix, protocol: str) -> bool:  # noqa: ARG001 - the general policy lets all pass
    return True


def _ports(tables: Tables) -> Iterator[PortView]:
    lldp = tables.get("FEATURE", {}).get("lldp", {}).get("state") in {"enabled", "always_enabled"}
    # The ASIC does not make a port whose lanes another has.
    unmade = duplicate_lanes(tables)
    for name, row in tables.get("PORT", {}).items():
        yield PortView(
            name=name,
            enabled=row.get("admin_status") == "up" and name not in unmade,
            speed_mbps=_number(row, "speed"),
            fec=str(row.get("fec", "")),
            lldp_port_id=str(row.get("alias") or name),
            lldp=lldp,
        )


def _addresses(tables: Tables, ports: dict[str, PortView]) -> Iterator[AddressView]:
    for each in configured(tables):
        if each.table == "INTERFACE" and ports.get(each.name) is not None and ports[each.name].enabled:
            yield AddressView(each.name, each.address, each.name)
        elif each.table == "LOOPBACK_INTERFACE" and _loopback_up(tables, each):
            yield AddressView(each.name, each.address, "")
        elif each.table == "VLAN_INTERFACE" and _vlan_up(tables, each):
            yield AddressView(each.name, each.address, "", _members(tables, each.name))


def _loopback_up(tables: Tables, each: Configured) -> bool:
    return tables[each.table][each.name].get("admin_status", "up") == "up"


def _vlan_up(tables: Tables, each: Configured) -> bool:
    vlan = tables.get("VLAN", {}).get(each.name)
    return vlan is not None and vlan.get("admin_status", "up") == "up"


def _members(tables: Tables, vlan: str) -> tuple[str, ...]:
    keys = (key.split("|", 1) for key in tables.get("VLAN_MEMBER", {}) if "|" in key)
    return tuple(port for name, port in keys if name == vlan and port in tables.get("PORT", {}))


def _number(row: Row, field: str) -> int:
    text = str(row.get(field, "0"))
    return int(text) if text.isdigit() else 0
