"""CONFIG_DB to leaves and back."""

import json
from typing import Final, TypeAlias

from fabric_auto.core.names import natural_key
from fabric_auto.vendors.base import Leaves

ConfigDb: TypeAlias = dict[str, dict[str, dict[str, str | list[str]]]]
"""CONFIG_DB as ``config_db.json`` holds it: table → row key → field → value."""

_NOT_TABLES: Final = frozenset({"bgpraw"})
"""``show runningconfiguration all`` adds FRR's configuration as text under this name."""


_text: Final = json.JSONEncoder(ensure_ascii=False).encode


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
    """Write a CONFIG_DB: tables by name, rows in natural order, fields by name, two spaces of indentation.

    The layout is that of ``json.dumps(indent=2)``, whose encoder is written in Python and takes most of a compilation.
    """
    return (
        "{" + ",".join(map(_dump_table, sorted(tables), map(tables.__getitem__, sorted(tables)))) + "\n}\n"
    ).encode()


def _dump_table(name: str, rows: dict[str, dict[str, str | list[str]]]) -> str:
    lines = ",".join(_dump_row(key, rows[key]) for key in sorted(rows, key=natural_key))
    return f"\n  {_text(name)}: {{{lines}\n  }}"


def _dump_row(key: str, fields: dict[str, str | list[str]]) -> str:
    if not fields:
        return f"\n    {_text(key)}: {{}}"
    lines = ",".join(f"\n      {_text(name)}: {_text(fields[name])}" for name in sorted(fields))
    return f"\n    {_text(key)}: {{{lines}\n    }}"
