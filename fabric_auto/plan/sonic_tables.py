"""What CONFIG_DB tables need of each other, and what their fields do to a running switch. Data, no code that plans.

Sources: the YANG models ``sonic-*.yang`` of sonic-buildimage (leafrefs and musts), ``generic_config_updater`` of
sonic-utilities (create-only fields, illegal operations), and the bgp container's start-up templates.
"""

from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from fabric_auto.plan.diff import PathKey, path_key
from fabric_auto.vendors.base import Leaves, Path, Value

Row: TypeAlias = tuple[str, str]

RANK: Final = {
    table: rank
    for rank, tables in enumerate(
        (
            ("DEVICE_METADATA",),
            ("PORT", "VRF"),
            ("PORTCHANNEL", "VLAN"),
            ("INTERFACE", "LOOPBACK_INTERFACE", "PORTCHANNEL_INTERFACE", "PORTCHANNEL_MEMBER"),
            ("VLAN_MEMBER", "VLAN_INTERFACE"),
            ("OTHER",),
            ("BGP_NEIGHBOR",),
        )
    )
    for table in tables
}
"""References come before what refers to them. BGP_NEIGHBOR is last: bgpcfgd holds a peer back until ``local_addr`` is
the address of an interface (managers_bgp.py)."""

BASE_OF: Final = {
    "INTERFACE": "PORT",
    "LOOPBACK_INTERFACE": "",
    "PORTCHANNEL_INTERFACE": "PORTCHANNEL",
    "VLAN_INTERFACE": "VLAN",
}
"""Interface tables: their address rows ``NAME|PREFIX`` need the row ``NAME`` (a YANG must); NAME is a row of this."""

CREATE_ONLY: Final = {
    "BGP_NEIGHBOR": frozenset({"asn", "name", "local_addr", "holdtime", "keepalive", "nhopself", "rrclient"}),
    "LOOPBACK_INTERFACE": frozenset({"vrf_name"}),
}
"""Fields that only a new row may set (sonic-utilities patch_sorter.py, CreateOnlyFilter). PORT.lanes is one too, but
lanes change by a reload."""

LOOPBACK0: Final = ("LOOPBACK_INTERFACE", "Loopback0")
"""The row whose removal ``apply-patch`` refuses (sonic-utilities gu_common.py, validate_field_operation)."""

START_UP_METADATA: Final = frozenset({"bgp_asn", "bgp_adv_lo_prefix_as_128", "docker_routing_config_mode", "type"})
"""DEVICE_METADATA fields that the bgp container reads when it starts and never again (docker_init.sh,
bgpd.main.conf.j2; bgpcfgd's managers have no handler for them)."""

PORT_NAMES: Final = frozenset(
    {
        ("ACL_TABLE", "ports"),
        ("DEVICE_NEIGHBOR", "local_port"),
        ("MCLAG_DOMAIN", "peer_link"),
        ("MIRROR_SESSION", "dst_port"),
        ("MIRROR_SESSION", "src_port"),
        ("NTP", "src_intf"),
        ("PBH_TABLE", "interface_list"),
    }
)
"""Fields that are leafrefs to PORT in rows that outlive the port."""

PORT_FIELD_TABLES: Final = frozenset({"CABLE_LENGTH"})
"""Tables whose field names are ports (sonic-cable-length.yang)."""

BOUNCING: Final = frozenset({"admin_status", "autoneg", "fec", "mtu", "speed"})
"""PORT fields that portsorch sets with the port administratively down, or that stop traffic themselves."""


def is_row(path: Path) -> bool:
    """Return True for the path of a row: its own leaf, beside those of its fields."""
    return len(path) == 2  # noqa: PLR2004  (table, key)


def rows(leaves: Iterable[Path], table: str | None = None) -> Iterator[Row]:
    """Yield the rows that exist, of one table or of all."""
    for path in leaves:
        if len(path) == 2 and table in {None, path[0]}:  # noqa: PLR2004
            yield path[0], path[1]


def ports_in(key: str) -> set[str]:
    """Return the ports that a key names: ``Vlan100|Ethernet4`` is about Ethernet4.

    >>> ports_in("Vlan100|Ethernet4")
    {'Ethernet4'}
    """
    return {part for part in key.split("|") if part.startswith("Ethernet") and part[8:].isdigit()}


def names_in(value: Value) -> set[str]:
    """Return the names in a value that is one name, a leaf-list, or names joined by commas."""
    return set(value.split(",")) if isinstance(value, str) else set(value)


def needs(row: Row, leaves: Leaves) -> set[Row]:
    """Return the rows that must exist for ``row`` to be valid; only those that the models state."""
    table, key = row
    name, _, rest = key.partition("|")
    needed = {("PORT", port) for port in ports_in(key)} if table != "PORT" else set()
    if table in BASE_OF:
        needed |= {(table, name)} if rest else {(BASE_OF[table], name)}
    if table == "VLAN_MEMBER":
        needed.add(("VLAN", name))
    if table in {"VLAN_MEMBER", "PORTCHANNEL_MEMBER"} and "PortChannel" in key:
        needed |= {("PORTCHANNEL", part) for part in key.split("|") if part.startswith("PortChannel")}
    vrf = leaves.get((*row, "vrf_name"), "default")
    if isinstance(vrf, str) and vrf not in {"", "default"}:
        needed.add(("VRF", vrf))
    return {row for row in needed if row[0]}


def order(row: Row) -> tuple[int, str, PathKey]:
    """Return where a row stands among those that are added: after what it needs, tables together.

    Within a table the natural order puts ``Ethernet0`` before ``Ethernet0|10.0.0.0/31``, which needs it.
    """
    table, _ = row
    return RANK.get(table, RANK["OTHER"]), table, path_key(row)
