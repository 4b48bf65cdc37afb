"""CONFIG_DB rows beside each other: what a breakout displaces, what must stay, what cannot come back."""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Final

from fabric_auto.errors import FabricAutoError
from fabric_auto.plan.diff import Aim, keep_used
from fabric_auto.plan.sonic_tables import (
    LOOPBACK0,
    PORT_FIELD_TABLES,
    PORT_NAMES,
    Row,
    is_row,
    names_in,
    needs,
    ports_in,
    rows,
)
from fabric_auto.vendors.base import Leaves, Path, spell

_ROUTED: Final = "INTERFACE"
_MEMBER: Final = "VLAN_MEMBER"


def displaced(running: Leaves, intended: Leaves) -> set[Path]:
    """Return the running leaves that the intended ports leave no room for.

    A PORT row whose lanes an intended port uses cannot stay (lanes are unique: sonic-utilities gu_common.py,
    validate_lanes); neither can anything that is about such a port: a row with its name in the key, or its field in
    CABLE_LENGTH.
    """
    wanted = {key for _, key in rows(intended, "PORT")}
    used = {lane for port in wanted for lane in _lanes(intended, port)}
    gone = {key for _, key in rows(running, "PORT") if key not in wanted and not used.isdisjoint(_lanes(running, key))}
    return {path for path in _about(running, gone) if path not in intended}


def settle(running: Leaves, wanted: Aim) -> Leaves:
    """Return what is wanted as CONFIG_DB can hold it.

    * A port that goes takes everything about it with it.
    * A row that foreign rows need, or hold fields in, stays whole.
    * A value that would be put back without what it needs is dropped.
    * ``LOOPBACK_INTERFACE|Loopback0`` stays without its addresses: ``apply-patch`` refuses its removal
      (sonic-utilities gu_common.py, validate_field_operation).

    Args:
        running: the leaves that the device has.
        wanted: what it should have.

    Raises:
        FabricAutoError: a foreign row names a port that goes away, in a field that is not ours to change.
    """
    gone = {port for table, port in rows(running, "PORT") if (table, port) not in wanted.leaves}
    about = set(_about(wanted.foreign, gone))
    foreign = {path: value for path, value in wanted.foreign.items() if path not in about}
    result = keep_used(running, replace(wanted, foreign=foreign), is_row)
    if LOOPBACK0 in running:
        result.setdefault(LOOPBACK0, "")
    while True:
        corrected = _corrected(running, result, wanted)
        if corrected == result:
            break
        result = corrected
    _refuse_names(result, gone)
    return result


def _corrected(running: Leaves, leaves: Leaves, wanted: Aim) -> Leaves:
    kept: set[Row] = set()
    dropped: set[Path] = set()
    for row in rows(leaves):
        if row in wanted.intended:
            continue
        missing = [need for need in needs(row, leaves) if need not in leaves]
        if row in wanted.put_back and (missing or _conflicts(row, leaves)):
            dropped.add(row)
        elif row in running:
            kept.update(need for need in missing if need in running and need[0] != "PORT")
    stay = {path: value for path, value in running.items() if path[:2] in kept}
    left = {path: value for path, value in leaves.items() if path[:2] not in dropped}
    return stay | {
        path: value for path, value in left.items() if path not in wanted.put_back or not _lacks_port(path, left)
    }


def _lacks_port(path: Path, leaves: Leaves) -> bool:
    return path[0] in PORT_FIELD_TABLES and not is_row(path) and ("PORT", path[2]) not in leaves


def _conflicts(row: Row, wanted: Leaves) -> bool:
    """Tell whether a row cannot be put back.

    A routed port is no VLAN member (sonic-vlan.yang, a must of VLAN_MEMBER_LIST/port), and lanes are unique.
    """
    table, key = row
    if table == _MEMBER:
        return any((_ROUTED, port) in wanted for port in ports_in(key))
    if table == _ROUTED:
        return any(ports_in(member) & ports_in(key) for _, member in rows(wanted, _MEMBER))
    if table == "PORT":
        mine = _lanes(wanted, key)
        return any(mine & _lanes(wanted, other) for _, other in rows(wanted, "PORT") if other != key)
    return False


def _about(leaves: Leaves, ports: AbstractSet[str]) -> Iterable[Path]:
    if not ports:
        return []
    found = [path for path in leaves if not ports.isdisjoint(ports_in(path[1])) or _is_field_of(path, ports)]
    emptied = {path[:2] for path in found if path[0] in PORT_FIELD_TABLES}
    left = {path[:2] for path in leaves if len(path) > 2 and not _is_field_of(path, ports)}  # noqa: PLR2004
    return [*found, *(emptied - left)]


def _is_field_of(path: Path, ports: AbstractSet[str]) -> bool:
    return path[0] in PORT_FIELD_TABLES and not is_row(path) and path[2] in ports


def _lanes(leaves: Leaves, port: str) -> set[str]:
    return names_in(leaves.get(("PORT", port, "lanes"), ()))


def _refuse_names(leaves: Leaves, ports: AbstractSet[str]) -> None:
    for path, value in leaves.items():
        if not is_row(path) and (path[0], path[2]) in PORT_NAMES and not ports.isdisjoint(names_in(value)):
            port = min(ports & names_in(value))
            raise FabricAutoError(
                f"{spell(path)} names {port}, a port that this change takes away",
                help=f"take {port} out of {spell(path[:2])} on the switch, then plan again",
            )
