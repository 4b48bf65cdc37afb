"""What of an SR Linux configuration is ours: the list entries we make, and fields of containers that others use too.

Deletion is by entry: ``/routing-policy``, ``/system/lldp`` and the default network instance hold others' entries too.
"""

from functools import lru_cache
from typing import Final

from fabric_auto.vendors.base import Leaves, Ownership, Path
from fabric_auto.vendors.srlinux.interfaces import IRB
from fabric_auto.vendors.srlinux.schema import read_step

_BGP: Final = ("network-instance", "protocols", "bgp")
_ENTRIES: Final = frozenset(
    {
        ("network-instance", "interface"),
        (*_BGP, "afi-safi"),
        (*_BGP, "group"),
        (*_BGP, "neighbor"),
        ("routing-policy", "policy"),
        ("routing-policy", "prefix-set"),
        ("system", "lldp", "interface"),
    }
)
"""Lists whose entries are ours when we write them, below containers that are shared."""

_SHARED: Final = frozenset({f"interface[name={IRB}]", "network-instance[name=default]"})
"""Entries at the top that others may use: the gateway interface of every VLAN, and the default network instance."""


def ownership(leaves: Leaves) -> Ownership:
    """Return what is ours of a configuration that we rendered: each leaf is below one of our entries, or a field."""
    entries: set[Path] = set()
    fields: set[Path] = set()
    for path in leaves:
        entry = _entry(path)
        if entry is None:
            fields.add(path)
        else:
            entries.add(entry)
    return Ownership(frozenset(entries), frozenset(fields))


def _entry(path: Path) -> Path | None:
    first = path[0]
    if first not in _SHARED and _name(first) in {"interface", "network-instance"}:
        return path[:1]
    if first == f"interface[name={IRB}]" and len(path) > 1 and _name(path[1]) == "subinterface":
        return path[:2]
    for depth in range(2, min(len(path), 4) + 1):
        if tuple(map(_name, path[:depth])) in _ENTRIES:
            return path[:depth]
    return None


@lru_cache(maxsize=65536)
def _name(step: str) -> str:
    return read_step(step).name
