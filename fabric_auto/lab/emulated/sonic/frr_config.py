"""The running configuration of FRR, as ``vtysh -c 'show running-config'`` prints what bgpcfgd made.

Source: sonic-buildimage, ``dockers/docker-fpm-frr/frr/bgpd`` (``bgpd.main.conf.j2``, ``templates/general``).
"""

from collections.abc import Iterator

from fabric_auto.lab.emulated.sonic.bgp import MAXIMUM_PATHS, Peer
from fabric_auto.lab.emulated.sonic.facts import Facts
from fabric_auto.lab.emulated.sonic.releases import frr_version


def running_config(facts: Facts) -> str:
    """Return the configuration as text."""
    return "\n".join(_lines(facts)) + "\n"


def _lines(facts: Facts) -> Iterator[str]:
    yield "Building configuration..."
    yield ""
    yield "Current configuration:"
    yield "!"
    yield f"frr version {frr_version(facts.hardware.release)}"
    yield "frr defaults traditional"
    yield f"hostname {facts.hostname}"
    yield "log syslog informational"
    yield "zebra nexthop-group keep 1"
    yield "no service integrated-vtysh-config"
    yield "!"
    if facts.bgp.running.asn:
        yield from _router(facts)
        yield "!"
    for version in ("V4", "V6"):
        yield f"route-map FROM_BGP_PEER_{version} permit 100"
        yield "exit"
        yield "!"
        yield f"route-map TO_BGP_PEER_{version} permit 100"
        yield "exit"
        yield "!"
    yield "ip nht resolve-via-default"
    yield "!"
    yield "ipv6 nht resolve-via-default"
    yield "!"
    yield "end"


def _router(facts: Facts) -> Iterator[str]:
    running, peers = facts.bgp.running, facts.bgp.peers.values()
    yield f"router bgp {running.asn}"
    if running.main:
        if running.router_id:
            yield f" bgp router-id {running.router_id}"
        yield " no bgp ebgp-requires-policy"
        yield " no bgp default ipv4-unicast"
    yield " bgp suppress-fib-pending"
    if running.main:
        yield " bgp bestpath as-path multipath-relax"
    if peers:
        yield " neighbor PEER_V4 peer-group"
        yield " neighbor PEER_V6 peer-group"
    for peer in peers:
        yield from _peer(peer)
    for family, group in (("ipv4", "PEER_V4"), ("ipv6", "PEER_V6")):
        yield " !"
        yield from _family(facts, family, group)
    yield "exit"


def _peer(peer: Peer) -> Iterator[str]:
    prefix = f" neighbor {peer.address}"
    yield f"{prefix} remote-as {peer.asn}"
    yield f"{prefix} peer-group PEER_{peer.family[2:].upper()}"
    if peer.name:
        yield f"{prefix} description {peer.name}"
    if not peer.enabled:
        yield f"{prefix} shutdown"
    if peer.timers:
        yield f"{prefix} timers {' '.join(peer.timers)}"
    yield f"{prefix} timers connect 10"


def _family(facts: Facts, family: str, group: str) -> Iterator[str]:
    running = facts.bgp.running
    peers = [peer for peer in facts.bgp.peers.values() if peer.family == family]
    yield f" address-family {family} unicast"
    for network, _ in running.networks:
        if f"ipv{network.version}" == family:
            yield f"  network {network}"
    if facts.bgp.peers:
        if running.allow_own_as:
            yield f"  neighbor {group} allowas-in {running.allow_own_as}"
        yield f"  neighbor {group} soft-reconfiguration inbound"
        yield f"  neighbor {group} route-map FROM_BGP_{group} in"
        yield f"  neighbor {group} route-map TO_BGP_{group} out"
    for peer in peers:
        yield f"  neighbor {peer.address} activate"
        for option in peer.options:
            yield f"  neighbor {peer.address} {option}"
    if running.main:
        yield f"  maximum-paths {MAXIMUM_PATHS}"
    yield " exit-address-family"
