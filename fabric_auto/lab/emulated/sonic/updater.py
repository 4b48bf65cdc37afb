"""The generic configuration updater: ``apply-patch``, ``replace`` and checkpoints, with what it prints.

Texts and order of the steps: sonic-utilities, ``generic_config_updater`` and ``config/main.py``. There is no lock, and a
failure in the middle leaves the moves already made in CONFIG_DB.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from fabric_auto.lab.emulated.sonic.database import Json, Tables, read_object, stored
from fabric_auto.lab.emulated.sonic.moves import Move, moves
from fabric_auto.lab.emulated.sonic.patch import (
    IllegalOperationError,
    Patch,
    PatchError,
    check_operations,
    difference,
    empty_tables,
    is_patch,
    simulate,
    tables_of,
    with_absent_tables,
)
from fabric_auto.lab.emulated.sonic.releases import age, inserts_absent_tables, reports_failed_scope
from fabric_auto.lab.emulated.sonic.validation import Judge

Write: TypeAlias = Callable[[str], None]

_SCOPE: Final = "localhost"
_BACKEND_TABLES: Final = ("BUFFER_PG", "BUFFER_PROFILE", "FLEX_COUNTER_TABLE")
_INDENT: Final = " " * 32


class UpdateError(Exception):
    """The updater's exception; the text is what the command shows after ``Error:``."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a change is made.

    Attributes:
        dry_run: change nothing, say what would be.
        verbose: also print what is else only logged.
        ignore_non_yang: let tables without a model through.
    """

    dry_run: bool = False
    verbose: bool = False
    ignore_non_yang: bool = False


class Store:
    """CONFIG_DB as the updater reaches it.

    Args:
        read: returns a copy of the running configuration.
        write: applies one move to it.
        silent: the box says yes to every change and makes none.
    """

    def __init__(self, read: Callable[[], Tables], write: Callable[[Move], None], *, silent: bool = False) -> None:
        self.read = read
        self.write = write
        self.silent = silent


class Updater:
    """One run of the updater.

    Args:
        store: the configuration.
        judge: validates configurations of the release.
        options: how.
        out, err: standard output and error; each call is whole lines.
    """

    def __init__(self, store: Store, judge: Judge, options: Options, out: Write, err: Write) -> None:
        self._store = store
        self._judge = judge
        self._options = options
        self._out = out
        self._err = err

    def apply_patch(self, text: str, path: str) -> None:
        """Apply the patch in ``text``, read from ``path``.

        Raises:
            UpdateError: it is refused, or failed in the middle.
        """
        patch = self._read_patch(text, path)
        running = _as_json(self._store.read())
        if inserts_absent_tables(self._judge.release):
            patch = with_absent_tables(patch, running)
        self._validate_patch(patch, running)
        try:
            self._apply(patch)
        except UpdateError as error:
            if reports_failed_scope(self._judge.release):
                self._err(f"apply-patch failed for {_SCOPE}: {error}\n")
            raise UpdateError(f"Failed to apply patch on the following scopes:\n- {_SCOPE}: {error}") from None

    def replace(self, text: str) -> None:
        """Make the running configuration the one in ``text``.

        Raises:
            UpdateError: it is refused, or failed in the middle.
        """
        try:
            target = read_object(text)
        except ValueError as error:
            raise UpdateError(str(error)) from None
        self._replace(target)

    def rollback(self, name: str, text: str | None) -> None:
        """Make the running configuration that of checkpoint ``name``, whose content is ``text``.

        Raises:
            UpdateError: there is none, or it is refused, or failed in the middle.
        """
        self._say("Config Rollbacker: Config rollbacking starting.")
        self._say(f"Config Rollbacker: Checkpoint name: {name}.")
        self._say(f"Config Rollbacker: Verifying '{name}' exists.")
        if text is None:
            raise UpdateError(f"Checkpoint '{name}' does not exist")
        self._say("Config Rollbacker: Loading checkpoint into memory.")
        self._say("Config Rollbacker: Replacing config using 'Config Replacer'.")
        self.replace(text)
        self._say("Config Rollbacker: Config rollbacking completed.")

    def _read_patch(self, text: str, path: str) -> Patch:
        try:
            value: Json = json.loads(text)
        except ValueError as error:
            raise UpdateError(str(error)) from None
        if not is_patch(value):
            raise UpdateError(f"Invalid patch format in file: {path}")
        patch: Patch = json.loads(text)
        return patch

    def _validate_patch(self, patch: Patch, running: Mapping[str, Json]) -> None:
        """Simulate the patch and load the target into the models, before anything else happens."""
        shown = json.dumps(patch) if age(self._judge.release) == 0 else str(patch)
        colon = "failed due to: " if reports_failed_scope(self._judge.release) else "failed due to:"
        try:
            error = self._judge.model_error(simulate(patch, running))
        except PatchError as trouble:
            raise UpdateError(f"Validate json patch: {shown} {colon}{trouble}") from None
        if error is not None:
            self._say("sonic_yang(3):" + error.replace("\n", ":", 1))
            raise UpdateError(f"Validate json patch: {shown} {colon}{error}")

    def _replace(self, target: dict[str, Json]) -> None:
        target.pop("bgpraw", None)
        self._say("Config Replacer: Config replacement starting.")
        self._say(f"Config Replacer: Target config length: {len(json.dumps(target))}.")
        self._say("Config Replacer: Getting current config db.")
        self._say("Config Replacer: Generating patch between target config and current config db.")
        patch = difference(_as_json(self._store.read()), target)
        if self._options.verbose:
            self._say(f"Config Replacer: Generated patch: {json.dumps(patch)}.")
        self._say("Config Replacer: Applying patch using 'Patch Applier'.")
        self._apply(patch)
        self._say("Config Replacer: Verifying config replacement is reflected on ConfigDB.")
        self._say("Config Replacer: Config replacement completed.")

    def _apply(self, patch: Patch) -> None:
        self._applier(f"{_SCOPE}: Patch application starting.")
        self._applier(f"{_SCOPE}: Patch: {json.dumps(patch)}")
        self._applier(f"{_SCOPE} getting current config db.")
        current = self._store.read()
        self._applier(f"{_SCOPE}: simulating the target full config after applying the patch.")
        try:
            target = simulate(patch, _as_json(current))
            self._applier(f"{_SCOPE}: validating all JsonPatch operations are permitted on the specified fields")
            check_operations(_as_json(current), target)
        except (PatchError, IllegalOperationError) as error:
            raise UpdateError(str(error)) from None
        self._refuse_empty_tables(target)
        self._applier(f"{_SCOPE}: sorting patch updates.")
        self._refuse_invalid(patch, target)
        self._make(moves(current, stored(target)), target)
        self._applier(f"{_SCOPE} patch application completed.")

    def _refuse_empty_tables(self, target: Mapping[str, Json]) -> None:
        self._applier(
            f"{_SCOPE}: validating target config does not have empty tables,\n"
            "                            since they do not show up in ConfigDb."
        )
        empty = empty_tables(target)
        if empty:
            raise UpdateError(
                f"{_SCOPE}: given patch is not valid because it will result in empty tables {_INDENT}"
                f"which is not allowed in ConfigDb. {_INDENT}Table{'s' if len(empty) != 1 else ''}: {', '.join(empty)}"
            )

    def _refuse_invalid(self, patch: Patch, target: Mapping[str, Json]) -> None:
        self._sorter("Validating patch is not making changes to tables without YANG models.")
        if not self._options.ignore_non_yang and self._judge.without_yang(tables_of(patch)):
            raise UpdateError("Given patch is not valid because it has changes to tables without YANG models")
        self._sorter("Validating target config according to YANG models.")
        error = self._judge.patch_error(target)
        if error is not None:
            raise UpdateError(f"Given patch will produce invalid config. Error: {error}")
        self._sorter("Sorting patch updates.")

    def _make(self, changes: list[Move], target: dict[str, Json]) -> None:
        count = len(changes)
        plural, end = ("s" if count != 1 else ""), (":" if count else ".")
        self._applier(f"The {_SCOPE} patch was converted into {count} change{plural}{end}")
        self._applier(f"{_SCOPE}: applying {count} change{plural} in order{end}")
        for change in changes:
            self._applier(f"  * {json.dumps(change)}")
            if self._options.dry_run:
                self._say(f"** DryRun: Would apply {json.dumps(change)}")
            elif not self._store.silent:
                self._store.write(change)
        self._applier(f"{_SCOPE}: verifying patch updates are reflected on ConfigDB.")
        if not self._options.dry_run and not self._store.silent and self._differs(target):
            raise UpdateError(f"{_SCOPE}: after applying patch to config, there are still some parts not updated")

    def _differs(self, target: Mapping[str, Json]) -> bool:
        running = _as_json(self._store.read())
        ours = {table: rows for table, rows in running.items() if table not in _BACKEND_TABLES}
        return ours != {table: rows for table, rows in target.items() if table not in _BACKEND_TABLES}

    def _applier(self, text: str) -> None:
        self._say(f"Patch Applier: {text}")

    def _sorter(self, text: str) -> None:
        if self._options.verbose:
            self._say(f"Patch Sorter - Strict: {text}")

    def _say(self, text: str) -> None:
        self._out(f"{text}\n")


def _as_json(tables: Tables) -> dict[str, Json]:
    return {
        table: {key: {field: _copy(value) for field, value in row.items()} for key, row in rows.items()}
        for table, rows in tables.items()
    }


def _copy(value: str | list[str]) -> Json:
    return list[Json](value) if isinstance(value, list) else value
