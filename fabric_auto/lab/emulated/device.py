"""What the control plane sees of a device, and what it tells the device back.

Each emulator turns its *running configuration* into a :class:`View`; the control plane joins all views with the cables
as built into one :class:`State` a device, which the emulator's show commands and state trees answer from.
"""

from dataclasses import dataclass, field
from ipaddress import IPv4Interface, IPv4Network, IPv6Interface, IPv6Network
from typing import Protocol, TypeAlias

Prefix: TypeAlias = IPv4Network | IPv6Network


@dataclass(frozen=True, slots=True)
class PortView:
    """A configured port.

    Attributes:
        lldp_port_id: what LLDP announces for it (SONiC: the alias; SR Linux: the interface name).
        lldp: LLDP runs on it.
    """

    name: str
    enabled: bool
    speed_mbps: int
    fec: str
    lldp_port_id: str
    lldp: bool = True


@dataclass(frozen=True, slots=True)
class AddressView:
    """An address on an L3 interface that is administratively up.

    Attributes:
        interface: the NOS name (``Ethernet504``, ``Vlan100``, ``Loopback0``, ``ethernet-1/1.0``, ``irb0.100``).
        port: the physical port under it, or "" (loopback, VLAN).
        members: for a VLAN or irb, the ports that carry it; it is up when one of them is.
    """

    interface: str
    address: IPv4Interface | IPv6Interface
    port: str
    members: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SessionView:
    """A configured, enabled BGP neighbour.

    Attributes:
        local: source address when stated, else "".
        families: address families the session negotiates: ``ipv4``, ``ipv6``.
    """

    address: str
    local: str
    peer_asn: int
    families: frozenset[str]


class RoutePolicy(Protocol):
    """What a device lets in from, or out to, a neighbour."""

    def __call__(self, neighbor: str, prefix: Prefix, protocol: str) -> bool:
        """Return True when the route passes; ``protocol`` is ``local`` or ``bgp``."""
        ...


@dataclass(frozen=True, slots=True)
class View:
    """A device's running configuration as the control plane needs it.

    Attributes:
        hostname: LLDP system name.
        asn: local AS, 0 when BGP is not configured.
        router_id: "" when BGP cannot start.
        originates: prefixes BGP would originate when their interface is up, with that interface's name.
        maximum_paths: ECMP width by family.
        allow_own_as: how often the own AS may appear in a received path.
    """

    hostname: str
    ports: dict[str, PortView]
    addresses: tuple[AddressView, ...]
    asn: int
    router_id: str
    sessions: tuple[SessionView, ...]
    originates: tuple[tuple[Prefix, str], ...]
    imports: RoutePolicy
    exports: RoutePolicy
    maximum_paths: dict[str, int]
    allow_own_as: int = 0


@dataclass(frozen=True, slots=True)
class LldpNeighbor:
    """What LLDP heard on a port."""

    system_name: str
    port_id: str
    port_description: str = ""


@dataclass(frozen=True, slots=True)
class SessionState:
    """A BGP session as it is now.

    Attributes:
        state: ``Idle``, ``Active``, ``Connect`` or ``Established``.
        received: accepted prefixes a family; ``sent`` likewise.
    """

    address: str
    peer_asn: int
    state: str
    families: frozenset[str] = frozenset()
    received: dict[str, int] = field(default_factory=dict)
    sent: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Route:
    """A route in the table: its next hops (neighbour addresses; empty for connected) and AS path."""

    prefix: Prefix
    protocol: str
    next_hops: tuple[str, ...]
    as_path: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class State:
    """What the control plane computed for one device."""

    ports_up: frozenset[str] = frozenset()
    lldp: dict[str, LldpNeighbor] = field(default_factory=dict)
    sessions: dict[str, SessionState] = field(default_factory=dict)
    routes: dict[Prefix, Route] = field(default_factory=dict)


class EmulatedDevice(Protocol):
    """What the lab process knows of an emulator, SONiC or SR Linux alike."""

    name: str

    def view(self) -> View:
        """Return the running configuration as the control plane sees it."""
        ...

    def set_state(self, state: State) -> None:
        """Take the control plane's answer; show commands and state trees answer from it."""
        ...

    async def start(self) -> None:
        """Listen on the device's address and port."""
        ...

    async def stop(self) -> None:
        """Close every session and the listener."""
        ...

    def running(self) -> str:
        """Return the running configuration as text (JSON for SONiC, XML for SR Linux): the truth that tests compare."""
        ...
