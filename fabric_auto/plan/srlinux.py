"""SR Linux: from changes to one ``edit-config`` document, its inverse, and what it costs.

A changed entry of ours is replaced whole, an entry that goes is removed, a single field is merged or removed. No
operation ever stands on a container that others may use: deletion is by entry, never by container.
"""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Final

from fabric_auto.plan.diff import Aim, inverse, keep_used
from fabric_auto.plan.model import Change, Impact, Step
from fabric_auto.vendors.base import Leaves, Path, Value
from fabric_auto.vendors.srlinux.schema import read_step, spell_step
from fabric_auto.vendors.srlinux.tree import build

EDIT_CONFIG: Final = "edit-config"

_PORT_LEAVES: Final = frozenset(
    {"admin-state", "breakout-port-speed", "ip-mtu", "mtu", "num-breakout-ports", "port-speed"}
)


def settle(running: Leaves, wanted: Aim) -> Leaves:
    """Return what is wanted as the models can hold it.

    * An entry or presence container that we made and that others write into stays with its own fields: a BGP instance
      with somebody's neighbor keeps ``autonomous-system`` and ``router-id``, which the models make mandatory, and its
      address families, one of which must be enabled (srl_nokia-bgp.yang).
    * An entry of ours that a foreign one refers to stays whole.

    Args:
        running: the leaves that the device has.
        wanted: what it should have.
    """
    leaves = wanted.leaves
    inner = {path[:depth] for each in (running, leaves) for path in each for depth in range(1, len(path))}

    def is_entry(path: Path) -> bool:
        # what has a leaf of its own and others inside it is a list entry or a presence container
        return "[" in path[-1] or (path in inner and (path in running or path in leaves))

    result = keep_used(running, wanted, is_entry)
    foreign = wanted.foreign
    while True:
        retained = {path: value for path, value in result.items() if path in running and path not in wanted.intended}
        kept = {need for path, value in retained.items() for need in _needs(path, value, running)} - result.keys()
        if not kept:
            return result
        foreign = foreign | {path: value for path, value in running.items() if _owner(path, kept)}
        result = keep_used(running, replace(wanted, foreign=foreign), is_entry)


def steps(
    running: Leaves, wanted: Leaves, changes: tuple[Change, ...], entries: AbstractSet[Path]
) -> tuple[tuple[Step, ...], tuple[Step, ...]]:
    """Return the step that makes the changes, and the one that undoes them.

    Args:
        running: the leaves that the device has.
        wanted: the leaves that it has once the changes are made; in their order, which user-ordered lists keep.
        changes: what differs between the two.
        entries: list entries that are ours, before or after.
    """
    if not changes:
        return (), ()
    forward, back = _edit(wanted, changes, entries), _edit(running, inverse(changes), entries)
    return (Step(EDIT_CONFIG, forward),), (Step(EDIT_CONFIG, back),)


def impact(running: Leaves, changes: Iterable[Change]) -> Impact:
    """Return the worst of what the changes cost."""
    return max((_impact(running, change) for change in changes), default=Impact.NONE)


def _edit(wanted: Mapping[Path, Value], changes: tuple[Change, ...], entries: AbstractSet[Path]) -> bytes:
    owned = dict.fromkeys(owner for change in changes if (owner := _owner(change.path, entries)))
    single = [change for change in changes if _owner(change.path, entries) is None]
    content: Leaves = {path: value for path, value in wanted.items() if _owner(path, owned.keys())}
    operations = {entry: "replace" if entry in wanted else "remove" for entry in owned}
    for change in single:
        if change.after is not None:
            content[change.path] = change.after
            continue
        operations[change.path] = "remove"
        if isinstance(change.before, tuple):
            # a leaf-list's values are removed by name (RFC 7950 §7.7.9)
            content[change.path] = change.before
    return build(content, _outermost_removals(operations))


def _outermost_removals(operations: Mapping[Path, str]) -> dict[Path, str]:
    """Drop what is inside something that is removed: NETCONF would look for it in vain."""
    removed = {path for path, operation in operations.items() if operation == "remove"}
    return {
        path: operation
        for path, operation in operations.items()
        if not any(path[:depth] in removed for depth in range(1, len(path)))
    }


def _needs(path: Path, value: Value, running: Leaves) -> set[Path]:
    """Return the running entries that a leaf refers to (srl_nokia-bgp, -routing-policy, -network-instance)."""
    name, names = path[-1], {value} if isinstance(value, str) else set(value)
    found: set[Path] = set()
    if name == "peer-group":
        found = {(*path[: path.index("bgp") + 1], _named("group", "group-name", each)) for each in names}
    elif name in {"import-policy", "export-policy"}:
        found = {("routing-policy", _named("policy", "name", each)) for each in names}
    elif name == "prefix-set":
        found = {("routing-policy", _named("prefix-set", "name", each)) for each in names}
    elif name == "bgp":
        found = {each for each in running if each[:-1] == path and each[-1].startswith("afi-safi[")}
    elif path[0].startswith("network-instance[") and len(path) == 2 and name.startswith("interface["):  # noqa: PLR2004
        port, _, index = read_step(name).keys[0][1].rpartition(".")
        found = {(_named("interface", "name", port), _named("subinterface", "index", index))}
    return found & running.keys()


def _named(entry: str, key: str, value: str) -> str:
    return spell_step(entry, (key,), [value])


def _owner(path: Path, entries: AbstractSet[Path]) -> Path | None:
    return next((path[:depth] for depth in range(1, len(path) + 1) if path[:depth] in entries), None)


def _impact(running: Leaves, change: Change) -> Impact:
    path = change.path
    if path[0].startswith("interface["):
        return _interface_impact(running, change)
    if "bgp" in path and not path[0].startswith("routing-policy"):
        return _bgp_impact(running, change)
    if path[0].startswith("network-instance[") and change.action == "delete":
        return Impact.PORT_BOUNCE
    return Impact.HITLESS


def _interface_impact(running: Leaves, change: Change) -> Impact:
    path = change.path
    if path[:1] not in running or path[-1] == "description":
        return Impact.HITLESS
    if path[-1] == "admin-state" and (change.before or "enable") == (change.after or "enable"):
        # enable is the default (srl_nokia-interfaces.yang): stating it changes nothing
        return Impact.HITLESS
    if len(path) > 1 and path[1].startswith("subinterface[") and path[:2] not in running:
        return Impact.HITLESS
    if path[-1] in _PORT_LEAVES or "breakout-mode" in path or change.action != "create":
        return Impact.PORT_BOUNCE
    return Impact.HITLESS


def _bgp_impact(running: Leaves, change: Change) -> Impact:
    bgp = change.path[: change.path.index("bgp") + 1]
    is_new = not any(path[: len(bgp)] == bgp for path in running)
    inside = change.path[len(bgp) : len(bgp) + 1]
    if is_new or change.path[-1] == "description":
        return Impact.HITLESS
    if inside and "[" in inside[0] and (*bgp, *inside) not in running:
        return Impact.HITLESS
    return Impact.SESSION_RESET
