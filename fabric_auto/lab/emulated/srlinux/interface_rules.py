"""Commit rules for interfaces: what the chassis and its software refuse whatever the models say.

Sources: the ``must`` statements of srl_nokia-interfaces, -if-ip and -network-instance (their error messages are used);
port existence, the 7220's real maxima (port mtu 9412, ip-mtu 9398; 7730: ip-mtu 9394) and address clashes are the
device's own checks.
"""

import re
from collections.abc import Iterator
from ipaddress import AddressValueError, IPv4Interface, IPv6Interface, NetmaskValueError
from typing import Final, NamedTuple

from lxml.etree import _Element as Element

from fabric_auto.lab.emulated.srlinux.elements import bare, children, descend, leaf, value
from fabric_auto.lab.emulated.srlinux.interfaces import (
    Subinterface,
    breakout,
    find_subinterface,
    instance_type,
    memberships,
    panel,
    subinterfaces,
)
from fabric_auto.lab.emulated.topology import LabDevice

_NAME: Final = re.compile(
    r"mgmt0|mgmt0-standby|system0|sync0|lif-.*|vhn-.*|enp\d+s\d+f[0-7]|(?:lo|irb)\d{1,3}|lag\d{1,4}|ethernet-[\d/m]+"
)
"""srl_nokia-common, typedef ``interface-all``."""

_MAXIMA: Final = {"7220": (9412, 9398), "7730": (9500, 9394)}
"""(mtu, ip-mtu) by platform family, where lower than the models' ranges."""

_MINIMUM_MTU: Final = 1500
_MGMT_MTU: Final = 9216
_TYPED: Final = ("ethernet", "lag", "lif", "enp", "vhn")


class Problem(NamedTuple):
    """One broken rule: where, in the device's words, and the error-tag (RFC 7950 section 15)."""

    node: Element
    message: str
    tag: str = "operation-failed"


def check(config: Element, hardware: LabDevice) -> Iterator[Problem]:
    """Yield what is wrong with interfaces and their places in network-instances."""
    known = panel(hardware)
    broken_out = {leaf(each, "name"): breakout(each) for each in children(config, "interface")}
    maxima = _MAXIMA.get(hardware.model[:4], (9500, 9486))
    for each in children(config, "interface"):
        yield from _existence(each, frozenset(known), broken_out)
        yield from _breakout(each)
        yield from _port_mtu(each, maxima[0])
    for sub in subinterfaces(config):
        yield from _subinterface(sub, maxima[1])
    yield from _addresses(config)
    yield from _membership(config)


def _existence(interface: Element, known: frozenset[str], broken_out: dict[str, int]) -> Iterator[Problem]:
    name = leaf(interface, "name")
    if not _NAME.fullmatch(name):
        yield Problem(interface, f'"{name}" is not an interface name', "invalid-value")
    if not name.startswith("ethernet-") or name in known:
        return
    parent, _, channel = name.rpartition("/")
    if parent not in known:
        yield Problem(interface, f"interface {name} does not exist on this chassis")
    elif not 1 <= int(channel) <= broken_out.get(parent, 0):
        yield Problem(interface, f"interface {name} requires breakout-mode on {parent}")


def _breakout(interface: Element) -> Iterator[Problem]:
    mode = descend(interface, "breakout-mode")
    if mode is None:
        return
    for name in ("num-breakout-ports", "breakout-port-speed"):
        if descend(mode, name) is None:
            yield Problem(mode, f'Mandatory node "{name}" is missing', "data-missing")
    forbidden = (
        ("mtu", "mtu"),
        ("ethernet/port-speed", "port-speed"),
        ("ethernet/flow-control", "flow-control"),
        ("ethernet/forward-error-correction", "forward-error-correction"),
        ("subinterface", "subinterface"),
    )
    for path, name in forbidden:
        found = descend(interface, *path.split("/"))
        if found is not None:
            yield Problem(found, f"{name} not configurable when breakout-mode is enabled")


def _port_mtu(interface: Element, maximum: int) -> Iterator[Problem]:
    node, name = descend(interface, "mtu"), leaf(interface, "name")
    if node is None:
        return
    if not name.startswith(("lif", "vhn")) and int(value(node)) < _MINIMUM_MTU:
        yield Problem(node, "minimum mtu is 1500 for this interface type")
    if name.startswith("mgmt") and int(value(node)) > _MGMT_MTU:
        yield Problem(node, "mtu max is 9216 for mgmt interface")
    if name.startswith(("ethernet", "lag")) and int(value(node)) > maximum:
        yield Problem(node, f"mtu {value(node)} exceeds the maximum of {maximum} of this platform")


