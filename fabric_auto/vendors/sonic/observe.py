"""What a SONiC switch says of itself, from the output of its commands.

* ``intfutil -c status -j``: an object by interface with ``Oper`` and ``Admin`` (sonic-utilities, scripts/intfutil).
* ``lldpctl -f json``: lldpd writes a list of one as that one, and an empty list not at all; the chassis is named by its
  system name.
* ``show bgp summary json``: FRR's bgpd; peers by family.
* ``show ip route json``, ``show ipv6 route json``: FRR's zebra; routes by prefix, what is forwarded by being ``selected`` and
  ``installed``, with next hops that are ``fib``. ``offloaded`` is false when the ASIC refused a route, and absent when it was
  not asked to answer.
"""

import json
import re
from collections.abc import Iterator, Mapping
from ipaddress import ip_address, ip_network
from typing import Final, TypeAlias

from fabric_auto.device.observed import Neighbor, Observed, Prefix, Session

VERSION: Final = "show version"
PORTS: Final = "intfutil -c status -j"
LLDP: Final = "docker exec lldp lldpctl -f json"
SUMMARY: Final = "vtysh -c 'show bgp summary json'"
ROUTES: Final = ("vtysh -c 'show ip route json'", "vtysh -c 'show ipv6 route json'")
QUESTIONS: Final = (VERSION, PORTS, LLDP, SUMMARY, *ROUTES)

_Object: TypeAlias = Mapping[str, object]

_RELEASE: Final = re.compile(r"^SONiC Software Version:\s*SONiC\.(?:SONiC-OS-)?([A-Za-z]+|\d+)", re.MULTILINE)
_MODEL: Final = re.compile(r"^HwSKU:\s*(\S+)", re.MULTILINE)
_NO_BGP: Final = "BGP instance not found"


def observe(answers: Mapping[str, str]) -> Observed:
    """Turn the answers, output by command, into observed state.

    Raises:
        ValueError: an answer is missing or cannot be read.
    """
    ports = dict(_ports(_json(answers, PORTS)))
    routes: dict[Prefix, frozenset[str]] = {}
    for question in ROUTES:
        routes.update(_routes(_json(answers, question)))
    return Observed(
        release=_found(_RELEASE, answers, "SONiC Software Version"),
        model=_found(_MODEL, answers, "HwSKU"),
        ports=ports,
        neighbors={port: neighbor for port, neighbor in _neighbors(_json(answers, LLDP)) if port in ports},
        sessions=_sessions(_json(answers, SUMMARY)),
        routes=routes,
    )


def _answer(answers: Mapping[str, str], question: str) -> str:
    if question not in answers:
        raise ValueError(f"no answer to `{question}`")
    return answers[question]


def _found(pattern: re.Pattern[str], answers: Mapping[str, str], what: str) -> str:
    match = pattern.search(_answer(answers, VERSION))
    if match is None:
        raise ValueError(f"`{VERSION}` does not state {what}")
    return match[1]


def _json(answers: Mapping[str, str], question: str) -> _Object:
    text = _answer(answers, question).strip()
    if _NO_BGP in text:
        return {}
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"`{question}` did not answer in JSON: {text[:60]!r}") from error
    return _object(value, question)


def _object(value: object, what: str) -> _Object:
    if not isinstance(value, dict):
        raise ValueError(f"{what}: an object is expected, not {json.dumps(value)[:40]}")  # noqa: TRY004  (a bad answer)
    return value


def _member(value: _Object, name: str) -> _Object:
    return _object(value.get(name, {}), name)


def _several(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def _ports(interfaces: _Object) -> Iterator[tuple[str, bool]]:
    for name, status in interfaces.items():
        if name.startswith("Ethernet"):
            yield name, _object(status, name).get("Oper") == "up"


def _neighbors(answer: _Object) -> Iterator[tuple[str, Neighbor]]:
    for element in _several(_member(answer, "lldp").get("interface", [])):
        for port, heard in _object(element, "lldp interface").items():
            neighbor = _object(heard, port)
            yield port, Neighbor(_system_name(_member(neighbor, "chassis")), _port_id(_member(neighbor, "port")))


def _system_name(chassis: _Object) -> str:
    # A chassis without a system name has its members directly below, `id` among them.
    return "" if "id" in chassis else next(iter(chassis), "")


def _port_id(port: _Object) -> str:
    return str(_member(port, "id").get("value", ""))


def _sessions(summary: _Object) -> dict[str, Session]:
    sessions: dict[str, Session] = {}
    for family in ("ipv4Unicast", "ipv6Unicast"):
        for address, value in _member(_member(summary, family), "peers").items():
            session = _session(address, _object(value, address))
            before = sessions.get(session.address)
            received = session.received + (before.received if before is not None else 0)
            sessions[session.address] = Session(session.address, session.peer_asn, session.state, received)
    return sessions


def _session(peer: str, value: _Object) -> Session:
    try:
        address, asn, received = str(ip_address(peer)), int(str(value["remoteAs"])), int(str(value.get("pfxRcd", 0)))
    except (KeyError, ValueError) as error:
        raise ValueError(f"BGP peer {peer} cannot be read: {error}") from error
    return Session(address, asn, str(value.get("state", "")).partition(" ")[0].lower(), received)


def _routes(table: _Object) -> Iterator[tuple[Prefix, frozenset[str]]]:
    for prefix, several in table.items():
        for value in _several(several):
            route = _object(value, prefix)
            if _is_forwarding(route):
                yield ip_network(prefix), frozenset(_next_hops(route))


def _is_forwarding(route: _Object) -> bool:
    return route.get("selected") is True and route.get("installed") is True and route.get("offloaded") is not False


def _next_hops(route: _Object) -> Iterator[str]:
    # A connected route has an interface alone. Sessions are numbered, so an address names the peer; IPv6 too, because
    # SONiC's policy for peers prefers the global next hop to the link-local one.
    for each in _several(route.get("nexthops", [])):
        hop = _object(each, "nexthops")
        if hop.get("fib") is True and "ip" in hop:
            yield str(ip_address(str(hop["ip"])))
