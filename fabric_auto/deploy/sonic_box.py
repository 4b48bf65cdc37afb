"""What a deployment keeps on a SONiC switch: a folder of its own, a lock, and the timer that undoes it.

The box has neither a lock nor a confirmed commit (generic_config_updater takes no lock and does not roll back), so both are
made of what a Linux system has: ``mkdir``, which is atomic, and a transient systemd timer. The lock is in a folder that all
logins share and that a reboot empties, as it should: a reboot forgets the timer too.
"""

import contextlib
import json
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from fabric_auto.transport.base import CommandResult, DeviceRefusedError, SessionLostError, ShellSession

TIMER_PREFIX: Final = "fabric-auto-"
LOCK: Final = "/run/fabric-auto.lock"
BUSY: Final = 75
"""Exit code (sysexits.h, EX_TEMPFAIL) of a command of ours that did not get the lock of :meth:`Box.locked`, or came too late."""

LOCK_S: Final = 1800
"""Seconds that a command waits for what still changes the configuration; that ends earlier, by its own time limit."""

_EMPTY_WORDS: Final = ("Aborted!", "Released lock on ")
"""What ``config reload`` prints after it said why it does not reload (sonic-utilities, config/main.py)."""

_RUN: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")


@dataclass(frozen=True, slots=True)
class Box:
    """Names and paths of one run on one switch.

    Attributes:
        device: its name, for messages.
        user: the user who is logged in.
        run: the deployment's name.
    """

    device: str
    user: str
    run: str

    def __post_init__(self) -> None:
        # These go into command lines and unit names; both come from files that people write.
        if not self.run or not set(self.run) <= _RUN:
            raise ValueError(f"not a run's name: {self.run!r}")

    @property
    def base(self) -> str:
        """The tool's folder."""
        home = "/root" if self.user == "root" else f"/home/{self.user}"
        return f"{home}/.fabric-auto"

    @property
    def folder(self) -> str:
        """The run's folder."""
        return f"{self.base}/{self.run}"

    @property
    def lock(self) -> str:
        """The lock: a folder, so that making it says whether it was there."""
        return LOCK

    @property
    def checkpoint(self) -> str:
        """The checkpoint's name (``config checkpoint``)."""
        return f"fab-{self.run}"

    @property
    def apply_unit(self) -> str:
        """The timer that runs while the change is made."""
        return f"{TIMER_PREFIX}{self.run}"

    @property
    def confirm_unit(self) -> str:
        """The timer that runs while the change waits to be confirmed."""
        return f"{TIMER_PREFIX}{self.run}-confirm"

    def file(self, name: str) -> str:
        """Return the path of a file of the run."""
        return f"{self.folder}/{name}"

    def locked(self, command: str) -> str:
        """Return a command line that runs a command as root once nothing of the run changes the configuration any more."""
        # flock runs as root and not sudo under it: sudo closes the file that is the lock, and a patch must keep it open.
        return f"sudo flock -E {BUSY} -w {LOCK_S} {_quoted(self.file('patching'))} {command}"


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds the lock on a switch; ``expires`` is in seconds of the switch's own clock."""

    run: str
    owner: str
    expires: int


def must(session: ShellSession, box: Box, command: str, *, timeout_s: float = 60) -> CommandResult:
    """Run a command that has to succeed.

    Raises:
        DeviceRefusedError: its exit code is not 0; with its last words.
    """
    result = session.run(command, timeout_s=timeout_s)
    if result.exit_code != 0:
        raise DeviceRefusedError(f"{box.device} refused `{command}`: {last_words(result)}")
    return result


def last_words(result: CommandResult) -> str:
    """Return the last line that a command printed and that says anything."""
    lines = [each.strip() for each in (result.stderr.strip() or result.stdout.strip()).splitlines()]
    telling = [each for each in lines if each and not each.startswith(_EMPTY_WORDS)]
    return (telling or lines or [f"exit code {result.exit_code}"])[-1]


def clock_of(session: ShellSession, box: Box) -> int:
    """Return the switch's clock, in seconds since 1970."""
    text = must(session, box, "date +%s").stdout.strip()
    if not text.isdigit():
        raise DeviceRefusedError(f"{box.device} does not tell the time: {text[:40]!r}")
    return int(text)


def holder(session: ShellSession, box: Box) -> Holder | None:
    """Return who holds the lock; None when it is free.

    Raises:
        DeviceRefusedError: there is a lock that says nothing of its owner.
    """
    if session.run(f"test -d {box.lock}").exit_code != 0:
        return None
    try:
        value = json.loads(session.run(f"sudo cat {box.lock}/owner").stdout)
        return Holder(str(value["run"]), str(value["owner"]), int(value["expires"]))
    except (ValueError, KeyError, TypeError):
        raise DeviceRefusedError(
            f"{box.device} is locked by somebody who left no name in {box.lock}",
            help=f"make sure that nobody deploys to it, then on the switch: sudo rm -r {box.lock}",
        ) from None


def check_free(session: ShellSession, box: Box) -> Holder | None:
    """Return an expired holder, to be taken over, or None.

    Raises:
        DeviceRefusedError: somebody holds the lock and it has not expired.
    """
    found = holder(session, box)
    if found is None or found.run == box.run:
        return None
    left = found.expires - clock_of(session, box)
    if left > 0:
        raise DeviceRefusedError(
            f"{box.device} is locked by {found.owner}, run {found.run}, for another {left} s",
            help="wait for that deployment to end",
        )
    return found


