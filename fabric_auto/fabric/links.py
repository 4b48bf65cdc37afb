"""Fabric links: every lower device to every upper one, ``per_pair`` times, with ports and addresses by position."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from fabric_auto.core.addresses import PoolExhaustedError
from fabric_auto.core.names import near_miss
from fabric_auto.core.units import format_speed
from fabric_auto.diagnostics import Rule, Span
from fabric_auto.fabric import allocate, rules
from fabric_auto.fabric.model import Device, Link, LinkEnd
from fabric_auto.fabric.ports import Placement, default_downlinks, default_uplinks
from fabric_auto.fabric.problems import Draft
from fabric_auto.intent import rules as intent_rules
from fabric_auto.intent.fabric import Override
from fabric_auto.platforms.model import Breakout, Platform

_WHERE: Final = ("links", 0)


@dataclass(frozen=True, slots=True)
class _Setting:
    """What an override may change about a link."""

    cable_m: int
    enabled: bool
    origin: Span


@dataclass(frozen=True, slots=True)
class _Placed:
    """A device and where its links of this speed stand."""

    device: Device
    placement: Placement


def build_links(
    draft: Draft, lower: list[Device], upper: list[Device], platforms: Mapping[str, Platform | None]
) -> list[Link]:
    """Return the links of a two-tier fabric; what is wrong goes to ``draft.problems``."""
    spec = draft.intent.spec.links[0]
    tier = platforms[spec.lower]
    breakout = tier.breakout_for(spec.speed) if tier else None
    below = _placed(draft, lower, "uplink_capacity", default_uplinks)
    above = _placed(draft, upper, "downlink_capacity", default_downlinks)
    _check_capacity(draft, below, upper, "uplink_capacity", rules.UPLINK_CAPACITY)
    _check_capacity(draft, above, lower, "downlink_capacity", rules.DOWNLINK_CAPACITY)
    if draft.problems.any() or breakout is None:
        return []
    overrides = _overrides(draft, lower, upper)
    block = allocate.block_size(len(breakout.ports))
    plain = _Setting(cable_m=spec.cable, enabled=True, origin=draft.at(*_WHERE))
    try:
        return [
            _link(draft, (one, other), number, block, overrides.get(_key(one, other, number), plain))
            for one in below
            for number in range(spec.per_pair)
            for other in above
        ]
    except PoolExhaustedError as error:
        count = draft.intent.spec.tiers[0].count
        draft.problems.exhausted(draft.intent, f"number the uplinks of {count} devices", error)
        return []


def _key(lower: _Placed, upper: _Placed, number: int) -> tuple[str, str, int]:
    return lower.device.short_name, upper.device.short_name, number + 1


def _placed(draft: Draft, devices: list[Device], key: str, default: Callable[[int, int], int]) -> list[_Placed]:
    """Return the devices whose links have ports; the others are findings."""
    spec = draft.intent.spec.links[0]
    placed = []
    for device in devices:
        breakout = _breakout(draft, device)
        if breakout is None:
            continue
        capacity = getattr(spec, key) or default(len(breakout.ports), spec.per_pair)
        placement = Placement(breakout, capacity, spec.per_pair)
        if placement.needed <= len(breakout.ports):
            placed.append(_Placed(device, placement))
        else:
            _does_not_fit(draft, device, placement, key)
    return placed


def _breakout(draft: Draft, device: Device) -> Breakout | None:
    speed = draft.intent.spec.links[0].speed
    breakout = device.platform.breakout_for(speed)
    if breakout is None:
        speeds = sorted({each for way in device.platform.breakouts for each in way.speeds_mbps}, reverse=True)
        draft.problems.add(
            rules.SPEED.at(
                draft.at(*_WHERE, "speed"),
                f"`{device.platform.name}` has no {format_speed(speed)} ports",
                help=f"it runs at {', '.join(map(format_speed, speeds))}",
            ),
            device.name,
            device.platform.name,
        )
    return breakout


def _does_not_fit(draft: Draft, device: Device, placement: Placement, key: str) -> None:
    ports = len(placement.breakout.ports)
    speed = format_speed(draft.intent.spec.links[0].speed)
    draft.problems.add(
        rules.PORTS_EXHAUSTED.at(
            draft.at(*_WHERE, key, key=True),
            f"`{key}: {placement.capacity}` × {placement.per_pair} links a pair is {placement.needed} ports; "
            f"`{device.platform.name}` has {ports} at {speed}",
            help=f"declare at most {ports // placement.per_pair}",
        ),
        device.name,
        device.platform.name,
    )


def _check_capacity(draft: Draft, placed: list[_Placed], peers: list[Device], key: str, rule: Rule) -> None:
    """Find devices that are to be cabled to more peers than their numbering leaves room for."""
    needed = max((peer.index + 1 for peer in peers), default=0)
    spec = draft.intent.spec.links[0]
    for each in placed:
        if needed <= each.placement.capacity:
            continue
        ports, platform = len(each.placement.breakout.ports), each.device.platform.name
        most = ports // spec.per_pair
        remedy = (
            f"declare `{key}: {needed}`"
            if needed <= most
            else f"`{platform}` has room for {most} at most; use fewer, or a larger platform"
        )
        draft.problems.add(
            rule.at(
                draft.at(*_WHERE),
                f"{needed} devices of tier `{peers[0].tier}` are to be cabled, `{key}` leaves room for "
                f"{each.placement.capacity} ({ports} ports of {format_speed(spec.speed)}, {spec.per_pair} links a pair)",
                help=remedy,
            ),
            each.device.name,
            platform,
        )


def _overrides(draft: Draft, lower: list[Device], upper: list[Device]) -> dict[tuple[str, str, int], _Setting]:
    spec = draft.intent.spec
    known = {
        f"{device.short_name}/{peer.short_name}/{number + 1}": (device.short_name, peer.short_name, number + 1)
        for device in lower
        for peer in upper
        for number in range(spec.links[0].per_pair)
    }
    found: dict[tuple[str, str, int], _Setting] = {}
    for index, override in enumerate(spec.overrides):
        if override.link is None:
            continue
        where = draft.at("overrides", index, "link")
        key = known.get(_short(draft.intent.name, override.link))
        if key is None:
            near = near_miss(override.link, known)
            draft.problems.add(
                intent_rules.UNKNOWN_REFERENCE.at(
                    where,
                    f"no link named `{override.link}`",
                    help=f"a link with a similar name exists: `{near}`"
                    if near
                    else "a link is `LOWER/UPPER/NUMBER`, like `leaf-02/spine-01/1`",
                )
            )
        elif key in found:
            draft.problems.add(
                intent_rules.DUPLICATE_NAME.at(
                    where, f"`{override.link}` has an override already", help="write one override a link"
                )
            )
        else:
            found[key] = _setting(draft, index, override)
    return found


def _setting(draft: Draft, index: int, override: Override) -> _Setting:
    cable = override.cable if override.cable is not None else draft.intent.spec.links[0].cable
    return _Setting(cable_m=cable, enabled=override.admin != "down", origin=draft.at("overrides", index))


def _short(fabric: str, link: str) -> str:
    return "/".join(part.removeprefix(f"{fabric}-") for part in link.split("/"))


def _link(draft: Draft, ends: tuple[_Placed, _Placed], number: int, block: int, setting: _Setting) -> Link:
    lower, upper = ends
    position = lower.placement.uplink_number(number, upper.device.index)
    if position >= block:
        raise PoolExhaustedError(position + 1, block, draft.pools.link4)
    addresses = allocate.link(draft.pools, lower.device.index, block, position)
    up = lower.placement.uplink_port(number, upper.device.index)
    down = upper.placement.downlink_port(number, lower.device.index)
    return Link(
        name=f"{lower.device.name}/{upper.device.name}/{number + 1}",
        lower=LinkEnd(lower.device.name, up, addresses.lower4, addresses.lower6),
        upper=LinkEnd(upper.device.name, down, addresses.upper4, addresses.upper6),
        speed_mbps=draft.intent.spec.links[0].speed,
        cable_m=setting.cable_m,
        enabled=setting.enabled,
        origin=setting.origin,
    )
