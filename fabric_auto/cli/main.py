"""The command line: one handler for everything that is not a finding."""

import os
import sys
import traceback
from typing import Any, Final, NoReturn

import typer

import fabric_auto
from fabric_auto.cli import commands, lab_commands, live_commands
from fabric_auto.cli.exits import Exit
from fabric_auto.errors import FabricAutoError

app = typer.Typer(
    name="fabric-auto",
    help="From intent to a verified fabric: YAML in git to SONiC and SR Linux switches.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Start with: fabric-auto init my-fabric && cd my-fabric && fabric-auto compile",
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"fabric-auto {fabric_auto.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version and exit."
    ),
) -> None:
    """Everything is a command; see `fabric-auto COMMAND --help`."""


commands.register(app)
live_commands.register(app)
lab_commands.register(app)


_UsageError: Final[type[Any]] = typer.BadParameter.__bases__[0]
"""What the parser raises: typer carries its own copy of click and exports, of its errors, a child of this one alone."""


def main() -> NoReturn:
    """Run the command line and exit."""
    try:
        code = app(standalone_mode=False)
    except FabricAutoError as error:
        _say(f"error: {error.message}")
        if error.help:
            _say(f"  help: {error.help}")
        sys.exit(error.exit_code)
    except typer.Abort:
        _say("interrupted")
        sys.exit(Exit.INTERRUPTED)
    except BrokenPipeError:
        # Whoever read us has seen enough; nothing may be written any more, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(Exit.FAILED)
    except KeyboardInterrupt:
        _say("interrupted")
        sys.exit(Exit.INTERRUPTED)
    except Exception as error:  # noqa: BLE001  (the last line of defence: say that it is a bug, whatever it is)
        if isinstance(error, _UsageError):
            error.show(sys.stderr)
            sys.exit(Exit.USAGE)
        traceback.print_exc()
        _say(
            f"\nThis is a bug in fabric-auto {fabric_auto.__version__}. Please report it with the lines above and this:"
        )
        _say(f"  {' '.join(['fabric-auto', *sys.argv[1:]])}")
        sys.exit(Exit.FAILED)
    sys.exit(code if isinstance(code, int) else Exit.DONE)


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
