"""Address arithmetic for pools: the parts of a pool, and the nth address or subnet of a part.

Everything follows from a position, never from a count (intent-language.md, "Stable numbering").
Point-to-point links are /31 (RFC 3021) and /127 (RFC 6164).
"""

from ipaddress import (
    IPv4Address,
    IPv4Interface,
    IPv4Network,
    IPv6Address,
    IPv6Interface,
    IPv6Network,
)
from typing import TypeAlias, TypeVar

Network: TypeAlias = IPv4Network | IPv6Network
Address: TypeAlias = IPv4Address | IPv6Address
Interface: TypeAlias = IPv4Interface | IPv6Interface
N = TypeVar("N", IPv4Network, IPv6Network)


class PoolExhaustedError(ValueError):
    """A position lies beyond the pool.

    Attributes:
        needed: how many entries the position asks for.
        available: how many entries the pool has.
        pool: the pool, or the part of one.
    """

    def __init__(self, needed: int, available: int, pool: Network) -> None:
        super().__init__(f"needs {needed} entries, {pool} has {available}")
        self.needed = needed
        self.available = available
        self.pool = pool


def subnet(pool: N, prefix_length: int, number: int) -> N:
    """Return subnet ``number`` (from 0) of the given length inside ``pool``.

    >>> subnet(IPv4Network("10.11.0.0/16"), 31, 2)
    IPv4Network('10.11.0.4/31')

    Raises:
        PoolExhaustedError: the pool has fewer subnets of that length.
    """
    available = capacity(pool, prefix_length)
    if not 0 <= number < available:
        raise PoolExhaustedError(number + 1, available, pool)
    step = 1 << (pool.max_prefixlen - prefix_length)
    base = int(pool.network_address) + number * step
    return type(pool)((base, prefix_length))


def capacity(pool: Network, prefix_length: int) -> int:
    """Return how many subnets of that length ``pool`` holds; 0 when the pool is smaller than one.

    >>> capacity(IPv4Network("10.11.0.0/16"), 31)
    32768
    """
    bits = prefix_length - pool.prefixlen
    return 1 << bits if bits >= 0 else 0


def host_route(pool: N, number: int) -> N:
    """Return address ``number`` of the pool as a /32 or /128.

    >>> host_route(IPv4Network("10.10.0.0/18"), 1)
    IPv4Network('10.10.0.1/32')

    Raises:
        PoolExhaustedError: the pool has fewer addresses.
    """
    return subnet(pool, pool.max_prefixlen, number)


def interface_of(network: Network, number: int) -> Interface:
    """Return address ``number`` of a subnet with the subnet's prefix length.

    >>> interface_of(IPv4Network("10.20.0.0/26"), 1)
    IPv4Interface('10.20.0.1/26')

    Raises:
        PoolExhaustedError: the subnet has fewer addresses.
    """
    if not 0 <= number < network.num_addresses:
        raise PoolExhaustedError(number + 1, network.num_addresses, network)
    kind = IPv4Interface if isinstance(network, IPv4Network) else IPv6Interface
    return kind((int(network.network_address) + number, network.prefixlen))
