"""CONFIG_DB rows to the YANG instance that SONiC builds of them, and YANG data paths back to CONFIG_DB words.

The rules are those of the box (sonic-buildimage, src/sonic-yang-mgmt/sonic_yang_ext.py): a key is split at ``|``; a row
goes to the first list whose number of keys and whose fields fit; a map table becomes a list of pairs; a leaf-list is a
JSON array, save for a few that are one string with separators.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from fabric_auto.yang.sonic_tables import Body, Rows, Table
from fabric_auto.yang.violation import Violation

_MAPS = frozenset(
    {
        "DSCP_TO_TC_MAP",
        "DOT1P_TO_TC_MAP",
        "TC_TO_PRIORITY_GROUP_MAP",
        "TC_TO_QUEUE_MAP",
        "MAP_PFC_PRIORITY_TO_QUEUE",
        "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
        "DSCP_TO_FC_MAP",
        "EXP_TO_FC_MAP",
        "CABLE_LENGTH",
        "MPLS_TC_TO_TC_MAP",
        "TC_TO_DSCP_MAP",
    }
)
_MAP_LISTS = frozenset(f"{table}_LIST" for table in _MAPS)
"""Lists whose row fields are themselves the keys of an inner list."""

_SEPARATORS = {
    ("PORT", "adv_speeds"): ",",
    ("PORT", "adv_interface_types"): ",",
    ("BUFFER_PORT_INGRESS_PROFILE_LIST", "profile_list"): ",",
    ("BUFFER_PORT_EGRESS_PROFILE_LIST", "profile_list"): ",",
    ("BGP_ALLOWED_PREFIXES", "prefixes_v4"): ",",
    ("BGP_ALLOWED_PREFIXES", "prefixes_v6"): ",",
    ("MIRROR_SESSION", "src_ip"): ",",
    ("NTP", "src_intf"): ";",
}
"""The leaf-lists that CONFIG_DB keeps as one string."""


@dataclass(slots=True)
class Translation:
    """One table on its way to YANG; what does not fit is noted and left out, so that the rest can be checked too.

    Attributes:
        table: its name.
        violations: what did not fit so far.
    """

    table: str
    violations: list[Violation] = field(default_factory=list)

    def _note(self, path: str, message: str) -> None:
        self.violations.append(Violation(path, message))

    def body(self, body: Body, content: Mapping[str, object], name: str, path: str) -> dict[str, object]:
        """The content of a container: rows of its lists, containers and fields by name."""
        instance: dict[str, object] = {}
        lists = body.lists
        if len(lists) == 1 and lists[0].name != f"{name}_LIST":
            lists = ()
        entries: dict[str, list[dict[str, object]]] = {}
        for key, value in content.items():
            if not isinstance(value, Mapping) and (lists or key in body.containers) and not body.has_value(key):
                self._note(f"{path}|{key}", "expected a JSON object of fields")
            elif not isinstance(value, Mapping):
                self._field(body, instance, key, value, f"{path}/{key}")
            elif (rows := _rows_for(body, lists, key, value)) is not None:
                entries.setdefault(rows.name, []).append(self._row(rows, key, value, f"{path}|{key}"))
            elif key not in body.containers:
                counts = " or ".join(str(len(rows.keys)) for rows in lists)
                self._note(f"{path}|{key}", f"a key here has {counts} parts" if counts else "no row has this name")
            elif value:
                instance[key] = self.body(body.containers[key], value, key, f"{path}|{key}")
        return instance | entries

    def _row(self, rows: Rows, key: str, fields: Mapping[str, object], path: str) -> dict[str, object]:
        entry: dict[str, object] = dict(zip(rows.keys, _key_parts(key), strict=True))
        if rows.name in _MAP_LISTS and rows.body.lists:
            inner = rows.body.lists[0]
            value_leaf = next(leaf for leaf in reversed(inner.body.leaves) if leaf not in inner.keys)
            entry[inner.name] = [{inner.keys[0]: str(name), value_leaf: str(value)} for name, value in fields.items()]
            return entry
        for name, value in fields.items():
            if name not in rows.body.containers:
                self._field(rows.body, entry, name, value, f"{path}/{name}")
            elif isinstance(value, Mapping):
                entry[name] = self.body(rows.body.containers[name], value, name, f"{path}/{name}")
            else:
                self._note(f"{path}/{name}", "expected a JSON object")
        return entry

    def _field(self, body: Body, instance: dict[str, object], name: str, value: object, path: str) -> None:
        if name in body.leaf_lists:
            self._leaf_list(instance, name, value, path, has_default=body.leaf_lists[name])
        elif name not in body.leaves:
            self._note(path, "the model has no such field")
        elif isinstance(value, list | Mapping):
            self._note(path, "expected one value, not a JSON array or object")
        else:
            instance[name] = str(value)

    def _leaf_list(
        self, instance: dict[str, object], name: str, value: object, path: str, *, has_default: bool
    ) -> None:
        separator = _SEPARATORS.get((self.table, name))
        if isinstance(value, str) and separator:
            items: list[object] = [item.strip() for item in value.split(separator)]
        elif isinstance(value, list):
            items = value
        else:
            # The box would take a plain string apart letter by letter.
            self._note(path, "expected a JSON array")
            return
        present = [str(item) for item in items if item != "" or has_default]
        if not present and has_default:
            self._note(path, "an empty list is not storable, leave the field out")
        else:
            instance[name] = present


def _key_parts(key: str) -> list[str]:
    return [part.strip() for part in key.split("|")]


def _rows_for(body: Body, lists: tuple[Rows, ...], key: str, fields: Mapping[str, object]) -> Rows | None:
    parts = len(_key_parts(key))
    candidates = [rows for rows in lists if len(rows.keys) == parts]
    for rows in candidates:
        if rows.name in _MAP_LISTS or all(map(rows.body.has, fields)):
            return rows
    # A row that fits no list is read with the first of its key count, so that each misfit field can be named.
    return candidates[0] if candidates and key not in body.containers else None


_STEP = re.compile(r"""/(?:[\w.\-]+:)?(?P<name>[\w.\-]+)(?P<predicates>(?:\[(?:[^\]'"]|'[^']*'|"[^"]*")*\])*)""")
_PREDICATE = re.compile(r"""\[(?:[\w.\-]+:)?([\w.\-]+)=(?:'([^']*)'|"([^"]*)")\]""")


def config_db_path(data_path: str, tables: Mapping[str, Table]) -> str:
    """A libyang data path in CONFIG_DB words, ``PORT|Ethernet4/mtu``; unchanged when it is not one of a known table."""
    steps = [(step["name"], _values(step["predicates"])) for step in _STEP.finditer(data_path)]
    if len(steps) <= 1 or steps[1][0] not in tables:
        return data_path
    path, body = steps[1][0], tables[steps[1][0]].body
    mark = "|"
    unnamed: tuple[str, ...] = ()
    for name, values in steps[2:]:
        rows = next((rows for rows in body.lists if rows.name == name), None)
        if rows is not None:
            # libyang leaves out a key that is itself at fault.
            path += mark + "|".join(values) if values else ""
            # CONFIG_DB has no name for a key leaf, nor for the value leaf of a pair in a map.
            body, unnamed = rows.body, rows.keys if mark == "|" else rows.body.leaves
            mark = "/"
        elif name in body.containers:
            path += mark + name
            body, unnamed = body.containers[name], ()
        elif name not in unnamed:
            path += f"/{name}"
    return path


def _values(predicates: str) -> list[str]:
    return [single or double for _, single, double in _PREDICATE.findall(predicates)]
