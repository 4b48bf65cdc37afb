"""``fabric-auto deploy``: the options, the question, and what is said of the outcome."""

import sys
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import typer

from fabric_auto.cli.console import say, show_findings, wants_colour
from fabric_auto.cli.exits import Exit
from fabric_auto.cli.live import Live, duration, open_live
from fabric_auto.deploy import pending
from fabric_auto.deploy.interrupt import interruptible
from fabric_auto.deploy.journal import Journal
from fabric_auto.deploy.lock import owner, project_lock
from fabric_auto.deploy.model import Options, Outcome, Status, new_run
from fabric_auto.deploy.run import deploy
from fabric_auto.deploy.state import StateStore
from fabric_auto.errors import FabricAutoError
from fabric_auto.plan.model import Impact, Plan
from fabric_auto.report import plan as report
from fabric_auto.report import plan_file
from fabric_auto.vendors.registry import VENDORS

MARGIN_S: Final = 60
"""Seconds of the confirm window that confirming needs, once the network has been verified."""


@dataclass(frozen=True, slots=True)
class Windows:
    """How long a deployment waits, in seconds.

    Attributes:
        gate_s: how long the network may take to converge.
        confirm_s: until an unconfirmed change reverts; the gate runs within it.
    """

    gate_s: int
    confirm_s: int


USUAL: Final = Windows(90, 300)
RELOADING: Final = Windows(360, 600)
"""After ``config reload`` a switch's services need one to three minutes, and its LLDP starts late."""


@dataclass(frozen=True, slots=True)
class Request:
    """What the user asked for."""

    plan_path: Path | None
    limit: str | None
    confirm: str | None
    gate: str | None
    yes: bool
    dry_run: bool
    discard_candidate: bool
    colour: bool | None


def run(root: Path, request: Request, forks: int | None) -> int:
    """Deploy, and return the exit code."""
    kept = plan_file.read(request.plan_path) if request.plan_path else None
    limit = request.limit if request.limit is not None or kept is None else kept.limit
    gate_s = duration(request.gate) if request.gate is not None else None
    confirm_s = duration(request.confirm) if request.confirm is not None else None
    with ExitStack() as stack:
        live = stack.enter_context(open_live(root, limit, forks))
        stack.enter_context(project_lock(live.program.project.root))
        plan = live.plan()
        if kept is not None and request.plan_path is not None:
            plan_file.require_current(request.plan_path, kept, plan)
        else:
            sys.stdout.write(report.text(plan, colour=wants_colour(request.colour)))
        live.say_partial()
        if request.dry_run or not plan.changed:
            live.say_waiting()
            say("dry run: nothing was touched" if request.dry_run else "nothing to do")
            return Exit.DONE
        pending.refuse(live.waiting())
        setting = live.program.project.settings.deploy.confirm
        if confirm_s is None and setting is not None:
            confirm_s = duration(setting)
        chosen = windows(max(device.impact for device in plan.changed), gate_s, confirm_s, live.steady_s)
        if kept is None:
            _ask(plan, request)
        stop = stack.enter_context(interruptible())
        options = _options(live, request, chosen.confirm_s)
        journal = stack.enter_context(Journal(live.program.project.root, options.run))
        say(
            f"run {options.run}: {report.summary(plan)}; once applied, an unconfirmed change reverts after {options.confirm_s} s"
        )
        outcome = deploy(
            plan,
            live.fleet,
            options,
            lambda: live.gate(chosen.gate_s, stop),
            journal,
            vendors=VENDORS,
            states=StateStore(live.program.project.state / "state"),
            stop=stop,
        )
    with suppress(BrokenPipeError):
        show_findings(live.program.project, outcome.findings, None, request.colour)
    _tell(outcome)
    return outcome.exit_code


def windows(impact: Impact, gate_s: int | None, confirm_s: int | None, steady_s: int = 0) -> Windows:
    """Return how long to wait: as the user stated or, where nothing is stated, as the plan's worst impact needs.

    Args:
        impact: the plan's worst.
        gate_s: stated for the gate; None when it is not.
        confirm_s: stated for the confirm window; None when it is not.
        steady_s: how long the network must stay well, which may run past the gate's time.

    Raises:
        FabricAutoError: the change would revert while it is verified (exit code 64).
    """
    default = RELOADING if impact is Impact.RELOAD else USUAL
    chosen = Windows(
        default.gate_s if gate_s is None else gate_s, default.confirm_s if confirm_s is None else confirm_s
    )
    verifying = chosen.gate_s + steady_s
    if chosen.confirm_s < verifying + MARGIN_S:
        raise FabricAutoError(
            f"the change would revert after {chosen.confirm_s} s, and verifying it may take {verifying} s",
            help=f"say --confirm {verifying + MARGIN_S}s or more, or a shorter --verify-timeout",
            exit_code=Exit.USAGE,
        )
    return chosen


def _options(live: Live, request: Request, confirm_s: int) -> Options:
    releases = {device.name: device.release for _, device in live.program.devices()}
    return Options(
        run=new_run(datetime.now(UTC)),
        owner=owner(),
        confirm_s=confirm_s,
        forks=live.forks,
        discard_candidate=request.discard_candidate,
        releases={name: releases[name] for name in live.scope.intended},
        progress=lambda device, words: say(f"{device}: {words}"),
    )


def _ask(plan: Plan, request: Request) -> None:
    if request.yes:
        return
    if not sys.stdin.isatty():
        raise FabricAutoError(
            "nobody can be asked whether to deploy",
            help="deploy a plan that was reviewed (fabric-auto plan -o plan.json; fabric-auto deploy plan.json), or say --yes",
            exit_code=Exit.USAGE,
        )
    worst = max(device.impact for device in plan.changed)
    outage = " This reloads switches: their traffic stops for minutes." if worst is Impact.RELOAD else ""
    if not typer.confirm(f"Deploy to {len(plan.changed)} devices?{outage}", err=True):
        raise FabricAutoError("not deployed; nothing was touched")


def _tell(outcome: Outcome) -> None:
    for device in outcome.devices:
        if device.status is not Status.UNCHANGED or device.reason:
            say(str(device))
            if device.help:
                say(f"  help: {device.help}")
    say(f"run {outcome.run}: {outcome.message}")
