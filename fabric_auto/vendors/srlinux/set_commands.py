"""Leaves as ``set /`` commands, one leaf a line, as SR Linux prints ``info flat``.

Keys follow their list's name: the first by position, any further one by name. Text with other than plain characters is
quoted.
"""

import re
from functools import lru_cache
from typing import Final

from fabric_auto.vendors.base import Leaves, Value
from fabric_auto.vendors.srlinux.schema import read_step

_PLAIN: Final = re.compile(r"[A-Za-z0-9_./:%+-]+")


def set_commands(leaves: Leaves) -> str:
    """Return the commands that make ``leaves``; an entry or presence container has a line when nothing is below it."""
    paths = list(leaves)
    lines = []
    for path, after in zip(paths, [*paths[1:], ()], strict=True):
        value = leaves[path]
        if value == "" and after[: len(path)] == path:
            continue
        words = " ".join(map(_words, path))
        lines.append(f"set / {words}{_value(value)}\n")
    return "".join(lines)


@lru_cache(maxsize=65536)
def _words(step: str) -> str:
    parts = read_step(step)
    words = [parts.name.rpartition("}")[2]]
    for position, (key, value) in enumerate(parts.keys):
        words.extend([_quoted(value)] if position == 0 else [key, _quoted(value)])
    return " ".join(words)


def _value(value: Value) -> str:
    if isinstance(value, tuple):
        return f" [ {' '.join(map(_quoted, value))} ]"
    return f" {_quoted(value)}" if value else ""


def _quoted(text: str) -> str:
    if _PLAIN.fullmatch(text):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
