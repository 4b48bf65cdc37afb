"""One YAML document as plain data, with the place of every key and value."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from fabric_auto.diagnostics import Span

Scalar: TypeAlias = str | int | float | bool | None
Data: TypeAlias = "Scalar | list[Data] | dict[str, Data]"
Key: TypeAlias = str | int
Path: TypeAlias = tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a node is: its key (None for list items and the root) and its value."""

    key: Span | None
    value: Span


@dataclass(frozen=True, slots=True)
class Document:
    """One document of a file.

    Attributes:
        value: plain data; every mapping key is a string.
        places: place of every node, by path from the root ``()``.
    """

    file: str
    value: Data
    places: Mapping[Path, Place]

    def at(self, path: Sequence[Key], *, key: bool = False) -> Span:
        """Return the place of a node, or of its nearest ancestor that is in the document.

        Args:
            path: steps from the root; a step that the document does not have ends the walk, except that steps which are
                no key or index of their parent at all (validator names) are skipped.
            key: the place of the key instead of the value's, where the node has one.
        """
        best: Path = ()
        for step in path:
            longer = (*best, step)
            if longer in self.places:
                best = longer
        place = self.places[best]
        return place.key if key and place.key is not None else place.value
