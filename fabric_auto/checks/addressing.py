"""Addresses: pools that overlap."""

from ipaddress import IPv4Network, ip_network
from itertools import combinations
from typing import Final

from fabric_auto.checks.model import Checked
from fabric_auto.core.addresses import Network
from fabric_auto.diagnostics import Diagnostic, Note, Rule, Span

_POOLS: Final = ("loopback", "loopback4", "link", "link4", "host", "host4")

OVERLAP: Final = Rule(
    "FAB302",
    "pools-overlap",
    """Two pools of one program share addresses, so that two interfaces could get one.

    Pools of one fabric serve different ends (loopbacks, links, hosts), and pools of two fabrics are routed together as soon as the
    fabrics are linked. Give each its own prefix.""",
)

UNUSABLE: Final = Rule(
    "FAB304",
    "pool-not-unicast",
    """Interfaces and loopbacks need global or private unicast addresses. Multicast, link-local, loopback, reserved and
    "this network" prefixes cannot be given to them, or are not routed (RFC 6890).""",
)
_THIS_NETWORK: Final = ip_network("0.0.0.0/8")


def pools_are_unicast(checked: Checked) -> list[Diagnostic]:
    """FAB304: the addresses of every pool can be given to interfaces and routed."""
    return [
        UNUSABLE.at(
            fabric.origins[f"pools.{name}"],
            f"pool `{name}` {pool} holds addresses that no interface may have: {why}",
            help="use a private or global unicast prefix, like 10.0.0.0/8 or fd00::/8",
        )
        for fabric in checked.fabrics
        for name in _POOLS
        for pool in (getattr(fabric.pools, name),)
        for why in (_unusable(pool),)
        if why
    ]


def _unusable(pool: Network) -> str:
    if isinstance(pool, IPv4Network) and pool.overlaps(_THIS_NETWORK):
        return "`this network`"
    kinds = {
        "multicast": pool.is_multicast,
        "link-local": pool.is_link_local,
        "loopback": pool.is_loopback,
        "unspecified": pool.is_unspecified,
        "reserved": pool.is_reserved and not pool.is_global,
    }
    return next((kind for kind, holds in kinds.items() if holds), "")


def pools_do_not_overlap(checked: Checked) -> list[Diagnostic]:
    """FAB302: no two pools of the program share an address."""
    pools = [
        (fabric.name, name, getattr(fabric.pools, name), fabric.origins[f"pools.{name}"])
        for fabric in checked.fabrics
        for name in _POOLS
    ]
    return [
        _finding(first, second)
        for first, second in combinations(pools, 2)
        if first[2].version == second[2].version and first[2].overlaps(second[2])
    ]


def _finding(first: tuple[str, str, Network, Span], second: tuple[str, str, Network, Span]) -> Diagnostic:
    names = [
        f"`{name}`" if first[0] == second[0] else f"`{name}` of `{fabric}`" for fabric, name, _, _ in (first, second)
    ]
    return OVERLAP.at(
        second[3],
        f"pool {names[1]} {second[2]} overlaps pool {names[0]} {first[2]}",
        notes=(Note(f"{names[0]} is here", first[3]),),
        help="give each pool a prefix of its own",
    )
