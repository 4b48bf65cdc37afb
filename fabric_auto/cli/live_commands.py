"""Commands that reach devices: diff, plan, deploy, verify, trust."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fabric_auto.cli.console import (
    Colour,
    FailOn,
    FailOnOption,
    FormatOption,
    ProjectDir,
    exit_for,
    say,
    show_findings,
    sound_program,
    wants_colour,
)
from fabric_auto.cli.exits import Exit
from fabric_auto.errors import FabricAutoError

if TYPE_CHECKING:
    from fabric_auto.plan.model import Plan


class PlanFormat(StrEnum):
    """How a plan is shown."""

    TEXT = "text"
    NATIVE = "native"
    JSON = "json"


Limit = Annotated[
    str | None, typer.Option(metavar="PATTERN", help="Only devices whose names match: east-leaf-*,east-spine-01.")
]
Forks = Annotated[
    int | None, typer.Option(min=1, max=256, help="Devices worked on at a time.", show_default="the project's, 20")
]
PlanStyle = Annotated[PlanFormat, typer.Option("--format", help="text; native: the exact patch or RPC; json.")]
DetailedExit = Annotated[bool, typer.Option("--detailed-exitcode", help="Exit 2 when there are differences.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(epilog="Example: fabric-auto diff --detailed-exitcode")(diff)
    app.command(epilog="Example: fabric-auto plan -o plan.json && fabric-auto deploy plan.json")(plan)
    app.command(epilog="Example: fabric-auto deploy plan.json --confirm 300s")(deploy)
    app.command(epilog="Example: fabric-auto verify --timeout 60s")(verify)
    trust = typer.Typer(no_args_is_help=True, help="Host keys: known before anything is said to a device.")
    trust.command(name="add", epilog="Example: fabric-auto trust add east-leaf-01")(trust_add)
    app.add_typer(trust, name="trust")
    app.command(name="force-unlock", epilog="Example: fabric-auto force-unlock")(force_unlock)


def diff(
    project: ProjectDir = Path(),
    limit: Limit = None,
    style: PlanStyle = PlanFormat.TEXT,
    detailed_exitcode: DetailedExit = False,
    forks: Forks = None,
    colour: Colour = None,
) -> None:
    """Show how the running configurations differ from the intended ones, in what is ours."""
    from fabric_auto.cli.live import open_live

    with open_live(project, limit, forks) as live:
        found = live.plan()
        live.say_waiting()
    _show(found, style, colour)
    live.say_partial()
    raise typer.Exit(_exit_for(found, detailed_exitcode))


def plan(
    project: ProjectDir = Path(),
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Keep the plan for deploy.")
    ] = None,
    limit: Limit = None,
    style: PlanStyle = PlanFormat.TEXT,
    detailed_exitcode: DetailedExit = False,
    reverse: Annotated[
        bool, typer.Option("--reverse", help="With --format native: the documents that undo it.")
    ] = False,
    forks: Forks = None,
    colour: Colour = None,
) -> None:
    """Show what deploy would do, what it costs while it is made, and keep it for review."""
    from fabric_auto.cli.live import open_live
    from fabric_auto.report import plan_file

    with open_live(project, limit, forks) as live:
        found = live.plan()
        live.say_waiting()
    _show(found, style, colour, reverse=reverse)
    live.say_partial()
    if output is not None:
        plan_file.write(output, found, limit)
        say(f"kept in {output}; deploy it with: fabric-auto deploy {output}")
    raise typer.Exit(_exit_for(found, detailed_exitcode))


def deploy(
    plan_path: Annotated[
        Path | None, typer.Argument(metavar="[PLAN]", help="A plan that `plan -o` kept; refused when stale.")
    ] = None,
    project: ProjectDir = Path(),
    limit: Limit = None,
    confirm: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="An unconfirmed change reverts after this; a minute more than --verify-timeout, or longer.",
            show_default="the project's, or 300s, 600s when a switch reloads",
        ),
    ] = None,
    gate: Annotated[
        str | None,
        typer.Option(
            "--verify-timeout",
            metavar="TIME",
            help="How long the network may take to converge.",
            show_default="90s, 360s when a switch reloads",
        ),
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Do not ask; needed where nobody can answer and no PLAN is given.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the plan and stop.")] = False,
    discard_candidate: Annotated[
        bool, typer.Option("--discard-candidate", help="Throw away what others left in an SR Linux candidate.")
    ] = False,
    forks: Forks = None,
    colour: Colour = None,
) -> None:
    """Apply with commit-confirm, verify the network, then confirm; or roll everything back."""
    from fabric_auto.cli.deployment import Request, run

    request = Request(
        plan_path, limit, confirm, gate, yes=yes, dry_run=dry_run, discard_candidate=discard_candidate, colour=colour
    )
    raise typer.Exit(run(project, request, forks))


def verify(
    project: ProjectDir = Path(),
    timeout: Annotated[
        str, typer.Option(metavar="TIME", help="How long to wait for a network that still converges.")
    ] = "30s",
    limit: Limit = None,
    style: FormatOption = None,
    fail_on: FailOnOption = FailOn.ERROR,
    forks: Forks = None,
    colour: Colour = None,
) -> None:
    """Check the live network: ports, cabling, BGP sessions, prefixes, and that no configuration drifted."""
    from fabric_auto.cli.live import duration, open_live

    timeout_s = duration(timeout)
    with open_live(project, limit, forks) as live:
        findings = live.look(timeout_s)
    show_findings(live.program.project, findings, style, colour)
    live.say_partial()
    if exit_for(findings, fail_on):
        raise typer.Exit(Exit.VERIFICATION_FAILED)
    say(f"verified: {len(live.scope.intended)} devices are as intended")


def trust_add(
    devices: Annotated[list[str] | None, typer.Argument(metavar="[DEVICE]...", help="Devices by full name.")] = None,
    project: ProjectDir = Path(),
    everything: Annotated[bool, typer.Option("--all", help="Every device of the inventory.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask; the fingerprints are still printed.")] = False,
) -> None:
    """Fetch host keys, show their fingerprints, and remember those that you accept."""
    from fabric_auto.transport import host_keys
    from fabric_auto.transport.endpoint import address_of

    program = sound_program(project)
    inventory = program.project.inventory
    names = list(inventory) if everything else list(devices or ())
    if not names:
        raise FabricAutoError("no device is named", help="name devices, or use --all", exit_code=Exit.USAGE)
    known = host_keys.load(host_keys.files_of(program.project.root))
    nos = {device.name: device.nos for _, device in program.devices()}
    for name in names:
        if name not in inventory:
            raise FabricAutoError(f"`{name}` is not in the inventory", help="add it to inventory/hosts.yaml")
        target = address_of(inventory[name], inventory[name].nos or nos.get(name))
        key = host_keys.fetch_key(target)
        keys = known.keys_of(target.address, target.port)
        note = "known already" if key in keys else ("ANOTHER KEY IS KNOWN" if keys else "new")
        say(f"{target.where}  {key.kind}  {key.fingerprint}  {note}")
        if key not in keys and (yes or typer.confirm(f"trust {name}?", err=True)):
            host_keys.add(program.project.root, target.address, target.port, key)


def force_unlock(
    project: ProjectDir = Path(),
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Remove a lock that a deployment left behind; look first whether it still runs."""
    from fabric_auto.deploy.lock import held, lock_path

    root = project.resolve()
    try:
        holder = held(root)
    except FabricAutoError:
        holder = None
    if holder is None and not lock_path(root).exists():
        say("there is no lock")
        return
    if yes or typer.confirm(f"remove the lock of {holder or 'somebody unknown'}?", err=True):
        lock_path(root).unlink(missing_ok=True)
        say("removed the lock")


def _show(found: "Plan", style: PlanFormat, colour: bool | None, *, reverse: bool = False) -> None:
    from fabric_auto.report import plan as report

    match style:
        case PlanFormat.TEXT:
            sys.stdout.write(report.text(found, colour=wants_colour(colour)))
        case PlanFormat.NATIVE:
            sys.stdout.write(report.native(found, reverse=reverse))
        case PlanFormat.JSON:
            sys.stdout.write(report.to_json(found))


def _exit_for(found: "Plan", detailed: bool) -> Exit:
    return Exit.DIFFERENCES if detailed and found.changed else Exit.DONE
