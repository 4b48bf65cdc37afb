"""Every device reaches every other device's prefixes over all equal paths: FAB906.

A route that is lost on its way is reported where it is lost: a device that lacks a next hop whose owner lacks the route
itself is not to blame, and a prefix that no neighbour of its owner has is the owner's.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from fabric_auto.device.observed import Observed, Prefix
from fabric_auto.diagnostics import Diagnostic, Note
from fabric_auto.fabric.model import Fabric, Link
from fabric_auto.verify import rules
from fabric_auto.verify.expected import FAMILIES, address_of, prefixes_of

_HELP: Final = "see route policies, the AS path and the ECMP width on the device and the neighbours that it lacks"

Routes: TypeAlias = Mapping[str, Mapping[Prefix, frozenset[str]]]
"""Next hops by device and prefix."""


@dataclass(frozen=True, slots=True)
class _Loss:
    """A prefix that a device lacks, or has over fewer next hops: ``has`` of ``should`` (at most the platform's ECMP width).

    ``peers`` are the neighbours whose paths are lost here.
    """

    prefix: Prefix
    has: int
    should: int
    peers: frozenset[str]


@dataclass(slots=True)
class _Judge:
    """What is compared, and what follows from it alone."""

    fabric: Fabric
    wanted: Routes
    observed: Mapping[str, Observed]
    owners: dict[Prefix, str] = field(default_factory=dict)
    peers: dict[str, str] = field(default_factory=dict)
    neighbors: dict[tuple[str, int], set[str]] = field(default_factory=dict)
    _without: dict[Prefix, frozenset[str]] = field(default_factory=dict)

    def losses(self, name: str) -> list[_Loss]:
        """Return what the device lacks and nobody before it does."""
        has = self.observed[name].routes
        width = self.fabric.devices[name].platform.limits.ecmp_paths
        found = []
        for prefix, hops in self.wanted[name].items():
            got = has.get(prefix)
            if (got is not None and hops <= got) or prefix not in self.owners:
                continue
            loss = self._loss(prefix, hops, got or frozenset(), width)
            if loss is not None:
                found.append(loss)
        return sorted(found, key=lambda loss: _order(loss.prefix))

    def _loss(self, prefix: Prefix, hops: frozenset[str], got: frozenset[str], width: int) -> _Loss | None:
        owner, without = self.owners[prefix], self._devices_without(prefix)
        lost = [hop for hop in hops - got if self.peers[hop] == owner or self.peers[hop] not in without]
        has = len(hops & got)
        if has >= min(width, has + len(lost)):
            return None
        return _Loss(prefix, has, min(width, len(hops)), frozenset(self.peers[hop] for hop in lost))

    def _devices_without(self, prefix: Prefix) -> frozenset[str]:
        """Return the devices that are known not to have the route."""
        found = self._without.get(prefix)
        if found is None:
            found = frozenset(name for name, state in self.observed.items() if prefix not in state.routes)
            self._without[prefix] = found
        return found


def routes(
    fabric: Fabric, wanted: Routes, observed: Mapping[str, Observed], working: Mapping[int, tuple[Link, ...]]
) -> Iterator[Diagnostic]:
    """Yield what is lost, one finding a device and cause.

    Args:
        fabric: the fabric.
        wanted: by device, what it should have over the links that work.
        observed: by device; others are not judged.
        working: the links that work, by IP version.
    """
    judge = _judge(fabric, wanted, observed, working)
    losses = {name: found for name in fabric.devices if name in observed and (found := judge.losses(name))}
    blank = {name for name, found in losses.items() if _misses_all(judge, name, found)}
    unsaid = _unsaid(judge, {name: found for name, found in losses.items() if name not in blank})
    mute = {judge.owners[prefix] for prefix in unsaid}
    thin: dict[frozenset[str], list[tuple[str, list[_Loss]]]] = {}
    for name, found in losses.items():
        missing = [loss for loss in found if loss.has == 0 and (name in blank or loss.prefix not in unsaid)]
        if missing:
            yield _missing(fabric, name, missing, len(wanted[name]), mute=name in blank & mute)
        few = [loss for loss in found if loss.has]
        if few:
            thin.setdefault(frozenset().union(*(loss.peers for loss in few)), []).append((name, few))
    yield from _not_advertised(judge, {prefix for prefix in unsaid if judge.owners[prefix] not in blank})
    for peers, each in thin.items():
        if not peers <= mute:
            yield from _thin(fabric, wanted, peers, each)


def _judge(
    fabric: Fabric, wanted: Routes, observed: Mapping[str, Observed], working: Mapping[int, tuple[Link, ...]]
) -> _Judge:
    judge = _Judge(fabric, wanted, observed)
    for version in FAMILIES:
        for name, device in fabric.devices.items():
            loopback, *subnets = prefixes_of(device, version)
            judge.owners[loopback] = name
            if _has_hosts_up(fabric, name, observed):
                judge.owners.update(dict.fromkeys(subnets, name))
        for link in working[version]:
            for end in (link.lower, link.upper):
                judge.peers[address_of(end, version)] = end.device
                if end.device in observed:
                    judge.neighbors.setdefault((link.peer(end.device).device, version), set()).add(end.device)
    return judge


def _has_hosts_up(fabric: Fabric, name: str, observed: Mapping[str, Observed]) -> bool:
    """Return False when every port of the host VLAN is down: its interface is too, and its subnet is withdrawn."""
    state = observed.get(name)
    return state is None or any(state.ports.get(host.port.name, False) for host in fabric.host_ports_of(name))


def _misses_all(judge: _Judge, name: str, found: list[_Loss]) -> bool:
    direct = sum(1 for prefix in judge.wanted[name] if prefix in judge.owners)
    return direct == sum(1 for loss in found if loss.has == 0)


def _unsaid(judge: _Judge, losses: Mapping[str, list[_Loss]]) -> set[Prefix]:
    """Return the prefixes that none of their owner's neighbours has, where it has two or more."""
    lacking: dict[Prefix, set[str]] = {}
    for name, found in losses.items():
        for loss in found:
            if loss.has == 0 and judge.owners[loss.prefix] in loss.peers:
                lacking.setdefault(loss.prefix, set()).add(name)
    return {
        prefix
        for prefix, names in lacking.items()
        if len(names) > 1 and names == judge.neighbors.get((judge.owners[prefix], prefix.version))
    }


def _not_advertised(judge: _Judge, unsaid: set[Prefix]) -> Iterator[Diagnostic]:
    by_owner: dict[str, list[Prefix]] = {}
    for prefix in sorted(unsaid, key=_order):
        by_owner.setdefault(judge.owners[prefix], []).append(prefix)
    for owner, prefixes in by_owner.items():
        device = judge.fabric.devices[owner]
        total = sum(len(prefixes_of(device, version)) for version in FAMILIES)
        yield rules.PREFIX_MISSING.at(
            device.origin,
            f"not advertised: no neighbour of {owner} has {len(prefixes)} of its {total} prefixes, first {prefixes[0]}",
            subject=owner,
            help=f"see what {owner} originates, and its route policy towards its neighbours",
        )


def _missing(fabric: Fabric, name: str, losses: list[_Loss], total: int, *, mute: bool) -> Diagnostic:
    notes = _lost_to(frozenset().union(*(loss.peers for loss in losses)))
    if mute:
        notes = (*notes, Note(f"its neighbours lack prefixes of {name} too"))
    return rules.PREFIX_MISSING.at(
        fabric.devices[name].origin,
        f"no route: {name} lacks {len(losses)} of {total} prefixes, first {losses[0].prefix}",
        subject=name,
        notes=notes,
        help=_HELP,
    )


def _thin(
    fabric: Fabric, wanted: Routes, peers: frozenset[str], each: list[tuple[str, list[_Loss]]]
) -> Iterator[Diagnostic]:
    if len(each) > 1 and len(peers) == 1:
        name, few = each[0]
        (peer,) = peers
        yield rules.PREFIX_MISSING.at(
            fabric.devices[peer].origin,
            f"too few next hops: {len(each)} devices lack paths over {peer}, first {name} to {_width(few[0])}",
            subject=peer,
            help=_HELP,
        )
        return
    for name, few in each:
        yield rules.PREFIX_MISSING.at(
            fabric.devices[name].origin,
            f"too few next hops: {name} to {len(few)} of {len(wanted[name])} prefixes, first {_width(few[0])}",
            subject=name,
            notes=_lost_to(peers),
            help=_HELP,
        )


def _width(loss: _Loss) -> str:
    return f"{loss.prefix} over {loss.has} of {loss.should}"


def _lost_to(peers: frozenset[str]) -> tuple[Note, ...]:
    first, *others = sorted(peers)
    more = f" and {len(others)} more" if others else ""
    return (Note(f"the paths that it lacks go over {first}{more}"),)


def _order(prefix: Prefix) -> tuple[int, int, int]:
    return prefix.version, int(prefix.network_address), prefix.prefixlen
