"""BGP state: sessions and prefix counts (srl_nokia-bgp)."""

from typing import Final

from lxml.etree import _Element as Element

from fabric_auto.lab.emulated.device import SessionState, State
from fabric_auto.lab.emulated.srlinux.bgp import FAMILIES, afi_safi, families, peers
from fabric_auto.lab.emulated.srlinux.elements import add, child, descend, leaf
from fabric_auto.lab.emulated.srlinux.namespaces import COMMON

_PREFIX: Final[dict[str | None, str]] = {"srl_nokia-common": COMMON}


def add_bgp(instance: Element, state: State) -> None:
    """Add the state of BGP to network-instance ``default``."""
    bgp = descend(instance, "protocols", "bgp")
    if bgp is None:
        return
    add(bgp, "oper-state", "up" if leaf(bgp, "admin-state", default="enable") == "enable" else "down")
    for peer in peers(bgp):
        node = peer.levels[0]
        session = state.sessions.get(peer.address, SessionState(peer.address, 0, "Idle"))
        configured_as = peer.leaf("peer-as")
        if child(node, "peer-as") is None and configured_as:
            add(node, "peer-as", configured_as)
        internal = configured_as == leaf(bgp, "autonomous-system")
        add(node, "peer-type", "ibgp" if internal else "ebgp")
        add(node, "session-state", session.state.lower())
        add(node, "dynamic-neighbor", "false")
        for family in sorted(families(peer.levels) & FAMILIES.keys()):
            _family(node, family, session)


def _family(neighbor: Element, family: str, session: SessionState) -> None:
    node = afi_safi(neighbor, family)
    if node is None:
        node = add(neighbor, "afi-safi")
        add(node, "afi-safi-name", f"srl_nokia-common:{family}", prefixes=_PREFIX)
        add(node, "admin-state", "enable")
    short = FAMILIES[family]
    up = session.state == "Established" and short in session.families
    received = str(session.received.get(short, 0) if up else 0)
    add(node, "oper-state", "up" if up else "down")
    add(node, "received-routes", received)
    add(node, "sent-routes", str(session.sent.get(short, 0) if up else 0))
    add(node, "active-routes", received)
