"""A plan for people (text), for review (native documents) and for programs (JSON)."""

import json
from collections.abc import Iterable
from typing import Final

from fabric_auto.plan.model import Change, DevicePlan, Plan
from fabric_auto.plan.sonic_patch import as_json
from fabric_auto.report.redaction import redacted
from fabric_auto.vendors.base import Path, Value, spell

FORMAT_VERSION: Final = "1.0"

_SIGNS: Final = {"create": "+", "update": "~", "delete": "-"}
_COLOURS: Final = {"create": "32", "update": "33", "delete": "31"}
_BOLD: Final = "1"
_SOURCE_COLUMN: Final = 88
"""Where the intent lines stand at most, so that one long value does not push all of them off the screen."""


def text(plan: Plan, *, colour: bool = False) -> str:
    """Return the plan as people read it: every change with the intent line behind it, by device, and a summary."""
    blocks = [_device(each, colour=colour) for each in plan.changed]
    return "\n\n".join([*blocks, summary(plan)]) + "\n"


def summary(plan: Plan) -> str:
    """Return the closing line: ``Plan: 3 devices, 12 to add, 4 to change, 0 to remove · impact: reload on 2``."""
    changed = plan.changed
    if not changed:
        return "Plan: nothing to do, every device is as intended"
    worst = max(each.impact for each in changed)
    hit = sum(each.impact is worst for each in changed)
    counts = _counts(change for each in changed for change in shown(each.changes))
    number = f"{len(changed)} device{'s' if len(changed) > 1 else ''}"
    return f"Plan: {number}, {counts} · impact: {worst.label} on {hit}"


def native(plan: Plan, *, reverse: bool = False) -> str:
    """Return the documents that will be sent, each under a line that says where it goes; secrets are shown as ``***``.

    Args:
        plan: what to show.
        reverse: show the documents that undo the plan.
    """
    parts = []
    for device in plan.changed:
        steps = device.inverse if reverse else device.steps
        for number, step in enumerate(steps, 1):
            content = redacted(step)
            title = f"# {device.device}: {step.kind} ({number} of {len(steps)})\n"
            parts.append(title + content + ("" if content.endswith("\n") else "\n"))
    return "\n".join(parts)


def to_json(plan: Plan) -> str:
    """Return the plan as JSON text, in the shape of a terraform plan; minor format versions only add."""
    changes = [(device, change) for device in plan.changed for change in shown(device.changes)]
    document = {
        "format_version": FORMAT_VERSION,
        "inputs": plan.inputs,
        "digest": plan.digest,
        "summary": _numbers(change for _, change in changes),
        "devices": [
            {
                "device": each.device,
                "nos": each.nos,
                "release": each.release,
                "impact": each.impact.label,
                "steps": [step.kind for step in each.steps],
                **_numbers(shown(each.changes)),
            }
            for each in plan.devices
        ],
        "changes": [_change_json(device.device, change) for device, change in changes],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def shown(changes: Iterable[Change]) -> list[Change]:
    """Return the changes worth a line: an entry that comes or goes is implied by its fields that do."""
    kept = list(changes)
    implied: set[tuple[Path, str]] = {
        (change.path[:depth], change.action) for change in kept for depth in range(1, len(change.path))
    }
    return [change for change in kept if not (_is_bare(change) and (change.path, change.action) in implied)]


def _is_bare(change: Change) -> bool:
    return not change.before and not change.after


def _device(plan: DevicePlan, *, colour: bool) -> str:
    changes = shown(plan.changes)
    nos = f"{plan.nos} {plan.release}".strip()
    head = f"{plan.device} ({nos}): {_counts(changes)} — {plan.impact.label}"
    lines = [_line(change) for change in changes]
    sourced = [len(line) for change, line in zip(changes, lines, strict=True) if change.origin]
    width = min(max(sourced, default=0), _SOURCE_COLUMN)
    out = [_paint(head, _BOLD, colour=colour)]
    for change, line in zip(changes, lines, strict=True):
        source = f"{'':{max(0, width - len(line))}}   {_source(change)}" if change.origin else ""
        out.append("  " + _paint(line, _COLOURS[change.action], colour=colour) + source)
    return "\n".join(out)


def _line(change: Change) -> str:
    head = f"{_SIGNS[change.action]} {_printable(spell(change.path))}"
    values = [_value(value) for value in (change.before, change.after) if value]
    return f"{head} {' -> '.join(values)}" if values else head


def _value(value: Value) -> str:
    return _printable(json.dumps(as_json(value), ensure_ascii=False))


def _printable(words: str) -> str:
    """Escape what a device could make a terminal do: its texts are not ours."""
    return "".join(each if each.isprintable() else f"\\u{ord(each):04x}" for each in words)


def _source(change: Change) -> str:
    return f"{change.origin.file}:{change.origin.line}" if change.origin else ""


def _numbers(changes: Iterable[Change]) -> dict[str, int]:
    actions = [change.action for change in changes]
    return {
        key: actions.count(action) for key, action in (("add", "create"), ("change", "update"), ("remove", "delete"))
    }


def _counts(changes: Iterable[Change]) -> str:
    return ", ".join(f"{number} to {word}" for word, number in _numbers(changes).items())


def _change_json(device: str, change: Change) -> dict[str, object]:
    origin = change.origin
    return {
        "device": device,
        "path": spell(change.path),
        "steps": list(change.path),
        "actions": [change.action],
        "before": None if change.before is None else as_json(change.before),
        "after": None if change.after is None else as_json(change.after),
        "source": {"filename": origin.file, "line": origin.line, "column": origin.column} if origin else None,
    }


def _paint(words: str, code: str, *, colour: bool) -> str:
    return f"\x1b[{code}m{words}\x1b[0m" if colour else words
