"""What the rest of the tool knows of a NOS: it renders artifacts, reads configurations, and states ownership.

A configuration, rendered or running, is compared as *leaves*: a flat map from path to value. A path is a tuple of
steps; a row or list entry is itself a leaf (its value is ``""``), so an entry without fields still exists.

* SONiC: ``("PORT", "Ethernet0", "mtu")`` → ``"9100"``; ``("INTERFACE", "Ethernet0|10.0.0.0/31")`` → ``""``.
  A leaf-list is a tuple of strings.
* SR Linux: ``("interface[name=ethernet-1/1]", "subinterface[index=0]", "ip-mtu")`` → ``"9100"``; list entries and
  presence containers → ``""``. Steps carry no prefix; identities are bare names. A leaf-list is a sorted tuple.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from fabric_auto.device.model import DeviceConfig
from fabric_auto.device.observed import Observed
from fabric_auto.diagnostics import Span

Path: TypeAlias = tuple[str, ...]
Value: TypeAlias = str | tuple[str, ...]
Leaves: TypeAlias = dict[Path, Value]


@dataclass(frozen=True, slots=True)
class Artifact:
    """One file for one device, exactly as it is deployed or read by people."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Ownership:
    """What of a device's configuration is ours, in the form the NOS can delete.

    A SONiC key may be a pattern, because some rows cannot stand beside ours: ``Ethernet0|*`` is every address of the port,
    ``*|Ethernet0`` every VLAN membership of it.

    Attributes:
        entries: whole rows or list entries: everything at or below such a path is ours.
        fields: single leaves inside a row, entry or container that others may use too.
    """

    entries: frozenset[Path]
    fields: frozenset[Path]

    def covers(self, path: Path) -> bool:
        """Return True when the leaf at ``path`` is ours."""
        return (
            path in self.fields
            or any(path[:depth] in self.entries for depth in range(1, len(path) + 1))
            or (len(path) > 1 and "|" in path[1] and not self.entries.isdisjoint(_patterns(path)))
        )

    def __or__(self, other: "Ownership") -> "Ownership":
        return Ownership(self.entries | other.entries, self.fields | other.fields)


def _patterns(path: Path) -> set[Path]:
    first, last = path[1].split("|", 1)[0], path[1].rsplit("|", 1)[1]
    return {(path[0], f"{first}|*"), (path[0], f"*|{last}")}


NOTHING = Ownership(frozenset(), frozenset())


@dataclass(frozen=True, slots=True)
class Rendered:
    """Everything a vendor says about one device's intended configuration.

    Attributes:
        artifacts: the files, the deployed one first.
        leaves: the same configuration as leaves.
        ownership: what of it is ours (exactly what is in ``leaves``).
        origins: the intent line behind each entry or field; a leaf has the origin of its longest prefix here.
    """

    artifacts: tuple[Artifact, ...]
    leaves: Leaves
    ownership: Ownership
    origins: Mapping[Path, Span]

    def origin_of(self, path: Path) -> Span | None:
        """Return the intent line that caused the leaf at ``path``."""
        for depth in range(len(path), 0, -1):
            span = self.origins.get(path[:depth])
            if span is not None:
                return span
        return None


class Vendor(Protocol):
    """A network operating system."""

    name: str
    releases: tuple[str, ...]
    questions: tuple[str, ...]
    """What verification asks the device: shell commands (SONiC) or NETCONF subtree filters (SR Linux)."""

    def render(self, device: DeviceConfig) -> Rendered:
        """Return the device's artifacts, leaves and ownership."""
        ...

    def parse(self, running: bytes) -> Leaves:
        """Read a configuration of this NOS (``config_db.json``; a NETCONF ``<config>`` or ``<data>``) as leaves.

        Raises:
            ValueError: it is not such a configuration.
        """
        ...

    def observe(self, answers: Mapping[str, str]) -> Observed:
        """Turn the device's answers to ``questions`` (keyed by question) into observed state.

        Raises:
            ValueError: an answer is missing or cannot be read.
        """
        ...


def spell(path: Path) -> str:
    """Return a path as people read it: ``PORT/Ethernet0/mtu``.

    >>> spell(("PORT", "Ethernet0", "mtu"))
    'PORT/Ethernet0/mtu'
    """
    return "/".join(path)


def under(paths: Iterable[Path], prefix: Path) -> list[Path]:
    """Return the paths at or below ``prefix``, sorted."""
    return sorted(path for path in paths if path[: len(prefix)] == prefix)
