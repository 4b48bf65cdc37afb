"""The running configuration as the control plane sees it."""

from collections.abc import Iterator, Mapping
from ipaddress import IPv4Address, IPv6Address
from typing import Final

from lxml.etree import _Element as Element

from fabric_auto.lab.emulated.device import AddressView, PortView, Prefix, SessionView, View
from fabric_auto.lab.emulated.srlinux.bgp import FAMILIES, afi_safi, bgp_of, families, peers
from fabric_auto.lab.emulated.srlinux.elements import child, children, descend, enabled, entry, leaf
from fabric_auto.lab.emulated.srlinux.interface_rules import parse_address
from fabric_auto.lab.emulated.srlinux.interfaces import (
    Subinterface,
    admin_up,
    bridge_of,
    bridged,
    instance,
    misfit,
    ports,
    subinterfaces,
)
from fabric_auto.lab.emulated.srlinux.policy import EXPORT, IMPORT, route_policy
from fabric_auto.lab.emulated.topology import LabDevice

_RS_FROM_MBPS: Final = 200_000
"""From here up RS-FEC is not an option but part of the PCS (srl_nokia-interfaces, ``fec-option``; IEEE 802.3)."""


def view_of(config: Element, hardware: LabDevice) -> View:
    """Return the view of a running configuration."""
    bgp = bgp_of(config)
    known = {} if bgp is None else {peer.address: peer for peer in peers(bgp)}
    addresses = tuple(_addresses(config))
    return View(
        hostname=leaf(config, "system", "name", "host-name", default="srlinux"),
        ports={port.name: port for port in _ports(config, hardware)},
        addresses=addresses,
        asn=int(leaf(bgp, "autonomous-system", default="0")),
        router_id=leaf(bgp, "router-id"),
        sessions=tuple(_sessions(bgp)),
        originates=tuple(_originated(bgp, addresses)),
        imports=route_policy(config, bgp, known, IMPORT),
        exports=route_policy(config, bgp, known, EXPORT),
        maximum_paths={short: _maximum_paths(bgp, family) for family, short in FAMILIES.items()},
        allow_own_as=int(leaf(bgp, "as-path-options", "allow-own-as", default="0")),
    )


def _ports(config: Element, hardware: LabDevice) -> Iterator[PortView]:
    lldp = descend(config, "system", "lldp")
    runs = enabled(lldp)
    factory = {port.name: port.fec for port in hardware.ports}
    native = {port.name: port.speed_mbps for port in hardware.ports}
    for name, speed in ports(config, hardware):
        interface = entry(config, "interface", "name", name)
        fec = leaf(interface, "ethernet", "forward-error-correction", "fec-option") or factory.get(name, "")
        if speed >= _RS_FROM_MBPS or _is_pam4(name, native):
            fec = "rs"
        own = entry(lldp, "interface", "name", name)
        heard = runs and leaf(own, "admin-state", default="enable") == "enable"
        yield PortView(name, enabled(interface), speed, fec, name, heard)


def _is_pam4(name: str, native: Mapping[str, int]) -> bool:
    """Return True for a part of a broken-out port whose lanes run PAM4: its FEC is the PCS's too, whatever its speed."""
    return native.get(name.rpartition("/")[0], 0) >= _RS_FROM_MBPS


def carriers(config: Element, sub: Subinterface) -> tuple[str, ...]:
    """Return the ports that carry a LAG or an irb: LAG members, or the irb's mac-vrf's bridged ports that fit."""
    if sub.interface.startswith("lag"):
        return tuple(
            leaf(each, "name")
            for each in children(config, "interface")
            if leaf(each, "ethernet", "aggregate-id") == sub.interface
        )
    bridge = bridge_of(config, sub)
    members = () if bridge is None else bridged(config, bridge)
    return tuple(each.interface for each in members if admin_up(each) and not misfit(config, each))


def _addresses(config: Element) -> Iterator[AddressView]:
    default = instance(config, "default")
    if default is None or not enabled(default):
        return
    for sub in subinterfaces(config):
        listed = entry(default, "interface", "name", sub.name) is not None
        if not listed or not admin_up(sub) or misfit(config, sub):
            continue
        port = sub.interface if sub.interface.startswith("ethernet-") else ""
        members = carriers(config, sub) if sub.interface.startswith(("lag", "irb")) else ()
        for family in ("ipv4", "ipv6"):
            node = child(sub.node, family)
            if not enabled(node, default="disable"):
                continue
            for each in children(node, "address"):
                address = parse_address(family, leaf(each, "ip-prefix"))
                if address is not None:
                    yield AddressView(sub.name, address, port, members)


def _sessions(bgp: Element | None) -> Iterator[SessionView]:
    for peer in () if bgp is None else peers(bgp):
        negotiated = frozenset(FAMILIES[name] for name in families(peer.levels) if name in FAMILIES)
        if peer.enabled and negotiated:
            peer_as = int(peer.leaf("peer-as") or "0")
            yield SessionView(peer.address, peer.leaf("transport", "local-address"), peer_as, negotiated)


def _originated(bgp: Element | None, addresses: tuple[AddressView, ...]) -> Iterator[tuple[Prefix, str]]:
    """Yield the connected prefixes of the enabled families; the export policy decides which leave."""
    active = frozenset() if bgp is None else {FAMILIES[name] for name in families((bgp,)) if name in FAMILIES}
    for each in addresses:
        if f"ipv{each.address.version}" in active and not _link_local(each.address.ip):
            yield each.address.network, each.interface


def _link_local(address: IPv4Address | IPv6Address) -> bool:
    return address.is_link_local


def _maximum_paths(bgp: Element | None, family: str) -> int:
    multipath = child(afi_safi(bgp, family), "multipath") if bgp is not None else None
    return int(leaf(multipath, "ebgp", "maximum-paths") or leaf(multipath, "maximum-paths") or "1")
