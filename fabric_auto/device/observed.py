"""What a live switch says of itself, in no vendor's words: the observed state that verification compares with the fabric."""

from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network
from typing import TypeAlias

Prefix: TypeAlias = IPv4Network | IPv6Network


@dataclass(frozen=True, slots=True)
class Neighbor:
    """What LLDP heard on a port (IEEE 802.1AB): the peer's system name and port ID, as the peer spells them."""

    system_name: str
    port_id: str


@dataclass(frozen=True, slots=True)
class Session:
    """A BGP session: ``state`` in lower case (``established``, ``active``, ``idle`` …), prefixes accepted from the peer."""

    address: str
    peer_asn: int
    state: str
    received: int


@dataclass(frozen=True, slots=True)
class Observed:
    """The observed state of one switch.

    Attributes:
        release: the NOS release the device states ("202505", "25.3.1").
        model: HWSKU or chassis type, as the platform catalogue writes it.
        ports: port name → operationally up.
        neighbors: port name → LLDP neighbour.
        sessions: peer address → session.
        routes: prefix → next hops in use (addresses; empty for a connected prefix).
    """

    release: str
    model: str
    ports: dict[str, bool]
    neighbors: dict[str, Neighbor]
    sessions: dict[str, Session]
    routes: dict[Prefix, frozenset[str]]
