"""What makes a configuration wrong even without the vendor's models at hand.

Facts: sonic-buildimage, ``src/sonic-yang-models/yang-models`` (sonic-port, -vlan, -interface, -loopback-interface,
-bgp-neighbor, -device_metadata); the lanes, which no model checks, from sonic-utilities,
``generic_config_updater/gu_common.py``.
"""

import re
from collections.abc import Callable, Collection, Iterator
from ipaddress import ip_address, ip_interface
from itertools import chain
from typing import Final

from fabric_auto.lab.emulated.sonic import words
from fabric_auto.lab.emulated.sonic.database import Field, Row, Tables
from fabric_auto.lab.emulated.sonic.words import data_path

_INTERFACE: Final = frozenset(
    ["vrf_name", "vnet_name", "nat_zone", "mpls", "ipv6_use_link_local_only", "mac_addr", "loopback_action"]
)
_ADDRESS: Final = frozenset({"scope", "family"})
_FIELDS: Final = {
    "PORT": frozenset(
        [
            "core_id",
            "core_port_id",
            "num_voq",
            "alias",
            "lanes",
            "mode",
            "description",
            "speed",
            "dhcp_rate_limit",
            "link_training",
            "autoneg",
            "adv_speeds",
            "interface_type",
            "adv_interface_types",
            "mtu",
            "subport",
            "index",
            "asic_port_name",
            "role",
            "admin_status",
            "fec",
            "dom_polling",
            "pfc_asym",
            "tpid",
            "mux_cable",
            "macsec",
            "tx_power",
            "laser_freq",
            "fast_linkup",
        ]
    ),
    "VLAN": frozenset(
        ["vlanid", "alias", "description", "dhcp_servers", "dhcpv6_servers", "mtu", "admin_status", "mac"]
    ),
    "VLAN_MEMBER": frozenset({"tagging_mode"}),
    "INTERFACE": _INTERFACE,
    "VLAN_INTERFACE": _INTERFACE | {"grat_arp", "proxy_arp", "static_anycast_gateway"},
    "LOOPBACK_INTERFACE": frozenset({"vrf_name", "nat_zone", "admin_status"}),
    "BGP_NEIGHBOR": frozenset(
        ["asn", "holdtime", "keepalive", "local_addr", "name", "nhopself", "rrclient", "admin_status"]
    ),
}
_VLAN_NAME: Final = "Vlan(409[0-5]|40[0-8][0-9]|[1-3][0-9]{3}|[1-9][0-9]{2}|[1-9][0-9]|[2-9])"
_ENUMS: Final = {
    ("PORT", "admin_status"): ("up", "down"),
    ("LOOPBACK_INTERFACE", "admin_status"): ("up", "down"),
    ("BGP_NEIGHBOR", "admin_status"): ("up", "down"),
    ("VLAN_MEMBER", "tagging_mode"): ("tagged", "untagged", "priority_tagged"),
}
_PATTERNS: Final = {
    ("PORT", "fec"): "rs|fc|none|auto",
    ("PORT", "autoneg"): "on|off",
    ("DEVICE_METADATA", "docker_routing_config_mode"): "separated|unified|split|split-unified",
}
_RANGES: Final = {
    ("PORT", "mtu"): ("uint16", 68, 9216),
    ("PORT", "speed"): ("uint32", 1, 1_600_000),
    ("PORT", "index"): ("uint16", 0, 65535),
    ("VLAN", "vlanid"): ("uint16", 2, 4094),
    ("VLAN", "mtu"): ("uint16", 1, 9216),
    ("BGP_NEIGHBOR", "asn"): ("uint32", 0, 4_294_967_295),
    ("BGP_NEIGHBOR", "holdtime"): ("uint16", 0, 65535),
    ("BGP_NEIGHBOR", "keepalive"): ("uint16", 0, 65535),
    ("DEVICE_METADATA", "bgp_asn"): ("uint32", 0, 4_294_967_295),
}
_SHARED_LANES: Final = frozenset(
    {"x86_64-arista_7050cx3_32c", "x86_64-arista_7050cx3_32s", "x86_64-dellemc_s5232f_c3538-r0"}
)


