"""SR Linux configurations for the planner's tests, and a small interpreter of edit-config (RFC 6241 §7.2)."""

from copy import deepcopy
from dataclasses import dataclass, field

from hypothesis import strategies as st
from lxml import etree

from fabric_auto.diagnostics import Span
from fabric_auto.plan.build import Running
from fabric_auto.plan.model import Step
from fabric_auto.vendors.base import Leaves, Ownership, Path, Rendered
from fabric_auto.vendors.srlinux.tree import build, parse

SPAN = Span("intents/fabric.yaml", 20, 5, 20, 9)
OPERATION = "{urn:ietf:params:xml:ns:netconf:base:1.0}operation"
DEFAULT = "network-instance[name=default]"
BGP = (DEFAULT, "protocols", "bgp")

KEYS = {
    ("config", "interface"): ("name",),
    ("interface", "subinterface"): ("index",),
    ("ipv4", "address"): ("ip-prefix",),
    ("config", "network-instance"): ("name",),
    ("network-instance", "interface"): ("name",),
    ("bgp", "group"): ("group-name",),
    ("bgp", "neighbor"): ("peer-address",),
    ("bgp", "afi-safi"): ("afi-safi-name",),
    ("group", "afi-safi"): ("afi-safi-name",),
    ("neighbor", "afi-safi"): ("afi-safi-name",),
    ("ipv6", "address"): ("ip-prefix",),
    ("routing-policy", "prefix-set"): ("name",),
    ("prefix-set", "prefix"): ("ip-prefix", "mask-length-range"),
    ("routing-policy", "policy"): ("name",),
    ("policy", "statement"): ("name",),
    ("lldp", "interface"): ("name",),
    ("acl", "acl-filter"): ("name", "type"),
}
LEAF_LISTS = {"export-policy", "import-policy"}


@dataclass(frozen=True)
class Wish:
    """What a spine should run: ports with an address, neighbors, a policy."""

    ports: dict[int, str] = field(default_factory=dict)
    mtu: str = "9114"
    neighbors: dict[str, str] = field(default_factory=dict)
    asn: str | None = "4200000000"
    statements: tuple[str, ...] = ("loopbacks", "hosts")
    lldp: bool = True

    @property
    def rendered(self) -> Rendered:
        """The wish as a vendor states it."""
        leaves: Leaves = {("system", "name", "host-name"): "east-spine-01"}
        entries: set[Path] = set()
        for number, prefix in self.ports.items():
            leaves |= port(number, prefix, self.mtu)
            entries.add((f"interface[name=ethernet-1/{number}]",))
        if self.ports or self.asn:
            leaves |= {(DEFAULT,): "", (DEFAULT, "type"): "default", (DEFAULT, "admin-state"): "enable"}
        for number in self.ports:
            entries.add((DEFAULT, f"interface[name=ethernet-1/{number}.0]"))
            leaves[DEFAULT, f"interface[name=ethernet-1/{number}.0]"] = ""
        if self.asn:
            leaves |= bgp(self.asn, self.neighbors)
            if not self.statements:
                del leaves[(*BGP, "group[group-name=fabric-v4]", "export-policy")]
            entries |= {path for path in leaves if path[:3] == BGP and len(path) == 4 and "[" in path[3]}
        if self.statements:
            leaves |= policy("fabric-out", self.statements)
            entries.add(("routing-policy", "policy[name=fabric-out]"))
        if self.lldp:
            leaves |= {("system", "lldp"): "", ("system", "lldp", "admin-state"): "enable"}
        owned = Ownership(frozenset(entries), frozenset())
        fields = frozenset(path for path in leaves if not owned.covers(path))
        return Rendered((), leaves, Ownership(owned.entries, fields), dict.fromkeys(leaves, SPAN))


def port(number: int, prefix: str, mtu: str) -> Leaves:
    """A routed port."""
    name = f"interface[name=ethernet-1/{number}]"
    return {
        (name,): "",
        (name, "description"): f"leaf-0{number} <Ethernet{number}> & more",
        (name, "admin-state"): "enable",
        (name, "mtu"): mtu,
        (name, "subinterface[index=0]"): "",
        (name, "subinterface[index=0]", "type"): "routed",
        (name, "subinterface[index=0]", "ipv4", "admin-state"): "enable",
        (name, "subinterface[index=0]", "ipv4", f"address[ip-prefix={prefix}]"): "",
    }


