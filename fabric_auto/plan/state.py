"""What we set on a device last: kept beside the project, so that the next plan knows what is ours to take away."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Annotated, Final, Literal, Self

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from fabric_auto.errors import FabricAutoError
from fabric_auto.plan.model import DevicePlan
from fabric_auto.vendors.base import NOTHING, Leaves, Ownership

FORMAT_VERSION: Final = "1.0"


@dataclass(frozen=True, slots=True)
class DeviceState:
    """What of a device is ours since the last confirmed deployment.

    Attributes:
        nos: ``sonic`` or ``srlinux``.
        digest: of the plan that was applied (SHA-256, hexadecimal).
        when: when that was confirmed; with a time zone.
        ownership: what of the configuration is ours.
        previous: the values that ours replaced, to be put back when we let go of them.
    """

    device: str
    nos: str
    digest: str
    when: datetime
    ownership: Ownership = NOTHING
    previous: Leaves = field(default_factory=dict)

    def dump(self) -> str:
        """Return the state as JSON text; the same state gives the same text."""
        content = {
            "format_version": FORMAT_VERSION,
            "device": self.device,
            "nos": self.nos,
            "digest": self.digest,
            "when": self.when.astimezone(UTC),
            "entries": sorted(self.ownership.entries),
            "fields": sorted(self.ownership.fields),
            "previous": [{"path": path, "value": value} for path, value in self.previous.items()],
        }
        return _File.model_validate(content).model_dump_json(indent=1) + "\n"

    @classmethod
    def load(cls, text: str | bytes) -> "DeviceState":
        """Read a state; the text is not trusted.

        Raises:
            FabricAutoError: it is not a state, or it is one of a newer format.
        """
        try:
            file = _File.model_validate_json(text)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False, include_context=False)[0]
            where = ".".join(map(str, first["loc"])) or "document"
            raise FabricAutoError(
                f"the device state cannot be read: {where}: {first['msg']}",
                help="restore the file from a backup, or remove it: what is on the device then counts as foreign",
            ) from None
        if file.format_version.split(".")[0] != FORMAT_VERSION.split(".")[0]:
            raise FabricAutoError(
                f"the device state has format {file.format_version}, this version reads {FORMAT_VERSION}",
                help="use the version of fabric-auto that wrote it, or a newer one",
                exit_code=4,
            )
        return cls(
            device=file.device,
            nos=file.nos,
            digest=file.digest,
            when=file.when.astimezone(UTC),
            ownership=Ownership(frozenset(file.entries), frozenset(file.fields)),
            previous={leaf.path: leaf.value for leaf in file.previous},
        )


def state_after(plan: DevicePlan, digest: str, when: datetime) -> DeviceState:
    """Return the state to keep once a device plan is confirmed.

    Args:
        plan: what was applied.
        digest: of the whole plan.
        when: now; with a time zone.
    """
    return DeviceState(plan.device, plan.nos, digest, when, plan.ownership, plan.previous)


_Text = Annotated[str, StringConstraints(max_length=4096)]
_Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$")]
_Steps = Annotated[tuple[_Text, ...], Field(min_length=1, max_length=32)]
_SONIC_DEPTHS: Final = {2, 3}


class _Leaf(BaseModel):
    model_config = ConfigDict(frozen=True)

    path: _Steps
    value: _Text | tuple[_Text, ...]


class _File(BaseModel):
    """The file. Keys of a later minor version are ignored: minor versions only add."""

    model_config = ConfigDict(frozen=True)

    format_version: Annotated[str, StringConstraints(pattern=r"^\d{1,4}\.\d{1,4}$")]
    device: _Name
    nos: Literal["sonic", "srlinux"]
    digest: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
    when: AwareDatetime
    entries: tuple[_Steps, ...]
    fields: tuple[_Steps, ...]
    previous: tuple[_Leaf, ...]

    @model_validator(mode="after")
    def _check_depths(self) -> Self:
        paths = (*self.entries, *self.fields, *(leaf.path for leaf in self.previous))
        if self.nos == "sonic" and any(len(path) not in _SONIC_DEPTHS for path in paths):
            message = "a CONFIG_DB path is a table, a key, and at most a field"
            raise ValueError(message)
        return self
