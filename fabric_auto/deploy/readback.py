"""Is a device as the plan says? Answers by reading its configuration, never by what a command printed."""

from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

from fabric_auto.plan.model import DevicePlan
from fabric_auto.vendors.base import Leaves, Path, spell

Differences: TypeAlias = Callable[[Leaves], tuple[str, ...]]
"""What of a running configuration is not as it should be; empty when all is well."""

_DAEMON_TABLES: Final = frozenset({"BUFFER_PG", "FLEX_COUNTER_TABLE"})
_DAEMON_PROFILES: Final = "pg_lossless_"
"""Rows that SONiC's daemons write into CONFIG_DB by themselves; GCU leaves them out of its own comparison too."""


def stale(plan: DevicePlan, running: Leaves) -> tuple[str, ...]:
    """Return what changed on a device since the plan was made, of all that the plan's steps could overwrite."""
    return _differing(plan.running, running, _reach(plan))


def unmet(plan: DevicePlan, running: Leaves) -> tuple[str, ...]:
    """Return what is not as the plan's target: ours that differs, foreign rows that were lost."""
    return _against(plan, plan.target, running)


def unrestored(plan: DevicePlan, running: Leaves) -> tuple[str, ...]:
    """Return what is not as it was when the plan was made: ours that differs, foreign rows that were lost."""
    return _against(plan, plan.running, running)


def in_tables(wanted: Leaves, running: Leaves, tables: frozenset[str]) -> tuple[str, ...]:
    """Return what differs in some tables of CONFIG_DB, daemons' rows left out."""
    return _differing(wanted, running, lambda path: path[0] in tables and not is_daemons(path))


def is_daemons(path: Path) -> bool:
    """Return True for a CONFIG_DB leaf that the box writes by itself."""
    if path[0] in _DAEMON_TABLES:
        return True
    return path[0] == "BUFFER_PROFILE" and len(path) > 1 and path[1].startswith(_DAEMON_PROFILES)


def words(differences: Iterable[str]) -> str:
    """Return differences for people: how many, and the first few."""
    found = list(differences)
    shown = ", ".join(found[:3])
    return f"{shown} and {len(found) - 3} more" if len(found) > 3 else shown  # noqa: PLR2004  (a line)


def _ours(plan: DevicePlan) -> Callable[[Path], bool]:
    changed = {change.path for change in plan.changes}
    return lambda path: path in changed or plan.ownership.covers(path)


def _reach(plan: DevicePlan) -> Callable[[Path], bool]:
    ours = _ours(plan)
    if plan.nos != "sonic":
        return ours
    if any(step.kind == "reload" for step in plan.steps):
        return lambda path: not is_daemons(path)
    # A patch adds and removes whole tables: a row that somebody made in one since would go unseen.
    tables = {change.path[0] for change in plan.changes}
    return lambda path: (path[0] in tables and not is_daemons(path)) or ours(path)


def _against(plan: DevicePlan, wanted: Leaves, running: Leaves) -> tuple[str, ...]:
    ours = _ours(plan)
    lost = [spell(path) for path in wanted if path not in running and not ours(path) and not _may_go(plan, path)]
    return (*_differing(wanted, running, ours), *sorted(lost))


def _may_go(plan: DevicePlan, path: Path) -> bool:
    return plan.nos == "sonic" and is_daemons(path)


def _differing(wanted: Leaves, running: Leaves, relevant: Callable[[Path], bool]) -> tuple[str, ...]:
    found = [path for path, value in wanted.items() if running.get(path) != value and relevant(path)]
    found += [path for path in running if path not in wanted and relevant(path)]
    return tuple(spell(path) for path in sorted(found))