def model_error(tables: Tables) -> str | None:
    """Return the first thing that a YANG model forbids, in libyang's words, or None."""
    checks: tuple[Callable[[Tables], Iterator[str]], ...] = (
        _fields, _values, _ports, _vlans, _members, _interfaces, _loopbacks, _neighbors,
    )  # fmt: skip
    return next(chain.from_iterable(check(tables) for check in checks), None)


def lane_error(tables: Tables) -> str | None:
    """Return what is wrong with the lanes of the ports, which only the patch tool checks, or None."""
    if tables.get("DEVICE_METADATA", {}).get("localhost", {}).get("platform") in _SHARED_LANES:
        return None
    seen: dict[str, str] = {}
    for port, row in tables.get("PORT", {}).items():
        for lane in (each.strip() for each in str(row.get("lanes", "0")).split(",")):
            if not lane:
                return f"PORT '{port}' has an empty lane"
            if not lane.isdigit():
                return f"PORT '{port}' has an invalid lane '{lane}'"
            if "lanes" in row and seen.setdefault(lane, port) != port:
                return f"'{lane}' lane is used multiple times in PORT: {{'{seen[lane]}', '{port}'}}"
    return None


def duplicate_lanes(tables: Tables) -> frozenset[str]:
    """Return the ports that have a lane which an earlier port has too."""
    taken: set[str] = set()
    later: set[str] = set()
    for port, row in tables.get("PORT", {}).items():
        lanes = set(str(row.get("lanes", "")).split(",")) - {""}
        if taken & lanes:
            later.add(port)
        taken |= lanes
    return frozenset(later)


def _fields(tables: Tables) -> Iterator[str]:
    """A row with a field that its list does not have fits no list."""
    for table, known in _FIELDS.items():
        for key, row in tables.get(table, {}).items():
            allowed = _allowed(table, key, known)
            if allowed is not None and not row.keys() <= allowed:
                yield words.unparsed_keys(table, [key])


def _allowed(table: str, key: str, known: frozenset[str]) -> frozenset[str] | None:
    if "|" not in key or table == "VLAN_MEMBER":
        return known
    if table == "BGP_NEIGHBOR":
        return None  # the list of frrcfgd, keyed by VRF and neighbour
    return _ADDRESS | {"secondary"} if table == "VLAN_INTERFACE" else _ADDRESS


def _values(tables: Tables) -> Iterator[str]:
    for table, key, leaf, value in _leaves(tables, _RANGES.keys() | _ENUMS.keys() | _PATTERNS.keys()):
        error = _value_error(table, leaf, str(value), data_path(table, key, leaf))
        if error:
            yield error


def _value_error(table: str, leaf: str, value: str, path: str) -> str | None:
    where = (table, leaf)
    if where in _ENUMS:
        return None if value in _ENUMS[where] else words.no_enum(value, path)
    if where in _PATTERNS:
        return None if re.fullmatch(_PATTERNS[where], value) else words.no_match(value, _PATTERNS[where], path)
    kind, low, high = _RANGES[where]
    if not re.fullmatch(r"\d+", value):
        return words.no_number(value, kind, path)
    return None if low <= int(value) <= high else words.out_of_range(value, path)


def _leaves(tables: Tables, wanted: Collection[tuple[str, str]]) -> Iterator[tuple[str, str, str, Field]]:
    for table in dict.fromkeys(table for table, _ in sorted(wanted)):
        for key, row in tables.get(table, {}).items():
            if table == "BGP_NEIGHBOR" and "|" in key:
                continue
            for leaf, value in row.items():
                if (table, leaf) in wanted:
                    yield table, key, leaf, value


def _ports(tables: Tables) -> Iterator[str]:
    for name, row in tables.get("PORT", {}).items():
        for leaf in ("lanes", "speed"):
            if leaf not in row:
                yield words.missing(leaf, data_path("PORT", name))


