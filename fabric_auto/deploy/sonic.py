"""A change on a SONiC switch: staged, guarded by a timer on the box, applied, read back, confirmed or undone.

The timer runs our own script: the inverse patches, or a reload of the configuration as it was read. (``config rollback``
fails once the buffer manager has made rows: sonic-buildimage issue 23907.) ``config apply-patch`` exits with 2 and leaves a
part of the change when it fails, so exit codes and texts decide nothing here: the configuration is read back each time.
"""

import json
import shlex
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, cast

import jsonpatch

from fabric_auto.deploy import readback, sonic_box
from fabric_auto.deploy.driver import again, read, reopen, settle
from fabric_auto.deploy.model import Options, StalePlanError
from fabric_auto.deploy.release import check_release
from fabric_auto.deploy.sonic_box import Box
from fabric_auto.plan.model import DevicePlan, Step
from fabric_auto.transport.base import DeviceRefusedError, SessionLostError, ShellSession
from fabric_auto.transport.connection import Connection
from fabric_auto.vendors.base import Leaves, Vendor

APPLY_S: Final = 900
"""Seconds for one step: sonic-mgmt gives GCU as much; a patch takes about one second a move."""

_SETTLE_PATCH_S: Final = 5.0
_SETTLE_LOST_S: Final = 120.0
_SETTLE_RELOAD_S: Final = 300.0
_SAVED: Final = "saved_config_db.json"
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
                self._reload(connection, box, number)
            else:
                self._patch(connection, box, number, step)
        self._require(connection, readback.unmet(self.plan, self._read(connection)))

    def hold(self, connection: Connection) -> None:
        """Arm the timer of the confirm window, then stop the one that guarded the change."""
        box = self._box(connection)

        def hold() -> None:
            session = _shell(connection)
            if not sonic_box.is_armed(session, box.confirm_unit):
                sonic_box.arm(session, box, box.confirm_unit, self.options.confirm_s)
            self.reverts_at = self._in(self.options.confirm_s)
            session.run(f"sudo systemctl stop {box.apply_unit}.timer")
            if sonic_box.is_armed(session, box.apply_unit):
                raise DeviceRefusedError(f"{connection.name} does not stop the timer {box.apply_unit}")

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
        if readback.unrestored(self.plan, self._read(connection)):
            self._say(connection, "rolling back")
            script, log = shlex.quote(box.file("rollback.sh")), shlex.quote(box.file("rollback.log"))
            try:
                session.run(f"/bin/sh {script} > {log} 2>&1", timeout_s=APPLY_S)
            except SessionLostError:
                reopen(connection, self.options.clock, APPLY_S)
            self._require(connection, self._settle(connection, self._unrestored, _SETTLE_RELOAD_S))
        session = _shell(connection)
        sonic_box.disarm(session, box)
        # A timer that had just fired could have run the script once more in between.
        self._require(connection, readback.unrestored(self.plan, self._read(connection)))
        self.reverts_at = None
        self.touched = False
        sonic_box.forget(session, box)

    def _stage(self, session: ShellSession, box: Box, before: bytes) -> None:
        sonic_box.must(session, box, f"mkdir -p -m 700 {shlex.quote(box.folder)}")
        for number, step in enumerate(self.plan.steps, 1):
            session.put(box.file(f"step-{number}.json"), step.content)
        for number, step in enumerate(self.plan.inverse, 1):
            session.put(box.file(f"inverse-{number}.json"), step.content)
        session.put(box.file(_SAVED), before)
        session.put(box.file("rollback.sh"), rollback_script(box, self.plan.inverse))

    def _patch(self, connection: Connection, box: Box, number: int, step: Step) -> None:
        session = _shell(connection)
        expected, tables = self._after(connection, session.running(), step)
        document, log = shlex.quote(box.file(f"step-{number}.json")), shlex.quote(box.file(f"step-{number}.log"))
        sonic_box.must(session, box, f"sudo config apply-patch -d {document}", timeout_s=APPLY_S)

        def differences(running: Leaves) -> tuple[str, ...]:
            return readback.in_tables(expected, running, tables)

        try:
            # To a file: a session that ends must not take the patch's output, and so the patch, with it.
            result = session.run(f"sudo config apply-patch {document} > {log} 2>&1", timeout_s=APPLY_S)
        except SessionLostError:
            self._say(connection, "the session was lost, reading back")
            reopen(connection, self.options.clock)
            self._require(connection, self._settle(connection, differences, _SETTLE_LOST_S))
            return
        if result.exit_code != 0:
            printed = sonic_box.last_words(session.run(f"cat {log}"))
            raise DeviceRefusedError(f"{connection.name} refused step {number}: {printed}")
        self._require(connection, self._settle(connection, differences, _SETTLE_PATCH_S))

    def _reload(self, connection: Connection, box: Box, number: int) -> None:
        document, log = shlex.quote(box.file(f"step-{number}.json")), shlex.quote(box.file(f"step-{number}.log"))
        try:
            # The exit code says nothing that the read-back does not: the session mostly ends before it is known.
            _shell(connection).run(f"sudo config reload -y -f {document} > {log} 2>&1", timeout_s=APPLY_S)
        except SessionLostError:
            self._say(connection, "reloading, waiting for the switch to come back")
            reopen(connection, self.options.clock, APPLY_S)
        self._require(connection, self._settle(connection, self._unmet, _SETTLE_RELOAD_S))

    def _after(self, connection: Connection, before: bytes, step: Step) -> tuple[Leaves, frozenset[str]]:
        try:
            operations = json.loads(step.content)
            document = jsonpatch.apply_patch(json.loads(before), operations)
            tables = frozenset(_table(str(each["path"])) for each in operations)
            return self.vendor.parse(json.dumps(document).encode()), tables
        except (jsonpatch.JsonPatchException, ValueError, KeyError, TypeError) as error:
            raise DeviceRefusedError(f"the patch does not fit what {connection.name} runs: {error}") from None

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
        return APPLY_S * self.waves + self.options.confirm_s

    def _in(self, seconds: int) -> datetime:
        return self.options.clock.now() + timedelta(seconds=seconds)

    def _box(self, connection: Connection) -> Box:
        return Box(connection.name, connection.user, self.options.run)

    def _say(self, connection: Connection, words: str) -> None:
        self.options.progress(connection.name, words)


def rollback_script(box: Box, inverse: tuple[Step, ...]) -> bytes:
    """Return the script that undoes a change: the inverse steps in order or, when one fails, the saved configuration.

    Plain lines for ``/bin/sh``: it may run without us, from a timer, as root.
    """
    commands = {"apply-patch": "sudo config apply-patch", "reload": "sudo config reload -y -f"}
    steps = [
        f"{commands[step.kind]} {shlex.quote(box.file(f'inverse-{number}.json'))}"
        for number, step in enumerate(inverse, 1)
    ]
    saved = f"sudo config reload -y -f {shlex.quote(box.file(_SAVED))}"
    line = f"{' && '.join(steps)} || {saved}" if steps else saved
    return f"#!/bin/sh\n# fabric-auto run {box.run}: undo\n{line}\n".encode()


def _shell(connection: Connection) -> ShellSession:
    return cast("ShellSession", connection.session())


def _table(pointer: str) -> str:
    # RFC 6901 §3: the first token is the table.
    return pointer.split("/")[1].replace("~1", "/").replace("~0", "~")
