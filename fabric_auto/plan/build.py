"""A device plan from what a device has, what it should have and what we set last; a plan from device plans."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from fabric_auto.errors import FabricAutoError
from fabric_auto.plan import sonic, sonic_conflicts, sonic_rows, srlinux
from fabric_auto.plan.diff import aim, changes_between, ownership_after, previous_after
from fabric_auto.plan.model import Change, DevicePlan, Impact, Plan, Step
from fabric_auto.plan.sonic_patch import Document, edited
from fabric_auto.plan.state import DeviceState
from fabric_auto.vendors.base import NOTHING, Leaves, Ownership, Rendered
from fabric_auto.vendors.registry import VENDORS

DECOMMISSIONED: Final = Rendered((), {}, NOTHING, {})
"""What a device should run when nothing is intended for it any more."""


@dataclass(frozen=True, slots=True)
class Running:
    """A running configuration as it was read.

    Attributes:
        leaves: all of it.
        document: SONiC: the CONFIG_DB itself; a reload sends its foreign rows back as they were. SR Linux: empty.
    """

    leaves: Leaves
    document: Document


def read(nos: str, answer: bytes) -> Running:
    """Read what a device gave as its running configuration.

    Args:
        nos: ``sonic`` or ``srlinux``.
        answer: ``sonic-cfggen -d --print-data``, or a NETCONF ``<data>``. What is no table of CONFIG_DB is left out
            (``show runningconfiguration all`` adds FRR's text to them).

    Raises:
        FabricAutoError: it is not a configuration of this NOS.
    """
    try:
        leaves = VENDORS[nos].parse(answer)
    except ValueError as error:
        raise FabricAutoError(f"the running configuration cannot be read: {error}") from error
    if nos != "sonic":
        return Running(leaves, {})
    tables = {path[0] for path in leaves}
    return Running(leaves, {table: rows for table, rows in json.loads(answer).items() if table in tables})


def plan_device(
    device: str, nos: str, running: Running, rendered: Rendered | None, state: DeviceState | None, *, release: str = ""
) -> DevicePlan:
    """Return what will happen to one device. Pure: the same arguments give the same plan.

    Args:
        device: its name.
        nos: ``sonic`` or ``srlinux``.
        running: what it has.
        rendered: what it should have; None to decommission it.
        state: what we set last; None when we never did.
        release: its NOS release; shown, and nothing here depends on it.

    Raises:
        FabricAutoError: a foreign row is in the way and cannot be moved, or the box would ignore what we write.
    """
    intended = rendered or DECOMMISSIONED
    last, previous = (state.ownership, state.previous) if state else (NOTHING, {})
    displaced = sonic_rows.displaced({**previous, **running.leaves}, intended.leaves) if nos == "sonic" else set()
    settle = sonic_rows.settle if nos == "sonic" else srlinux.settle
    wanted = settle(running.leaves, aim(running.leaves, intended, last, previous, displaced))
    if nos == "sonic" and rendered is not None:
        sonic_conflicts.refuse_foreign_routing(device, running.leaves)
        sonic_conflicts.refuse_overlaps(device, wanted, intended.leaves)
    changes = changes_between(running.leaves, wanted, intended.origin_of)
    ownership = ownership_after(intended)
    steps, inverse, impact = _steps(nos, running, wanted, changes, intended=intended, last=last)
    return DevicePlan(
        device=device,
        nos=nos,
        changes=changes,
        impact=impact,
        steps=steps,
        inverse=inverse,
        running=running.leaves,
        target=wanted,
        ownership=ownership,
        previous=previous_after(running.leaves, intended, last, previous, displaced),
        release=release,
    )


def plan_fabric(inputs: str, devices: Iterable[DevicePlan]) -> Plan:
    """Return the whole change, devices in the order given.

    Args:
        inputs: digest of the compiled inputs.
        devices: the plan of each device.
    """
    plan = Plan(inputs, "", tuple(devices))
    return replace(plan, digest=digest_of(plan))


def digest_of(plan: Plan) -> str:
    """Return the SHA-256 (hexadecimal) of everything that the plan will do, over canonical JSON.

    Foreign configuration counts only where a step carries it (a reload), and where the intent is written does not: a
    comment added above it makes no plan stale.
    """
    content = {"inputs": plan.inputs, "devices": [_digested(each) for each in plan.devices]}
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(canonical.encode()).hexdigest()


def _steps(
    nos: str, running: Running, wanted: Leaves, changes: tuple[Change, ...], *, intended: Rendered, last: Ownership
) -> tuple[tuple[Step, ...], tuple[Step, ...], Impact]:
    if nos == "sonic":
        steps, inverse = sonic.steps(running.document, changes)
        return steps, inverse, sonic.impact(running.leaves, changes, edited(running.document, changes))
    entries = intended.ownership.entries | last.entries
    steps, inverse = srlinux.steps(running.leaves, wanted, changes, entries)
    return steps, inverse, srlinux.impact(running.leaves, changes)


def _digested(plan: DevicePlan) -> Mapping[str, object]:
    return {
        "device": plan.device,
        "nos": plan.nos,
        "impact": plan.impact.label,
        "changes": [[change.path, change.before, change.after] for change in plan.changes],
        "steps": [[step.kind, step.content.decode()] for step in plan.steps],
        "inverse": [[step.kind, step.content.decode()] for step in plan.inverse],
        "entries": sorted(plan.ownership.entries),
        "fields": sorted(plan.ownership.fields),
        "previous": sorted(plan.previous.items()),
    }
