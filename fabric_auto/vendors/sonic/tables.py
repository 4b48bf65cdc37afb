"""CONFIG_DB rows on their way to an artifact: what is in them, whose they are, and why."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from fabric_auto.core.names import natural_key
from fabric_auto.diagnostics import Span
from fabric_auto.vendors.base import Leaves, Ownership, Path


@dataclass(frozen=True, slots=True)
class Row:
    """One row.

    Attributes:
        key: parts joined by ``|`` as in CONFIG_DB.
        fields: values are strings, whatever they mean.
        is_shared: the row belongs to the hardware or the system: ours are its fields alone, not the row.
    """

    table: str
    key: str
    fields: dict[str, str]
    origin: Span
    is_shared: bool = False

    @property
    def path(self) -> Path:
        """The row's path."""
        return (self.table, self.key)


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of one device, and the keys and patterns of rows that cannot stand beside them."""

    rows: tuple[Row, ...]
    claims: frozenset[Path] = field(default_factory=frozenset)

    def leaves(self) -> Leaves:
        """Return the rows as leaves, tables by name and keys in natural order."""
        leaves: Leaves = {}
        for row in sorted(self.rows, key=lambda each: (each.table, natural_key(each.key))):
            leaves[row.path] = ""
            leaves.update({(*row.path, name): value for name, value in row.fields.items()})
        return leaves

    def ownership(self) -> Ownership:
        """Return what is ours: whole rows, the fields of shared rows, and the claims."""
        entries = {row.path for row in self.rows if not row.is_shared}
        fields = {path for row in self.rows if row.is_shared for path in _paths(row)}
        return Ownership(frozenset(entries) | self.claims, frozenset(fields))

    def origins(self) -> dict[Path, Span]:
        """Return the intent line behind each row."""
        return {row.path: row.origin for row in self.rows}


def _paths(row: Row) -> Iterator[Path]:
    yield row.path
    for name in row.fields:
        yield (*row.path, name)
