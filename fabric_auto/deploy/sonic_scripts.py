"""The shell scripts of a run on a SONiC switch: one makes a step, one undoes the steps that were begun.

generic_config_updater takes no lock, and a patch outlives the session that started it. So whatever changes the
configuration holds one lock of ours, flock(1), until it has ended: an undoing waits for a patch that still runs, and no step
begins once an undoing has. Every command has a time limit on the box, so the lock is always given back.
"""

import json
import shlex
from collections.abc import Iterator, Sequence
from typing import Final

import jsonpatch

from fabric_auto.deploy.sonic_box import BUSY, Box
from fabric_auto.plan.model import Change, DevicePlan, Step
from fabric_auto.plan.sonic_patch import dump, patches
from fabric_auto.transport.base import DeviceRefusedError
from fabric_auto.vendors.base import Leaves, Vendor

COMMAND_S: Final = 840
"""Seconds after which the box itself ends a command; less than the session waits for it."""

SAVED: Final = "saved_config_db.json"
_KILL_S: Final = 30
_COMMANDS: Final = {"apply-patch": "config apply-patch", "reload": "config reload -y -f"}


def step_script(box: Box, number: int, kind: str) -> bytes:
    """Return the script of a step, run under the lock: it leaves ``step-N.started`` before, ``step-N.done`` after."""
    undoing = _file(box, "undoing")
    return _script(
        box,
        f"step {number}",
        [
            f"test ! -e {undoing} || echo the change is being undone on the switch",
            f"test ! -e {undoing} || exit {BUSY}",
            f": > {_file(box, f'step-{number}.started')}",
            f"{_command(kind, _file(box, f'step-{number}.json'))} || exit $?",
            f": > {_file(box, f'step-{number}.done')}",
        ],
    )


def rollback_script(box: Box) -> bytes:
    """Return the script that the timer runs, as root and without us: it waits for the lock, then undoes."""
    return _script(box, "undo, after what still runs", [box.locked(f"/bin/sh {_file(box, 'undo.sh')}")])


def undo_script(box: Box, undo: Sequence[bytes | None]) -> bytes:
    """Return the script that undoes the steps that were begun, newest first; it runs under the lock.

    A step whose undoing fails, as it may when the step was begun and not done, and one that cannot be undone by a patch, is
    undone with all others by a reload of the saved configuration. Run twice, it does nothing the second time.

    Args:
        box: the switch.
        undo: per step the patch that undoes it, None for a step that needs the reload.
    """
    reload = _file(box, "reload")
    lines = [f"mkdir -p {_file(box, 'undoing')}"]
    for number, patch in reversed(list(enumerate(undo, 1))):
        started, done = _file(box, f"step-{number}.started"), _file(box, f"step-{number}.done")
        needless = f"test -e {reload} || test ! -e {started}"
        if patch is None:
            lines.append(f"{needless} || : > {reload}")
        else:
            apply = _command("apply-patch", _file(box, f"undo-{number}.json"))
            lines.append(f"{needless} || {apply} && rm -f {started} {done} || : > {reload}")
    begun = " ".join(
        _file(box, f"step-{number}.{end}") for number in range(1, len(undo) + 1) for end in ("started", "done")
    )
    lines.append(f"test ! -e {reload} || {_command('reload', _file(box, SAVED))} && rm -f {reload} {begun}")
    return _script(box, "undo what was begun", lines)


def undo_patches(plan: DevicePlan, vendor: Vendor, before: bytes) -> tuple[bytes | None, ...]:
    """Return per step the patch that undoes that step alone, None where only a reload does.

    The plan's inverse undoes all steps together: it is cut into documents at other places than the steps are.

    Args:
        plan: the change.
        vendor: reads CONFIG_DB.
        before: the CONFIG_DB that the first step finds.

    Raises:
        DeviceRefusedError: a step does not fit.
    """
    if any(step.kind == "reload" for step in (*plan.steps, *plan.inverse)):
        return (None,) * len(plan.steps)
    return tuple(_undo_patches(plan, vendor, before))


def after_step(device: str, before: bytes, step: Step) -> bytes:
    """Return the CONFIG_DB that a patch leads to.

    Raises:
        DeviceRefusedError: the patch does not fit.
    """
    try:
        return json.dumps(jsonpatch.apply_patch(json.loads(before), json.loads(step.content))).encode()
    except (jsonpatch.JsonPatchException, ValueError, KeyError, TypeError) as error:
        raise DeviceRefusedError(f"the patch does not fit what {device} runs: {error}") from None


def _undo_patches(plan: DevicePlan, vendor: Vendor, before: bytes) -> Iterator[bytes | None]:
    old = vendor.parse(before)
    for step in plan.steps:
        after = after_step(plan.device, before, step)
        new = vendor.parse(after)
        found = _changes(new, old)
        # One document however long: half of an undoing is no use.
        documents = list(patches(json.loads(after), found, size=len(found) + 1))
        yield dump([operation for document in documents for operation in document])
        before, old = after, new


def _changes(old: Leaves, new: Leaves) -> tuple[Change, ...]:
    paths = sorted(path for path in {*old, *new} if old.get(path) != new.get(path))
    return tuple(Change(path, old.get(path), new.get(path), None) for path in paths)


def _command(kind: str, document: str) -> str:
    return f"timeout -k {_KILL_S} {COMMAND_S} {_COMMANDS[kind]} {document}"


def _file(box: Box, name: str) -> str:
    return shlex.quote(box.file(name))


def _script(box: Box, what: str, lines: Sequence[str]) -> bytes:
    return "\n".join(["#!/bin/sh", f"# fabric-auto run {box.run}: {what}", *lines, ""]).encode()
