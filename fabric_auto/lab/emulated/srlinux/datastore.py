"""The datastores running, candidate and startup: locks, edits, commits (RFC 6241 sections 5, 7 and 8)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from lxml.etree import _Element as Element

from fabric_auto.lab.emulated.srlinux import edit, schema
from fabric_auto.lab.emulated.srlinux.commit import CommitControl, Request
from fabric_auto.lab.emulated.srlinux.elements import copy_children, fingerprint
from fabric_auto.lab.emulated.srlinux.errors import RpcError, RpcErrors, locked

NAMES: Final = ("running", "candidate", "startup")


@dataclass(frozen=True, slots=True)
class EditRequest:
    """The parameters of an edit-config.

    Attributes:
        default_operation: ``merge``, ``replace`` or ``none``.
        keep_partial: error-option stop-on-error: what was applied before the error stays.
        test: ``set``, ``test-then-set`` or ``test-only`` (RFC 6241 section 8.6.4.1).
    """

    config: Element
    default_operation: str = "merge"
    keep_partial: bool = True
    test: str = "set"


class Datastores:
    """The device's configuration. A stored tree is never changed in place, so it may be read for as long as one likes.

    The candidate is one for all sessions: edits outlive the session that made them, and whoever commits commits them
    all. Locking it while it holds edits is granted, as on SR Linux, or refused by RFC 6241 section 7.5. Only an
    explicit unlock discards them (section 8.3.5.2).
    """

    def __init__(
        self,
        boot: Element,
        judge: Callable[[Element], Sequence[RpcError]],
        on_change: Callable[[], None],
        *,
        lock_dirty_candidate: bool = True,
    ) -> None:
        self.trees = {"running": boot, "candidate": copy_children(boot), "startup": copy_children(boot)}
        self.locks: dict[str, int] = {}
        self.commits = CommitControl(self._restore)
        self._judge, self._on_change, self._lock_dirty = judge, on_change, lock_dirty_candidate

    @property
    def running(self) -> Element:
        """The running configuration."""
        return self.trees["running"]

    @property
    def dirty(self) -> bool:
        """True when the candidate differs from running."""
        return fingerprint(self.trees["candidate"]) != fingerprint(self.running)

    def lock(self, name: str, session: int) -> None:
        """Lock a datastore.

        Raises:
            RpcError: ``lock-denied`` with the holder's session-id, 0 when that is none.
        """
        pending = self.commits.pending
        if name in self.locks:
            raise locked(self.locks[name])
        if name == "candidate" and not self._lock_dirty and self.dirty:
            raise locked(0)
        if name == "running" and pending is not None and pending.owner != session:
            raise locked(pending.owner)
        self.locks[name] = session

    def unlock(self, name: str, session: int) -> None:
        """Release a lock; the candidate's uncommitted changes go with it.

        Raises:
            RpcError: ``operation-failed``, the session does not hold it.
        """
        if self.locks.get(name) != session:
            raise RpcError("operation-failed", f'Session does not hold the lock of "{name}".', layer="protocol")
        del self.locks[name]
        if name == "candidate":
            self._reset_candidate()

    def edit(self, name: str, session: int, request: EditRequest) -> None:
        """Apply an edit-config. Names and values are checked before anything is applied.

        Raises:
            RpcError: the edit is refused.
            RpcErrors: a test was asked for, or running was the target, and the result is not valid.
        """
        self._guard(name, session)
        schema.check(request.config)
        work = copy_children(self.trees[name])
        try:
            edit.apply(work, request.config, request.default_operation)
        except RpcError:
            if request.keep_partial and name != "running":
                self.trees[name] = work
            raise
        if request.test != "set":
            self.validate(work)
        if request.test != "test-only":
            self._store(name, work)

    def copy(self, name: str, session: int, source: Element) -> None:
        """Make ``source`` the whole content of a datastore (RFC 6241 section 7.3).

        Raises:
            RpcError: locked, or the source has unknown names or wrong values.
            RpcErrors: running was the target and would not be valid.
        """
        self._guard(name, session)
        schema.check(source)
        self._store(name, copy_children(source))

    def validate(self, config: Element) -> None:
        """Check a whole configuration.

        Raises:
            RpcError: a name or value is wrong.
            RpcErrors: rules are broken.
        """
        schema.check(config)
        errors = self._judge(config)
        if errors:
            raise RpcErrors(errors)

    def commit(self, session: int, request: Request) -> None:
        """Make the candidate the running configuration; confirm what was pending unless this one is confirmed too.

        Raises:
            RpcError: locked, or something is pending that the session may not confirm.
            RpcErrors: the candidate is not valid; running is unchanged.
        """
        self._guard("candidate", session)
        self._guard("running", session)
        self.commits.admit(session, request.persist_id)
        self.validate(self.trees["candidate"])
        before = self.running
        self.trees["running"] = copy_children(self.trees["candidate"])
        self.commits.committed(session, request, before)
        self._on_change()

    def cancel(self, session: int, persist_id: str | None) -> None:
        """Revert the pending confirmed commit (RFC 6241 section 8.4.4.1).

        Raises:
            RpcError: ``operation-failed`` when nothing is pending, else as :meth:`CommitControl.admit`.
        """
        if self.commits.pending is None:
            raise RpcError("operation-failed", "There is no pending confirmed commit.", layer="protocol")
        self.commits.admit(session, persist_id)
        self.commits.revert()

    def discard(self, session: int) -> None:
        """Make the candidate equal to running.

        Raises:
            RpcError: ``lock-denied``.
        """
        self._guard("candidate", session)
        self._reset_candidate()

    def session_ended(self, session: int) -> None:
        """Release the session's locks and revert its commit if it was to die with it; the candidate keeps its edits."""
        self.locks = {name: holder for name, holder in self.locks.items() if holder != session}
        self.commits.session_ended(session)

    def _guard(self, name: str, session: int) -> None:
        holder = self.locks.get(name, session)
        if holder != session:
            raise locked(holder)

    def _store(self, name: str, tree: Element) -> None:
        if name != "running":
            self.trees[name] = tree
            return
        self.validate(tree)
        self._replace_running(tree)

    def _restore(self, saved: Element) -> None:
        self._replace_running(saved)

    def _replace_running(self, tree: Element) -> None:
        clean = not self.dirty
        self.trees["running"] = tree
        if clean:
            self._reset_candidate()
        self._on_change()

    def _reset_candidate(self) -> None:
        self.trees["candidate"] = copy_children(self.running)