def take_lock(session: ShellSession, box: Box, owner: str, lease_s: int) -> Holder | None:
    """Take the lock for at most ``lease_s`` seconds. Return the holder whose expired lock was taken over, if any.

    Raises:
        DeviceRefusedError: somebody else holds it.
    """
    expired = check_free(session, box)
    if expired is not None:
        # Of two who see the same expired lock, one gets to move it away.
        aside = f"{box.lock}-{box.run}"
        must(session, box, f"sudo mv {box.lock} {aside}")
        must(session, box, f"sudo rm -rf {aside}")
    content = json.dumps({"run": box.run, "owner": owner, "expires": clock_of(session, box) + lease_s})
    # In one line: a session that is lost between the two would leave a lock without a name.
    write = f"echo {_quoted(content)} | sudo tee {box.lock}/owner > /dev/null"
    if session.run(f"sudo mkdir -m 755 {box.lock} && {write}").exit_code != 0:
        found = holder(session, box)
        if found is None or found.run != box.run:
            who = f"{found.owner}, run {found.run}" if found is not None else "somebody else"
            raise DeviceRefusedError(
                f"{box.device} was locked by {who} a moment ago", help="wait for that deployment to end"
            )
    return expired


def drop_lock(session: ShellSession, box: Box) -> None:
    """Give the lock back; somebody else's is left alone."""
    found = holder(session, box)
    if found is not None and found.run == box.run:
        must(session, box, f"sudo rm -rf {box.lock}")


def armed(session: ShellSession) -> Iterator[str]:
    """Yield the timers of any run that wait to undo its change."""
    for word in session.run("systemctl list-timers --all").stdout.split():
        if word.startswith(TIMER_PREFIX) and word.endswith(".timer"):
            yield word.removesuffix(".timer")


def armed_by_others(session: ShellSession, box: Box) -> str | None:
    """Return the timer of another run that waits to undo its change, or None."""
    return next((unit for unit in armed(session) if not unit.startswith(box.apply_unit)), None)


def arm(session: ShellSession, box: Box, unit: str, seconds: int) -> None:
    """Start a timer that runs the run's rollback script after ``seconds``.

    Raises:
        DeviceRefusedError: it does not run.
    """
    script = _quoted(box.file("rollback.sh"))
    # systemd may fire a minute late to save wake-ups (systemd.timer(5), AccuracySec); a window is a window.
    when = f"--on-active={seconds}s --timer-property=AccuracySec=1s"
    must(session, box, f"sudo systemd-run {when} --unit={unit} --collect /bin/sh {script}")
    if not is_armed(session, unit):
        raise DeviceRefusedError(f"{box.device} says that the timer {unit} was started, and it does not run")


def is_armed(session: ShellSession, unit: str) -> bool:
    """Return True while a timer waits."""
    return session.run(f"systemctl is-active {unit}.timer").exit_code == 0


def must_stand(session: ShellSession, box: Box) -> None:
    """See that the switch has not begun to undo the change by itself.

    Raises:
        DeviceRefusedError: it has; the timer that guards the change fired.
    """
    runs = session.run(f"systemctl is-active {box.apply_unit}.service").exit_code == 0
    if runs or session.run(f"test -e {_quoted(box.file('undoing'))}").exit_code == 0:
        raise DeviceRefusedError(f"{box.device} is undoing the change by itself: its timer {box.apply_unit} fired")


def wait_for_patch(session: ShellSession, box: Box) -> None:
    """Wait until nothing of the run changes the configuration.

    Raises:
        DeviceRefusedError: something does for too long.
    """
    result = session.run(box.locked("true"), timeout_s=LOCK_S + 60)
    if result.exit_code != 0:
        raise DeviceRefusedError(f"{box.device} is still being changed by run {box.run}: {last_words(result)}")


def bar(session: ShellSession, box: Box) -> None:
    """Wait until nothing of the run changes the configuration, and let no further step begin.

    Raises:
        DeviceRefusedError: it could not be done.
    """
    must(session, box, box.locked(f"mkdir -p {_quoted(box.file('undoing'))}"), timeout_s=LOCK_S + 60)


def disarm(session: ShellSession, box: Box) -> None:
    """Stop the run's timers.

    Raises:
        DeviceRefusedError: one of them still waits, or its script is running.
    """
    for unit in (box.apply_unit, box.confirm_unit):
        if is_armed(session, unit):
            session.run(f"sudo systemctl stop {unit}.timer")
        if is_armed(session, unit):
            raise DeviceRefusedError(f"{box.device} does not stop the timer {unit}")
        if session.run(f"systemctl is-active {unit}.service").exit_code == 0:
            raise DeviceRefusedError(f"{box.device} is undoing the change by itself, by {unit}")


def forget(session: ShellSession, box: Box) -> None:
    """Remove the run's checkpoint, folder and lock. What cannot be removed does no harm: the lock expires."""
    with contextlib.suppress(DeviceRefusedError, SessionLostError):
        session.run(f"sudo config delete-checkpoint {box.checkpoint}", timeout_s=120)
        session.run(f"rm -rf {_quoted(box.folder)}")
        drop_lock(session, box)


def _quoted(path: str) -> str:
    return shlex.quote(path)
