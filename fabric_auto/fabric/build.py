"""Intents to fabrics: every device, port, link and address, by position.

``build`` returns a fabric only when it is whole: a fabric with findings is left out, so that later stages never meet half of
one.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeVar

from fabric_auto.core.addresses import PoolExhaustedError
from fabric_auto.core.names import HOSTNAME, fill, near_miss
from fabric_auto.diagnostics import Diagnostic, Span
from fabric_auto.fabric import allocate, rules
from fabric_auto.fabric.hosts import build_hosts
from fabric_auto.fabric.links import build_links
from fabric_auto.fabric.model import Bgp, Device, Fabric, HostPort, Link, Loopback, Pools, Role
from fabric_auto.fabric.problems import Draft, Problems
from fabric_auto.intent import rules as intent_rules
from fabric_auto.intent.fabric import Override, Tier
from fabric_auto.intent.inventory import Inventory
from fabric_auto.intent.parse import FabricIntent
from fabric_auto.intent.project import Releases
from fabric_auto.platforms.model import Platform

Item = TypeVar("Item", Link, HostPort)
_ROLES: Final = ("leaf", "spine")


class Catalogue(Protocol):
    """Where platforms come from."""

    def names(self) -> tuple[str, ...]:
        """Return the names of all platforms."""
        ...

    def get(self, name: str) -> Platform | None:
        """Return the platform, or None when there is none of that name."""
        ...


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a fabric is built from besides its intent."""

    catalogue: Catalogue
    inventory: Inventory
    releases: Releases


def build(intents: list[FabricIntent], surroundings: Surroundings) -> tuple[list[Fabric], list[Diagnostic]]:
    """Expand every fabric.

    Returns:
        The fabrics that are whole, in the order of the intents, and the findings (FAB2xx to FAB4xx, FAB701).
    """
    fabrics: list[Fabric] = []
    findings: list[Diagnostic] = []
    for intent in intents:
        problems = Problems()
        fabric = _Builder(intent, surroundings, problems).build()
        found = problems.findings()
        findings.extend(found)
        if fabric is not None and not found:
            fabrics.append(fabric)
    return fabrics, findings


