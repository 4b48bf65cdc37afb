"""Route policy (module srl_nokia-routing-policy): the fabric's loopbacks and host subnets, nothing else.

A statement matches the prefix set alone, whatever the protocol: what leaves the device is its own ``local`` subnets,
its own ``system0`` addresses, whose route type is ``host``, and what it learnt by ``bgp``. The exact prefix length
keeps the rest out.
"""

from dataclasses import dataclass
from typing import Final

from fabric_auto.device.model import BgpPolicy

EXPORT: Final = "fabric-out"
IMPORT: Final = "fabric-in"


@dataclass(frozen=True, slots=True)
class PrefixSet:
    """A prefix set of one pool; ``length_range`` is ``mask-length-range`` (``32..32``)."""

    name: str
    prefix: str
    length_range: str


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement that accepts what a prefix set holds."""

    name: str
    prefix_set: str


@dataclass(frozen=True, slots=True)
class Policy:
    """A policy that rejects what no statement accepts."""

    name: str
    statements: tuple[Statement, ...]


def prefix_sets(policy: BgpPolicy) -> tuple[PrefixSet, ...]:
    """Return one prefix set a pool and family."""
    return (
        _exactly("fabric-loopbacks-v4", str(policy.loopback4), 32),
        _exactly("fabric-loopbacks-v6", str(policy.loopback6), 128),
        _exactly("fabric-hosts-v4", str(policy.host4), policy.host4_length),
        _exactly("fabric-hosts-v6", str(policy.host6), policy.host6_length),
    )


def policies(policy: BgpPolicy) -> tuple[Policy, ...]:
    """Return the import and the export policy; both pass the same prefixes."""
    statements = tuple(Statement(each.name.removeprefix("fabric-"), each.name) for each in prefix_sets(policy))
    return Policy(IMPORT, statements), Policy(EXPORT, statements)


def _exactly(name: str, prefix: str, length: int) -> PrefixSet:
    return PrefixSet(name, prefix, f"{length}..{length}")
