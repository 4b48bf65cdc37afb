"""BGP routes over established sessions: path-vector to its fixed point.

The best path is the shortest AS path, then the lowest BGP identifier, then the lowest neighbour address (RFC 4271
section 9.1.2.2 a, f, g); every path as short as the best is used, whatever its AS numbers (multipath relax), up to the
device's width. Policies accept or reject and never lengthen a path, so the routes a hop away are final before those two
hops away are looked at: one breadth-first pass over the number of hops is the fixed point.

Prefixes are bits of an integer: what a session carries is an ``&`` of such sets instead of a loop over routes.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from ipaddress import IPv4Address, ip_address

from fabric_auto.lab.emulated.device import Prefix, Route, RoutePolicy
from fabric_auto.lab.emulated.verdicts import Verdicts, numbers_of


@dataclass(frozen=True, slots=True)
class Router:
    """What routing needs of a device.

    Attributes:
        originated: prefixes that BGP originates now.
        connected: prefixes of the interfaces that are up; they win over routes learnt by BGP.
    """

    asn: int
    router_id: str
    allow_own_as: int
    maximum_paths: Mapping[str, int]
    imports: RoutePolicy
    exports: RoutePolicy
    originated: tuple[Prefix, ...]
    connected: tuple[Prefix, ...]


@dataclass(frozen=True, slots=True)
class Adjacency:
    """One direction of an established session: routes go from ``sender`` to ``receiver``.

    Attributes:
        to: the receiver's address, as the sender's neighbour.
        via: the sender's address, as the receiver's neighbour: the next hop of what is sent.
    """

    sender: str
    to: str
    receiver: str
    via: str
    families: frozenset[str]


@dataclass(frozen=True, slots=True)
class Routing:
    """The fixed point.

    Attributes:
        tables: routes by device.
        received: accepted prefixes a family, by device and neighbour address; ``sent`` likewise.
    """

    tables: dict[str, dict[Prefix, Route]]
    received: dict[tuple[str, str], dict[str, int]]
    sent: dict[tuple[str, str], dict[str, int]]


@dataclass(slots=True)
class _Table:
    """A device's best paths of one family while they are computed; sets are over prefix numbers.

    Attributes:
        settled: prefixes whose route is final.
        fresh: those that became so in the last round.
        learned: prefixes by the neighbour whose path is best.
        holds: by AS number, at position n the prefixes whose best path holds it more than n times.
    """

    router: Router
    settled: int = 0
    fresh: int = 0
    learned: dict[str, int] = field(default_factory=dict)
    holds: dict[int, list[int]] = field(default_factory=dict)
    paths: dict[int, tuple[int, ...]] = field(default_factory=dict)
    hops: dict[int, tuple[str, ...]] = field(default_factory=dict)


def routes(routers: Mapping[str, Router], adjacencies: Collection[Adjacency], verdicts: Verdicts) -> Routing:
    """Return every device's routes, and how many went over each session."""
    everybody = routers.values()
    verdicts.start(
        (prefix for router in everybody for prefix in router.originated),
        (policy for router in everybody for policy in (router.imports, router.exports)),
    )
    result = Routing({name: {} for name in routers}, {}, {})
    for name, router in routers.items():
        local = dict.fromkeys((*router.connected, *router.originated))
        result.tables[name].update((prefix, Route(prefix, "local", ())) for prefix in local)
    for family in ("ipv4", "ipv6"):
        edges = sorted(
            (each for each in adjacencies if family in each.families),
            key=lambda edge: (edge.receiver, int(IPv4Address(routers[edge.sender].router_id)), _order(edge.via)),
        )
        _Spread(routers, edges, family, verdicts).run(result)
    return result


