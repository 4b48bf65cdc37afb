"""The eBGP underlay (``/network-instance/protocols/bgp``, module srl_nokia-bgp).

One peer group a family, because a session carries one: its other family is switched off explicitly, or the instance's
would be inherited. eBGP without a policy exchanges nothing (RFC 8212, ``ebgp-default-policy``); that default stays.
"""

from dataclasses import dataclass
from typing import Final

from fabric_auto.device.model import BgpNeighbor, DeviceConfig
from fabric_auto.vendors.srlinux.policy import EXPORT, IMPORT

CONNECT_RETRY_S: Final = 10
"""Seconds; the box's default of 120 would hold a session down for two minutes after a link or a peer came back."""


@dataclass(frozen=True, slots=True)
class Family:
    """An address family (identity of srl_nokia-common) and its administrative state."""

    name: str
    admin_state: str


@dataclass(frozen=True, slots=True)
class Group:
    """A peer group; timers in seconds."""

    name: str
    families: tuple[Family, ...]
    export_policy: str
    import_policy: str
    keepalive: int
    hold: int
    connect_retry: int


@dataclass(frozen=True, slots=True)
class Neighbor:
    """A numbered session."""

    address: str
    local_address: str
    asn: int
    group: str
    description: str


@dataclass(frozen=True, slots=True)
class Bgp:
    """The BGP instance; ``maximum_paths`` holds for each family."""

    asn: int
    router_id: str
    families: tuple[str, ...]
    maximum_paths: int
    groups: tuple[Group, ...]
    neighbors: tuple[Neighbor, ...]


FAMILIES: Final = {4: "ipv4-unicast", 6: "ipv6-unicast"}


def bgp(device: DeviceConfig) -> Bgp:
    """Return the BGP instance of the default network instance."""
    config = device.bgp
    return Bgp(
        asn=config.asn,
        router_id=str(config.router_id),
        families=tuple(FAMILIES.values()),
        maximum_paths=config.maximum_paths,
        groups=tuple(_group(device, version) for version in FAMILIES),
        neighbors=tuple(_neighbor(each) for each in config.neighbors),
    )


def group_name(version: int) -> str:
    """Return the peer group of an IP version.

    >>> group_name(6)
    'fabric-v6'
    """
    return f"fabric-v{version}"


def _group(device: DeviceConfig, version: int) -> Group:
    states = {each: "enable" if each == version else "disable" for each in FAMILIES}
    return Group(
        name=group_name(version),
        families=tuple(Family(FAMILIES[each], state) for each, state in states.items()),
        export_policy=EXPORT,
        import_policy=IMPORT,
        keepalive=device.bgp.keepalive_s,
        hold=device.bgp.hold_s,
        connect_retry=CONNECT_RETRY_S,
    )


def _neighbor(neighbor: BgpNeighbor) -> Neighbor:
    return Neighbor(
        address=str(neighbor.address),
        local_address=str(neighbor.local_address),
        asn=neighbor.asn,
        group=group_name(neighbor.address.version),
        description=neighbor.peer,
    )
