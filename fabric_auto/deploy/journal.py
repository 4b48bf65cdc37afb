"""What a deployment did, event by event: JSON lines that are only ever added to, each on disk before the next thing is done.

Events name devices, phases and outcomes; configuration and secrets are never among them.
"""

import json
import os
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from fabric_auto.deploy.files import sync_folder

FORMAT_VERSION: Final = "1.0"


def journal_path(project: Path, run: str) -> Path:
    """Return where the journal of a run is."""
    return project / ".fabric-auto" / "journal" / f"{run}.jsonl"


class Journal:
    """The journal of one run, open for writing; threads may share it. A context manager.

    Args:
        project: the project's folder.
        run: the run's name; a journal of that name must not exist.
        now: tells the time.

    Raises:
        OSError: it cannot be made.
    """

    def __init__(self, project: Path, run: str, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self.path = journal_path(project, run)
        self._now = now
        self._lock = threading.Lock()
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)
        sync_folder(self.path.parent)
        self.write("journal", format_version=FORMAT_VERSION, run=run)

    def write(self, event: str, device: str | None = None, **facts: str | int | list[str] | None) -> None:
        """Add an event.

        Args:
            event: what happened, one word or two.
            device: to which device.
            facts: what else; plain values.

        Raises:
            OSError: it cannot be written.
        """
        when = self._now().astimezone(UTC).isoformat(timespec="milliseconds")
        record = {"time": when, "event": event, **({"device": device} if device else {}), **facts}
        line = json.dumps(record, ensure_ascii=False) + "\n"
        with self._lock:
            os.write(self._file, line.encode())
            os.fsync(self._file)

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def events(path: Path) -> Iterator[dict[str, object]]:
    """Yield the events of a journal. A last line that a crash cut short is left out.

    Raises:
        OSError: the file cannot be read.
        ValueError: a line other than the last is not an event.
    """
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        try:
            event = json.loads(line)
        except json.JSONDecodeError:
            if number == len(lines):
                return
            raise
        if not isinstance(event, dict):
            raise ValueError(f"{path}:{number} is not an event")  # noqa: TRY004  (a bad file, not a bad argument)
        yield event
