"""The command ``config``: its arguments as click reads them, its subcommands, its words and exit codes.

Sources: sonic-utilities, ``config/main.py``; messages of click 8.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from os import strerror
from typing import Final

from fabric_auto.lab.emulated.sonic.reload import Loader
from fabric_auto.lab.emulated.sonic.shell import Call
from fabric_auto.lab.emulated.sonic.updater import Options, Store, UpdateError, Updater
from fabric_auto.lab.emulated.sonic.validation import Judge

CHECKPOINTS: Final = "/etc/sonic/checkpoints"
_EXTENSION: Final = ".cp.json"
_USAGE: Final = 2


@dataclass(frozen=True, slots=True)
class Spec:
    """A subcommand's command line.

    Attributes:
        flags: options without a value.
        valued: options with one.
        argument: its positional argument, as the usage line names it.
        required: the argument must be there.
    """

    flags: frozenset[str]
    valued: frozenset[str]
    argument: str
    required: bool = True


@dataclass(frozen=True, slots=True)
class Parsed:
    """A subcommand's arguments, options by their short name."""

    flags: frozenset[str]
    argument: str | None


_LONG: Final = {
    "--bypass-lock": "-b",
    "--dry-run": "-d",
    "--file_format": "-t",
    "--force": "-f",
    "--format": "-f",
    "--ignore-non-yang-tables": "-n",
    "--ignore-path": "-i",
    "--load-sysinfo": "-l",
    "--no_service_restart": "-n",
    "--parallel": "-p",
    "--time": "-t",
    "--verbose": "-v",
    "--yes": "-y",
}
_GCU: Final = frozenset({"-d", "-n", "-v"})
_SPECS: Final = {
    "apply-patch": Spec(_GCU | {"-p"}, frozenset({"-f", "-i", "-t"}), "PATCH_FILE_PATH"),
    "replace": Spec(_GCU, frozenset({"-f", "-i", "-t"}), "TARGET_FILE_PATH"),
    "rollback": Spec(_GCU, frozenset({"-i"}), "CHECKPOINT_NAME"),
    "checkpoint": Spec(frozenset({"-v"}), frozenset(), "CHECKPOINT_NAME"),
    "delete-checkpoint": Spec(frozenset({"-v"}), frozenset(), "CHECKPOINT_NAME"),
    "list-checkpoints": Spec(frozenset({"-t", "-v"}), frozenset(), "", required=False),
    "save": Spec(frozenset({"-y"}), frozenset(), "[FILENAME]", required=False),
    "load": Spec(frozenset({"-y"}), frozenset(), "[FILENAME]", required=False),
    "reload": Spec(frozenset({"-y", "-l", "-n", "-f", "-b"}), frozenset({"-t"}), "[FILENAME]", required=False),
}


class ClickError(Exception):
    """A usage error; the text is what follows ``Error:``."""


