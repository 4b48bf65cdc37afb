"""What a platform file may say, and how its compact facts expand into every port of the box."""

import itertools
import re
import string
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from fabric_auto.platforms.model import Breakout, Limits, Platform, Port

_MODE: Final = re.compile(r"([1-9]|1[0-6])x([1-9][0-9]*)G")
_FIELDS: Final = frozenset({"panel", "channel", "letter", "lane", "number"})
_LANE_FIELDS: Final = frozenset({"lane", "number"})


def _fields(pattern: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(pattern) if name is not None}


def _check_pattern(pattern: str) -> str:
    for _, name, spec, conversion in string.Formatter().parse(pattern):
        if name is not None and (name not in _FIELDS or spec or conversion):
            allowed = ", ".join(f"{{{each}}}" for each in sorted(_FIELDS))
            raise ValueError(f"`{pattern}` has a field other than {allowed}")
    return pattern


Pattern = Annotated[str, Field(min_length=1), AfterValidator(_check_pattern)]
Positive = Annotated[int, Field(ge=1)]
Text = Annotated[str, Field(min_length=1)]


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")


class LanesFile(_Strict):
    """SerDes lanes of the front panel.

    Attributes:
        per_panel: lanes of each front-panel port; they are consecutive.
        first: the lowest lane of each front-panel port, panel 1 first.
    """

    per_panel: Annotated[int, Field(ge=1, le=16)]
    first: list[Annotated[int, Field(ge=0)]]


class NamesFile(_Strict):
    """How ports are spelled: patterns for a whole front-panel port and for one of its children.

    Fields: ``{panel}`` from 1; ``{channel}`` from 1 and ``{letter}`` from ``a`` among the children; ``{lane}`` the
    place of the port's first lane in its panel, from 1; ``{number}`` the same counted from 0 over all panels.
    """

    whole: Pattern
    child: Pattern


class BreakoutFile(_Strict):
    """One way to use a front-panel port: ``2x200G``, and what each child can run at in Gb/s, native first."""

    mode: Annotated[str, Field(pattern=f"^{_MODE.pattern}$")]
    speeds_gbps: Annotated[list[Positive], Field(min_length=1)]

    @property
    def count(self) -> int:
        """Ports a panel."""
        return int(self.mode.split("x")[0])

    @model_validator(mode="after")
    def _native_first(self) -> Self:
        native = int(self.mode.split("x")[1].removesuffix("G"))
        if self.speeds_gbps[0] != native:
            raise ValueError(f"the first of `speeds_gbps` must be {native}, the speed in `{self.mode}`")
        if len(set(self.speeds_gbps)) != len(self.speeds_gbps):
            raise ValueError(f"`speeds_gbps` of `{self.mode}` names a speed twice")
        return self


class LimitsFile(_Strict):
    """Maxima in bytes, and paths a group. The IPv6 minimum MTU is 1280 (RFC 8200 §5)."""

    ip_mtu: Annotated[int, Field(ge=1280, le=65535)]
    port_mtu: Annotated[int, Field(ge=1280, le=65535)]
    ecmp_paths: Positive

    @model_validator(mode="after")
    def _packet_fits(self) -> Self:
        if self.ip_mtu > self.port_mtu:
            raise ValueError(f"`ip_mtu` {self.ip_mtu} is larger than `port_mtu` {self.port_mtu}")
        return self


