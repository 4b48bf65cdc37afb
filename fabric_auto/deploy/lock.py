"""The project's lock: one deployment at a time from one project folder, ``.fabric-auto/lock``."""

import contextlib
import getpass
import json
import os
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from fabric_auto.errors import FabricAutoError


@dataclass(frozen=True, slots=True)
class LockHolder:
    """Who holds the lock; ``since`` is in ISO 8601."""

    user: str
    host: str
    pid: int
    since: str

    def __str__(self) -> str:
        return f"{self.user}@{self.host}, process {self.pid}, since {self.since}"


def owner() -> str:
    """Return who we are, as locks name us: ``user@host``."""
    return f"{getpass.getuser()}@{socket.gethostname()}"


def lock_path(project: Path) -> Path:
    """Return where the lock of a project is."""
    return project / ".fabric-auto" / "lock"


def held(project: Path) -> LockHolder | None:
    """Return who holds the lock, alive or not; None when it is free.

    Raises:
        FabricAutoError: there is a lock that cannot be read.
    """
    path = lock_path(project)
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        return LockHolder(str(value["user"]), str(value["host"]), int(value["pid"]), str(value["since"]))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError):
        raise FabricAutoError(f"the lock {path} cannot be read", help="fabric-auto force-unlock") from None


@contextlib.contextmanager
def project_lock(project: Path) -> Iterator[None]:
    """Hold the project's lock.

    A lock whose process on this machine is gone is taken over. Of one on another machine nothing is known: it stays.

    Raises:
        FabricAutoError: somebody else holds it.
    """
    path = lock_path(project)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    ours = LockHolder(
        getpass.getuser(), socket.gethostname(), os.getpid(), datetime.now(UTC).isoformat(timespec="seconds")
    )
    if not _take(path, ours):
        found = held(project)
        if found is not None:
            if _alive(found):
                raise FabricAutoError(
                    f"the project is locked by {found}",
                    help="wait for it to end; if it is gone: fabric-auto force-unlock",
                )
            path.unlink(missing_ok=True)
        if not _take(path, ours):
            raise FabricAutoError("the project was locked by somebody else a moment ago", help="try again")
    try:
        yield
    finally:
        with contextlib.suppress(FabricAutoError):
            if held(project) == ours:
                path.unlink(missing_ok=True)


def _take(path: Path, ours: LockHolder) -> bool:
    # Written aside and linked: link(2) fails when the name exists, and nobody ever reads a lock that is half written.
    aside = path.with_name(f"{path.name}.{os.getpid()}")
    content = {"user": ours.user, "host": ours.host, "pid": ours.pid, "since": ours.since}
    aside.unlink(missing_ok=True)
    with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as stream:
        stream.write(json.dumps(content) + "\n")
    try:
        os.link(aside, path)
    except FileExistsError:
        return False
    finally:
        aside.unlink(missing_ok=True)
    return True


def _alive(holder: LockHolder) -> bool:
    if holder.host != socket.gethostname():
        return True
    try:
        os.kill(holder.pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
