"""The confirmed commit in progress (RFC 6241 section 8.4) and the record of commits the device keeps."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from lxml.etree import _Element as Element

from fabric_auto.lab.emulated.srlinux.errors import RpcError, invalid

_KEPT = 10


@dataclass(frozen=True, slots=True)
class CommitRecord:
    """One commit, as ``/system/configuration/commit`` shows it.

    Attributes:
        status: ``unconfirmed``, ``complete`` or ``failed`` (srl_nokia-configuration, ``commit-status``).
        started: UTC, RFC 3339.
    """

    number: int
    status: str
    persist_id: str
    started: str


@dataclass(frozen=True, slots=True)
class Request:
    """The parameters of a commit.

    Attributes:
        timeout: seconds.
        persist, persist_id: None when not given.
    """

    confirmed: bool = False
    timeout: int = 600
    persist: str | None = None
    persist_id: str | None = None


@dataclass(frozen=True, slots=True)
class Pending:
    """A commit that waits for its confirmation.

    Attributes:
        saved: what running was before the first commit of the sequence; a follow-up must not overwrite it.
        owner: session that issued it.
        persist: the token when it outlives its session, else None.
    """

    saved: Element
    owner: int
    persist: str | None
    timer: asyncio.TimerHandle


@dataclass(slots=True)
class CommitControl:
    """What is pending, its timer, and the record.

    Attributes:
        restore: called with the saved configuration when a confirmed commit is not confirmed.
    """

    restore: Callable[[Element], None]
    pending: Pending | None = None
    records: list[CommitRecord] = field(default_factory=list)
    _count: int = 0

    def admit(self, session: int, persist_id: str | None) -> None:
        """Check that the session may confirm, follow up or cancel what is pending.

        Raises:
            RpcError: ``invalid-value`` for a wrong persist-id, ``in-use`` when it is another session's.
        """
        if self.pending is None:
            if persist_id is not None:
                raise invalid("persist-id", persist_id, layer="protocol")
        elif self.pending.persist is not None:
            if persist_id != self.pending.persist:
                raise invalid("persist-id", persist_id or "", layer="protocol")
        elif persist_id is not None:
            raise invalid("persist-id", persist_id, layer="protocol")
        elif self.pending.owner != session:
            message = f"A confirmed commit of session {self.pending.owner} is pending."
            raise RpcError("in-use", message, layer="protocol")

    def committed(self, session: int, request: Request, before: Element) -> None:
        """Record a commit that was made, and start, extend or end the wait for a confirmation.

        Args:
            session: who committed.
            request: its parameters, already admitted.
            before: running as it was before this commit.
        """
        earlier = self.pending
        self._stop()
        if earlier is not None:
            self._finish("complete")
        self._count += 1
        status = "unconfirmed" if request.confirmed else "complete"
        persist = request.persist
        if earlier is not None and persist is None:
            persist = earlier.persist
        record = CommitRecord(self._count, status, (persist or "") if request.confirmed else "", _now())
        self.records = [*self.records, record][-_KEPT:]
        if request.confirmed:
            timer = asyncio.get_running_loop().call_later(request.timeout, self.revert)
            self.pending = Pending(earlier.saved if earlier else before, session, persist, timer)

    def revert(self) -> None:
        """Restore what running was before; nothing when nothing is pending."""
        if self.pending is None:
            return
        saved = self.pending.saved
        self._stop()
        self._finish("failed")
        self.restore(saved)

    def session_ended(self, session: int) -> None:
        """Revert at once when the session's commit was to die with it (RFC 6241 section 8.4.1)."""
        if self.pending is not None and self.pending.persist is None and self.pending.owner == session:
            self.revert()

    def stop(self) -> None:
        """Forget what is pending without restoring anything: the device goes down."""
        self._stop()

    def _stop(self) -> None:
        if self.pending is not None:
            self.pending.timer.cancel()
            self.pending = None

    def _finish(self, status: str) -> None:
        self.records = [replace(each, status=status) if each.status == "unconfirmed" else each for each in self.records]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
