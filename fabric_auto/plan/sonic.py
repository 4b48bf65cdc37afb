"""SONiC: from changes to ``apply-patch`` or ``reload`` steps, their inverse, and what they cost.

Day 2 is a patch. Day 0, what a running switch cannot take, is a reload of the running CONFIG_DB with our rows replaced:
the artifact alone is never reloaded, it would wipe what is not ours.
"""

from fabric_auto.plan.diff import inverse
from fabric_auto.plan.model import Change, Impact, Step
from fabric_auto.plan.sonic_patch import OPERATIONS, Document, dump, edited, patches
from fabric_auto.plan.sonic_tables import BOUNCING, LOOPBACK0, START_UP_METADATA, ports_in
from fabric_auto.vendors.base import Leaves, Path

APPLY_PATCH = "apply-patch"
RELOAD = "reload"

_LOCALHOST = ("DEVICE_METADATA", "localhost")


def steps(
    running: Document, changes: tuple[Change, ...], size: int = OPERATIONS
) -> tuple[tuple[Step, ...], tuple[Step, ...]]:
    """Return the steps that make the changes, and those that undo them.

    Args:
        running: the CONFIG_DB as read; the inverse of a reload is a reload of it.
        changes: what is to differ.
        size: most operations in one patch.
    """
    if not changes:
        return (), ()
    back = Step(RELOAD, dump(running))
    after = edited(running, changes)
    if needs_reload(changes, after):
        return (Step(RELOAD, dump(after)),), (back,)
    forward = tuple(Step(APPLY_PATCH, dump(each)) for each in patches(running, changes, size))
    if any(change.path == LOOPBACK0 for change in changes):
        # the inverse would remove the row, which apply-patch refuses
        return forward, (back,)
    return forward, tuple(Step(APPLY_PATCH, dump(each)) for each in patches(after, inverse(changes), size))


def needs_reload(changes: tuple[Change, ...], after: Document) -> bool:
    """Return True when the running daemons would not take up a change.

    * Lanes, and ports that come and go: a breakout (sonic-utilities patch_sorter.py: PORT.lanes is create-only, and all
      that refers to the port would have to go and come back).
    * What the bgp container reads when it starts and never again, ``START_UP_METADATA``, and the prefixes that it
      announces from then on: those of Loopback0 and of the VLANs (bgpd.main.conf.j2).

    Args:
        changes: what is to differ.
        after: the CONFIG_DB once the changes are made.
    """
    announces = "bgp_asn" in after.get("DEVICE_METADATA", {}).get("localhost", {})
    return any(_is_day_0(change) or (announces and _is_announced(change.path)) for change in changes)


def impact(running: Leaves, changes: tuple[Change, ...], after: Document) -> Impact:
    """Return the worst of what the changes cost."""
    if not changes:
        return Impact.NONE
    if needs_reload(changes, after):
        return Impact.RELOAD
    return max(_impact(running, change) for change in changes)


def _is_day_0(change: Change) -> bool:
    path = change.path
    if path[:2] == _LOCALHOST:
        return len(path) > 2 and path[2] in START_UP_METADATA  # noqa: PLR2004
    return path[0] == "PORT" and path[-1] == "lanes"


def _is_announced(path: Path) -> bool:
    name, _, prefix = path[1].partition("|")
    return bool(prefix) and (path[0] == "VLAN_INTERFACE" or (path[0], name) == LOOPBACK0)


def _impact(running: Leaves, change: Change) -> Impact:
    table, key = change.path[:2]
    if table == "BGP_NEIGHBOR" and (table, key) in running:
        return Impact.SESSION_RESET
    if table == "PORT" and len(change.path) > 2 and change.path[2] in BOUNCING and _is_up(running, {key}):  # noqa: PLR2004
        return Impact.PORT_BOUNCE
    if table in {"INTERFACE", "VLAN_MEMBER"} and change.action != "create" and _is_up(running, ports_in(key)):
        return Impact.PORT_BOUNCE
    if table == "VLAN_INTERFACE" and change.action == "delete":
        return Impact.PORT_BOUNCE
    return Impact.HITLESS


def _is_up(running: Leaves, ports: set[str]) -> bool:
    return any(running.get(("PORT", port, "admin_status")) == "up" for port in ports)
