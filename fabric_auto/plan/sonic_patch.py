"""Changes as RFC 6902 documents that ``config apply-patch`` takes, each of which leaves a valid CONFIG_DB."""

import json
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final, Literal, TypeAlias

from fabric_auto.plan.model import Change
from fabric_auto.plan.sonic_tables import BASE_OF, CREATE_ONLY, LOOPBACK0, Row, order
from fabric_auto.vendors.base import Path, Value

Document: TypeAlias = Mapping[str, Mapping[str, Mapping[str, object]]]
"""A CONFIG_DB as ``sonic-cfggen -d --print-data`` prints it: tables of rows of fields."""

Tables: TypeAlias = dict[str, dict[str, dict[str, object]]]
Operation: TypeAlias = dict[str, object]

OPERATIONS: Final = 200
"""Operations in one document. The real patcher takes about a second for each, in a budget of 900 s."""


@dataclass(slots=True)
class _Edit:
    """What happens to one row; ``fields`` are its changes in natural order."""

    row: Row
    kind: Literal["add", "remove", "edit"] = "edit"
    fields: list[Change] = field(default_factory=list)

    @property
    def recreates(self) -> bool:
        """Whether a field changes that only a new row may set. Loopback0 cannot be removed: the box sorts that out."""
        if self.row == LOOPBACK0:
            return False
        create_only = CREATE_ONLY.get(self.row[0], frozenset())
        return self.kind == "edit" and any(change.path[2] in create_only for change in self.fields)


def tables_of(document: Document) -> Tables:
    """Return a copy of a CONFIG_DB that can be changed."""
    return {table: {key: dict(fields) for key, fields in rows.items()} for table, rows in document.items()}


def edited(document: Document, changes: tuple[Change, ...]) -> Tables:
    """Return the CONFIG_DB with the changes made, foreign rows as they are; no table is left empty."""
    tables = tables_of(document)
    for edit in _edits(changes):
        _make(tables, edit)
    return {table: rows for table, rows in tables.items() if rows}


def patches(document: Document, changes: tuple[Change, ...], size: int = OPERATIONS) -> Iterator[list[Operation]]:
    """Yield patch documents of at most ``size`` operations; the configuration after each one is valid.

    Rows go first, referrers before what they refer to; then rows and fields come, in the opposite order. A row with a
    create-only change is removed and added again, with its address rows, inside one document, which may then be longer.

    Args:
        document: the CONFIG_DB that the patches start from.
        changes: what is to differ.
        size: most operations in one document.
    """
    patch = _Patch(tables_of(document))
    batch: list[Operation] = []
    for edits in _units(changes, document):
        operations = patch.operations(edits)
        if batch and len(batch) + len(operations) > size:
            yield batch
            batch = []
        batch = batch + operations
    if batch:
        yield batch


def pointer(path: Path) -> str:
    """Return the JSON pointer (RFC 6901) of a path.

    >>> pointer(("INTERFACE", "Ethernet0|10.0.0.0/31"))
    '/INTERFACE/Ethernet0|10.0.0.0~131'
    """
    return "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in path)


def as_json(value: Value) -> str | list[str]:
    """Return a value as CONFIG_DB writes it: a leaf-list is an array."""
    return value if isinstance(value, str) else list(value)


def dump(content: object) -> bytes:
    """Return a document as it is uploaded: JSON, two spaces, UTF-8, a final newline."""
    return (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode()


@dataclass(slots=True)
class _Patch:
    """Writes operations for edits, and keeps the CONFIG_DB that they lead to."""

    tables: Tables

    def operations(self, edits: list[_Edit]) -> list[Operation]:
        """Return the operations of edits that belong together."""
        if edits[0].kind == "add":
            return self._add(edits)
        if edits[0].recreates:
            return self._recreate(edits[0])
        if edits[0].kind == "remove":
            return self._remove(edits[0])
        return self._edit(edits[0])

    def _add(self, edits: list[_Edit]) -> list[Operation]:
        table = edits[0].row[0]
        new = table not in self.tables
        for edit in edits:
            _make(self.tables, edit)
        if new:
            return [{"op": "add", "path": pointer((table,)), "value": deepcopy(self.tables[table])}]
        return [
            {"op": "add", "path": pointer(edit.row), "value": deepcopy(self.tables[table][edit.row[1]])}
            for edit in edits
        ]

    def _remove(self, edit: _Edit) -> list[Operation]:
        table, key = edit.row
        last = len(self.tables[table]) == 1
        _make(self.tables, edit)
        if last:
            del self.tables[table]
        return [{"op": "remove", "path": pointer((table,) if last else (table, key))}]

    def _edit(self, edit: _Edit) -> list[Operation]:
        fields = self.tables[edit.row[0]][edit.row[1]]
        operations = [_field_operation(change, fields) for change in edit.fields]
        _make(self.tables, edit)
        return operations

    def _recreate(self, edit: _Edit) -> list[Operation]:
        table, key = edit.row
        dependents = [other for other in self.tables[table] if other.startswith(f"{key}|")] if table in BASE_OF else []
        _make(self.tables, edit)
        again: list[Operation] = [
            {"op": "add", "path": pointer((table, name)), "value": deepcopy(self.tables[table][name])}
            for name in (key, *dependents)
        ]
        return [*({"op": "remove", "path": step["path"]} for step in reversed(again)), *again]


def _field_operation(change: Change, fields: Mapping[str, object]) -> Operation:
    path = pointer(change.path)
    if change.after is None:
        return {"op": "remove", "path": path}
    return {"op": "replace" if change.path[2] in fields else "add", "path": path, "value": as_json(change.after)}


def _make(tables: Tables, edit: _Edit) -> None:
    table, key = edit.row
    if edit.kind == "remove":
        del tables[table][key]
        return
    fields = tables.setdefault(table, {}).setdefault(key, {})
    for change in edit.fields:
        if change.after is None:
            fields.pop(change.path[2], None)
        else:
            fields[change.path[2]] = as_json(change.after)


def _edits(changes: tuple[Change, ...]) -> list[_Edit]:
    edits: dict[Row, _Edit] = {}
    for change in changes:
        row = (change.path[0], change.path[1])
        edit = edits.setdefault(row, _Edit(row))
        if len(change.path) > 2:  # noqa: PLR2004
            edit.fields.append(change)
        else:
            edit.kind = "remove" if change.after is None else "add"
    return list(edits.values())


def _units(changes: tuple[Change, ...], document: Document) -> Iterator[list[_Edit]]:
    """Yield edits that one document holds together: a new table whole, everything else row by row."""
    edits = sorted(_edits(changes), key=lambda edit: order(edit.row))
    yield from ([edit] for edit in reversed(edits) if edit.kind == "remove")
    for table, group in groupby((edit for edit in edits if edit.kind != "remove"), key=lambda edit: edit.row[0]):
        if table in document:
            yield from ([edit] for edit in group)
        else:
            yield list(group)
