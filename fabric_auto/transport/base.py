"""What deployment and verification need of a device session."""

from dataclasses import dataclass
from typing import Protocol

from fabric_auto.errors import FabricAutoError


class UnreachableError(FabricAutoError):
    """The device could not be reached, or refused us, before anything was done."""


class SessionLostError(FabricAutoError):
    """The session ended in the middle: what was asked last may or may not have happened."""


class DeviceRefusedError(FabricAutoError):
    """The device answered, and the answer was no; ``message`` has its words."""


@dataclass(frozen=True, slots=True)
class CommandResult:
    """What a command on the box printed and returned."""

    command: str
    exit_code: int
    stdout: str
    stderr: str


class Session(Protocol):
    """A session with one device."""

    def running(self) -> bytes:
        """Return the running configuration: CONFIG_DB JSON, or a NETCONF ``<data>`` element."""
        ...

    def ask(self, question: str) -> str:
        """Answer a question of ``Vendor.questions``: a command's output, or a ``<data>`` element."""
        ...

    def close(self) -> None:
        """End the session; never raises."""
        ...


class ShellSession(Session, Protocol):
    """A SONiC session."""

    def run(self, command: str, *, timeout_s: float = 60) -> CommandResult:
        """Run a command line; a non-zero exit code is a result, not an error.

        Raises:
            SessionLostError: no answer, or the session ended.
        """
        ...

    def put(self, path: str, content: bytes, mode: int = 0o600) -> None:
        """Write a file on the box by SFTP, readable by its owner alone."""
        ...

    def get(self, path: str) -> bytes:
        """Read a file from the box by SFTP."""
        ...


class NetconfSession(Session, Protocol):
    """An SR Linux session. Each method is one RPC; an ``<rpc-error>`` raises :class:`DeviceRefusedError`."""

    def lock(self) -> None:
        """Lock the candidate."""
        ...

    def unlock(self) -> None:
        """Unlock the candidate."""
        ...

    def candidate(self) -> bytes:
        """Return the candidate configuration."""
        ...

    def discard(self) -> None:
        """Discard the candidate's changes."""
        ...

    def edit(self, config: bytes) -> None:
        """Edit the candidate with a ``<config>`` document (rollback-on-error)."""
        ...

    def validate(self) -> None:
        """Validate the candidate."""
        ...

    def commit_confirmed(self, timeout_s: int, persist: str) -> None:
        """Commit; the device rolls back by itself after ``timeout_s`` unless confirmed (RFC 6241 §8.4)."""
        ...

    def confirm(self, persist: str) -> None:
        """Confirm a commit."""
        ...

    def cancel(self, persist: str) -> None:
        """Roll a confirmed commit back now."""
        ...

    def save(self) -> bytes:
        """Copy running to startup, and return what startup then holds: a NETCONF ``<data>`` element."""
        ...

    def pending_commit(self) -> str | None:
        """Return the description of an unconfirmed commit on the device, or None."""
        ...
