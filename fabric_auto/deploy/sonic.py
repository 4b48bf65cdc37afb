"""A change on a SONiC switch: staged, guarded by a timer on the box, applied, read back, confirmed or undone.

The timer runs our own script (:mod:`fabric_auto.deploy.sonic_scripts`): what undoes each step that was begun, or a reload of
the configuration as it was read. (``config rollback`` fails once the buffer manager has made rows: sonic-buildimage issue
23907.) ``config apply-patch`` exits with 2 and leaves a part of the change when it fails, so no exit code says that a change is
there: the configuration is read back each time.
"""

import json
import shlex
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, cast

from fabric_auto.deploy import readback, sonic_box, sonic_scripts
from fabric_auto.deploy.driver import again, read, reopen, settle
from fabric_auto.deploy.model import Options, StalePlanError
from fabric_auto.deploy.release import check_release
from fabric_auto.deploy.sonic_box import Box
from fabric_auto.plan.model import DevicePlan, Step
from fabric_auto.transport.base import CommandResult, DeviceRefusedError, SessionLostError, ShellSession
from fabric_auto.transport.connection import Connection
from fabric_auto.vendors.base import Leaves, Vendor

APPLY_S: Final = 900
"""Seconds for one command: sonic-mgmt gives GCU as much; a patch takes about one second a move."""

CHECKPOINT_S: Final = 300
"""Seconds for the checkpoint, and for sessions that have to be opened again."""

_SETTLE_PATCH_S: Final = 5.0
_SETTLE_RELOAD_S: Final = 300.0
_STARTUP: Final = "/etc/sonic/config_db.json"


