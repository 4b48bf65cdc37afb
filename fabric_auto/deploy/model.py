"""What a deployment is told, and what came of it."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from time import sleep

from fabric_auto.diagnostics import Diagnostic
from fabric_auto.errors import FabricAutoError
from fabric_auto.transport.connection import Progress, quietly


class StalePlanError(FabricAutoError):
    """The device is no longer as it was when the plan was made."""

    def __init__(self, message: str) -> None:
        super().__init__(message, help="plan again, and look at what changed", exit_code=4)


class Status(StrEnum):
    """How a deployment left a device."""

    UNCHANGED = "unchanged"
    CONFIRMED = "confirmed"
    ROLLED_BACK = "rolled back"
    PENDING = "pending"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class DeviceOutcome:
    """How a deployment left one device.

    Attributes:
        reason: why it is so; empty when nothing needs saying.
        reverts_at: when a pending change reverts by itself, on this machine's clock.
        help: what to do about it; empty when nothing needs doing.
    """

    device: str
    status: Status
    reason: str = ""
    reverts_at: datetime | None = None
    help: str = ""

    def __str__(self) -> str:
        until = f" until {self.reverts_at.astimezone(UTC):%H:%M:%S} UTC" if self.reverts_at is not None else ""
        return f"{self.device}: {self.status}{until}" + (f" ({self.reason})" if self.reason else "")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a deployment.

    Attributes:
        message: one line.
        devices: every device of the plan, by name.
        findings: what the verification gate found.
        exit_code: of the command (architecture.md, "Exit codes"): 0, 1, 4, 5, 6 or 130.
    """

    run: str
    message: str
    devices: tuple[DeviceOutcome, ...]
    findings: tuple[Diagnostic, ...]
    exit_code: int

    def of(self, device: str) -> DeviceOutcome:
        """Return one device's outcome; KeyError when the plan did not have it."""
        return next((each for each in self.devices if each.device == device), None) or _absent(device)


def _absent(device: str) -> DeviceOutcome:
    raise KeyError(device)


@dataclass(frozen=True, slots=True)
class Clock:
    """Time, so that tests need not wait for it."""

    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    sleep: Callable[[float], None] = sleep


@dataclass(frozen=True, slots=True)
class Options:
    """How a deployment runs.

    Attributes:
        run: its name: lower-case letters, digits and hyphens.
        owner: who runs it, as locks name them (``user@host``).
        confirm_s: seconds until an unconfirmed change reverts by itself.
        forks: devices worked on at a time.
        discard_candidate: throw away what others left in an SR Linux candidate.
        releases: the NOS release each device was compiled for; a device without one is not asked.
    """

    run: str
    owner: str
    confirm_s: int = 300
    forks: int = 20
    discard_candidate: bool = False
    releases: Mapping[str, str] = field(default_factory=dict)
    progress: Progress = quietly
    clock: Clock = field(default_factory=Clock)


def new_run(now: datetime) -> str:
    """Return a name for a run: sortable by time, and fit for file, systemd unit and checkpoint names."""
    return f"{now.astimezone(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"
