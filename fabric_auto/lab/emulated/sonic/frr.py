"""FRR's answers in JSON: sessions, BGP paths and routes, in the shapes of FRR 10.

Sources: FRRouting, ``bgpd/bgp_vty.c`` (summary), ``bgpd/bgp_route.c`` (paths) and ``zebra/zebra_vty.c`` (routes).
"""

import json
from ipaddress import ip_address
from typing import Final

from fabric_auto.lab.emulated.device import Route, SessionState
from fabric_auto.lab.emulated.sonic.bgp import Peer
from fabric_auto.lab.emulated.sonic.database import Json
from fabric_auto.lab.emulated.sonic.facts import Facts
from fabric_auto.lab.emulated.sonic.frr_config import running_config

_LOCAL_WEIGHT: Final = 32768
_EBGP_DISTANCE: Final = 20
_UNSPECIFIED: Final = {4: "0.0.0.0", 6: "::"}  # noqa: S104 - FRR's next hop of a local route, nothing is bound
_FAMILIES: Final = (("ipv4", "ipv4Unicast"), ("ipv6", "ipv6Unicast"))
_CONNECTED: Final = frozenset({"local", "connected"})


def answer(facts: Facts, command: str) -> tuple[str, int]:
    """Return what ``vtysh -c COMMAND`` prints and its exit code."""
    words = command.split()
    if words[:2] == ["show", "running-config"]:
        return running_config(facts), 0
    questions = {
        ("show", "bgp", "summary", "json"): ("ipv4", "ipv6"),
        ("show", "ip", "bgp", "summary", "json"): ("ipv4",),
        ("show", "bgp", "ipv4", "unicast", "summary", "json"): ("ipv4",),
        ("show", "bgp", "ipv4", "summary", "json"): ("ipv4",),
        ("show", "bgp", "ipv6", "unicast", "summary", "json"): ("ipv6",),
        ("show", "bgp", "ipv6", "summary", "json"): ("ipv6",),
    }
    asked = tuple(words)
    if asked in questions:
        return _bgp_answer(facts, _summary(facts, questions[asked]))
    if asked in {("show", "bgp", family, "unicast", "json") for family, _ in _FAMILIES}:
        return _bgp_answer(facts, _paths(facts, 4 if words[2] == "ipv4" else 6))
    if asked in {("show", "ip", "route", "json"), ("show", "ipv6", "route", "json")}:
        return _text(_routes(facts, 4 if words[1] == "ip" else 6)), 0
    return f"% Unknown command: {command}\n", 1


def _bgp_answer(facts: Facts, value: dict[str, Json]) -> tuple[str, int]:
    # Without an instance the command is a warning (CMD_WARNING), which vtysh lets pass: exit code 0.
    return _text(value if facts.bgp.running.asn else {}), 0


def _text(value: dict[str, Json]) -> str:
    return f"{json.dumps(value, indent=2)}\n"


def _summary(facts: Facts, families: tuple[str, ...]) -> dict[str, Json]:
    result: dict[str, Json] = {}
    for family, key in _FAMILIES:
        peers = [peer for peer in facts.bgp.peers.values() if peer.family == family]
        if not peers or family not in families:
            continue
        rows: dict[str, Json] = {peer.address: _peer(facts, peer, family) for peer in peers}
        up = sum(1 for peer in peers if _state(facts, peer) == "Established")
        result[key] = {
            "routerId": facts.bgp.running.router_id,
            "as": facts.bgp.running.asn,
            "vrfId": 0,
            "vrfName": "default",
            "tableVersion": len(facts.state.routes),
            "ribCount": sum(1 for prefix in facts.state.routes if f"ipv{prefix.version}" == family),
            "peerCount": len(peers),
            "peerGroupCount": 2,
            "peers": rows,
            "failedPeers": len(peers) - up,
            "displayedPeers": len(peers),
            "totalPeers": len(peers),
            "dynamicPeers": 0,
            "bestPath": {"multiPathRelax": "true" if facts.bgp.running.main else "false"},
        }
    return result


def _peer(facts: Facts, peer: Peer, family: str) -> Json:
    state = _state(facts, peer)
    session = facts.state.sessions.get(peer.address, SessionState(peer.address, peer.asn, state))
    return {
        "hostname": peer.name,
        "remoteAs": peer.asn,
        "localAs": facts.bgp.running.asn,
        "version": 4,
        "msgRcvd": 10 if state == "Established" else 0,
        "msgSent": 10,
        "tableVersion": len(facts.state.routes),
        "outq": 0,
        "inq": 0,
        "peerUptime": "00:01:00" if state == "Established" else "never",
        "peerUptimeMsec": 60000 if state == "Established" else 0,
        "pfxRcd": session.received.get(family, 0),
        "pfxSnt": session.sent.get(family, 0),
        "state": state,
        "peerState": "OK" if peer.enabled else "Admin",
        "connectionsEstablished": int(state == "Established"),
        "connectionsDropped": 0,
        "desc": peer.name,
        "idType": family,
    }