def _vlans(tables: Tables) -> Iterator[str]:
    for name, row in tables.get("VLAN", {}).items():
        if not re.fullmatch(_VLAN_NAME, name):
            yield words.no_match(name, _VLAN_NAME, data_path("VLAN", name, "name"))
        if str(row.get("vlanid", name.removeprefix("Vlan"))) != name.removeprefix("Vlan"):
            yield words.must("The vlanid must correspond to the VLAN name", data_path("VLAN", name, "vlanid"))


def _members(tables: Tables) -> Iterator[str]:
    untagged: dict[str, str] = {}
    for key, row in tables.get("VLAN_MEMBER", {}).items():
        vlan, _, port = key.partition("|")
        path = data_path("VLAN_MEMBER", key, "port")
        if not port:
            yield words.unparsed_keys("VLAN_MEMBER", [key])
        elif port not in tables.get("PORT", {}) and port not in tables.get("PORTCHANNEL", {}):
            yield words.no_union_target(port, path)
        if vlan not in tables.get("VLAN", {}):
            yield words.no_target(vlan, "VLAN", data_path("VLAN_MEMBER", key, "name"))
        if "tagging_mode" not in row:
            yield words.missing("tagging_mode", data_path("VLAN_MEMBER", key))
        if port in tables.get("INTERFACE", {}):
            yield words.must("Port is a router interface.", path)
        if row.get("tagging_mode") == "untagged" and untagged.setdefault(port, key) != key:
            yield words.must("Port can be untagged in at most one VLAN.", path)


def _interfaces(tables: Tables) -> Iterator[str]:
    for table, target, hint in (
        ("INTERFACE", "PORT", "Try adding PORT: {}, Example: 'Ethernet0': {}"),
        ("VLAN_INTERFACE", "VLAN", "Try adding Vlan<vlanid>: {}, Example: 'Vlan100': {}"),
    ):
        rows = tables.get(table, {})
        for key in rows:
            name, _, prefix = key.partition("|")
            path = data_path(table, key, "name")
            if name not in tables.get(target, {}):
                yield words.no_target(name, target, path)
            if prefix and name not in rows:
                yield words.must(f"Must condition not satisfied, {hint}", path)
            if prefix and not _is_prefix(prefix):
                yield words.unparsed_keys(table, [key])


def _loopbacks(tables: Tables) -> Iterator[str]:
    rows = tables.get("LOOPBACK_INTERFACE", {})
    for key in rows:
        name, _, prefix = key.partition("|")
        if prefix and name not in rows:
            target = "../../LOOPBACK_INTERFACE_LIST/name"
            yield words.must(
                f'Invalid leafref value "{name}" - no target instance "{target}" with the same value.',
                data_path("LOOPBACK_INTERFACE", key, "name"),
            )
        if prefix and not _is_prefix(prefix):
            yield words.unparsed_keys("LOOPBACK_INTERFACE", [key])


def _neighbors(tables: Tables) -> Iterator[str]:
    for key, row in tables.get("BGP_NEIGHBOR", {}).items():
        vrf, bar, _ = key.partition("|")
        if bar:
            yield from _frr_neighbor(tables, key, vrf)
        elif not _is_address(key):
            yield words.no_union_target(key, data_path("BGP_NEIGHBOR", key, "neighbor"))
        elif not _is_address(_text(row, "local_addr", key)):
            local = _text(row, "local_addr", "")
            yield words.no_union_target(local, data_path("BGP_NEIGHBOR", key, "local_addr"))


def _frr_neighbor(tables: Tables, key: str, vrf: str) -> Iterator[str]:
    if vrf not in tables.get("BGP_GLOBALS", {}) and vrf not in tables.get("VNET", {}):
        yield words.no_union_target(vrf, data_path("BGP_NEIGHBOR", key, "vrf_name"))


def _text(row: Row, field: str, default: str) -> str:
    return str(row.get(field, default))


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _is_prefix(text: str) -> bool:
    try:
        ip_interface(text)
    except ValueError:
        return False
    return "/" in text
