"""A change on an SR Linux switch: lock, edit, validate, commit confirmed, read back, confirm and save, or cancel.

The candidate is one for the whole device and survives the sessions that edit it, so a half-made edit of ours is discarded
and somebody else's is never committed along. A confirmed commit with ``persist`` (RFC 6241 §8.4.1) outlives our session; it
is never followed by a second one, only by its confirmation or cancellation.
"""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, cast

from fabric_auto.deploy import readback
from fabric_auto.deploy.driver import again, read, reopen, settle
from fabric_auto.deploy.model import Options, StalePlanError
from fabric_auto.deploy.release import check_release
from fabric_auto.errors import FabricAutoError
from fabric_auto.plan.model import DevicePlan
from fabric_auto.transport.base import DeviceRefusedError, NetconfSession, SessionLostError
from fabric_auto.transport.connection import Connection
from fabric_auto.transport.srlinux import candidate_is_dirty
from fabric_auto.vendors.base import Leaves, Vendor

_SETTLE_S: Final = 5.0


@dataclass(slots=True)
class SrlinuxDriver:
    """One SR Linux switch's part of a deployment (:class:`fabric_auto.deploy.driver.Driver`)."""

    plan: DevicePlan
    vendor: Vendor
    options: Options
    touched: bool = False
    confirmed: bool = False
    reverts_at: datetime | None = None
    _locked: bool = field(default=False)

    def preflight(self, connection: Connection) -> None:
        """Refuse a commit that waits for its confirmation, others' edits, another release, and a plan that is stale."""
        session = _netconf(connection)
        pending = session.pending_commit()
        if pending is not None:
            raise DeviceRefusedError(
                f"{connection.name} has an unconfirmed commit ({pending})", help="let it be confirmed or revert"
            )
        if not self.options.discard_candidate and candidate_is_dirty(session):
            raise _dirty(connection.name)
        check_release(connection.name, session, "srlinux", self.options.releases.get(connection.name))
        self._check_fresh(connection)

    def lock(self, connection: Connection) -> None:
        """Lock the candidate, and look again whether it is clean."""
        session = _netconf(connection)
        try:
            session.lock()
        except DeviceRefusedError:
            # RFC 6241 §8.3.5.2: a candidate with uncommitted edits cannot be locked.
            if not (self.options.discard_candidate and candidate_is_dirty(session)):
                raise
            session.discard()
            session.lock()
        self._locked = True
        if not candidate_is_dirty(session):
            return
        if self.options.discard_candidate:
            session.discard()
            self.options.progress(connection.name, "discarded what others left in the candidate")
            return
        self._let_go(connection)
        raise _dirty(connection.name)

    def apply(self, connection: Connection) -> None:
        """Edit, validate, commit until confirmed, read back."""
        try:
            self._check_fresh(connection)
            self._edit(connection)
        except SessionLostError:
            with contextlib.suppress(FabricAutoError):
                reopen(connection, self.options.clock)
                self._clean(connection)
            raise
        self._commit(connection)
        self._require(connection, self._settle(connection, self._unmet))

    def hold(self, connection: Connection) -> None:
        """Do nothing: the window began with the commit."""

    def confirm(self, connection: Connection) -> None:
        """Confirm the commit, see that it stayed, and save it."""

        def confirm() -> None:
            session = _netconf(connection)
            if self._pending(session):
                session.confirm(self.options.run)
            # Without a pending commit it was confirmed before a session broke, or it has reverted; the read-back says which.
            running = self._read(connection)
            if readback.unmet(self.plan, running):
                self.reverts_at = None
                self.touched = bool(readback.unrestored(self.plan, running))
                raise DeviceRefusedError(f"{connection.name} does not have its change any more")
            if self._pending(session):
                raise DeviceRefusedError(f"{connection.name} took the confirmation, and still waits for it")
            self.reverts_at = None
            self._save(connection)
            self.confirmed = True

        try:
            again(connection, self.options.clock, confirm)
        finally:
            self._let_go(connection)

    def rollback(self, connection: Connection) -> None:
        """Cancel the commit, or see that it has reverted; leave a clean candidate."""
        if not self.touched:
            self.release(connection)
            return

        def rollback() -> None:
            session = _netconf(connection)
            if self._pending(session):
                session.cancel(self.options.run)
            self._require(connection, self._settle(connection, self._unrestored))
            self.reverts_at = None
            self.touched = False

        again(connection, self.options.clock, rollback)
        self._clean(connection)

    def release(self, connection: Connection) -> None:
        """Discard our edits, if any, and unlock."""
        if self._locked:
            self._clean(connection)

    def _save(self, connection: Connection) -> None:
        """Make the change outlive a reboot: a commit changes running alone unless the switch saves by itself."""
        try:
            startup = self.vendor.parse(_netconf(connection).save())
        except (DeviceRefusedError, ValueError) as error:
            missing = str(error)
        else:
            missing = readback.words(readback.unmet(self.plan, startup))
        if missing:
            raise DeviceRefusedError(
                f"{connection.name} runs the change but did not save it: {missing}",
                help="on the switch: save startup; until then a reboot brings the old configuration back",
            )

    def _edit(self, connection: Connection) -> None:
        session = _netconf(connection)
        try:
            for step in self.plan.steps:
                session.edit(step.content)
            session.validate()
        except DeviceRefusedError:
            self._clean(connection)
            raise

    def _commit(self, connection: Connection) -> None:
        self.options.progress(connection.name, "committing")
        self.touched = True
        self.reverts_at = self.options.clock.now() + timedelta(seconds=self.options.confirm_s)
        try:
            _netconf(connection).commit_confirmed(self.options.confirm_s, self.options.run)
        except DeviceRefusedError:
            if not self._pending(_netconf(connection)) and not readback.unrestored(self.plan, self._read(connection)):
                self._never_happened(connection)
            raise
        except SessionLostError:
            self.options.progress(connection.name, "the session was lost, looking for the commit")
            session = cast("NetconfSession", reopen(connection, self.options.clock))
            self._locked = False
            if self._pending(session) or not readback.unmet(self.plan, self._read(connection)):
                return
            self._never_happened(connection)
            raise

    def _never_happened(self, connection: Connection) -> None:
        self.touched = False
        self.reverts_at = None
        self._clean(connection)

    def _clean(self, connection: Connection) -> None:
        """Leave the candidate equal to running, and unlocked."""
        with contextlib.suppress(DeviceRefusedError, SessionLostError):
            _netconf(connection).discard()
        self._let_go(connection)

    def _let_go(self, connection: Connection) -> None:
        # A lock ends with its session (RFC 6241 §7.5), so one that cannot be given back is gone.
        if self._locked:
            with contextlib.suppress(DeviceRefusedError, SessionLostError):
                _netconf(connection).unlock()
            self._locked = False

    def _pending(self, session: NetconfSession) -> bool:
        return self.options.run in (session.pending_commit() or "")

    def _check_fresh(self, connection: Connection) -> None:
        changed = readback.stale(self.plan, self._read(connection))
        if changed:
            raise StalePlanError(f"{connection.name} changed since the plan was made: {readback.words(changed)}")

    def _read(self, connection: Connection) -> Leaves:
        return read(connection.session(), self.vendor, connection.name)

    def _unmet(self, running: Leaves) -> tuple[str, ...]:
        return readback.unmet(self.plan, running)

    def _unrestored(self, running: Leaves) -> tuple[str, ...]:
        return readback.unrestored(self.plan, running)

    def _settle(self, connection: Connection, differences: Callable[[Leaves], tuple[str, ...]]) -> tuple[str, ...]:
        return settle(connection, self.vendor, self.options.clock, differences, _SETTLE_S)

    def _require(self, connection: Connection, differences: tuple[str, ...]) -> None:
        if differences:
            raise DeviceRefusedError(f"{connection.name} does not have what it should: {readback.words(differences)}")


def _netconf(connection: Connection) -> NetconfSession:
    return cast("NetconfSession", connection.session())


def _dirty(device: str) -> DeviceRefusedError:
    return DeviceRefusedError(
        f"the candidate of {device} holds edits that somebody has not committed",
        help="on the switch, `diff` shows them: commit or discard them, or deploy with --discard-candidate",
    )
