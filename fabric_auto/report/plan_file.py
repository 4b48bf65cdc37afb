"""The plan file: what ``plan -o`` keeps for review, and what ``deploy`` compares before it does anything.

It holds what will change and the plan's digest, never a secret and never a document: deploy plans again from the same intents and
the devices as they are, and refuses when the digest is another.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from fabric_auto.errors import FabricAutoError
from fabric_auto.plan.model import Plan
from fabric_auto.report import plan as report

_UNUSABLE: Final = 4


@dataclass(frozen=True, slots=True)
class KeptPlan:
    """What deploy needs of a plan file."""

    digest: str
    limit: str | None
    document: dict[str, Any]


def write(path: Path, plan: Plan, limit: str | None) -> None:
    """Keep a plan.

    Raises:
        FabricAutoError: the file cannot be written.
    """
    document = {**json.loads(report.to_json(plan)), "limit": limit}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as error:
        raise FabricAutoError(f"{path} cannot be written: {error.strerror or error}") from None


def read(path: Path) -> KeptPlan:
    """Read a plan file; it is not trusted.

    Raises:
        FabricAutoError: there is none, it is no plan (exit code 4), or it is of a newer format (exit code 4).
    """
    try:
        document: Any = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise FabricAutoError(f"{path} cannot be read: {error.strerror or error}") from None
    except ValueError:
        raise _refused(path, "it is not JSON") from None
    if not isinstance(document, dict) or not isinstance(document.get("digest"), str):
        raise _refused(path, "it has no digest")
    version, limit = str(document.get("format_version")), document.get("limit")
    if version.split(".", maxsplit=1)[0] != report.FORMAT_VERSION.split(".", maxsplit=1)[0]:
        raise _refused(path, f"its format is {version}, this version reads {report.FORMAT_VERSION}")
    return KeptPlan(document["digest"], limit if isinstance(limit, str) else None, document)


def require_current(path: Path, kept: KeptPlan, plan: Plan) -> None:
    """Refuse a plan that is no longer what would happen.

    Raises:
        FabricAutoError: the intents, a template, or a device changed since, or the file was edited (exit code 4).
    """
    if kept.digest != plan.digest:
        raise FabricAutoError(
            f"the plan in {path} is stale: an intent, a template or a device changed since it was made; nothing was touched",
            help=f"plan again and look at what changed: fabric-auto plan -o {path}",
            exit_code=_UNUSABLE,
        )
    if _reviewed(kept.document) != _reviewed(json.loads(report.to_json(plan))):
        raise _refused(path, "what it shows is not what its digest stands for; it was edited")


def _reviewed(document: dict[str, Any]) -> dict[str, Any]:
    """Return what a reviewer sees, without the lines of the intent: a comment added above them changes nothing."""
    changes = document.get("changes")
    shown = (
        [{**each, "source": None} if isinstance(each, dict) else each for each in changes]
        if isinstance(changes, list)
        else changes
    )
    return {**document, "changes": shown, "limit": None}


def _refused(path: Path, why: str) -> FabricAutoError:
    return FabricAutoError(
        f"{path} is not a usable plan: {why}", help="make one: fabric-auto plan -o FILE", exit_code=_UNUSABLE
    )