def bgp(asn: str, neighbors: dict[str, str], export: str = "fabric-out") -> Leaves:
    """A BGP instance with one group."""
    leaves: Leaves = {
        BGP: "",
        (*BGP, "admin-state"): "enable",
        (*BGP, "autonomous-system"): asn,
        (*BGP, "router-id"): "10.10.0.9",
        (*BGP, "afi-safi[afi-safi-name=ipv4-unicast]"): "",
        (*BGP, "afi-safi[afi-safi-name=ipv4-unicast]", "admin-state"): "enable",
        (*BGP, "group[group-name=fabric-v4]"): "",
        (*BGP, "group[group-name=fabric-v4]", "export-policy"): (export,),
    }
    for peer, peer_as in neighbors.items():
        step = f"neighbor[peer-address={peer}]"
        leaves |= {(*BGP, step): "", (*BGP, step, "peer-as"): peer_as, (*BGP, step, "peer-group"): "fabric-v4"}
    return leaves


def policy(name: str, statements: tuple[str, ...]) -> Leaves:
    """A routing policy, its statements in the order given: the model's list is ordered by user."""
    entry = ("routing-policy", f"policy[name={name}]")
    leaves: Leaves = {entry: "", (*entry, "default-action", "policy-result"): "reject"}
    for each in statements:
        step = f"statement[name={each}]"
        leaves |= {(*entry, step): "", (*entry, step, "action", "policy-result"): "accept"}
    return leaves


def running_of(leaves: Leaves) -> Running:
    """A configuration as it was read."""
    return Running(leaves, {})


@st.composite
def trees(draw: st.DrawFn) -> Leaves:
    """A configuration that we have never written to, with an operator's in it."""
    leaves: Leaves = {
        ("interface[name=mgmt0]",): "",
        ("interface[name=mgmt0]", "admin-state"): "enable",
        ("acl", "acl-filter", "description"): "operator's",
        ("acl", "acl-filter", "type"): "ipv4",
        ("network-instance[name=mgmt]",): "",
        ("network-instance[name=mgmt]", "type"): "ip-vrf",
        ("system", "name", "host-name"): "srlinux",
    }
    for number in (1, 2, 9):
        if draw(st.booleans()):
            leaves |= port(number, f"192.0.2.{number}/31", "1514")
    if draw(st.booleans()):
        leaves |= {(DEFAULT,): "", (DEFAULT, "interface[name=ethernet-1/9.0]"): ""}
        if draw(st.booleans()):
            leaves |= bgp("65000", {"192.0.2.9": "65001"}, "old-out") | policy("old-out", ("old",))
    if draw(st.booleans()):
        leaves |= policy("operators", ("one",))
    if draw(st.booleans()):
        leaves |= {("system", "lldp"): "", ("system", "lldp", "interface[name=mgmt0]"): ""}
    return parse(build(leaves, {}))


@st.composite
def wishes(draw: st.DrawFn) -> Wish:
    """What one device of a fabric may be asked to run."""
    numbers = [number for number in (1, 2, 3) if draw(st.booleans())]
    asns = st.sampled_from(["4200100000", "4200100001"])
    return Wish(
        ports={number: f"10.11.0.{2 * number}/31" for number in numbers},
        mtu=draw(st.sampled_from(["9114", "4214"])),
        neighbors={f"10.11.0.{2 * number + 1}": draw(asns) for number in numbers},
        asn=draw(st.sampled_from([None, "4200000000", "4200000001"])),
        statements=draw(st.sampled_from([(), ("loopbacks",), ("loopbacks", "hosts"), ("hosts", "loopbacks")])),
        lldp=draw(st.booleans()),
    )


def last_of(leaves: Leaves, steps: tuple[Step, ...]) -> Leaves:
    """The configuration after the steps, by an interpreter that shares nothing with the planner."""
    data = etree.fromstring(build(leaves, {}))
    for step in steps:
        assert step.kind == "edit-config"
        _edit(data, etree.fromstring(step.content))
    return parse(etree.tostring(data))


def _edit(data: etree._Element, edit: etree._Element) -> None:
    for node in edit:
        operation = node.get(OPERATION, "merge")
        found = _find(data, node)
        if operation in {"remove", "replace"} and found is not None:
            data.remove(found)
            found = None
        if operation == "remove":
            continue
        if found is None:
            found = etree.SubElement(data, node.tag, nsmap=node.nsmap)
            found.text = node.text
        elif not len(node):
            found.text = node.text
        if operation == "replace":
            found[:] = [_clean(child) for child in node]
        else:
            _edit(found, node)


def _find(data: etree._Element, node: etree._Element) -> etree._Element | None:
    keys = KEYS.get((etree.QName(data).localname, etree.QName(node).localname), ())
    if etree.QName(node).localname in LEAF_LISTS:
        return next((child for child in data if child.tag == node.tag and child.text == node.text), None)
    for child in data:
        if child.tag == node.tag and all(_key(child, key) == _key(node, key) for key in keys):
            return child
    return None


def _key(node: etree._Element, key: str) -> str | None:
    return node.findtext(f"{{*}}{key}")


def _clean(node: etree._Element) -> etree._Element:
    assert not node.xpath("descendant::*[@*[local-name()='operation']]")
    return deepcopy(node)
