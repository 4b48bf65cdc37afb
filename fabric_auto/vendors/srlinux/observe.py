"""What an SR Linux switch says of itself, from NETCONF ``<get>`` with subtree filters (RFC 6241 §6).

Each question is the content of one ``<filter>``, with one root. Paths are the models' (release 25.3.1):
``/system/information``, ``/platform/chassis``, ``/interface`` with its ``subinterface`` (``oper-state``),
``/system/lldp/interface/neighbor``, and ``bgp/neighbor`` and ``route-table`` of the default network instance. A route's
next hops are ``next-hop-group[index]/next-hop[id]/next-hop`` → ``next-hop[index]/ip-address``.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from ipaddress import ip_address, ip_network
from typing import Final, TypeAlias

from lxml import etree

from fabric_auto.device.observed import Neighbor, Observed, Prefix, Session
from fabric_auto.vendors.srlinux.keys import URN
from fabric_auto.vendors.srlinux.tree import read_xml

_Element: TypeAlias = etree._Element  # noqa: SLF001  (lxml's element type has no public name)

SYSTEM: Final = (
    f'<system xmlns="{URN}general:system"><information xmlns="{URN}linux:system-info"><version/></information>'
    f'<lldp xmlns="{URN}lldp:lldp"><interface><name/><neighbor/></interface></lldp></system>'
)
CHASSIS: Final = (
    f'<platform xmlns="{URN}chassis:platform">'
    f'<chassis xmlns="{URN}chassis:platform-chassis"><type/></chassis></platform>'
)
INTERFACES: Final = (
    f'<interface xmlns="{URN}chassis:interfaces"><name/><oper-state/>'
    "<subinterface><index/><oper-state/></subinterface></interface>"
)
ROUTING: Final = (
    f'<network-instance xmlns="{URN}net-inst:network-instance"><name>default</name>'
    f'<protocols><bgp xmlns="{URN}bgp:bgp"><neighbor/></bgp></protocols>'
    f'<route-table><ipv4-unicast xmlns="{URN}fib:ip-route-tables"><route/></ipv4-unicast>'
    f'<ipv6-unicast xmlns="{URN}fib:ip-route-tables"><route/></ipv6-unicast>'
    f'<next-hop-group xmlns="{URN}fib:ip-route-tables"/><next-hop xmlns="{URN}fib:ip-route-tables"/>'
    "</route-table></network-instance>"
)
QUESTIONS: Final = (SYSTEM, CHASSIS, INTERFACES, ROUTING)

_VERSION: Final = re.compile(r"v?(\d+\.\d+\.\d+)")
_CONNECTED: Final = frozenset({"local", "host"})
_TABLES: Final = {"ipv4-unicast": "ipv4-prefix", "ipv6-unicast": "ipv6-prefix"}


def observe(answers: Mapping[str, str]) -> Observed:
    """Turn the answers, ``<data>`` elements by question, into observed state.

    Raises:
        ValueError: an answer is missing, is not XML, or does not state version or chassis.
    """
    system, chassis, interfaces, routing = (_answer(answers, question) for question in QUESTIONS)
    return Observed(
        release=_release(system),
        model=_required(chassis, "platform/chassis/type"),
        ports=dict(_ports(interfaces)),
        neighbors=dict(_neighbors(system)),
        sessions={session.address: session for session in _sessions(routing)},
        routes=_routes(routing),
    )


def _answer(answers: Mapping[str, str], question: str) -> _Element:
    if question not in answers:
        raise ValueError(f"no answer to the filter {question[:40]}…")
    return read_xml(answers[question].encode())


def _path(spelled: str) -> str:
    return "/".join(f"{{*}}{name}" for name in spelled.split("/"))


def _text(element: _Element, spelled: str) -> str:
    return (element.findtext(_path(spelled)) or "").strip()


def _identity(element: _Element, spelled: str) -> str:
    return _text(element, spelled).rpartition(":")[2]


def _required(element: _Element, spelled: str) -> str:
    text = _text(element, spelled)
    if not text:
        raise ValueError(f"the device does not state /{spelled}")
    return text


def _release(system: _Element) -> str:
    version = _required(system, "system/information/version")
    match = _VERSION.match(version)
    if match is None:
        raise ValueError(f"`{version}` is not an SR Linux version")
    return match[1]


def _ports(data: _Element) -> Iterator[tuple[str, bool]]:
    for interface in data.iterfind(_path("interface")):
        name = _text(interface, "name")
        if name.startswith("ethernet-"):
            # A subinterface may be down on a port that is up, for its MTU say, and then the port carries nothing.
            levels = (interface, *interface.iterfind(_path("subinterface")))
            yield name, all(_text(each, "oper-state") == "up" for each in levels)


def _neighbors(data: _Element) -> Iterator[tuple[str, Neighbor]]:
    for interface in data.iterfind(_path("system/lldp/interface")):
        neighbors = list(interface.iterfind(_path("neighbor")))
        name = _text(interface, "name")
        if neighbors and name.startswith("ethernet-"):
            # After a cable was moved the neighbor of before stays until its TTL is over.
            _, newest = max(enumerate(neighbors), key=lambda each: (_last_update(each[1]), each[0]))
            yield name, Neighbor(_text(newest, "system-name"), _text(newest, "port-id"))


def _last_update(neighbor: _Element) -> datetime:
    text = _text(neighbor, "last-update").partition(" ")[0]
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)


def _sessions(data: _Element) -> Iterator[Session]:
    for neighbor in data.iterfind(_path("network-instance/protocols/bgp/neighbor")):
        families = list(neighbor.iterfind(_path("afi-safi")))
        yield Session(
            address=_address(_text(neighbor, "peer-address")),
            peer_asn=_number(neighbor, "peer-as"),
            state=_text(neighbor, "session-state").lower() or "idle",
            received=sum(_number(each, "received-routes") - _number(each, "rejected-routes") for each in families),
        )


def _number(element: _Element, spelled: str) -> int:
    text = _text(element, spelled)
    return int(text) if text else 0


def _address(text: str) -> str:
    return text if "%" in text else str(ip_address(text))


def _routes(data: _Element) -> dict[Prefix, frozenset[str]]:
    routes: dict[Prefix, frozenset[str]] = {}
    for table in data.iterfind(_path("network-instance/route-table")):
        groups = _next_hops(table)
        for family, key in _TABLES.items():
            for route in table.iterfind(_path(f"{family}/route")):
                if _is_in_fib(route):
                    prefix = ip_network(_text(route, key))
                    routes[prefix] = routes.get(prefix, frozenset()) | _hops_of(route, groups)
    return routes


def _is_in_fib(route: _Element) -> bool:
    # A suppressed entry is in the control plane's table alone (srl_nokia-ip-route-tables, `fib-programming`).
    return _text(route, "active") == "true" and _text(route, "fib-programming/suppressed") != "true"


def _hops_of(route: _Element, groups: Mapping[str, frozenset[str]]) -> frozenset[str]:
    if _identity(route, "route-type") in _CONNECTED:
        return frozenset()
    return groups.get(_text(route, "next-hop-group"), frozenset())


def _next_hops(table: _Element) -> dict[str, frozenset[str]]:
    addresses = {
        _text(each, "index"): _address(_text(each, "ip-address"))
        for each in table.iterfind(_path("next-hop"))
        if _text(each, "ip-address")
    }
    groups = {}
    for group in table.iterfind(_path("next-hop-group")):
        members = [
            _text(each, "next-hop") for each in group.iterfind(_path("next-hop")) if _text(each, "resolved") != "false"
        ]
        groups[_text(group, "index")] = frozenset(addresses[each] for each in members if each in addresses)
    return groups
