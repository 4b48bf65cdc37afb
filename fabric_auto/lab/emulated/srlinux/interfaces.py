"""What a configuration says about ports and subinterfaces: which there are, where they belong, whether they fit."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from lxml.etree import _Element as Element

from fabric_auto.core.units import parse_speed
from fabric_auto.lab.emulated.srlinux.elements import bare, children, descend, enabled, entry, leaf
from fabric_auto.lab.emulated.topology import LabDevice, PanelPort

DEFAULT_PORT_MTU: Final = "9232"
"""srl_nokia-mtu, ``/system/mtu/default-port-mtu``; Ethernet header included, FCS not."""

DEFAULT_L2_MTU: Final = "9232"
"""srl_nokia-mtu, ``/system/mtu/default-l2-mtu``: a bridged subinterface's; Ethernet header and VLAN tags included, FCS not."""

DEFAULT_IP_MTU: Final = "1500"
"""srl_nokia-mtu, ``/system/mtu/default-ip-mtu``."""

_ETHERNET_HEADER: Final = 14
_VLAN_TAG: Final = 4


@dataclass(frozen=True, slots=True)
class Subinterface:
    """A configured subinterface.

    Attributes:
        interface: its interface's name.
        node: its list entry; ``parent`` is the interface's.
    """

    interface: str
    parent: Element
    node: Element

    @property
    def name(self) -> str:
        """The name other parts of the configuration use: ``ethernet-1/1.0``."""
        return f"{self.interface}.{leaf(self.node, 'index')}"

    @property
    def type(self) -> str:
        """``routed`` or ``bridged``; an interface that takes no type is routed."""
        return bare(leaf(self.node, "type", default="routed"))


def subinterfaces(config: Element) -> Iterator[Subinterface]:
    """Yield every configured subinterface."""
    for parent in children(config, "interface"):
        for node in children(parent, "subinterface"):
            yield Subinterface(leaf(parent, "name"), parent, node)


def find_subinterface(config: Element, name: str) -> Subinterface | None:
    """Return the subinterface called ``ethernet-1/1.0``, None when it is not configured."""
    interface, _, index = name.rpartition(".")
    parent = entry(config, "interface", "name", interface)
    node = entry(parent, "subinterface", "index", index) if parent is not None else None
    return Subinterface(interface, parent, node) if parent is not None and node is not None else None


def instance(config: Element, name: str) -> Element | None:
    """Return a network-instance."""
    return entry(config, "network-instance", "name", name)


def instance_type(node: Element) -> str:
    """Return ``default``, ``ip-vrf`` or ``mac-vrf``."""
    return bare(leaf(node, "type", default="default"))


def memberships(config: Element) -> dict[str, list[Element]]:
    """Return the network-instances that each subinterface is listed in, by its name."""
    found: dict[str, list[Element]] = {}
    for node in children(config, "network-instance"):
        for each in children(node, "interface"):
            found.setdefault(leaf(each, "name"), []).append(node)
    return found


def breakout(interface: Element | None) -> int:
    """Return into how many ports a configured interface is broken out, 0 when it is whole."""
    count = leaf(interface, "breakout-mode", "num-breakout-ports")
    return int(count) if count.isdigit() else 0


def panel(hardware: LabDevice) -> dict[str, PanelPort]:
    """Return the chassis' ports by name."""
    return {port.name: port for port in hardware.ports}


def ports(config: Element, hardware: LabDevice) -> Iterator[tuple[str, int]]:
    """Yield (name, Mb/s) of every port after breakout, in the order of the panel."""
    for port in hardware.ports:
        interface = entry(config, "interface", "name", port.name)
        count = breakout(interface)
        if count:
            speed = parse_speed(leaf(interface, "breakout-mode", "breakout-port-speed", default="100G"))
            yield from ((f"{port.name}/{number}", speed) for number in range(1, count + 1))
        else:
            stated = leaf(interface, "ethernet", "port-speed")
            yield port.name, _speed(stated) if stated else port.speed_mbps


def misfit(config: Element, sub: Subinterface) -> str:
    """Return the ``subif-oper-down-reason`` when the frames of a subinterface do not fit below it, "" when they do."""
    if sub.interface.startswith("irb"):
        room = _mac_vrf_mtu(config, sub)
        return "ip-mtu-larger-than-oper-mac-vrf-mtu" if _ip_mtu(config, sub) + _ETHERNET_HEADER > room else ""
    if not sub.interface.startswith(("ethernet-", "lag")):
        return ""
    port = int(leaf(sub.parent, "mtu") or _system_mtu(config, "default-port-mtu", DEFAULT_PORT_MTU))
    if sub.type == "bridged":
        return "l2-mtu-too-large" if _l2_mtu(config, sub) > port else ""
    return "ip-mtu-too-large" if _ip_mtu(config, sub) + _ETHERNET_HEADER > port else ""


def bridge_of(config: Element, sub: Subinterface) -> Element | None:
    """Return the mac-vrf that an irb subinterface is in, None when none is administratively up."""
    for each in children(config, "network-instance"):
        listed = entry(each, "interface", "name", sub.name) is not None
        if listed and instance_type(each) == "mac-vrf" and enabled(each):
            return each
    return None


def bridged(config: Element, bridge: Element) -> Iterator[Subinterface]:
    """Yield the bridged subinterfaces of a mac-vrf: all that it lists but irbs."""
    for place in children(bridge, "interface"):
        sub = find_subinterface(config, leaf(place, "name"))
        if sub is not None and not sub.interface.startswith("irb"):
            yield sub


def _mac_vrf_mtu(config: Element, irb: Subinterface) -> int:
    """Return ``oper-mac-vrf-mtu`` (srl_nokia-network-instance): the least ``l2-mtu``, without VLAN tags, of what it bridges."""
    bridge = bridge_of(config, irb)
    members = () if bridge is None else bridged(config, bridge)
    sizes = [_l2_mtu(config, sub) - _tags(sub) for sub in members]
    return min(sizes, default=int(_system_mtu(config, "default-l2-mtu", DEFAULT_L2_MTU)))


def _tags(sub: Subinterface) -> int:
    return _VLAN_TAG if descend(sub.node, "vlan", "encap", "single-tagged") is not None else 0


def _l2_mtu(config: Element, sub: Subinterface) -> int:
    return int(leaf(sub.node, "l2-mtu") or _system_mtu(config, "default-l2-mtu", DEFAULT_L2_MTU))


def _ip_mtu(config: Element, sub: Subinterface) -> int:
    return int(leaf(sub.node, "ip-mtu") or _system_mtu(config, "default-ip-mtu", DEFAULT_IP_MTU))


def _system_mtu(config: Element, name: str, default: str) -> str:
    return leaf(descend(config, "system", "mtu"), name, default=default)


def admin_up(sub: Subinterface) -> bool:
    """Return True when the subinterface and its interface are administratively up."""
    return enabled(sub.parent) and enabled(sub.node)


def _speed(text: str) -> int:
    return int(text[:-1]) if text.endswith("M") else parse_speed(text)
