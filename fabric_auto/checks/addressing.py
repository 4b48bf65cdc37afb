"""Addresses: pools that overlap."""

from itertools import combinations
from typing import Final

from fabric_auto.checks.model import Checked
from fabric_auto.core.addresses import Network
from fabric_auto.diagnostics import Diagnostic, Note, Rule, Span

OVERLAP: Final = Rule(
    "FAB302",
    "pools-overlap",
    """Two pools of one program share addresses, so that two interfaces could get one.

    Pools of one fabric serve different ends (loopbacks, links, hosts), and pools of two fabrics are routed together as soon as the
    fabrics are linked. Give each its own prefix.""",
)


def pools_do_not_overlap(checked: Checked) -> list[Diagnostic]:
    """FAB302: no two pools of the program share an address."""
    pools = [
        (fabric.name, name, getattr(fabric.pools, name), fabric.origins[f"pools.{name}"])
        for fabric in checked.fabrics
        for name in ("loopback", "loopback4", "link", "link4", "host", "host4")
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
