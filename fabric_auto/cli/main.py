"""The command line: one handler for everything that is not a finding."""

import sys
import traceback
from typing import NoReturn

import click
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


def main() -> NoReturn:
    """Run the command line and exit."""
    try:
        code = app(standalone_mode=False)
    except FabricAutoError as error:
        _say(f"error: {error.message}")
        if error.help:
            _say(f"  help: {error.help}")
        sys.exit(error.exit_code)
    except click.exceptions.NoArgsIsHelpError as error:
        _say(error.ctx.get_help())
        sys.exit(Exit.USAGE)
    except click.UsageError as error:
        error.show(sys.stderr)
        sys.exit(Exit.USAGE)
    except click.exceptions.Abort:
        _say("interrupted")
        sys.exit(Exit.INTERRUPTED)
    except click.ClickException as error:
        error.show(sys.stderr)
        sys.exit(Exit.FAILED)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(Exit.FAILED)
    except KeyboardInterrupt:
        _say("interrupted")
        sys.exit(Exit.INTERRUPTED)
    except Exception:  # noqa: BLE001  (the last line of defence: say that it is a bug, whatever it is)
        traceback.print_exc()
        _say(
            f"\nThis is a bug in fabric-auto {fabric_auto.__version__}. Please report it with the lines above and this command:"
        )
        _say(f"  {' '.join(['fabric-auto', *sys.argv[1:]])}")
        sys.exit(Exit.FAILED)
    sys.exit(code if isinstance(code, int) else Exit.DONE)


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
