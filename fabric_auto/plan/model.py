"""The reviewed change: what will differ on each device, the native steps that do it, and the steps that undo it."""

from dataclasses import dataclass
from enum import IntEnum

from fabric_auto.diagnostics import Span
from fabric_auto.vendors.base import Leaves, Ownership, Path, Value, spell


class Impact(IntEnum):
    """What a change costs while it is made; larger is worse."""

    NONE = 0
    HITLESS = 1
    SESSION_RESET = 2
    PORT_BOUNCE = 3
    RELOAD = 4

    @property
    def label(self) -> str:
        """The words shown to people."""
        return self.name.lower().replace("_", " ")


@dataclass(frozen=True, slots=True)
class Change:
    """One leaf that differs.

    Attributes:
        before: running value; None when absent.
        after: intended value; None when it goes away.
        origin: the intent line behind the intended value; None for a removal.
    """

    path: Path
    before: Value | None
    after: Value | None
    origin: Span | None

    @property
    def action(self) -> str:
        """``create``, ``update`` or ``delete``."""
        if self.before is None:
            return "create"
        return "delete" if self.after is None else "update"

    def __str__(self) -> str:
        return f"{self.action} {spell(self.path)}"


@dataclass(frozen=True, slots=True)
class Step:
    """One native operation on a device.

    Attributes:
        kind: ``apply-patch`` (RFC 6902), ``reload`` (whole CONFIG_DB) or ``edit-config`` (NETCONF ``<config>``).
        content: the document, exactly as it is sent.
    """

    kind: str
    content: bytes


@dataclass(frozen=True, slots=True)
class DevicePlan:
    """What will happen to one device.

    Attributes:
        changes: sorted by path; empty when there is nothing to do, and then there are no steps.
        steps: in order.
        inverse: the steps that bring the running configuration back, in order.
        running: the leaves that were read, all of them; what rollback is checked against.
        target: the leaves that the device must have when the steps are done (foreign ones included).
        ownership: what is ours once the plan is applied.
        previous: values that ours replaced, to be put back when we let go of them.
        release: NOS release, as the inventory states it.
    """

    device: str
    nos: str
    changes: tuple[Change, ...]
    impact: Impact
    steps: tuple[Step, ...]
    inverse: tuple[Step, ...]
    running: Leaves
    target: Leaves
    ownership: Ownership
    previous: Leaves
    release: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """The whole change.

    Attributes:
        inputs: digest of the compiled inputs.
        digest: digest of everything that will happen; a plan is stale when planning again gives another digest.
    """

    inputs: str
    digest: str
    devices: tuple[DevicePlan, ...]

    @property
    def changed(self) -> tuple[DevicePlan, ...]:
        """The devices that have changes."""
        return tuple(each for each in self.devices if each.changes)
