"""The route table: routes, next-hop groups and next hops (srl_nokia-ip-route-tables)."""

from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Final

from lxml.etree import _Element as Element

from fabric_auto.lab.emulated.device import Prefix, Route, State
from fabric_auto.lab.emulated.srlinux.elements import add, children, descend, leaf
from fabric_auto.lab.emulated.srlinux.interface_rules import parse_address
from fabric_auto.lab.emulated.srlinux.interfaces import subinterfaces
from fabric_auto.lab.emulated.srlinux.namespaces import COMMON, SRL

_FIB: Final = SRL + "fib:ip-route-tables"
_PREFIX: Final[dict[str | None, str]] = {"srl_nokia-common": COMMON}
_OWNERS: Final = {"local": "net_inst_mgr", "bgp": "bgp_mgr"}
_PREFERENCES: Final = {"local": "0", "bgp": "170"}
"""srl_nokia-bgp, default ``preference/ebgp``; connected routes are 0."""


@dataclass(slots=True)
class _Table:
    """Next hops and groups under construction: equal ones are one entry."""

    node: Element
    connected: dict[Prefix, tuple[str, str]]
    hops: dict[tuple[str, str], int] = field(default_factory=dict)
    groups: dict[tuple[int, ...], int] = field(default_factory=dict)


def add_routes(config: Element, instance: Element, state: State) -> None:
    """Add the route table to network-instance ``default``."""
    node = add(instance, "route-table")
    table = _Table(node, _connected(config, instance))
    families = {4: add(node, "ipv4-unicast", ns=_FIB), 6: add(node, "ipv6-unicast", ns=_FIB)}
    for prefix, route in sorted(state.routes.items(), key=lambda each: (each[0].version, int(each[0].network_address))):
        _route(families[prefix.version], prefix, route, _group(table, prefix, route))
    for hops, index in table.groups.items():
        _next_hop_group(node, index, hops)
    for (address, subinterface), index in table.hops.items():
        _next_hop(node, index, address, subinterface)


def _connected(config: Element, instance: Element) -> dict[Prefix, tuple[str, str]]:
    """Return (subinterface, own address) of each connected prefix."""
    listed = {leaf(each, "name") for each in children(instance, "interface")}
    found: dict[Prefix, tuple[str, str]] = {}
    for sub in subinterfaces(config):
        for family in ("ipv4", "ipv6") if sub.name in listed else ():
            for each in children(descend(sub.node, family), "address"):
                address = parse_address(family, leaf(each, "ip-prefix"))
                if address is not None:
                    found[address.network] = (sub.name, str(address.ip))
    return found


def _group(table: _Table, prefix: Prefix, route: Route) -> int:
    local = table.connected.get(prefix, ("", ""))
    wanted = [(hop, _towards(table, hop)) for hop in route.next_hops] or [(local[1], local[0])]
    hops = tuple(table.hops.setdefault(each, len(table.hops) + 1) for each in wanted)
    return table.groups.setdefault(hops, len(table.groups) + 1)


def _towards(table: _Table, hop: str) -> str:
    """Return the subinterface whose subnet holds a next hop, "" when none does."""
    address = ip_address(hop.partition("%")[0])
    return next((name for network, (name, _) in table.connected.items() if address in network), "")


def _route(family: Element, prefix: Prefix, route: Route, group: int) -> None:
    node = add(family, "route")
    protocol = "bgp" if route.protocol == "bgp" else "local"
    add(node, f"ipv{prefix.version}-prefix", str(prefix))
    add(node, "route-type", f"srl_nokia-common:{protocol}", prefixes=_PREFIX)
    add(node, "route-owner", _OWNERS[protocol])
    add(node, "id", "0")
    add(node, "origin-network-instance", "default")
    add(node, "metric", "0")
    add(node, "preference", _PREFERENCES[protocol])
    add(node, "active", "true")
    add(node, "next-hop-group", str(group))


def _next_hop_group(table: Element, index: int, hops: tuple[int, ...]) -> None:
    node = add(table, "next-hop-group", ns=_FIB)
    add(node, "index", str(index))
    for number, hop in enumerate(hops):
        each = add(node, "next-hop")
        add(each, "id", str(number))
        add(each, "next-hop", str(hop))
        add(each, "resolved", "true")


def _next_hop(table: Element, index: int, address: str, subinterface: str) -> None:
    node = add(table, "next-hop", ns=_FIB)
    add(node, "index", str(index))
    add(node, "type", "direct")
    if address:
        add(node, "ip-address", address)
    if subinterface:
        add(node, "subinterface", subinterface)
