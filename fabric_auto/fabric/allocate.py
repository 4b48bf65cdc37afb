"""Addresses and AS numbers by position (intent-language.md, "Stable numbering"): a function of where, never of how many.

Each pool is split by four in this order: leaf, spine, border, super-spine. A device's loopback is number ``index + 1`` of its
part: number 0 of an IPv6 pool is the Subnet-Router anycast address (RFC 4291 §2.6.1). A link belongs to its lower device.
"""

from dataclasses import dataclass
from ipaddress import IPv4Interface, IPv4Network, IPv6Interface, IPv6Network
from typing import Final, TypeVar

from fabric_auto.core.addresses import host_route, interface_of, subnet
from fabric_auto.fabric.model import Loopback, Pools, Role

N = TypeVar("N", IPv4Network, IPv6Network)

_PART: Final = {Role.LEAF: 0, Role.SPINE: 1}
_SPLIT_BITS: Final = 2
GATEWAY: Final = 1
FIRST_HOST: Final = 2


def part(pool: N, role: Role) -> N:
    """Return the quarter of the pool that belongs to a role.

    >>> part(IPv4Network("10.10.0.0/16"), Role.SPINE)
    IPv4Network('10.10.64.0/18')
    """
    return subnet(pool, pool.prefixlen + _SPLIT_BITS, _PART[role])


def loopback(pools: Pools, role: Role, index: int) -> Loopback:
    """Return the loopbacks of device ``index`` (from 0) of a role.

    Raises:
        PoolExhaustedError: the part is too small.
    """
    v4 = host_route(part(pools.loopback4, role), index + 1)
    v6 = host_route(part(pools.loopback, role), index + 1)
    return Loopback(IPv4Interface(str(v4)), IPv6Interface(str(v6)))


@dataclass(frozen=True, slots=True)
class LinkAddresses:
    """Both ends of a numbered link: the lower device has the even address."""

    lower4: IPv4Interface
    upper4: IPv4Interface
    lower6: IPv6Interface
    upper6: IPv6Interface


def link(pools: Pools, index: int, block: int, number: int) -> LinkAddresses:
    """Return the addresses of uplink ``number`` of lower device ``index``, whose block holds ``block`` links.

    Raises:
        PoolExhaustedError: the part is too small.
    """
    position = index * block + number
    v4 = subnet(part(pools.link4, Role.LEAF), 31, position)
    v6 = subnet(part(pools.link, Role.LEAF), 127, position)
    return LinkAddresses(_v4(v4, 0), _v4(v4, 1), _v6(v6, 0), _v6(v6, 1))


@dataclass(frozen=True, slots=True)
class HostSubnet:
    """The subnets of one leaf's host VLAN."""

    v4: IPv4Network
    v6: IPv6Network

    @property
    def gateway(self) -> tuple[IPv4Interface, IPv6Interface]:
        """The leaf's own addresses."""
        return self.host(GATEWAY - FIRST_HOST)

    def host(self, number: int) -> tuple[IPv4Interface, IPv6Interface]:
        """Return the addresses of host port ``number`` (from 0).

        Raises:
            PoolExhaustedError: the subnet is too small.
        """
        return _v4(self.v4, number + FIRST_HOST), _v6(self.v6, number + FIRST_HOST)

    @property
    def largest(self) -> int:
        """How many host ports the smaller of the two subnets can address; the IPv4 broadcast address is none."""
        return min(self.v4.num_addresses - 1, self.v6.num_addresses) - FIRST_HOST


def host_subnet(pools: Pools, lengths: tuple[int, int], index: int) -> HostSubnet:
    """Return the host subnets of leaf ``index``; ``lengths`` are the IPv4 and IPv6 prefix lengths.

    Raises:
        PoolExhaustedError: the part is too small.
    """
    return HostSubnet(
        subnet(part(pools.host4, Role.LEAF), lengths[0], index), subnet(part(pools.host, Role.LEAF), lengths[1], index)
    )


def asn(base: int, role: Role, index: int) -> int:
    """Return the AS number: leaves count up from the base, spines share it (RFC 7938 §5.2)."""
    return base + index if role is Role.LEAF else base


def block_size(ports: int) -> int:
    """Return the links a lower device reserves in the pool: its ports, rounded up to a power of two.

    >>> block_size(64), block_size(65)
    (64, 128)
    """
    return 1 << max(ports - 1, 0).bit_length()


def _v4(network: IPv4Network, number: int) -> IPv4Interface:
    interface = interface_of(network, number)
    assert isinstance(interface, IPv4Interface)  # noqa: S101  (the family follows the network's)
    return interface


def _v6(network: IPv6Network, number: int) -> IPv6Interface:
    interface = interface_of(network, number)
    assert isinstance(interface, IPv6Interface)  # noqa: S101  (the family follows the network's)
    return interface
