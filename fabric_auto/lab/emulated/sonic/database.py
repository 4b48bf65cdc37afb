"""CONFIG_DB: tables of rows of fields, as Redis keeps them and as ``config_db.json`` shows them.

A field is a string or, for a leaf-list, a list of strings (sonic-swss-common, ConfigDBConnector: a list is stored under
``field@`` as one comma-separated string, a row without fields under the field ``NULL``).
"""

import json
from collections.abc import Mapping
from copy import deepcopy
from typing import TypeAlias

from fabric_auto.core.names import natural_key

Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"
Field: TypeAlias = str | list[str]
Row: TypeAlias = dict[str, Field]
Tables: TypeAlias = dict[str, dict[str, Row]]


class ConfigDb:
    """The running configuration.

    Attributes:
        tables: what it holds; no table is ever empty. Change it by the methods only.
    """

    def __init__(self, tables: Tables) -> None:
        self.tables = deepcopy(tables)

    def snapshot(self) -> Tables:
        """Return a copy of everything."""
        return deepcopy(self.tables)

    def replace(self, tables: Tables) -> None:
        """Forget everything and hold ``tables``."""
        self.tables = deepcopy(tables)

    def merge(self, tables: Tables) -> None:
        """Set the fields of ``tables`` and keep all others, as ``sonic-cfggen --write-to-db`` does."""
        self.tables = merged(self.tables, tables)

    def set_field(self, table: str, key: str, field: str, value: Field) -> None:
        """Set one field, making the row and the table when absent."""
        self.tables.setdefault(table, {}).setdefault(key, {})[field] = value

    def remove_row(self, table: str, key: str) -> bool:
        """Remove a row, and its table with the last; return False when there is none."""
        rows = self.tables.get(table, {})
        if key not in rows:
            return False
        del rows[key]
        if not rows:
            del self.tables[table]
        return True

    def remove_field(self, table: str, key: str, field: str) -> bool:
        """Remove a field, and its row with the last as Redis does; return False when there is none."""
        row = self.tables.get(table, {}).get(key, {})
        if field not in row:
            return False
        del row[field]
        if not row:
            self.remove_row(table, key)
        return True


def merged(base: Tables, over: Tables) -> Tables:
    """Return ``base`` with the fields of ``over`` set in it."""
    result = deepcopy(base)
    for table, rows in over.items():
        for key, row in rows.items():
            result.setdefault(table, {}).setdefault(key, {}).update(deepcopy(row))
    return result


def stored(config: Mapping[str, Json]) -> Tables:
    """Return what CONFIG_DB holds after ``config`` was written to it.

    Numbers and booleans become strings, an empty table leaves nothing, an empty list comes back as a list of one empty
    string, and a member whose name does not begin with a capital (``bgpraw``) is not written.
    """
    tables: Tables = {}
    for table, rows in config.items():
        if not table[:1].isupper() or not isinstance(rows, dict) or not rows:
            continue
        tables[table] = {key: _row(row) for key, row in rows.items()}
    return tables


def _row(row: Json) -> Row:
    if not isinstance(row, dict):
        return {}
    return {field: _field(value) for field, value in row.items()}


def _field(value: Json) -> Field:
    if isinstance(value, list):
        return [str(each) for each in value] or [""]
    return str(value)


def ordered(tables: Tables) -> Tables:
    """Return the tables and their rows in natural order."""
    return {
        table: dict(sorted(rows.items(), key=lambda item: natural_key(item[0])))
        for table, rows in sorted(tables.items(), key=lambda item: natural_key(item[0]))
    }


def dump(tables: Tables) -> str:
    """Return ``config_db.json``: what ``sonic-cfggen -d --print-data`` prints, without the last line feed."""
    return json.dumps(ordered(tables), indent=4)


def read_object(text: str) -> dict[str, Json]:
    """Parse a JSON object.

    Raises:
        ValueError: it is not JSON, or not an object.
    """
    value: Json = json.loads(text)
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")  # noqa: TRY004 - what is wrong is the text
    return value