def _state(facts: Facts, peer: Peer) -> str:
    if not peer.enabled:
        return "Idle (Admin)"
    session = facts.state.sessions.get(peer.address)
    return session.state if session is not None else "Idle"


def _paths(facts: Facts, version: int) -> dict[str, Json]:
    originated = {prefix for prefix, _ in facts.bgp.running.networks}
    routes: dict[str, Json] = {}
    for prefix, route in facts.state.routes.items():
        if prefix.version == version and (route.protocol == "bgp" or prefix in originated):
            routes[str(prefix)] = _paths_of(facts, route)
    return {
        "vrfId": 0,
        "vrfName": "default",
        "tableVersion": len(routes),
        "routerId": facts.bgp.running.router_id,
        "defaultLocPrf": 100,
        "localAS": facts.bgp.running.asn,
        "routes": routes,
        "totalRoutes": len(routes),
        "totalPaths": sum(len(paths) for paths in routes.values() if isinstance(paths, list)),
    }


def _paths_of(facts: Facts, route: Route) -> Json:
    local = route.protocol in _CONNECTED
    hops = (_UNSPECIFIED[route.prefix.version],) if local else route.next_hops
    return [_path(facts, route, hop, position, len(hops)) for position, hop in enumerate(hops)]


def _path(facts: Facts, route: Route, hop: str, position: int, count: int) -> Json:
    local = route.protocol in _CONNECTED
    path: dict[str, Json] = {"valid": True}
    if position == 0:
        path["bestpath"] = True
        path["selectionReason"] = "First path received" if count == 1 else "Router ID"
    if count > 1:
        path["multipath"] = True
    peer = facts.bgp.peers.get(hop)
    nexthop: dict[str, Json] = {"ip": hop, "afi": f"ipv{ip_address(hop).version}", "used": True}
    if ip_address(hop).version == 6:  # noqa: PLR2004 - IPv6
        nexthop["scope"] = "global"
    if peer is not None and peer.name:
        nexthop["hostname"] = peer.name
    nexthops: list[Json] = [nexthop]
    return path | {
        "pathFrom": "external",
        "prefix": str(route.prefix.network_address),
        "prefixLen": route.prefix.prefixlen,
        "network": str(route.prefix),
        "version": 1,
        "metric": 0,
        "weight": _LOCAL_WEIGHT if local else 0,
        "peerId": "(unspec)" if local else hop,
        "path": " ".join(str(asn) for asn in route.as_path),
        "origin": "IGP",
        "nexthops": nexthops,
    }


def _routes(facts: Facts, version: int) -> dict[str, Json]:
    return {
        str(prefix): [_route(facts, route)]
        for prefix, route in facts.state.routes.items()
        if prefix.version == version and (route.protocol == "bgp" or facts.interface_of(prefix))
    }


def _route(facts: Facts, route: Route) -> Json:
    local = route.protocol in _CONNECTED
    hops: list[Json] = [_hop(facts.interface_of(route.prefix), "")] if local else []
    hops += [_hop(facts.interface_towards(hop), hop) for hop in route.next_hops]
    # zebra tells what is set alone: connected routes are not offloaded, and a false would mean that the ASIC refused.
    offload: dict[str, Json] = {} if local else {"offloaded": True}
    return {
        "prefix": str(route.prefix),
        "prefixLen": route.prefix.prefixlen,
        "protocol": "connected" if local else "bgp",
        "vrfId": 0,
        "vrfName": "default",
        "selected": True,
        "destSelected": True,
        "distance": 0 if local else _EBGP_DISTANCE,
        "metric": 0,
        "installed": True,
        **offload,
        "table": 254,
        "internalNextHopNum": len(hops),
        "internalNextHopActiveNum": len(hops),
        "uptime": "00:01:00",
        "nexthops": hops,
    }


def _hop(interface: str, address: str) -> Json:
    where: dict[str, Json] = {"flags": 3, "fib": True}
    if address:
        where |= {"ip": address, "afi": f"ipv{ip_address(address).version}"}
    else:
        where["directlyConnected"] = True
    return where | {"interfaceName": interface, "active": True, "weight": 1}