class PlatformFile(_Strict):
    """A platform file.

    Attributes:
        name: as intents write it, and the file's name without ``.yaml``.
        panels: front-panel ports.
        sources: where each group of facts was read, one entry a group; ``identity`` covers
            NOS, model, ONIE platform and panels.
    """

    name: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
    nos: Literal["sonic", "srlinux"]
    model: Text
    asic: Text
    onie_platform: Text | None = None
    releases: Annotated[list[Text], Field(min_length=1)]
    panels: Annotated[int, Field(ge=1, le=1024)]
    lanes: LanesFile | None = None
    names: NamesFile
    aliases: NamesFile | None = None
    breakouts: Annotated[list[BreakoutFile], Field(min_length=1)]
    limits: LimitsFile
    sources: dict[str, Text]

    @model_validator(mode="after")
    def _coherent(self) -> Self:
        self._check_nos()
        self._check_lanes()
        self._check_breakouts()
        self._check_sources()
        return self

    def _check_nos(self) -> None:
        given = {"onie_platform": self.onie_platform, "lanes": self.lanes, "aliases": self.aliases}
        for field, value in given.items():
            if self.nos == "sonic" and value is None:
                raise ValueError(f"`{field}` is missing: SONiC configures it")
            if self.nos == "srlinux" and value is not None:
                raise ValueError(f"`{field}` is given: SR Linux has no such setting")

    def _check_lanes(self) -> None:
        if self.lanes is None:
            used = set().union(*(_fields(each) for each in (self.names.whole, self.names.child))) & _LANE_FIELDS
            if used:
                raise ValueError(f"`names` uses {{{min(used)}}}, but there are no `lanes`")
            return
        if len(self.lanes.first) != self.panels:
            raise ValueError(f"`lanes.first` has {len(self.lanes.first)} entries for {self.panels} panels")
        ordered = sorted(self.lanes.first)
        for low, high in itertools.pairwise(ordered):
            if high - low < self.lanes.per_panel:
                raise ValueError(f"lane {high} belongs to two panels")

    def _check_breakouts(self) -> None:
        counts = [each.count for each in self.breakouts]
        if counts[0] != 1:
            raise ValueError("the first of `breakouts` must be the whole port (1x)")
        if len(set(counts)) != len(counts):
            raise ValueError("two `breakouts` have the same number of ports")
        for each in self.breakouts:
            if self.lanes is not None and self.lanes.per_panel % each.count:
                raise ValueError(f"{self.lanes.per_panel} lanes cannot be shared evenly by `{each.mode}`")

    def _check_sources(self) -> None:
        groups = {"identity", "asic", "releases", "names", "breakouts", *LimitsFile.model_fields}
        groups |= {name for name, value in (("lanes", self.lanes), ("aliases", self.aliases)) if value is not None}
        for name in sorted(groups ^ self.sources.keys()):
            raise ValueError(f"`sources.{name}` {'is missing' if name in groups else 'names no fact of this file'}")


def to_platform(file: PlatformFile) -> Platform:
    """Expand a platform file into the platform it describes.

    Raises:
        ValueError: two ports of a breakout would have the same name or alias.
    """
    limits = Limits(file.limits.ip_mtu, file.limits.port_mtu, file.limits.ecmp_paths)
    return Platform(
        name=file.name,
        nos=file.nos,
        model=file.model,
        asic=file.asic,
        onie_platform=file.onie_platform or "",
        releases=tuple(file.releases),
        breakouts=tuple(_breakout(file, each) for each in file.breakouts),
        limits=limits,
        sources=dict(file.sources),
    )


def _breakout(file: PlatformFile, breakout: BreakoutFile) -> Breakout:
    ports = tuple(
        _port(file, breakout, panel, child) for panel in range(1, file.panels + 1) for child in range(breakout.count)
    )
    for what in ("name", "alias"):
        if len({getattr(port, what) for port in ports}) != len(ports):
            raise ValueError(f"two ports of `{breakout.mode}` have the same {what}")
    speeds = tuple(each * 1000 for each in breakout.speeds_gbps)
    return Breakout(breakout.mode, breakout.count, speeds, ports)


def _port(file: PlatformFile, breakout: BreakoutFile, panel: int, child: int) -> Port:
    count = breakout.count
    fields: dict[str, str | int] = {"panel": panel, "channel": child + 1, "letter": string.ascii_lowercase[child]}
    lanes: tuple[int, ...] = ()
    if file.lanes is not None:
        width = file.lanes.per_panel // count
        offset = child * width
        first = file.lanes.first[panel - 1] + offset
        lanes = tuple(range(first, first + width))
        fields["lane"] = offset + 1
        fields["number"] = (panel - 1) * file.lanes.per_panel + offset
    name = _spell(file.names, count, fields)
    return Port(
        name=name,
        panel=panel,
        channel=0 if count == 1 else child + 1,
        count=count,
        lanes=lanes,
        alias=_spell(file.aliases, count, fields) if file.aliases is not None else name,
        mode=breakout.mode,
        position=(panel - 1) * count + child,
    )


def _spell(names: NamesFile, count: int, fields: dict[str, str | int]) -> str:
    return (names.whole if count == 1 else names.child).format(**fields)
