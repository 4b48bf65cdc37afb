"""``build/``: written aside, file by file, and swapped in whole; an unchanged file keeps its bytes and its mtime."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final

from fabric_auto.errors import FabricAutoError

MANIFEST: Final = "manifest.json"


@dataclass(slots=True)
class Output:
    """A folder being written aside.

    Attributes:
        changed: files that are new, different or gone.
        keep: False drops what was written; the previous content stays.
    """

    final: Path
    aside: Path
    written: set[str] = field(default_factory=set)
    changed: int = 0
    keep: bool = True

    def write(self, name: str, content: bytes) -> str:
        """Write a file and return its SHA-256."""
        target, old = self.aside / name, self.final / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if _same(old, content):
            _link(old, target)
        else:
            self.changed += 1
            target.write_bytes(content)
        self.written.add(name)
        return sha256(content).hexdigest()


@contextmanager
def output(final: Path) -> Iterator[Output]:
    """Write a build folder: on success it replaces ``final`` whole, on any error ``final`` stays as it was.

    Raises:
        FabricAutoError: ``final`` is a folder that this tool did not write, or it cannot be written.
    """
    _refuse_foreign(final)
    aside = final.with_name(f".{final.name}.new-{os.getpid()}")
    try:
        final.parent.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(aside, ignore_errors=True)
        aside.mkdir()
        out = Output(final, aside)
        yield out
        if out.keep:
            _swap(out)
    except OSError as error:
        raise FabricAutoError(
            f"{final} cannot be written: {error.strerror or error}",
            help="the previous content, if any, is untouched; make room or choose another folder with -o",
        ) from error
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _refuse_foreign(final: Path) -> None:
    if final.is_dir() and any(final.iterdir()) and not (final / MANIFEST).is_file():
        raise FabricAutoError(
            f"{final} has files that fabric-auto did not write", help="choose an empty or new folder with -o"
        )
    if final.exists() and not final.is_dir():
        raise FabricAutoError(f"{final} is not a folder", help="choose another one with -o")


def _swap(out: Output) -> None:
    gone = (
        {path.relative_to(out.final).as_posix() for path in out.final.rglob("*") if path.is_file()} - out.written
        if out.final.is_dir()
        else set()
    )
    out.changed += len(gone)
    if out.changed == 0 and out.final.is_dir():
        return
    old = out.final.with_name(f".{out.final.name}.old-{os.getpid()}")
    shutil.rmtree(old, ignore_errors=True)
    if out.final.is_dir():
        out.final.rename(old)
    try:
        out.aside.rename(out.final)
    except OSError:
        if old.is_dir():
            old.rename(out.final)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _same(path: Path, content: bytes) -> bool:
    try:
        return path.stat().st_size == len(content) and path.read_bytes() == content
    except OSError:
        return False


def _link(old: Path, new: Path) -> None:
    try:
        os.link(old, new)
    except OSError:
        shutil.copy2(old, new)
