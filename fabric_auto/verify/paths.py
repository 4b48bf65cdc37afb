"""Shortest paths that eBGP can use: none passes an AS number twice (RFC 4271 §9.1.2, RFC 7938 §5.2).

Every device starts with the route to itself and gives its best paths to its neighbours, hop by hop; a device takes every
path as short as its first (multipath relax) and passes on the one of the neighbour with the lowest router ID (RFC 4271
§9.1.2.2 f). Destinations are bits of an integer, so that a hop over a pair of devices is one ``&`` for all of them.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from fabric_auto.fabric.model import Device, Link

Paths: TypeAlias = dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]]
"""By device: groups of neighbours on shortest valid paths, and the destinations reached over all of them."""


@dataclass(slots=True)
class _Speaker:
    """A device while paths are computed; all sets are over destinations.

    Attributes:
        settled: whose paths are final.
        fresh: who became so in the last round.
        passed: by AS number, whose best path passes it, the device's own AS included.
        over: the neighbours on shortest paths, and to whom.
    """

    asn: int
    settled: int
    fresh: int
    passed: dict[int, int]
    over: list[tuple[tuple[str, ...], int]] = field(default_factory=list)


def shortest(devices: Mapping[str, Device], links: Iterable[Link]) -> Paths:
    """Return the shortest valid paths of every device.

    Args:
        devices: by name.
        links: those that carry routes.
    """
    names = list(devices)
    speakers = {
        name: _Speaker(device.bgp.asn, 1 << number, 1 << number, {device.bgp.asn: 1 << number})
        for number, (name, device) in enumerate(devices.items())
    }
    neighbors = _neighbors(devices, links)
    while _round(speakers, neighbors):
        pass
    return {
        name: [(over, tuple(names[number] for number in _numbers(members))) for over, members in speaker.over]
        for name, speaker in speakers.items()
    }


def _neighbors(devices: Mapping[str, Device], links: Iterable[Link]) -> dict[str, list[str]]:
    found: dict[str, set[str]] = {}
    for link in links:
        found.setdefault(link.lower.device, set()).add(link.upper.device)
        found.setdefault(link.upper.device, set()).add(link.lower.device)
    return {name: sorted(each, key=lambda peer: devices[peer].loopback.v4.ip) for name, each in found.items()}


def _round(speakers: Mapping[str, _Speaker], neighbors: Mapping[str, list[str]]) -> bool:
    """Give what is fresh one hop on; return True when somebody learnt something."""
    offers = {
        name: [(peer, new) for peer in peers if (new := _accepted(speakers[peer], speakers[name]))]
        for name, peers in neighbors.items()
    }
    for speaker in speakers.values():
        speaker.fresh = 0
    # Senders' paths to what they offer were final before this round: learning adds other destinations only.
    for name, offered in offers.items():
        _learn(speakers, speakers[name], offered)
    return any(offers.values())


def _accepted(sender: _Speaker, receiver: _Speaker) -> int:
    return sender.fresh & ~receiver.settled & ~sender.passed.get(receiver.asn, 0)


def _learn(speakers: Mapping[str, _Speaker], receiver: _Speaker, offered: list[tuple[str, int]]) -> None:
    for over, members in _groups(offered):
        best = speakers[over[0]]
        for asn, passing in best.passed.items():
            if passing & members:
                receiver.passed[asn] = receiver.passed.get(asn, 0) | passing & members
        receiver.passed[receiver.asn] |= members
        receiver.settled |= members
        receiver.fresh |= members
        receiver.over.append((over, members))


def _groups(offered: list[tuple[str, int]]) -> list[tuple[tuple[str, ...], int]]:
    """Split what is offered into sets that are offered by the same neighbours."""
    everything = 0
    for _, members in offered:
        everything |= members
    groups: list[tuple[tuple[str, ...], int]] = [((), everything)] if everything else []
    for peer, members in offered:
        split = [((*over, peer), inside) for over, group in groups if (inside := group & members)]
        groups = split + [(over, outside) for over, group in groups if (outside := group & ~members)]
    return groups


def _numbers(members: int) -> Iterator[int]:
    while members:
        lowest = members & -members
        yield lowest.bit_length() - 1
        members ^= lowest
