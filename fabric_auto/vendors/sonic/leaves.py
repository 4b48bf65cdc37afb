"""CONFIG_DB to leaves and back."""

import json
from typing import Final, TypeAlias

from fabric_auto.core.names import natural_key
from fabric_auto.vendors.base import Leaves

ConfigDb: TypeAlias = dict[str, dict[str, dict[str, str | list[str]]]]
"""CONFIG_DB as ``config_db.json`` holds it: table → row key → field → value."""

_NOT_TABLES: Final = frozenset({"bgpraw"})
"""``show runningconfiguration all`` adds FRR's configuration as text under this name."""


def parse(running: bytes) -> Leaves:
    """Read CONFIG_DB as ``config_db.json`` holds it.

    Raises:
        ValueError: it is not JSON, or not tables of rows of fields.
    """
    try:
        document = json.loads(running)
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"CONFIG_DB is not JSON: {error}") from error
    if not isinstance(document, dict):
        raise ValueError("CONFIG_DB is not a JSON object")  # noqa: TRY004  (what was read is wrong, not what was passed)
    leaves: Leaves = {}
    for table, rows in document.items():
        if table not in _NOT_TABLES:
            _table(table, rows, leaves)
    return leaves


def _table(table: str, rows: object, leaves: Leaves) -> None:
    if not isinstance(rows, dict):
        raise ValueError(f"CONFIG_DB table {table} is not an object")  # noqa: TRY004  (as above)
    for key, fields in rows.items():
        if not isinstance(fields, dict):
            raise ValueError(f"CONFIG_DB row {table}|{key} is not an object")  # noqa: TRY004  (as above)
        leaves[table, key] = ""
        for name, value in fields.items():
            leaves[table, key, name] = tuple(map(str, value)) if isinstance(value, list) else str(value)


def document(leaves: Leaves) -> ConfigDb:
    """Return the CONFIG_DB that has these leaves; a leaf-list is a JSON array."""
    tables: ConfigDb = {}
    for path, value in leaves.items():
        row = tables.setdefault(path[0], {}).setdefault(path[1], {})
        if len(path) > 2:  # noqa: PLR2004  (table, key, field)
            row[path[2]] = list(value) if isinstance(value, tuple) else value
    return tables


def dump(tables: ConfigDb) -> bytes:
    """Write a CONFIG_DB: tables by name, rows in natural order, fields by name, two spaces of indentation."""
    ordered = {
        table: {key: dict(sorted(tables[table][key].items())) for key in sorted(tables[table], key=natural_key)}
        for table in sorted(tables)
    }
    return (json.dumps(ordered, indent=2, ensure_ascii=False) + "\n").encode()