class _Spread:
    """The breadth-first pass for one family."""

    def __init__(self, routers: Mapping[str, Router], edges: list[Adjacency], family: str, verdicts: Verdicts) -> None:
        self._family = family
        self._edges = edges
        self._verdicts = verdicts
        self._tables = {name: self._start(router) for name, router in routers.items()}
        self._sent = dict.fromkeys(((edge.sender, edge.to) for edge in edges), 0)
        self._received = dict.fromkeys(((edge.receiver, edge.via) for edge in edges), 0)

    def run(self, result: Routing) -> None:
        """Compute, and write the family's part of ``result``."""
        protocol = "local"
        while self._round(protocol):
            protocol = "bgp"
        for counts, totals in ((self._sent, result.sent), (self._received, result.received)):
            for session, count in counts.items():
                totals.setdefault(session, {})[self._family] = count
        prefixes = self._verdicts.prefixes
        order = sorted(
            set().union(*(table.hops for table in self._tables.values())),
            key=lambda number: (int(prefixes[number].network_address), prefixes[number].prefixlen),
        )
        for name, table in self._tables.items():
            routes_of = result.tables[name]
            for number in order:
                if number in table.hops:
                    prefix = prefixes[number]
                    routes_of[prefix] = Route(prefix, "bgp", table.hops[number], table.paths[number])

    def _start(self, router: Router) -> _Table:
        originated = self._set(router.originated)
        return _Table(router, originated | self._set(router.connected), originated)

    def _set(self, prefixes: Iterable[Prefix]) -> int:
        known = self._verdicts.number
        found = {known[each] for each in prefixes if f"ipv{each.version}" == self._family and each in known}
        return sum(1 << number for number in found)

    def _round(self, protocol: str) -> bool:
        """Send what is fresh one hop on; return True when something new was learnt."""
        offers: dict[str, list[tuple[Adjacency, int]]] = {}
        for edge in self._edges:
            accepted = self._send(edge, protocol)
            new = accepted & ~self._tables[edge.receiver].settled
            if new:
                offers.setdefault(edge.receiver, []).append((edge, new))
        for table in self._tables.values():
            table.fresh = 0
        # The senders' paths of this round are already final: receivers only add prefixes that they had not settled.
        for name, offered in offers.items():
            self._choose(self._tables[name], offered)
        return bool(offers)

    def _send(self, edge: Adjacency, protocol: str) -> int:
        sender, receiver = self._tables[edge.sender], self._tables[edge.receiver]
        # A best path is not sent back to the neighbour it came from.
        offered = sender.fresh & ~sender.learned.get(edge.to, 0)
        if not offered:
            return 0
        offered = self._verdicts.passing(sender.router.exports, edge.to, protocol, offered)
        self._sent[edge.sender, edge.to] += offered.bit_count()
        own = sender.holds.get(receiver.router.asn, [])
        loops = own[receiver.router.allow_own_as] if len(own) > receiver.router.allow_own_as else 0
        accepted = self._verdicts.passing(receiver.router.imports, edge.via, "bgp", offered & ~loops)
        self._received[edge.receiver, edge.via] += accepted.bit_count()
        return accepted

    def _choose(self, table: _Table, offered: list[tuple[Adjacency, int]]) -> None:
        """Settle what is offered; offers are in order of preference and all equally short."""
        width = max(1, table.router.maximum_paths.get(self._family, 1))
        best: dict[Adjacency, int] = {}
        for members, edges in _partition(offered):
            best[edges[0]] = best.get(edges[0], 0) | members
            hops = tuple(edge.via for edge in edges[:width])
            for number in numbers_of(members):
                table.hops[number] = hops
        for edge, members in best.items():
            self._adopt(table, edge, members)
            table.settled |= members
            table.fresh |= members

    def _adopt(self, table: _Table, edge: Adjacency, members: int) -> None:
        """Take over the sender's AS paths, with the sender's own AS put before them."""
        sender = self._tables[edge.sender]
        asn = sender.router.asn
        table.learned[edge.via] = table.learned.get(edge.via, 0) | members
        for number in numbers_of(members):
            table.paths[number] = (asn, *sender.paths.get(number, ()))
        for each in (asn, *(other for other in sender.holds if other != asn)):
            gained = [held & members for held in sender.holds.get(each, ())]
            if each == asn:
                gained.insert(0, members)
            if any(gained):
                _merge(table.holds.setdefault(each, []), gained)


def _partition(offered: list[tuple[Adjacency, int]]) -> list[tuple[int, list[Adjacency]]]:
    """Split the prefixes offered into sets that are offered over the same sessions."""
    rest = 0
    cells: list[tuple[int, list[Adjacency]]] = []
    for edge, members in offered:
        split: list[tuple[int, list[Adjacency]]] = []
        for cell, edges in cells:
            inside = cell & members
            if inside == cell:
                edges.append(edge)
                split.append((cell, edges))
            elif inside:
                split += [(inside, [*edges, edge]), (cell & ~members, edges)]
            else:
                split.append((cell, edges))
        first_seen = members & ~rest
        if first_seen:
            split.append((first_seen, [edge]))
        rest |= members
        cells = split
    return cells


def _merge(held: list[int], gained: list[int]) -> None:
    held.extend([0] * (len(gained) - len(held)))
    for position, members in enumerate(gained):
        held[position] |= members


def _order(address: str) -> tuple[int, int]:
    value = ip_address(address)
    return value.version, int(value)
