"""Routing policies as the device evaluates them (srl_nokia-routing-policy), and the verdict when none decides.

A policy that the running configuration lists decides by its first matching statement, else by its default action.
Conditions this emulator does not know (communities, AS paths, ...) match nothing.
"""

from dataclasses import dataclass
from ipaddress import ip_network
from typing import Final

from lxml.etree import _Element as Element

from fabric_auto.lab.emulated.device import Prefix, RoutePolicy
from fabric_auto.lab.emulated.srlinux.bgp import Peer, afi_safi
from fabric_auto.lab.emulated.srlinux.elements import bare, child, children, entry, leaf, local, value

_FAMILY: Final = {4: "ipv4-unicast", 6: "ipv6-unicast"}


@dataclass(frozen=True, slots=True)
class Side:
    """A direction of the policy.

    Attributes:
        policies: the leaf-list with the policies.
        default: the afi-safi leaf with the verdict on what no policy matches.
        reject_all: the instance's RFC 8212 switch.
    """

    policies: str
    default: str
    reject_all: str


IMPORT: Final = Side("import-policy", "default-import-policy", "import-reject-all")
EXPORT: Final = Side("export-policy", "default-export-policy", "export-reject-all")


def route_policy(config: Element, bgp: Element | None, peers: dict[str, Peer], side: Side) -> RoutePolicy:
    """Return the import or export policy towards every neighbour.

    Verdicts are remembered: neighbours share policies, and the control plane asks for every route.
    """
    listed = {
        (address, family): peer.policies(side.policies, family)
        for address, peer in peers.items()
        for family in _FAMILY.values()
    }
    verdicts: dict[tuple[tuple[str, ...], Prefix, str], str] = {}

    def passes(neighbor: str, prefix: Prefix, protocol: str) -> bool:
        family = _FAMILY[prefix.version]
        if bgp is None or (neighbor, family) not in listed:
            return False
        key = (listed[neighbor, family], prefix, protocol)
        if key not in verdicts:
            verdicts[key] = _chain(config, *key)
        if verdicts[key]:
            return verdicts[key] == "accept"
        return _undecided(bgp, peers[neighbor], side, family, protocol)

    return passes


def _chain(config: Element, names: tuple[str, ...], prefix: Prefix, protocol: str) -> str:
    """Return the verdict of the first policy that decides, "" when none does."""
    return next((verdict for name in names if (verdict := _evaluate(config, name, prefix, protocol))), "")


def _undecided(bgp: Element, peer: Peer, side: Side, family: str, protocol: str) -> bool:
    """The verdict on a route that no policy decides.

    External peers reject unless ``ebgp-default-policy`` says otherwise (RFC 8212), internal ones accept; routes of
    other protocols are never advertised without a policy that accepts them.
    """
    if side is EXPORT and protocol != "bgp":
        return False
    for level in peer.levels:
        stated = leaf(afi_safi(level, family), side.default)
        if stated:
            return stated == "accept"
    if peer.leaf("peer-as") == leaf(bgp, "autonomous-system"):
        return True
    return leaf(bgp, "ebgp-default-policy", side.reject_all, default="true") == "false"


def _evaluate(config: Element, name: str, prefix: Prefix, protocol: str) -> str:
    """Return ``accept``, ``reject``, or "" when the next policy decides."""
    policy = entry(child(config, "routing-policy"), "policy", "name", name)
    for statement in children(policy, "statement"):
        if not _matches(config, child(statement, "match"), prefix, protocol):
            continue
        result = leaf(statement, "action", "policy-result", default="next-statement")
        if result != "next-statement":
            return "" if result == "next-policy" else result
    result = leaf(policy, "default-action", "policy-result")
    return "" if result == "next-policy" else result


def _matches(config: Element, match: Element | None, prefix: Prefix, protocol: str) -> bool:
    """Return True when all conditions hold; a statement without any matches everything."""
    if match is None:
        return True
    families = {bare(value(each)) for each in children(match, "family")}
    return (not families or _FAMILY[prefix.version] in families) and all(
        _condition(config, node, prefix, protocol) for node in match
    )


def _condition(config: Element, node: Element, prefix: Prefix, protocol: str) -> bool:
    name = local(node)
    if name == "prefix":
        return _in_set(config, leaf(node, "prefix-set"), prefix)
    if name == "prefix-set":  # releases before 24.10
        return _in_set(config, value(node), prefix)
    if name == "protocol":
        return bare(value(node)) == protocol
    return name == "family"


def _in_set(config: Element, name: str, prefix: Prefix) -> bool:
    found = entry(child(config, "routing-policy"), "prefix-set", "name", name)
    return any(
        covers(leaf(each, "ip-prefix"), leaf(each, "mask-length-range"), prefix) for each in children(found, "prefix")
    )


def covers(text: str, lengths: str, prefix: Prefix) -> bool:
    """Return True when ``prefix`` is inside the set's prefix and as long as ``mask-length-range`` says.

    >>> from ipaddress import ip_network
    >>> covers("10.0.0.0/16", "32..32", ip_network("10.0.1.1/32"))
    True
    >>> covers("10.0.0.0/16", "exact", ip_network("10.0.1.0/24"))
    False
    """
    network = ip_network(text)
    if lengths == "exact":
        return network == prefix
    low, _, high = lengths.partition("..")
    if not int(low) <= prefix.prefixlen <= int(high) or prefix.prefixlen < network.prefixlen:
        return False
    return network.version == prefix.version and int(network.network_address) == _start(prefix, network.prefixlen)


def _start(prefix: Prefix, length: int) -> int:
    bits = prefix.max_prefixlen - length
    return int(prefix.network_address) >> bits << bits