@dataclass(slots=True)
class SonicDriver:
    """One SONiC switch's part of a deployment (:class:`fabric_auto.deploy.driver.Driver`).

    Attributes:
        waves: how many rounds of devices the deployment needs with its forks; the guard must outlast them all.
    """

    plan: DevicePlan
    vendor: Vendor
    options: Options
    waves: int = 1
    touched: bool = False
    confirmed: bool = False
    reverts_at: datetime | None = None
    _locked: bool = field(default=False)

    def preflight(self, connection: Connection) -> None:
        """Refuse another's lock or waiting timer, another release, and a plan that is stale."""
        session, box = _shell(connection), self._box(connection)
        sonic_box.check_free(session, box)
        other = sonic_box.armed_by_others(session, box)
        if other is not None:
            raise DeviceRefusedError(
                f"{connection.name} has a change waiting to be confirmed, timer {other}",
                help="let it be confirmed or revert",
            )
        check_release(connection.name, session, "sonic", self.options.releases.get(connection.name))
        self._check_fresh(session)

    def lock(self, connection: Connection) -> None:
        """Take our lock on the box, for as long as the deployment can last."""
        box = self._box(connection)
        expired = sonic_box.take_lock(_shell(connection), box, self.options.owner, 2 * self._guard_s())
        self._locked = True
        if expired is not None:
            self._say(connection, f"took over the expired lock of {expired.owner}, run {expired.run}")

    def apply(self, connection: Connection) -> None:
        """Stage, arm the timer, apply step by step, read back."""
        session, box = _shell(connection), self._box(connection)
        self._say(connection, "staging")
        before = self._check_fresh(session)
        self._stage(session, box, before)
        sonic_box.must(session, box, f"sudo config checkpoint {box.checkpoint}", timeout_s=120)
        self.touched = True
        self.reverts_at = self._in(self._guard_s())
        sonic_box.arm(session, box, box.apply_unit, self._guard_s())
        for number, step in enumerate(self.plan.steps, 1):
            self._say(connection, f"applying step {number} of {len(self.plan.steps)}")
            if step.kind == "reload":
                self._reload(connection, number)
            else:
                self._patch(connection, number, step)
        self._require(connection, readback.unmet(self.plan, self._read(connection)))

    def hold(self, connection: Connection) -> None:
        """Arm the timer of the confirm window, then stop the one that guarded the change."""
        box = self._box(connection)

        def hold() -> None:
            session = _shell(connection)
            sonic_box.must_stand(session, box)
            if not sonic_box.is_armed(session, box.confirm_unit):
                sonic_box.arm(session, box, box.confirm_unit, self.options.confirm_s)
            self.reverts_at = self._in(self.options.confirm_s)
            session.run(f"sudo systemctl stop {box.apply_unit}.timer")
            if sonic_box.is_armed(session, box.apply_unit):
                raise DeviceRefusedError(f"{connection.name} does not stop the timer {box.apply_unit}")
            # It may have fired between the first look and the stop.
            sonic_box.must_stand(session, box)

        again(connection, self.options.clock, hold)

    def confirm(self, connection: Connection) -> None:
        """Disarm, see that the change is still there, save it, and clean up."""

        def confirm() -> None:
            session, box = _shell(connection), self._box(connection)
            sonic_box.disarm(session, box)
            self.reverts_at = None
            running = self._read(connection)
            if readback.unmet(self.plan, running):
                self.touched = bool(readback.unrestored(self.plan, running))
                raise DeviceRefusedError(f"{connection.name} does not have its change any more")
            sonic_box.must(session, box, "sudo config save -y", timeout_s=120)
            self._check_saved(session, connection.name)
            self.confirmed = True
            sonic_box.forget(session, box)

        again(connection, self.options.clock, confirm)

    def rollback(self, connection: Connection) -> None:
        """Run the script that the timer would run, read back, and only then disarm."""
        if not self.touched:
            self.release(connection)
            return
        again(connection, self.options.clock, lambda: self._undo(connection))

    def release(self, connection: Connection) -> None:
        """Remove what was staged, and the lock."""
        if self._locked:
            again(connection, self.options.clock, lambda: sonic_box.forget(_shell(connection), self._box(connection)))
            self._locked = False

    def _undo(self, connection: Connection) -> None:
        session, box = _shell(connection), self._box(connection)
        # First of all: what we would read while a patch still runs says nothing.
        sonic_box.bar(session, box)
        if readback.unrestored(self.plan, self._read(connection)):
            self._say(connection, "rolling back")
            script, log = shlex.quote(box.file("rollback.sh")), shlex.quote(box.file("rollback.log"))
            try:
                session.run(f"/bin/sh {script} > {log} 2>&1", timeout_s=self._undo_s())
            except SessionLostError:
                reopen(connection, self.options.clock, APPLY_S)
                self._wait(connection)
            self._require(connection, self._settle(connection, self._unrestored, _SETTLE_RELOAD_S))
        session = _shell(connection)
        sonic_box.disarm(session, box)
        # A timer that had just fired could have run the script once more in between.
        self._require(connection, readback.unrestored(self.plan, self._read(connection)))
        self.reverts_at = None
        self.touched = False
        sonic_box.forget(session, box)

    def _stage(self, session: ShellSession, box: Box, before: bytes) -> None:
        undo = sonic_scripts.undo_patches(self.plan, self.vendor, before)
        sonic_box.must(session, box, f"mkdir -p -m 700 {shlex.quote(box.folder)}")
        for number, step in enumerate(self.plan.steps, 1):
            session.put(box.file(f"step-{number}.json"), step.content)
            session.put(box.file(f"step-{number}.sh"), sonic_scripts.step_script(box, number, step.kind))
        for number, patch in enumerate(undo, 1):
            if patch is not None:
                session.put(box.file(f"undo-{number}.json"), patch)
        session.put(box.file(sonic_scripts.SAVED), before)
        session.put(box.file("undo.sh"), sonic_scripts.undo_script(box, undo))
        session.put(box.file("rollback.sh"), sonic_scripts.rollback_script(box))

    def _patch(self, connection: Connection, number: int, step: Step) -> None:
        session, box = _shell(connection), self._box(connection)
        expected, tables = self._after(session.running(), step)
        document = shlex.quote(box.file(f"step-{number}.json"))
        sonic_box.must(session, box, f"sudo config apply-patch -d {document}", timeout_s=APPLY_S)

        def differences(running: Leaves) -> tuple[str, ...]:
            return readback.in_tables(expected, running, tables)

        try:
            result = self._run_step(connection, number)
        except SessionLostError:
            self._say(connection, "the session was lost, waiting for the patch to end")
            reopen(connection, self.options.clock)
            self._wait(connection)
        else:
            if result.exit_code != 0:
                raise self._refused(connection, number, result)
        self._require(connection, self._settle(connection, differences, _SETTLE_PATCH_S))

    def _reload(self, connection: Connection, number: int) -> None:
        try:
            result = self._run_step(connection, number)
        except SessionLostError:
            self._say(connection, "reloading, waiting for the switch to come back")
            reopen(connection, self.options.clock, APPLY_S)
            self._wait(connection)
            done = shlex.quote(self._box(connection).file(f"step-{number}.done"))
            result = _shell(connection).run(f"test -e {done}")
            budget_s = _SETTLE_RELOAD_S if result.exit_code == 0 else _SETTLE_PATCH_S
            if self._settle(connection, self._unmet, budget_s) and result.exit_code != 0:
                raise self._refused(connection, number, result) from None
        else:
            if result.exit_code != 0:
                raise self._refused(connection, number, result)
        self._require(connection, self._settle(connection, self._unmet, _SETTLE_RELOAD_S))

    def _run_step(self, connection: Connection, number: int) -> CommandResult:
        box = self._box(connection)
        script, log = shlex.quote(box.file(f"step-{number}.sh")), shlex.quote(box.file(f"step-{number}.log"))
        # To a file: a session that ends must not take the patch's output, and so the patch, with it.
        return _shell(connection).run(f"{box.locked(f'/bin/sh {script}')} > {log} 2>&1", timeout_s=APPLY_S)

    def _refused(self, connection: Connection, number: int, result: CommandResult) -> DeviceRefusedError:
        log = shlex.quote(self._box(connection).file(f"step-{number}.log"))
        printed = _shell(connection).run(f"cat {log}")
        told = sonic_box.last_words(printed) if printed.stdout.strip() else f"exit code {result.exit_code}"
        return DeviceRefusedError(f"{connection.name} refused step {number}: {told}")

    def _wait(self, connection: Connection) -> None:
        again(
            connection,
            self.options.clock,
            lambda: sonic_box.wait_for_patch(_shell(connection), self._box(connection)),
        )

    def _after(self, before: bytes, step: Step) -> tuple[Leaves, frozenset[str]]:
        device = self.plan.device
        after = sonic_scripts.after_step(device, before, step)
        tables = frozenset(_table(str(each["path"])) for each in json.loads(step.content))
        try:
            return self.vendor.parse(after), tables
        except ValueError as error:
            raise DeviceRefusedError(f"the patch does not fit what {device} runs: {error}") from None

    def _check_fresh(self, session: ShellSession) -> bytes:
        before = session.running()
        try:
            changed = readback.stale(self.plan, self.vendor.parse(before))
        except ValueError as error:
            raise DeviceRefusedError(
                f"the running configuration of {self.plan.device} cannot be read: {error}"
            ) from None
        if changed:
            raise StalePlanError(f"{self.plan.device} changed since the plan was made: {readback.words(changed)}")
        return before

    def _check_saved(self, session: ShellSession, device: str) -> None:
        content = session.run(f"sudo cat {_STARTUP}")
        try:
            missing = readback.unmet(self.plan, self.vendor.parse(content.stdout.encode()))
        except ValueError:
            missing = (_STARTUP,)
        if missing:
            raise DeviceRefusedError(
                f"{device} runs the change but did not save it: {readback.words(missing)}",
                help="on the switch: sudo config save -y; until then a reboot brings the old configuration back",
            )

    def _read(self, connection: Connection) -> Leaves:
        return read(connection.session(), self.vendor, connection.name)

    def _unmet(self, running: Leaves) -> tuple[str, ...]:
        return readback.unmet(self.plan, running)

    def _unrestored(self, running: Leaves) -> tuple[str, ...]:
        return readback.unrestored(self.plan, running)

    def _settle(self, connection: Connection, differences: readback.Differences, budget_s: float) -> tuple[str, ...]:
        return settle(connection, self.vendor, self.options.clock, differences, budget_s)

    def _require(self, connection: Connection, differences: tuple[str, ...]) -> None:
        if differences:
            raise DeviceRefusedError(f"{connection.name} does not have what it should: {readback.words(differences)}")

    def _guard_s(self) -> int:
        # A step is tried dry and then made, each within APPLY_S.
        return (2 * APPLY_S * len(self.plan.steps) + CHECKPOINT_S) * self.waves + self.options.confirm_s

    def _undo_s(self) -> int:
        return sonic_box.LOCK_S + APPLY_S * (len(self.plan.steps) + 1)

    def _in(self, seconds: int) -> datetime:
        return self.options.clock.now() + timedelta(seconds=seconds)

    def _box(self, connection: Connection) -> Box:
        return Box(connection.name, connection.user, self.options.run)

    def _say(self, connection: Connection, words: str) -> None:
        self.options.progress(connection.name, words)


def _shell(connection: Connection) -> ShellSession:
    return cast("ShellSession", connection.session())


def _table(pointer: str) -> str:
    # RFC 6901 §3: the first token is the table.
    return pointer.split("/")[1].replace("~1", "/").replace("~0", "~")
