"""The layout of CONFIG_DB, read from SONiC's YANG: which tables, which lists and keys, which fields.

SONiC's rule (sonic-yang-mgmt): a module has one top container of the module's own name, and each container below it is
one CONFIG_DB table.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fabric_auto.errors import FabricAutoError
from fabric_auto.yang.library import prefixes
from fabric_auto.yang.statements import Statement

_DATA = frozenset({"container", "list", "leaf", "leaf-list"})


@dataclass(frozen=True, slots=True)
class Body:
    """What may stand inside a container or a list entry.

    Attributes:
        leaves: names, in schema order.
        leaf_lists: name → whether the model gives it a default.
        containers: by name.
        lists: in schema order.
    """

    leaves: tuple[str, ...]
    leaf_lists: Mapping[str, bool]
    containers: Mapping[str, "Body"]
    lists: tuple["Rows", ...]

    def has_value(self, field: str) -> bool:
        """Whether this is a leaf or a leaf-list."""
        return field in self.leaves or field in self.leaf_lists

    def has(self, field: str) -> bool:
        """Whether a row may have this field."""
        return self.has_value(field) or field in self.containers


@dataclass(frozen=True, slots=True)
class Rows:
    """A YANG list: one shape of the rows of a table.

    Attributes:
        name: the list's name, ``PORT_LIST``.
        keys: the key leaves, in the order of the parts of a CONFIG_DB key.
        body: its fields.
    """

    name: str
    keys: tuple[str, ...]
    body: Body


@dataclass(frozen=True, slots=True)
class Table:
    """A CONFIG_DB table and the module that models it."""

    module: str
    body: Body


def read_tables(modules: Mapping[str, Statement]) -> dict[str, Table]:
    """Every table that the modules model, by name.

    Raises:
        FabricAutoError: a ``uses`` names a grouping that is not there.
    """
    reader = _Reader(modules)
    tables = {}
    for name, module in modules.items():
        top = next((container for container in module.all("container") if container.argument == name), None)
        if top is not None:
            for table, owner in reader.children(top, name):
                if table.keyword == "container":
                    tables[table.argument or ""] = Table(name, reader.body(table, owner))
    return tables


class _Reader:
    """The modules with their prefixes and groupings resolved once."""

    def __init__(self, modules: Mapping[str, Statement]) -> None:
        self._prefixes = {name: prefixes(module) for name, module in modules.items()}
        self._groupings = {
            (name, grouping.argument): grouping
            for name, module in modules.items()
            for grouping in module.all("grouping")
        }

    def children(self, statement: Statement, module: str) -> Iterator[tuple[Statement, str]]:
        """The data nodes below, through choices and groupings, each with the module whose prefixes it uses."""
        for child in statement.children:
            if child.keyword in _DATA:
                yield child, module
            elif child.keyword in {"choice", "case"}:
                yield from self.children(child, module)
            elif child.keyword == "uses":
                yield from self.children(*self._grouping(child.argument or "", module))

    def _grouping(self, reference: str, module: str) -> tuple[Statement, str]:
        prefix, _, name = reference.rpartition(":")
        owner = self._prefixes[module].get(prefix, "") if prefix else module
        try:
            return self._groupings[owner, name], owner
        except KeyError:
            raise FabricAutoError(
                f"the YANG module {module} uses {reference}, which no loaded module defines"
            ) from None

    def body(self, statement: Statement, module: str) -> Body:
        leaves: list[str] = []
        leaf_lists: dict[str, bool] = {}
        containers: dict[str, Body] = {}
        lists: list[Rows] = []
        for child, owner in self.children(statement, module):
            name = child.argument or ""
            if child.keyword == "leaf":
                leaves.append(name)
            elif child.keyword == "leaf-list":
                leaf_lists[name] = child.value("default") is not None
            elif child.keyword == "container":
                containers[name] = self.body(child, owner)
            else:
                lists.append(Rows(name, tuple((child.value("key") or "").split()), self.body(child, owner)))
        return Body(tuple(leaves), leaf_lists, containers, tuple(lists))
