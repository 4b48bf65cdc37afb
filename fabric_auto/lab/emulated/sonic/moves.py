"""The order in which a configuration becomes another: the moves that the box's patch sorter would make.

Facts (sonic-utilities, ``generic_config_updater/patch_sorter.py``): some fields can only be created, so their row is
deleted and added again, and with a port all that refers to it; a change of a port's buffer and QoS bindings needs the
port down meanwhile. The box searches for an order in which every step is valid; here a fixed order of tables does it.
"""

from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from typing import Final, TypeAlias

import jsonpatch
from jsonpointer import escape

from fabric_auto.core.names import natural_key
from fabric_auto.lab.emulated.sonic.database import Field, Json, Row, Tables
from fabric_auto.lab.emulated.sonic.patch import Patch

Move: TypeAlias = Patch
RowName: TypeAlias = tuple[str, str]

CREATE_ONLY: Final[dict[str, frozenset[str]]] = {
    "PORT": frozenset({"lanes"}),
    "LOOPBACK_INTERFACE": frozenset({"vrf_name"}),
    "BGP_NEIGHBOR": frozenset({"asn", "holdtime", "keepalive", "local_addr", "name", "nhopself", "rrclient"}),
    "BGP_MONITORS": frozenset({"asn", "holdtime", "keepalive", "local_addr", "name", "nhopself", "rrclient"}),
}
"""By table, the fields that can only be set when the row is added."""
_CREATE_ONLY_ROWS: Final = frozenset({"BGP_PEER_RANGE", "BGP_SENTINELS", "MIRROR_SESSION"})
_BOUNCING: Final = frozenset(
    {"BUFFER_PG", "BUFFER_PORT_EGRESS_PROFILE_LIST", "BUFFER_PORT_INGRESS_PROFILE_LIST", "BUFFER_QUEUE",
     "PORT_QOS_MAP", "QUEUE"}
)  # fmt: skip
_PARENTS_FIRST: Final = (
    "DEVICE_METADATA", "VRF", "PORT", "PORTCHANNEL", "PORTCHANNEL_MEMBER", "LOOPBACK_INTERFACE", "VLAN", "VLAN_MEMBER",
    "INTERFACE", "PORTCHANNEL_INTERFACE", "VLAN_INTERFACE", "VLAN_SUB_INTERFACE", "BUFFER_POOL", "BUFFER_PROFILE",
    "SRV6_MY_LOCATORS", "SRV6_MY_SIDS", "BGP_GLOBALS", "BGP_PEER_GROUP", "BGP_NEIGHBOR",
)  # fmt: skip


def moves(current: Tables, target: Tables) -> list[Move]:
    """Return the moves from ``current`` to ``target``: removals, additions, changes of fields, in that order."""
    again = _recreated(current, target)
    gone = [row for row in _rows(current) if not _has(target, row)]
    new = [row for row in _rows(target) if not _has(current, row)]
    kept = [row for row in _rows(current) if _has(target, row) and row not in again]
    changed = [(table, key) for table, key in kept if current[table][key] != target[table][key]]
    down, up = _bounces(current, target, [*gone, *new, *again, *changed])
    tables = {table: set(rows) for table, rows in current.items()}
    return [
        *down,
        *_removals(sorted([*gone, *again], key=_order, reverse=True), tables),
        *_additions(sorted([*new, *again], key=_order), tables, target),
        *(move for table, key in sorted(changed, key=_order) for move in _changes(table, key, current, target)),
        *up,
    ]


def apply(move: Move, tables: Tables) -> None:
    """Make a move of :func:`moves` in place."""
    jsonpatch.apply_patch(tables, deepcopy(move), in_place=True)


def _rows(tables: Tables) -> Iterator[RowName]:
    return ((table, key) for table, rows in tables.items() for key in rows)


def _has(tables: Tables, row: RowName) -> bool:
    return row[1] in tables.get(row[0], {})


def _order(row: RowName) -> tuple[int, str, int, tuple[tuple[int, int, str], ...]]:
    table, key = row
    place = _PARENTS_FIRST.index(table) if table in _PARENTS_FIRST else len(_PARENTS_FIRST)
    return place, table, key.count("|"), natural_key(key)


def _recreated(current: Tables, target: Tables) -> list[RowName]:
    """Rows whose create-only fields change, and the rows that refer to such a port."""
    rows = [row for row in _rows(current) if _has(target, row) and _creates(row, current, target)]
    ports = {key for table, key in rows if table == "PORT"}
    dependents = [
        (table, key)
        for table, key in (_rows(current) if ports else ())
        if table != "PORT" and not ports.isdisjoint(key.split("|")) and _has(target, (table, key))
    ]
    return list(dict.fromkeys([*rows, *dependents]))


def _creates(row: RowName, current: Tables, target: Tables) -> bool:
    table, key = row
    old, new = current[table][key], target[table][key]
    if table in _CREATE_ONLY_ROWS:
        return old != new
    return any(old.get(field) != new.get(field) for field in CREATE_ONLY.get(table, ()))


def _bounces(current: Tables, target: Tables, touched: Iterable[RowName]) -> tuple[list[Move], list[Move]]:
    ports = {key.split("|")[0] for table, key in touched if table in _BOUNCING}
    down: list[Move] = []
    up: list[Move] = []
    for port in sorted(ports, key=natural_key):
        old, new = current.get("PORT", {}).get(port, {}), target.get("PORT", {}).get(port, {})
        if old.get("admin_status") == new.get("admin_status") == "up":
            path = _path("PORT", port, "admin_status")
            down.append([{"op": "replace", "path": path, "value": "down"}])
            up.append([{"op": "replace", "path": path, "value": "up"}])
    return down, up


def _removals(rows: Iterable[RowName], tables: dict[str, set[str]]) -> Iterator[Move]:
    """Remove rows; the last one of a table takes the table along. ``tables`` follows."""
    for table, key in rows:
        tables[table].discard(key)
        move: Move = [{"op": "remove", "path": _path(table, key)}]
        if not tables[table]:
            del tables[table]
            move.append({"op": "remove", "path": _path(table)})
        yield move


def _additions(rows: Iterable[RowName], tables: dict[str, set[str]], target: Tables) -> Iterator[Move]:
    for table, key in rows:
        row = _json(target[table][key])
        if table in tables:
            yield [{"op": "add", "path": _path(table, key), "value": row}]
        else:
            tables[table] = set()
            yield [{"op": "add", "path": _path(table), "value": {key: row}}]
        tables[table].add(key)


def _changes(table: str, key: str, current: Tables, target: Tables) -> Iterator[Move]:
    old, new = current[table][key], target[table][key]
    for field in old:
        if field not in new:
            yield [{"op": "remove", "path": _path(table, key, field)}]
    for field, value in new.items():
        if field not in old:
            yield [{"op": "add", "path": _path(table, key, field), "value": _value(value)}]
        elif old[field] != value:
            yield [{"op": "replace", "path": _path(table, key, field), "value": _value(value)}]


def _json(row: Row) -> Json:
    return {field: _value(value) for field, value in row.items()}


def _value(value: Field) -> Json:
    return list[Json](value) if isinstance(value, list) else value


def _path(*steps: str) -> str:
    quote: Callable[[str], str] = escape
    return "".join(f"/{quote(step)}" for step in steps)
