"""``kind: Fabric``: a leaf-spine fabric on one screen (intent-language.md)."""

from typing import Annotated, Final, Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from fabric_auto.core.names import fields_of
from fabric_auto.intent.base import Length, Model, Name, Network4, Network6, PrefixLength4, PrefixLength6, Speed

_Count = Annotated[int, Field(ge=1, le=4096)]
_Asn = Annotated[int, Field(ge=1, le=4294967294)]


class Tier(Model):
    """One tier: ``count`` equal devices."""

    name: Name
    role: Literal["leaf", "spine"]
    count: _Count
    platform: str


class TierLinks(Model):
    """Every device of the lower tier is cabled to every device of the upper one, ``per_pair`` times."""

    lower: Name = Field(alias="from")
    upper: Name = Field(alias="to")
    per_pair: Annotated[int, Field(ge=1, le=256)] = 1
    speed: Speed
    cable: Length
    uplink_capacity: _Count | None = None
    downlink_capacity: _Count | None = None


class HostGroup(Model):
    """Hosts cabled to every leaf; ``capacity`` reserves ports so that growth moves nothing."""

    name: Name
    attach: Literal["block", "rail"] = "block"
    per_leaf: Annotated[int, Field(ge=1, le=1024)]
    nics: Annotated[int, Field(ge=1, le=64)] = 1
    speed: Speed
    cable: Length
    capacity: Annotated[int, Field(ge=1, le=1024)] | None = None


class Asns(Model):
    """Where each role's AS numbers start: leaves count up from theirs, spines share theirs (RFC 7938 §5.2)."""

    leaf: _Asn
    spine: _Asn


class Pools(Model):
    """Address pools; each is split by four (leaf, spine, border, super-spine)."""

    loopback: Network6
    loopback4: Network4
    link: Network6
    link4: Network4
    host: Network6
    host4: Network4


class Underlay(Model):
    """How the fabric routes."""

    routing: Literal["ebgp", "static-srv6"] = "ebgp"
    links: Literal["numbered", "unnumbered"] = "numbered"
    asn: Asns
    pools: Pools
    host_subnet: PrefixLength6 = 64
    host_subnet4: PrefixLength4 = 26


class Override(Model):
    """One exception: about a device, or about a link."""

    device: str | None = None
    platform: str | None = None
    present: bool | None = None
    link: str | None = None
    cable: Length | None = None
    admin: Literal["up", "down"] | None = None

    @model_validator(mode="after")
    def _about_one_thing(self) -> "Override":
        about_device = self.device is not None
        if about_device == (self.link is not None):
            raise PydanticCustomError("override", "an override names one `device` or one `link`")
        device_keys = self.platform is not None or self.present is not None
        link_keys = self.cable is not None or self.admin is not None
        if (about_device and link_keys) or (not about_device and device_keys):
            words = "`platform` and `present`" if about_device else "`cable` and `admin`"
            raise PydanticCustomError(
                "override",
                "an override of a {what} takes {words}",
                {"what": "device" if about_device else "link", "words": words},
            )
        if not device_keys and not link_keys:
            raise PydanticCustomError("override", "an override changes something: it has only a name")
        return self


_DEVICE_FIELDS: Final = {"fabric", "tier", "n"}
_HOST_FIELDS: Final = {"fabric", "hosts", "n"}


class Naming(Model):
    """How devices and hosts are called; numbers are padded to ``digits`` so that growth renames nothing."""

    digits: Annotated[int, Field(ge=1, le=5)] = 2
    device: str = "{fabric}-{tier}-{n}"
    host: str = "{fabric}-{hosts}-{n}"

    @model_validator(mode="after")
    def _names_are_unique(self) -> "Naming":
        for key, pattern, allowed, wanted in (
            ("device", self.device, _DEVICE_FIELDS, {"tier", "n"}),
            ("host", self.host, _HOST_FIELDS, {"hosts", "n"}),
        ):
            fields = fields_of(pattern)
            if fields - allowed:
                raise PydanticCustomError(
                    "naming",
                    "{text}",
                    {"text": f"`{key}` uses {{{min(fields - allowed)}}}; it may use {_braced(allowed)}"},
                )
            if wanted - fields:
                raise PydanticCustomError(
                    "naming", "{text}", {"text": f"`{key}` needs {_braced(wanted)}, or two would have one name"}
                )
        return self


def _braced(fields: set[str]) -> str:
    return ", ".join(f"{{{field}}}" for field in sorted(fields))


class FabricSpec(Model):
    """``spec`` of a Fabric."""

    profile: Literal["ip", "roce-lossless", "roce-adaptive", "mrc-srv6"] = "ip"
    tiers: Annotated[list[Tier], Field(min_length=2, max_length=2)]
    links: Annotated[list[TierLinks], Field(min_length=1, max_length=1)]
    hosts: list[HostGroup] = Field(default_factory=list)
    vlan: Annotated[int, Field(ge=2, le=4094)] = 100
    mtu: Annotated[int, Field(ge=1280, le=9500)] = 9100
    underlay: Underlay
    naming: Naming = Naming()
    overrides: list[Override] = Field(default_factory=list)
