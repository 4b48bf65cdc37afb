"""Names: natural order, near misses, and the device name pattern."""

import re
from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache
from typing import Final

HOSTNAME: Final = re.compile(r"[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?")
"""A host name label (RFC 1123 §2.1): letters, digits and hyphens, at most 63."""

_DIGITS: Final = re.compile(r"(\d+)")
_FIELD: Final = re.compile(r"\{([^{}]*)\}")


@lru_cache(maxsize=65536)
def natural_key(name: str) -> tuple[tuple[int, int, str], ...]:
    """Return a sort key that puts ``Ethernet8`` before ``Ethernet16``.

    >>> sorted(["Ethernet16", "Ethernet8"], key=natural_key)
    ['Ethernet8', 'Ethernet16']
    """
    parts = _DIGITS.split(name)
    return tuple((1, int(part), "") if part.isdigit() else (0, 0, part) for part in parts)


def near_miss(word: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate most like ``word``, if one is close.

    >>> near_miss("platfrom", ["platform", "role"])
    'platform'
    """
    matches = get_close_matches(word, list(candidates), n=1, cutoff=0.6)
    return matches[0] if matches else None


def fill(pattern: str, values: dict[str, str]) -> str:
    """Replace ``{field}`` in a naming pattern by its value; fields are plain words, nothing is evaluated.

    >>> fill("{fabric}-{tier}-{n}", {"fabric": "east", "tier": "leaf", "n": "03"})
    'east-leaf-03'

    Raises:
        KeyError: the pattern names a field that has no value.
    """
    return _FIELD.sub(lambda match: values[match[1]], pattern)


def fields_of(pattern: str) -> set[str]:
    """Return the fields that a naming pattern uses.

    >>> sorted(fields_of("{fabric}-{n}"))
    ['fabric', 'n']
    """
    return set(_FIELD.findall(pattern))
