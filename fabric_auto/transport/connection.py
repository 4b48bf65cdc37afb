"""What a task has of one device: its session, opened when first asked for and opened anew when it was lost."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar

from fabric_auto.errors import FabricAutoError
from fabric_auto.transport.base import Session, UnreachableError

T = TypeVar("T")

Progress = Callable[[str, str], None]
"""Told (device, what it does now), from any thread."""

_FIRST_WAIT_S: Final = 0.5
_LONGEST_WAIT_S: Final = 5.0


def quietly(_device: str, _words: str) -> None:
    """Report nothing."""


@dataclass(frozen=True, slots=True)
class Result(Generic[T]):
    """What a task gave for one device: a value, or the error that ended it, or neither when it was not started."""

    value: T | None = None
    error: Exception | None = None
    started: bool = True

    @property
    def ok(self) -> bool:
        """The task ran to its end."""
        return self.started and self.error is None

    @property
    def words(self) -> str:
        """Why there is no value, in one line."""
        if not self.started:
            return "not started"
        if isinstance(self.error, FabricAutoError):
            return self.error.message
        return f"internal error: {self.error!r}" if self.error is not None else ""


class Connection(Protocol):
    """One device of a fleet, as a task has it."""

    name: str
    user: str

    def session(self) -> Session:
        """Return the session; opens it when there is none.

        Raises:
            UnreachableError: it cannot be opened.
        """
        ...

    def reopen(self) -> Session:
        """Drop the session, if any, and open another.

        Raises:
            UnreachableError: it cannot be opened.
        """
        ...


class Fleet(Protocol):
    """Devices that tasks run on, many at a time."""

    def run(
        self,
        names: Iterable[str],
        task: Callable[[Connection], T],
        *,
        forks: int = 20,
        progress: Progress = quietly,
        stop: Callable[[], bool] = lambda: False,
    ) -> dict[str, Result[T]]:
        """Run a task on each named device, at most ``forks`` at a time.

        A device's failure is its result's ``error``; nothing is raised in the middle. Once ``stop()`` is true no further
        device is started.
        """
        ...


def reconnect(
    connection: Connection,
    budget_s: float,
    *,
    now: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Session:
    """Open a lost session again, with growing pauses, for as long as the budget lasts.

    Raises:
        UnreachableError: the last attempt's, when the budget is spent.
    """
    deadline = now() + budget_s
    wait = _FIRST_WAIT_S
    while True:
        try:
            return connection.reopen()
        except UnreachableError:
            if now() + wait > deadline:
                raise
        sleep(wait)
        wait = min(2 * wait, _LONGEST_WAIT_S)
