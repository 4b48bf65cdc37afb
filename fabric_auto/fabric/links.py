"""Fabric links: every lower device to every upper one, ``per_pair`` times, with ports and addresses by position."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from fabric_auto.core.addresses import PoolExhaustedError
from fabric_auto.core.names import near_miss
from fabric_auto.core.units import format_speed
from fabric_auto.diagnostics import Span
from fabric_auto.fabric import allocate, rules
from fabric_auto.fabric.model import Device, Link, LinkEnd, Pools
from fabric_auto.fabric.ports import Placement, default_downlinks, default_uplinks
from fabric_auto.fabric.problems import Problems
from fabric_auto.intent import rules as intent_rules
from fabric_auto.intent.fabric import Override, TierLinks
from fabric_auto.intent.parse import FabricIntent
from fabric_auto.platforms.model import Breakout, Platform

_WHERE: Final = ("links", 0)


@dataclass(frozen=True, slots=True)
class _LinkSetting:
    cable_m: int
    enabled: bool
    origin: Span


def build_links(
    intent: FabricIntent,
    pools: Pools,
    lower: list[Device],
    upper: list[Device],
    platforms: Mapping[str, Platform | None],
    problems: Problems,
) -> list[Link]:
    """Return the links of a two-tier fabric; findings go to ``problems``."""
    spec = intent.spec.links[0]
    lower_tier = platforms[spec.lower]
    breakout = lower_tier.breakout_for(spec.speed) if lower_tier else None
    placements = {
        **{device.name: _uplinks(intent, spec, device, problems) for device in lower},
        **{device.name: _downlinks(intent, spec, device, problems) for device in upper},
    }
    _check_capacity(intent, spec, lower, upper, placements, problems)
    if problems.any() or breakout is None:
        return []
    overrides = _overrides(intent, lower, upper, spec, problems)
    block = allocate.block_size(len(breakout.ports))
    base = _LinkSetting(spec.cable, True, intent.at(*_WHERE))  # noqa: FBT003  (named by the field)
    try:
        return [
            _link(pools, spec, block, overrides.get((device.short_name, peer.short_name, number + 1), base), device, peer, number, placements)
            for device in lower
            for number in range(spec.per_pair)
            for peer in upper
        ]
    except PoolExhaustedError as error:
        problems.exhausted(intent.at("underlay", "pools"), f"the link pools cannot number the uplinks of {intent.spec.tiers[0].count} devices", error)
        return []


def _uplinks(intent: FabricIntent, spec: TierLinks, device: Device, problems: Problems) -> Placement | None:
    breakout = _breakout(intent, spec, device, problems)
    if breakout is None:
        return None
    capacity = spec.uplink_capacity or default_uplinks(len(breakout.ports), spec.per_pair)
    return _fitting(intent, Placement(breakout, capacity, spec.per_pair), "uplink_capacity", device, problems)


def _downlinks(intent: FabricIntent, spec: TierLinks, device: Device, problems: Problems) -> Placement | None:
    breakout = _breakout(intent, spec, device, problems)
    if breakout is None:
        return None
    capacity = spec.downlink_capacity or default_downlinks(len(breakout.ports), spec.per_pair)
    return _fitting(intent, Placement(breakout, capacity, spec.per_pair), "downlink_capacity", device, problems)


def _breakout(intent: FabricIntent, spec: TierLinks, device: Device, problems: Problems) -> Breakout | None:
    breakout = device.platform.breakout_for(spec.speed)
    if breakout is None:
        speeds = sorted({speed for each in device.platform.breakouts for speed in each.speeds_mbps}, reverse=True)
        problems.add(
            rules.SPEED.at(
                intent.at(*_WHERE, "speed"),
                f"`{device.platform.name}` has no {format_speed(spec.speed)} ports",
                help=f"it runs at {', '.join(format_speed(speed) for speed in speeds)}",
            ),
            device.name,
        )
    return breakout


def _fitting(intent: FabricIntent, placement: Placement, key: str, device: Device, problems: Problems) -> Placement | None:
    ports = len(placement.breakout.ports)
    if placement.needed <= ports:
        return placement
    speed = format_speed(intent.spec.links[0].speed)
    problems.add(
        rules.PORTS_EXHAUSTED.at(
            intent.at(*_WHERE, key, key=True),
            f"`{key}: {placement.capacity}` × {placement.per_pair} links a pair is {placement.needed} ports; "
            f"`{device.platform.name}` has {ports} at {speed}",
            help=f"declare at most {ports // placement.per_pair}",
        ),
        device.name,
    )
    return None


def _check_capacity(
    intent: FabricIntent,
    spec: TierLinks,
    lower: list[Device],
    upper: list[Device],
    placements: Mapping[str, Placement | None],
    problems: Problems,
) -> None:
    for rule, devices, peers, key in (
        (rules.UPLINK_CAPACITY, lower, upper, "uplink_capacity"),
        (rules.DOWNLINK_CAPACITY, upper, lower, "downlink_capacity"),
    ):
        needed = max((peer.index + 1 for peer in peers), default=0)
        for device in devices:
            placement = placements[device.name]
            if placement is None or needed <= placement.capacity:
                continue
            ports = len(placement.breakout.ports)
            most = ports // spec.per_pair
            hint = f"declare `{key}: {needed}`" if needed <= most else f"`{device.platform.name}` has room for {most} at most; use fewer, or a larger platform"
            problems.add(
                rule.at(
                    intent.at(*_WHERE),
                    f"{needed} devices of tier `{peers[0].tier}` are to be cabled, `{key}` leaves room for {placement.capacity} "
                    f"({ports} ports of {format_speed(spec.speed)}, {spec.per_pair} links a pair)",
                    help=hint,
                ),
                device.name,
            )


def _overrides(
    intent: FabricIntent, lower: list[Device], upper: list[Device], spec: TierLinks, problems: Problems
) -> dict[tuple[str, str, int], _LinkSetting]:
    known = [f"{device.short_name}/{peer.short_name}/{number + 1}" for device in lower for peer in upper for number in range(spec.per_pair)]
    names = set(known)
    found: dict[tuple[str, str, int], _LinkSetting] = {}
    for index, override in enumerate(intent.spec.overrides):
        if override.link is None:
            continue
        where = intent.at("overrides", index, "link")
        short = _short(intent.name, override.link)
        if short not in names:
            near = near_miss(override.link, known)
            problems.add(
                intent_rules.UNKNOWN_REFERENCE.at(
                    where,
                    f"no link named `{override.link}`",
                    help=f"a link with a similar name exists: `{near}`" if near else "a link is `LOWER/UPPER/NUMBER`, like `leaf-02/spine-01/1`",
                )
            )
            continue
        first, second, number = short.split("/")
        key = (first, second, int(number))
        if key in found:
            problems.add(intent_rules.DUPLICATE_NAME.at(where, f"`{override.link}` has an override already", help="write one override a link"))
        found[key] = _setting(intent, spec, index, override)
    return found


def _setting(intent: FabricIntent, spec: TierLinks, index: int, override: Override) -> _LinkSetting:
    cable = override.cable if override.cable is not None else spec.cable
    return _LinkSetting(cable, override.admin != "down", intent.at("overrides", index))


def _short(fabric: str, link: str) -> str:
    return "/".join(part.removeprefix(f"{fabric}-") for part in link.split("/"))


def _link(
    pools: Pools,
    spec: TierLinks,
    block: int,
    setting: _LinkSetting,
    lower: Device,
    upper: Device,
    number: int,
    placements: Mapping[str, Placement | None],
) -> Link:
    up, down = placements[lower.name], placements[upper.name]
    assert up is not None  # noqa: S101  (a device without placement is a finding, and then no link is built)
    assert down is not None  # noqa: S101
    position = up.uplink_number(number, upper.index)
    if position >= block:
        raise PoolExhaustedError(position + 1, block)
    addresses = allocate.link(pools, lower.index, block, position)
    return Link(
        name=f"{lower.name}/{upper.name}/{number + 1}",
        lower=LinkEnd(lower.name, up.uplink_port(number, upper.index), addresses.lower4, addresses.lower6),
        upper=LinkEnd(upper.name, down.downlink_port(number, lower.index), addresses.upper4, addresses.upper6),
        speed_mbps=spec.speed,
        cable_m=setting.cable_m,
        enabled=setting.enabled,
        origin=setting.origin,
    )
