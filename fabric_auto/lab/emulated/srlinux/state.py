"""The state trees that ``get`` answers from: the running configuration and what the control plane computed.

Leaf and key names: srl_nokia-system-info, -platform-chassis, -configuration, -interfaces, -lldp, -bgp and
-ip-route-tables.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from lxml.etree import _Element as Element

from fabric_auto.lab.emulated.device import LldpNeighbor, State
from fabric_auto.lab.emulated.srlinux.bgp_state import add_bgp
from fabric_auto.lab.emulated.srlinux.commit import CommitRecord
from fabric_auto.lab.emulated.srlinux.elements import add, child, children, copy_children, enabled, entry, leaf
from fabric_auto.lab.emulated.srlinux.interfaces import Subinterface, admin_up, breakout, memberships, misfit, ports
from fabric_auto.lab.emulated.srlinux.namespaces import SRL, TOP
from fabric_auto.lab.emulated.srlinux.route_state import add_routes
from fabric_auto.lab.emulated.srlinux.view import carriers
from fabric_auto.lab.emulated.topology import LabDevice

_ALWAYS: Final = ("bfd", "bgp-unnumbered-peers", "bridged", "netconf", "port-breakout", "qos")
_PFC: Final = ("D4", "D5", "H4", "H5")
_DLB: Final = ("H4", "H5")
_USID: Final = ("H5", "H6")


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything a state tree is made of."""

    hardware: LabDevice
    running: Element
    state: State
    commits: Sequence[CommitRecord]


def state_tree(facts: Facts) -> Element:
    """Return configuration and state in one tree."""
    tree = copy_children(facts.running)
    _interfaces(tree, facts)
    _system(tree, facts)
    _platform(tree, facts.hardware)
    default = entry(tree, "network-instance", "name", "default")
    if default is not None:
        add_bgp(default, facts.state)
        add_routes(tree, default, facts.state)
    return tree


def features(hardware: LabDevice) -> tuple[str, ...]:
    """Return the chassis' feature names that concern a fabric (srl_nokia-features; first releases: vendor's lists)."""
    release = tuple(int(part) for part in hardware.release.lstrip("v").split(".")[:2])
    kind = hardware.model.partition("IXR-")[2]
    names = list(_ALWAYS)
    if kind.startswith(_PFC):
        names.append("qos-pfc")
    if kind.startswith(_DLB) and release >= (25, 7):
        names.append("dynamic-load-balancing")
    if kind.startswith(_USID) and release >= (26, 7):
        names.append("srv6-usid-basic")
    return tuple(sorted(names))


def _container(parent: Element, name: str, ns: str = "") -> Element:
    found = child(parent, name)
    return add(parent, name, ns=ns) if found is None else found


def _system(tree: Element, facts: Facts) -> None:
    system = _container(tree, "system", TOP[("system",)])
    for name in features(facts.hardware):
        add(system, "features", name)
    information = _container(system, "information", SRL + "linux:system-info")
    add(information, "description", f"SRLinux-v{facts.hardware.release} {facts.hardware.model}")
    add(information, "version", f"v{facts.hardware.release}-1-g0000000000")
    configuration = _container(system, "configuration", SRL + "general:configuration")
    for record in facts.commits:
        _commit(configuration, record)
    lldp = child(system, "lldp")
    if lldp is not None:
        _lldp(lldp, facts)


def _commit(configuration: Element, record: CommitRecord) -> None:
    node = add(configuration, "commit")
    rows = (
        ("id", str(record.number)),
        ("type", "shared"),
        ("status", record.status),
        ("started", record.started),
        ("persist-id", record.persist_id),
    )
    for name, text in rows:
        if text:
            add(node, name, text)


def _platform(tree: Element, hardware: LabDevice) -> None:
    platform = _container(tree, "platform", TOP[("platform",)])
    chassis = _container(platform, "chassis", SRL + "chassis:platform-chassis")
    add(chassis, "type", hardware.model)
    add(chassis, "hw-mac-address", hardware.mac.upper())


def _interfaces(tree: Element, facts: Facts) -> None:
    """Every port of the panel is there, configured or not; what is not configured is administratively down."""
    config = facts.running
    owners = memberships(config)
    for name, _ in ports(config, facts.hardware):
        if entry(tree, "interface", "name", name) is None:
            made = add(tree, "interface", ns=TOP[("interface",)])
            add(made, "name", name)
            add(made, "admin-state", "disable")
    for node in children(tree, "interface"):
        name = leaf(node, "name")
        reason = _port_down(node, facts.state)
        _oper(node, reason)
        for each in children(node, "subinterface"):
            sub = Subinterface(name, node, each)
            add(each, "name", sub.name)
            _oper(each, _subinterface_down(config, facts.state, sub, reason, listed=sub.name in owners))


def _oper(node: Element, reason: str) -> None:
    add(node, "oper-state", "down" if reason else "up")
    if reason:
        add(node, "oper-down-reason", reason)


def _port_down(node: Element, state: State) -> str:
    """Return the ``port-oper-down-reason`` of an interface, "" when it is up."""
    if not enabled(node):
        return "port-admin-disabled"
    name = leaf(node, "name")
    if name.startswith("ethernet-") and not breakout(node) and name not in state.ports_up:
        return "lower-layer-down"
    return ""


def _subinterface_down(config: Element, state: State, sub: Subinterface, port: str, *, listed: bool) -> str:
    """Return the ``subif-oper-down-reason``, "" when it is up; outside a network-instance it stays down."""
    if not admin_up(sub):
        return "admin-disabled"
    members = carriers(config, sub) if sub.interface.startswith(("lag", "irb")) else ()
    if port or (sub.interface.startswith(("lag", "irb")) and not state.ports_up.intersection(members)):
        return "port-down"
    return misfit(config, sub) or ("" if listed else "other")


def _lldp(lldp: Element, facts: Facts) -> None:
    add(lldp, "system-name", leaf(facts.running, "system", "name", "host-name", default="srlinux"))
    add(lldp, "chassis-id", facts.hardware.mac.upper())
    add(lldp, "chassis-id-type", "MAC_ADDRESS")
    if not enabled(lldp):
        return
    for name, _ in ports(facts.running, facts.hardware):
        heard = facts.state.lldp.get(name)
        node = entry(lldp, "interface", "name", name)
        if node is None:
            if heard is None:
                continue
            node = add(lldp, "interface")
            add(node, "name", name)
        add(node, "oper-state", "up" if name in facts.state.ports_up else "down")
        if heard is not None:
            _neighbor(node, heard)


def _neighbor(interface: Element, heard: LldpNeighbor) -> None:
    node = add(interface, "neighbor")
    chassis = _chassis_id(heard.system_name)
    rows = (
        ("id", chassis),
        ("system-name", heard.system_name),
        ("chassis-id", chassis),
        ("chassis-id-type", "MAC_ADDRESS"),
        ("port-id", heard.port_id),
        ("port-id-type", "INTERFACE_NAME"),
        ("port-description", heard.port_description),
    )
    for name, text in rows:
        if text:
            add(node, name, text)


def _chassis_id(system_name: str) -> str:
    """Return a locally administered MAC address that is always the same for a system."""
    digits = system_name.encode().hex()[-10:].rjust(10, "0").upper()
    return ":".join(["02", *(digits[at : at + 2] for at in range(0, 10, 2))])
