"""What commands share: the project, showing findings, progress on stderr."""

import contextlib
import os
import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fabric_auto.cli.exits import Exit

if TYPE_CHECKING:
    from fabric_auto.compiler.program import Program
    from fabric_auto.compiler.project import Project
    from fabric_auto.diagnostics import Diagnostic

ProjectDir = Annotated[
    Path, typer.Option("-C", "--project", metavar="DIR", help="The project folder.", show_default="here")
]


class Format(StrEnum):
    """How findings are shown."""

    FULL = "full"
    CONCISE = "concise"
    JSON = "json"


class FailOn(StrEnum):
    """The severity from which findings fail a command."""

    ERROR = "error"
    WARNING = "warning"
    NEVER = "never"


FormatOption = Annotated[
    Format | None, typer.Option("--format", help="How findings are shown; full on a terminal, concise elsewhere.")
]
FailOnOption = Annotated[FailOn, typer.Option("--fail-on", help="Fail on findings of this severity or worse.")]
Colour = Annotated[bool | None, typer.Option("--color/--no-color", help="Colour; on a terminal only unless said.")]


def wants_colour(choice: bool | None) -> bool:
    """Return whether stdout gets colour: an option, NO_COLOR (no-color.org), or a terminal."""
    if choice is not None:
        return choice
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def say(text: str) -> None:
    """Write a line of progress to stderr; whoever read it may be gone, the work goes on."""
    with contextlib.suppress(OSError):
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()


def load_program(root: Path) -> "Program":
    """Read, expand and check the project."""
    from fabric_auto.compiler.program import check
    from fabric_auto.compiler.project import load

    return check(load(root.resolve()))


def show_findings(
    project: "Project", findings: "Sequence[Diagnostic]", style: Format | None, colour: bool | None
) -> None:
    """Write findings to stdout."""
    from fabric_auto.diagnostics import render

    chosen = style or (Format.FULL if sys.stdout.isatty() else Format.CONCISE)
    match chosen:
        case Format.JSON:
            sys.stdout.write(render.to_json(findings))
        case Format.CONCISE:
            sys.stdout.write(render.concise(findings))
        case Format.FULL:
            sys.stdout.write(render.full(findings, project.lines, colour=wants_colour(colour)) if findings else "")


def exit_for(findings: "Sequence[Diagnostic]", fail_on: FailOn) -> Exit:
    """Return the exit code that findings ask for."""
    from fabric_auto.diagnostics import Severity

    if any(finding.code == "FAB006" for finding in findings):
        return Exit.FAILED  # unreadable input: the work could not be done
    threshold = {FailOn.ERROR: Severity.ERROR, FailOn.WARNING: Severity.WARNING}.get(fail_on)
    bad = threshold is not None and any(finding.severity >= threshold for finding in findings)
    return Exit.FINDINGS if bad else Exit.DONE


def sound_program(root: Path, style: Format | None = None, colour: bool | None = None) -> "Program":
    """Return a program without errors; otherwise show the findings and exit 3."""
    program = load_program(root)
    if not program.is_sound:
        show_findings(program.project, program.findings, style, colour)
        raise typer.Exit(Exit.FINDINGS)
    return program
