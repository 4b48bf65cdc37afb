"""The steps of a deployment that every NOS takes its own way."""

from collections.abc import Callable
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, Protocol, TypeVar

from fabric_auto.deploy.model import Clock
from fabric_auto.plan.model import DevicePlan
from fabric_auto.transport.base import DeviceRefusedError, Session, SessionLostError, UnreachableError
from fabric_auto.transport.connection import Connection, reconnect
from fabric_auto.vendors.base import Leaves, Vendor

T = TypeVar("T")

RECONNECT_S: Final = 120.0
_FIRST_WAIT_S: Final = 0.5
_LONGEST_WAIT_S: Final = 5.0


class Phase(StrEnum):
    """What is done to a device, in order; a rollback or release ends it early."""

    PREFLIGHT = "preflight"
    LOCK = "lock"
    APPLY = "apply"
    HOLD = "hold"
    CONFIRM = "confirm"
    ROLLBACK = "rollback"
    RELEASE = "release"


class Driver(Protocol):
    """One device's part of a deployment. A step raises a FabricAutoError when it could not be done.

    Attributes:
        touched: the running configuration may differ from the planned start.
        confirmed: the change stays.
        reverts_at: when the device reverts by itself; None when nothing on it would.
    """

    plan: DevicePlan
    touched: bool
    confirmed: bool
    reverts_at: datetime | None

    def preflight(self, connection: Connection) -> None:
        """Look whether the deployment may start; changes nothing."""
        ...

    def lock(self, connection: Connection) -> None:
        """Keep others out."""
        ...

    def apply(self, connection: Connection) -> None:
        """Make the change, so that it reverts by itself, and read it back."""
        ...

    def hold(self, connection: Connection) -> None:
        """Start the confirm window, once every device has the change."""
        ...

    def confirm(self, connection: Connection) -> None:
        """Make the change stay, and let go of the device."""
        ...

    def rollback(self, connection: Connection) -> None:
        """Bring the planned start back now, read it back, and let go of the device."""
        ...

    def release(self, connection: Connection) -> None:
        """Let go of a device that was locked and not touched."""
        ...


def step_of(driver: Driver, phase: Phase) -> Callable[[Connection], None]:
    """Return what a driver does in a phase."""
    return {
        Phase.PREFLIGHT: driver.preflight,
        Phase.LOCK: driver.lock,
        Phase.APPLY: driver.apply,
        Phase.HOLD: driver.hold,
        Phase.CONFIRM: driver.confirm,
        Phase.ROLLBACK: driver.rollback,
        Phase.RELEASE: driver.release,
    }[phase]


def read(session: Session, vendor: Vendor, device: str) -> Leaves:
    """Return the running configuration as leaves.

    Raises:
        DeviceRefusedError: what the device gave is not a configuration.
    """
    try:
        return vendor.parse(session.running())
    except ValueError as error:
        raise DeviceRefusedError(f"the running configuration of {device} cannot be read: {error}") from None


def again(connection: Connection, clock: Clock, action: Callable[[], T], budget_s: float = RECONNECT_S) -> T:
    """Do something that may be done twice; when the session is lost in it, or before it, connect again and do it once more."""
    try:
        return action()
    except (SessionLostError, UnreachableError):
        reopen(connection, clock, budget_s)
        return action()


def reopen(connection: Connection, clock: Clock, budget_s: float = RECONNECT_S) -> Session:
    """Open a lost session again.

    Raises:
        UnreachableError: not within ``budget_s``.
    """
    return reconnect(connection, budget_s, now=lambda: clock.now().timestamp(), sleep=clock.sleep)


def settle(
    connection: Connection,
    vendor: Vendor,
    clock: Clock,
    differences: Callable[[Leaves], tuple[str, ...]],
    budget_s: float,
) -> tuple[str, ...]:
    """Read a device back until it is as wanted, connecting again where needed.

    Returns:
        What still differs when ``budget_s`` is over; nothing when all is well.
    """
    deadline = clock.now() + timedelta(seconds=budget_s)
    wait = _FIRST_WAIT_S
    while True:
        try:
            found = differences(read(connection.session(), vendor, connection.name))
        except SessionLostError:
            reopen(connection, clock, max(RECONNECT_S, (deadline - clock.now()).total_seconds()))
            found = ("the session was lost",)
        except DeviceRefusedError as error:
            # The configuration database is away for a moment while it is loaded.
            found = (error.message,)
        if not found or clock.now() + timedelta(seconds=wait) > deadline:
            return found
        clock.sleep(wait)
        wait = min(2 * wait, _LONGEST_WAIT_S)