def _subinterface(sub: Subinterface, maximum: int) -> Iterator[Problem]:
    kind, mtu = descend(sub.node, "type"), descend(sub.node, "ip-mtu")
    if sub.interface == "system0":
        if leaf(sub.node, "index") != "0":
            yield Problem(sub.node, "subinterface index must be 0 for system0 interface")
        if leaf(sub.node, "admin-state") == "disable":
            yield Problem(sub.node, "admin-state must be enable")
    if kind is not None and not sub.interface.startswith(_TYPED):
        yield Problem(kind, "type not supported on this interface")
    if mtu is None:
        return
    if sub.interface.startswith(("system", "lo")):
        yield Problem(mtu, "ip-mtu not supported on this interface")
    if sub.type != "routed":
        yield Problem(mtu, "ip-mtu not allowed with type bridged or type local-mirror-dest")
    if int(value(mtu)) > maximum:
        yield Problem(mtu, f"ip-mtu {value(mtu)} exceeds the maximum of {maximum} of this platform")


def _addresses(config: Element) -> Iterator[Problem]:
    """Well-formed addresses, none of them twice in one network-instance."""
    owners = memberships(config)
    seen: dict[tuple[str, str], str] = {}
    for sub in subinterfaces(config):
        for family in ("ipv4", "ipv6"):
            for each in children(descend(sub.node, family), "address"):
                address = parse_address(family, leaf(each, "ip-prefix"))
                if address is None:
                    yield Problem(each, f'"{leaf(each, "ip-prefix")}" is not an {family} prefix', "invalid-value")
                    continue
                for owner in owners.get(sub.name, ()):
                    holder = seen.setdefault((leaf(owner, "name"), str(address.ip)), sub.name)
                    if holder != sub.name:
                        yield Problem(each, f"duplicate address {address.ip} on {holder} and {sub.name}")


def parse_address(family: str, text: str) -> IPv4Interface | IPv6Interface | None:
    """Return an address with its prefix length, None when the text is none of the family or has no length."""
    if "/" not in text:
        return None
    try:
        return IPv4Interface(text) if family == "ipv4" else IPv6Interface(text)
    except (AddressValueError, NetmaskValueError):
        return None


def _membership(config: Element) -> Iterator[Problem]:
    seen: dict[tuple[str, bool], str] = {}
    for instance in children(config, "network-instance"):
        bridged = instance_type(instance) == "mac-vrf"
        for each in children(instance, "interface"):
            name = leaf(each, "name")
            sub = find_subinterface(config, name)
            if sub is None:
                yield Problem(each, f"Must be an existing subinterface name: {name}", "data-missing")
                continue
            yield from _placement(each, sub, instance_type(instance))
            slot = (name, bridged and name.startswith("irb"))
            holder = seen.setdefault(slot, leaf(instance, "name"))
            if holder != leaf(instance, "name"):
                yield Problem(each, f"subinterface {name} is already used in network-instance {holder}")
    for name, in_bridge in list(seen):
        if name.startswith("irb") and not in_bridge and (name, True) not in seen:
            sub = find_subinterface(config, name)
            if sub is not None:
                yield Problem(sub.node, f"subinterface {name} is not bound to a network-instance of type mac-vrf")


def _placement(place: Element, sub: Subinterface, kind: str) -> Iterator[Problem]:
    irb = sub.interface.startswith("irb")
    if kind == "mac-vrf" and sub.interface.startswith("lo"):
        yield Problem(place, "Loopback interfaces cannot be configured on network-instance of type mac-vrf")
    elif kind != "default" and sub.interface.startswith("system"):
        yield Problem(place, "System interfaces can only be configured on network-instance of type default")
    elif kind == "mac-vrf" and sub.type != "bridged" and not irb:
        yield Problem(place, f"subinterface {sub.name} must be of type bridged in a network-instance of type mac-vrf")
    elif kind != "mac-vrf" and bare(leaf(sub.node, "type")) == "bridged":
        yield Problem(place, f"subinterface {sub.name} of type bridged needs a network-instance of type mac-vrf")