class ConfigCommand:
    """``config`` of one device.

    Args:
        judge: validates configurations.
        loader: does ``load``, ``save`` and ``reload``.
        store: returns CONFIG_DB for the updater, with the faults that are armed now.
    """

    def __init__(self, judge: Judge, loader: Loader, store: Callable[[], Store]) -> None:
        self._judge = judge
        self._loader = loader
        self._store = store

    def __call__(self, call: Call) -> int:
        """Run ``config``."""
        if not call.args:
            call.out("Usage: config [OPTIONS] COMMAND [ARGS]...\n")
            return 0
        name, *rest = call.args
        if name not in _SPECS:
            return _refuse(call, "config", "COMMAND [ARGS]...", f"No such command '{name}'.")
        # The group's callback refuses before the subcommand's arguments are read.
        if not call.root:
            return call.fail("Root privileges are required for this operation")
        try:
            parsed = _parse(_SPECS[name], rest)
            return self._run(call, name, parsed)
        except (ClickError, UpdateError) as error:
            return _refuse(call, f"config {name}", _SPECS[name].argument, str(error))

    def _run(self, call: Call, name: str, parsed: Parsed) -> int:
        if name == "save":
            return self._loader.save(call, parsed.argument, yes="-y" in parsed.flags)
        if name == "load":
            return self._loader.load(call, parsed.argument, yes="-y" in parsed.flags)
        if name == "reload":
            return self._loader.reload(call, parsed.argument, parsed.flags)
        if name == "list-checkpoints":
            return _list_checkpoints(call, with_time="-t" in parsed.flags)
        if name in {"checkpoint", "delete-checkpoint"}:
            return self._checkpoint(call, name, parsed.argument or "")
        return self._update(call, name, parsed)

    def _update(self, call: Call, name: str, parsed: Parsed) -> int:
        flags = parsed.flags
        options = Options(dry_run="-d" in flags, verbose="-v" in flags, ignore_non_yang="-n" in flags)
        updater = Updater(self._store(), self._judge, options, call.out, call.streams.err)
        argument = parsed.argument or ""
        if options.dry_run:
            call.out("** DRY RUN EXECUTION **\n")
        try:
            if name == "apply-patch":
                updater.apply_patch(_content(call, argument), argument)
            elif name == "replace":
                updater.replace(_content(call, argument))
            else:
                path = f"{CHECKPOINTS}/{argument}{_EXTENSION}"
                updater.rollback(argument, _content(call, path) if call.shell.files.is_file(path) else None)
        except UpdateError as error:
            failed = {"replace": "Failed to replace config", "rollback": "Failed to rollback config"}
            call.fail(failed.get(name, f"Failed to apply patch due to: {error}"))
            raise
        done = {"replace": "Config replaced successfully.", "rollback": "Config rolled back successfully."}
        call.out(f"{done.get(name, 'Patch applied successfully.')}\n")
        return 0

    def _checkpoint(self, call: Call, name: str, checkpoint: str) -> int:
        """Checkpoints are files, not configuration: they are made and deleted even by a box that ignores changes."""
        path = f"{CHECKPOINTS}/{checkpoint}{_EXTENSION}"
        files = call.shell.files
        if name == "delete-checkpoint":
            call.out("Config Rollbacker: Deleting checkpoint starting.\n")
            call.out(f"Config Rollbacker: Checkpoint name: {checkpoint}.\n")
            call.out("Config Rollbacker: Checking checkpoint exists.\n")
            if not files.is_file(path):
                call.fail("Failed to delete config checkpoint")
                raise ClickError(f"Checkpoint '{checkpoint}' does not exist")
            call.out("Config Rollbacker: Deleting checkpoint.\n")
            files.host_path(path).unlink()
            call.out("Config Rollbacker: Deleting checkpoint completed.\nCheckpoint deleted successfully.\n")
            return 0
        for line in (
            "Config checkpoint starting.",
            f"Checkpoint name: {checkpoint}.",
            "Getting current config db.",
            "Getting checkpoint full-path.",
            "Ensuring checkpoint directory exist.",
            f"Saving config db content to {path}.",
        ):
            call.out(f"Config Rollbacker: {line}\n")
        files.host_path(CHECKPOINTS).mkdir(exist_ok=True)
        files.write(path, json.dumps(self._store().read()), root=True)
        call.out("Config Rollbacker: Config checkpoint completed.\nCheckpoint created successfully.\n")
        return 0


def _parse(spec: Spec, words: list[str]) -> Parsed:
    flags: set[str] = set()
    positional: list[str] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        name, equals, _ = word.partition("=")
        if word == "--" or not word.startswith("-"):
            positional += [word] if word != "--" else rest
            continue
        short = _LONG.get(name, name)
        if short in spec.flags:
            flags.add(short)
        elif short in spec.valued:
            if not equals and not rest:
                raise ClickError(f"Option '{name}' requires an argument.")
            if not equals:
                rest.pop(0)
        elif len(word) > 2 and {f"-{letter}" for letter in word[1:]} <= spec.flags:  # noqa: PLR2004 - "-y" and more
            flags |= {f"-{letter}" for letter in word[1:]}
        else:
            raise ClickError(f"No such option: {name}")
    if len(positional) > bool(spec.argument):
        extra = positional[bool(spec.argument) :]
        plural = "s" if len(extra) > 1 else ""
        raise ClickError(f"Got unexpected extra argument{plural} ({' '.join(extra)})")
    if spec.required and not positional:
        raise ClickError(f"Missing argument '{spec.argument}'.")
    return Parsed(frozenset(flags), positional[0] if positional else None)


def _content(call: Call, name: str) -> str:
    try:
        return call.shell.files.read(call.path(name))
    except OSError as error:
        raise UpdateError(f"[Errno {error.errno}] {strerror(error.errno or 0)}: '{name}'") from None


def _refuse(call: Call, command: str, argument: str, message: str) -> int:
    usage = f"Usage: {command} [OPTIONS] {argument}".rstrip()
    return call.fail(f"{usage}\nTry '{command} -h' for help.\n\nError: {message}", _USAGE)


def _list_checkpoints(call: Call, *, with_time: bool) -> int:
    folder = call.shell.files.host_path(CHECKPOINTS)
    found = sorted(folder.glob(f"*{_EXTENSION}")) if folder.is_dir() else []
    names = [path.name.removesuffix(_EXTENSION) for path in found]
    if not with_time:
        call.out(f"{json.dumps(names, indent=4)}\n")
        return 0
    times = [datetime.fromtimestamp(path.stat().st_mtime, tz=UTC).isoformat() for path in found]
    entries = [{"name": name, "time": when} for name, when in zip(names, times, strict=True)]
    call.out(f"{json.dumps(sorted(entries, key=lambda each: each['time'], reverse=True), indent=4)}\n")
    return 0
