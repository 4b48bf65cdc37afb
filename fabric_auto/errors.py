"""Trouble with the tool itself, as opposed to findings about the user's input (those are diagnostics)."""


class FabricAutoError(Exception):
    """The tool could not do its work; the command line prints one line and exits.

    Args:
        message: what happened, one clause, no remedy.
        help: what to do about it, imperative.
        exit_code: the process exit code (architecture.md, "Exit codes").
    """

    def __init__(self, message: str, *, help: str | None = None, exit_code: int = 1) -> None:  # noqa: A002
        super().__init__(message)
        self.message = message
        self.help = help
        self.exit_code = exit_code
