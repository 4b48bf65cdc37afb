"""Commands that need no network: init, validate, compile, explain."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from fabric_auto.cli.console import (
    Colour,
    FailOn,
    FailOnOption,
    Format,
    FormatOption,
    ProjectDir,
    exit_for,
    load_program,
    say,
    show_findings,
    sound_program,
)
from fabric_auto.cli.exits import Exit


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(epilog="Example: fabric-auto init my-fabric")(init)
    app.command(epilog="Example: fabric-auto validate --format json")(validate)
    app.command(name="compile", epilog="Example: fabric-auto compile -o build --yang ~/models")(compile_)
    app.command(epilog="Example: fabric-auto explain FAB201")(explain)


def init(
    directory: Annotated[
        Path, typer.Argument(metavar="DIR", help="A new or empty folder.", show_default="here")
    ] = Path(),
    name: Annotated[str, typer.Option(help="The fabric's name.")] = "east",
) -> None:
    """Write a small two-tier project that compiles, and deploys to the emulated lab, as it is."""
    from fabric_auto.compiler.starter import write_starter

    for file in write_starter(directory, name):
        say(f"wrote {file}")
    where = "" if directory == Path() else f" -C {directory}"
    say(f"next: fabric-auto compile{where}, then fabric-auto lab up{where}")


def validate(
    project: ProjectDir = Path(),
    style: FormatOption = None,
    fail_on: FailOnOption = FailOn.ERROR,
    colour: Colour = None,
) -> None:
    """Read the intents and run every check."""
    program = load_program(project)
    show_findings(program.project, program.findings, style, colour)
    if style is not Format.JSON:
        devices = sum(len(fabric.devices) for fabric in program.fabrics)
        if program.is_sound:
            links = sum(len(fabric.links) for fabric in program.fabrics)
            say(f"valid: {len(program.fabrics)} fabric(s), {devices} devices, {links} links")
    raise typer.Exit(exit_for(program.findings, fail_on))


def compile_(
    project: ProjectDir = Path(),
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Where artifacts go.")] = Path("build"),
    yang: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Vendor YANG models (sonic/RELEASE, srlinux/): validate every artifact."),
    ] = None,
    style: FormatOption = None,
    fail_on: FailOnOption = FailOn.ERROR,
    colour: Colour = None,
) -> None:
    """Write the configuration of every device, the cabling plan and a manifest."""
    from fabric_auto.compiler.compile import compile_to

    program = load_program(project)
    if not program.is_sound or exit_for(program.findings, fail_on):
        show_findings(program.project, program.findings, style, colour)
        raise typer.Exit(Exit.FINDINGS)
    models = yang or (program.project.root / program.project.settings.yang if program.project.settings.yang else None)
    folder = output if output.is_absolute() else project / output
    violations = compile_to(program, folder, yang=models)
    findings = [*program.findings, *violations]
    show_findings(program.project, findings, style, colour)
    if violations:
        raise typer.Exit(Exit.FINDINGS)
    say(
        f"compiled {sum(len(fabric.devices) for fabric in program.fabrics)} devices into {folder}{' (YANG: valid)' if models else ''}"
    )


def explain(code: Annotated[str, typer.Argument(help="A finding's code, like FAB201.")]) -> None:
    """Print the manual page of a finding."""
    from fabric_auto.cli.rules import page

    sys.stdout.write(page(code))


__all__ = ["register", "sound_program"]