@dataclass(slots=True)
class _Builder:
    intent: FabricIntent
    surroundings: Surroundings
    problems: Problems
    platforms: dict[str, Platform | None] = field(default_factory=dict)

    def build(self) -> Fabric | None:
        spec = self.intent.spec
        if not self._tiers_are_in_order():
            return None
        pools = Pools(**{name: getattr(spec.underlay.pools, name) for name in type(spec.underlay.pools).model_fields})
        overrides = self._device_overrides()
        devices = {
            device.name: device
            for position, tier in enumerate(spec.tiers)
            for device in self._devices_of(position, tier, pools, overrides)
        }
        if self.problems.any():
            return None
        draft = Draft(self.intent, pools, self.problems)
        lower, upper = (self._tier(devices, tier.name) for tier in spec.tiers)
        links = build_links(draft, lower, upper, self.platforms)
        host_ports, devices = build_hosts(draft, devices, links, self.platforms)
        if self.problems.any():
            return None
        return Fabric(
            name=self.intent.name,
            mtu=spec.mtu,
            pools=pools,
            host_lengths=(spec.underlay.host_subnet4, spec.underlay.host_subnet),
            devices=devices,
            links=tuple(links),
            host_ports=tuple(host_ports),
            origins=self._origins(),
            links_by_device=_by_device(links, lambda link: (link.lower.device, link.upper.device)),
            host_ports_by_device=_by_device(host_ports, lambda port: (port.device,)),
        )

    def _tiers_are_in_order(self) -> bool:
        spec = self.intent.spec
        for index, (tier, role) in enumerate(zip(spec.tiers, _ROLES, strict=True)):
            if tier.role != role:
                self.problems.add(
                    rules.TIERS.at(
                        self.intent.at("tiers", index, "role"),
                        f"tier {index + 1} of 2 has role `{tier.role}`, not `{role}`",
                        help="write the leaf tier first, then the spine tier",
                    )
                )
        if spec.tiers[0].name == spec.tiers[1].name:
            self.problems.add(
                intent_rules.DUPLICATE_NAME.at(
                    self.intent.at("tiers", 1, "name"),
                    f"two tiers are named `{spec.tiers[1].name}`",
                    help="give each its own",
                )
            )
        names = [tier.name for tier in spec.tiers]
        for key, name, wanted in (("from", spec.links[0].lower, names[0]), ("to", spec.links[0].upper, names[1])):
            if name not in names:
                self.problems.add(_unknown(self.intent.at("links", 0, key), "tier", name, names))
            elif name != wanted:
                self.problems.add(
                    rules.TIERS.at(
                        self.intent.at("links", 0, key),
                        f"links `{key}` names tier `{name}`, not `{wanted}`",
                        help=f"links go from `{names[0]}` to `{names[1]}`",
                    )
                )
        return not self.problems.any()

    def _device_overrides(self) -> dict[str, tuple[int, Override]]:
        known = {
            short: name
            for tier in self.intent.spec.tiers
            for index in range(tier.count)
            for name, short in (self._names(tier, index),)
        }
        found: dict[str, tuple[int, Override]] = {}
        for index, override in enumerate(self.intent.spec.overrides):
            if override.device is None:
                continue
            name = known.get(override.device, override.device)
            where = self.intent.at("overrides", index, "device")
            if name not in known.values():
                self.problems.add(_unknown(where, "device", override.device, list(known)))
            elif name in found:
                self.problems.add(
                    intent_rules.DUPLICATE_NAME.at(
                        where, f"`{override.device}` has an override already", help="write one override a device"
                    )
                )
            else:
                found[name] = (index, override)
        return found

    def _names(self, tier: Tier, index: int) -> tuple[str, str]:
        naming = self.intent.spec.naming
        number = str(index + 1).zfill(naming.digits)
        return (
            fill(naming.device, {"fabric": self.intent.name, "tier": tier.name, "n": number}),
            f"{tier.name}-{number}",
        )

    def _devices_of(
        self, position: int, tier: Tier, pools: Pools, overrides: Mapping[str, tuple[int, Override]]
    ) -> list[Device]:
        if not HOSTNAME.fullmatch(self._names(tier, tier.count - 1)[0]):
            self._refuse_name(self._names(tier, tier.count - 1)[0])
            return []
        self.platforms[tier.name] = self._platform(tier.platform, self.intent.at("tiers", position, "platform"))
        plain = (self.platforms[tier.name], self.intent.at("tiers", position))
        devices: list[Device] = []
        for index in range(tier.count):
            override_at, override = overrides.get(self._names(tier, index)[0], (0, None))
            if override is not None and override.present is False:
                continue
            platform, origin = plain
            if override is not None and override.platform is not None:
                origin = self.intent.at("overrides", override_at)
                platform = self._platform(override.platform, self.intent.at("overrides", override_at, "platform"))
            loopback = self._loopback(tier, index, pools)
            if loopback is None:
                break
            if platform is not None:
                devices.append(self._device(tier, index, platform, loopback, origin))
        return devices

    def _refuse_name(self, name: str) -> None:
        self.problems.add(
            intent_rules.BAD_NAME.at(
                self.intent.at("naming", "device"),
                f"a device would be called `{name}`, which is no host name",
                help="a host name is letters, digits and hyphens, at most 63 characters (RFC 1123); dots begin a domain",
            )
        )

    def _platform(self, name: str, where: Span) -> Platform | None:
        catalogue = self.surroundings.catalogue
        platform = catalogue.get(name)
        if platform is None:
            near = near_miss(name, catalogue.names())
            hint = (
                f"a platform with a similar name exists: `{near}`"
                if near
                else f"platforms: {', '.join(f'`{each}`' for each in catalogue.names())}"
            )
            self.problems.add(rules.UNKNOWN_PLATFORM.at(where, f"no platform named `{name}`", help=hint))
        return platform

    def _loopback(self, tier: Tier, index: int, pools: Pools) -> Loopback | None:
        try:
            return allocate.loopback(pools, Role(tier.role), index)
        except PoolExhaustedError as error:
            self.problems.exhausted(self.intent, f"number {tier.count} devices of tier `{tier.name}`", error)
            return None

    def _device(self, tier: Tier, index: int, platform: Platform, loopback: Loopback, origin: Span) -> Device:
        name, short = self._names(tier, index)
        role = Role(tier.role)
        host = self.surroundings.inventory.get(name)
        stated = host.release if host is not None else None
        asn = allocate.asn(getattr(self.intent.spec.underlay.asn, role), role, index)
        return Device(
            name=name,
            short_name=short,
            fabric=self.intent.name,
            tier=tier.name,
            role=role,
            index=index,
            platform=platform,
            release=stated or getattr(self.surroundings.releases, platform.nos),
            release_stated=stated is not None,
            bgp=Bgp(asn, self.intent.at("underlay", "asn", str(role))),
            loopback=loopback,
            vlan=None,
            origin=origin,
        )

    @staticmethod
    def _tier(devices: Mapping[str, Device], tier: str) -> list[Device]:
        return [device for device in devices.values() if device.tier == tier]

    def _origins(self) -> dict[str, Span]:
        at = self.intent.at
        origins = {
            "mtu": at("mtu"),
            "vlan": at("vlan"),
            "underlay": at("underlay"),
            "name": self.intent.document.at(("metadata", "name")),
        }
        for pool in type(self.intent.spec.underlay.pools).model_fields:
            origins[f"pools.{pool}"] = at("underlay", "pools", pool)
        for role in _ROLES:
            origins[f"asn.{role}"] = at("underlay", "asn", role)
        return origins


def _by_device(items: list[Item], devices: Callable[[Item], tuple[str, ...]]) -> dict[str, tuple[Item, ...]]:
    found: dict[str, list[Item]] = {}
    for item in items:
        for device in devices(item):
            found.setdefault(device, []).append(item)
    return {device: tuple(each) for device, each in found.items()}


def _unknown(where: Span, what: str, name: str, known: list[str]) -> Diagnostic:
    near = near_miss(name, known)
    hint = f"a {what} with a similar name exists: `{near}`" if near else None
    return intent_rules.UNKNOWN_REFERENCE.at(where, f"no {what} named `{name}`", help=hint)
