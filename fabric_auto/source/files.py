"""Files of a project: read as text, never outside the project's folder."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fabric_auto.diagnostics import Diagnostic, Span
from fabric_auto.source import rules

_LARGEST: Final = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file's text and the name that findings show: its path from the project folder, with forward slashes."""

    name: str
    text: str


def read_source(path: Path, root: Path) -> tuple[SourceFile | None, list[Diagnostic]]:
    """Read one file below ``root``.

    Returns:
        The file, or None and a FAB006 finding that says why it cannot be read.
    """
    name = path.relative_to(root).as_posix()
    reason = _unreadable(path, root)
    if reason is None:
        try:
            return SourceFile(name, path.read_text(encoding="utf-8-sig")), []
        except OSError as error:
            reason = error.strerror or str(error)
        except UnicodeDecodeError as error:
            reason = f"byte {error.start} is not UTF-8"
    return None, [rules.UNREADABLE.at(Span(name, 1, 1, 1, 2), f"cannot be read: {reason}")]


def read_folder(folder: Path, root: Path) -> tuple[list[SourceFile], list[Diagnostic]]:
    """Read every ``*.yaml`` and ``*.yml`` below ``folder``, in name order; ``examples`` folders are projects of their own."""
    files: list[SourceFile] = []
    findings: list[Diagnostic] = []
    for path in sorted(_yaml_files(folder, folder)):
        file, problems = read_source(path, root)
        findings.extend(problems)
        if file is not None:
            files.append(file)
    return files, findings


def _yaml_files(folder: Path, top: Path) -> list[Path]:
    found: list[Path] = []
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        if path.is_dir() and not path.is_symlink():
            if path.name.startswith(".") or (folder == top and path.name == "examples"):
                continue
            found.extend(_yaml_files(path, top))
        elif path.suffix in {".yaml", ".yml"}:
            found.append(path)
    return found


def _unreadable(path: Path, root: Path) -> str | None:
    try:
        target = path.resolve(strict=True)
    except (OSError, RuntimeError):
        return "the link is broken or loops" if path.is_symlink() else "no such file"
    if not target.is_relative_to(root.resolve()):
        return "the link leaves the project folder"
    if not target.is_file():
        return "not a file"
    size = target.stat().st_size
    return f"{size} bytes, more than {_LARGEST}" if size > _LARGEST else None
