"""Running against intended, leaf by leaf: what differs, what is ours to remove, what is put back.

Two rules keep other people's configuration safe. A leaf is removed only when it is ours: the intended configuration's
ownership covers it, or the last deployment's did. And a leaf that was there before us is remembered when we take it
over (:func:`previous_after`), so that letting go of it puts the old value back instead of leaving a hole.
"""

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TypeAlias

from fabric_auto.core.names import natural_key
from fabric_auto.diagnostics import Span
from fabric_auto.plan.model import Change
from fabric_auto.vendors.base import Leaves, Ownership, Path, Rendered, Value

OriginOf: TypeAlias = Callable[[Path], Span | None]
PathKey: TypeAlias = tuple[tuple[tuple[int, int, str], ...], ...]

_NONE: frozenset[Path] = frozenset()


def path_key(path: Path) -> PathKey:
    """Return the natural sort key of a path: ``PORT/Ethernet8`` comes before ``PORT/Ethernet16``."""
    return tuple(natural_key(step) for step in path)


@dataclass(frozen=True, slots=True)
class Aim:
    """What a device should have, by whose it is.

    Attributes:
        foreign: leaves that are not ours, as they are.
        put_back: values that were there before us, of leaves that we let go of.
        intended: what the intent asks for.
    """

    foreign: Leaves
    put_back: Leaves
    intended: Leaves

    @property
    def leaves(self) -> Leaves:
        """All of it."""
        return self.foreign | self.put_back | self.intended


def aim(
    running: Leaves,
    intended: Rendered,
    last: Ownership,
    previous: Mapping[Path, Value],
    displaced: AbstractSet[Path] = _NONE,
) -> Aim:
    """Return the leaves that the device should have: foreign ones as they are, ours as intended.

    Args:
        running: the leaves that the device has.
        intended: what this device should run; an empty one to decommission it.
        last: what of the device is ours since the last deployment.
        previous: the values that ours replaced then, by path.
        displaced: leaves that cannot stand beside the intended ones although nobody said they are ours.
    """
    ours = intended.ownership
    return Aim(
        foreign={
            path: value
            for path, value in running.items()
            if path not in displaced and not ours.covers(path) and not last.covers(path)
        },
        put_back={path: value for path, value in previous.items() if path not in displaced and not ours.covers(path)},
        intended=intended.leaves,
    )


def compare(running: Leaves, intended: Rendered, last: Ownership, previous: Mapping[Path, Value]) -> tuple[Change, ...]:
    """Return the changes that bring a running configuration to the intended one, in natural path order.

    Nothing that is neither in the intended configuration nor ours is ever in the result. What a NOS cannot remove or
    cannot have side by side is not known here (:mod:`fabric_auto.plan.sonic`, :mod:`fabric_auto.plan.srlinux`).
    """
    return changes_between(running, aim(running, intended, last, previous).leaves, intended.origin_of)


def changes_between(before: Leaves, after: Leaves, origin_of: OriginOf = lambda _: None) -> tuple[Change, ...]:
    """Return one change for each leaf that differs, in natural path order.

    Args:
        before: the leaves that are there.
        after: the leaves that should be there.
        origin_of: the intent line behind an intended leaf; asked for leaves that remain only.
    """
    differing = [path for path in {**before, **after} if before.get(path) != after.get(path)]
    return tuple(
        Change(path, before.get(path), after.get(path), origin_of(path) if path in after else None)
        for path in sorted(differing, key=path_key)
    )


def target(running: Leaves, changes: tuple[Change, ...]) -> Leaves:
    """Return the leaves that a device has once the changes are made."""
    gone = {change.path for change in changes if change.after is None}
    kept = {path: value for path, value in running.items() if path not in gone}
    return kept | {change.path: change.after for change in changes if change.after is not None}


def inverse(changes: tuple[Change, ...]) -> tuple[Change, ...]:
    """Return the changes that undo the changes."""
    return tuple(Change(change.path, change.after, change.before, None) for change in changes)


def ownership_after(intended: Rendered) -> Ownership:
    """Return what is ours once the intended configuration is in place: what it states, and every leaf that it has."""
    unstated = (path for path in intended.leaves if not intended.ownership.covers(path))
    return Ownership(intended.ownership.entries, intended.ownership.fields | frozenset(unstated))


def previous_after(
    running: Leaves,
    intended: Rendered,
    last: Ownership,
    previous: Mapping[Path, Value],
    displaced: AbstractSet[Path] = _NONE,
) -> Leaves:
    """Return the values to put back when we let go: those of leaves taken over now, and those remembered before.

    The first value counts: a leaf that is ours already keeps what was remembered, whatever it was changed to since.
    """
    owned = ownership_after(intended)
    remembered = {path: value for path, value in previous.items() if owned.covers(path) or path in displaced}
    taken = {
        path: value
        for path, value in running.items()
        if not last.covers(path) and (owned.covers(path) or path in displaced)
    }
    return taken | remembered


def keep_used(running: Leaves, wanted: Aim, is_entry: Callable[[Path], bool]) -> Leaves:
    """Return the leaves that are wanted, with every one inside an entry that exists.

    An entry of ours that others write into as well stays, with its own fields (a BGP instance without its
    autonomous system would not be valid); a value that would be put back into an entry that is gone is dropped.

    Args:
        running: the leaves that the device has.
        wanted: what it should have.
        is_entry: tells whether a path is that of a row, a list entry or a presence container.
    """
    leaves = wanted.leaves
    needed: set[Path] = set()
    orphans: set[Path] = set()
    for path in leaves:
        if path in wanted.intended:
            continue
        missing = [above for above in _above(path) if is_entry(above) and above not in leaves]
        if missing and path in wanted.foreign:
            needed.update(missing)
        elif missing:
            orphans.add(path)
    kept = {path: value for path, value in leaves.items() if path not in orphans}
    if not needed:
        return kept
    own_fields = {
        path: value for path, value in running.items() if not is_entry(path) and _nearest(path, is_entry) in needed
    }
    return {path: value for path, value in running.items() if path in needed} | own_fields | kept


def _above(path: Path) -> list[Path]:
    return [path[:depth] for depth in range(1, len(path))]


def _nearest(path: Path, is_entry: Callable[[Path], bool]) -> Path | None:
    return next((above for above in reversed(_above(path)) if is_entry(above)), None)
