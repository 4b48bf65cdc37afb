"""Commit rules for BGP, routing policy, BFD and management: references that must exist, and what BGP needs to start.

Sources: ``mandatory``, ``must``, ``max-elements`` and ``leafref`` statements of srl_nokia-bgp, -routing-policy, -bfd,
-ssh, -netconf-server and -lldp (their error messages are used).
"""

import re
from collections.abc import Iterator
from ipaddress import IPV6LENGTH, ip_address, ip_network
from typing import Final

from lxml.etree import _Element as Element

from fabric_auto.lab.emulated.srlinux.bgp import families, peers
from fabric_auto.lab.emulated.srlinux.elements import child, children, descend, entry, leaf, local, value
from fabric_auto.lab.emulated.srlinux.interface_rules import Problem
from fabric_auto.lab.emulated.srlinux.interfaces import find_subinterface, instance_type

MAX_POLICIES: Final = 14
"""srl_nokia-bgp, ``max-elements`` of import-policy and export-policy."""

_DIRECTIONS: Final = ("import-policy", "export-policy")
_RANGE: Final = re.compile(r"(\d+)\.\.(\d+)")


def check(config: Element) -> Iterator[Problem]:
    """Yield what is wrong outside interfaces."""
    for instance in children(config, "network-instance"):
        bgp = descend(instance, "protocols", "bgp")
        if bgp is not None:
            yield from _bgp(instance, bgp)
            yield from _policy_references(config, bgp)
            yield from _group_references(bgp)
    yield from _prefix_sets(config)
    yield from _prefix_set_references(config)
    yield from _subinterface_references(config)
    yield from _management_references(config)


def _bgp(instance: Element, bgp: Element) -> Iterator[Problem]:
    if instance_type(instance) not in ("default", "ip-vrf"):
        yield Problem(bgp, "BGP is not possible on network-instance of types other than ip-vrf or default")
    for name in ("autonomous-system", "router-id"):
        if child(bgp, name) is None:
            yield Problem(bgp, f'Mandatory node "{name}" is missing', "data-missing")
    router_id = child(bgp, "router-id")
    if router_id is not None and not _is_address(value(router_id)):
        yield Problem(router_id, f'"{value(router_id)}" is not an address', "invalid-value")
    yield from _some_family((bgp,))
    for group in children(bgp, "group"):
        yield from _some_family((group, bgp))
    for peer in peers(bgp):
        yield from _some_family(peer.levels)
        if not _is_address(peer.address):
            yield Problem(peer.levels[0], f'"{peer.address}" is not an address', "invalid-value")


def _some_family(levels: tuple[Element, ...]) -> Iterator[Problem]:
    if leaf(levels[0], "admin-state") != "disable" and not families(levels):
        yield Problem(levels[0], "One of the address families must be enabled.")


def _policy_references(config: Element, bgp: Element) -> Iterator[Problem]:
    known = {leaf(each, "name") for each in children(child(config, "routing-policy"), "policy")}
    for level in (bgp, *children(bgp, "group"), *children(bgp, "neighbor")):
        for place in (level, *children(level, "afi-safi")):
            for direction in _DIRECTIONS:
                listed = list(children(place, direction))
                if len(listed) > MAX_POLICIES:
                    yield Problem(place, f'Too many "{direction}" elements, at most {MAX_POLICIES}')
                for each in listed:
                    if value(each) not in known:
                        yield _dangling(each)


def _group_references(bgp: Element) -> Iterator[Problem]:
    dynamic = child(bgp, "dynamic-neighbors")
    holders = (
        *children(bgp, "neighbor"),
        *children(dynamic, "interface"),
        *children(child(dynamic, "accept"), "match"),
    )
    for each in holders:
        reference = child(each, "peer-group")
        if reference is None:
            yield Problem(each, 'Mandatory node "peer-group" is missing', "data-missing")
        elif entry(bgp, "group", "group-name", value(reference)) is None:
            yield _dangling(reference)


def _prefix_sets(config: Element) -> Iterator[Problem]:
    for each in children(child(config, "routing-policy"), "prefix-set"):
        for prefix in children(each, "prefix"):
            if not _is_network(leaf(prefix, "ip-prefix")):
                yield Problem(prefix, f'"{leaf(prefix, "ip-prefix")}" is not an IP prefix', "invalid-value")
            elif not _is_range(leaf(prefix, "mask-length-range")):
                text = leaf(prefix, "mask-length-range")
                yield Problem(prefix, f'Unsatisfied pattern - "{text}" of mask-length-range', "invalid-value")


def _prefix_set_references(config: Element) -> Iterator[Problem]:
    policies = child(config, "routing-policy")
    for policy in children(policies, "policy"):
        for statement in children(policy, "statement"):
            for reference in (
                descend(statement, "match", "prefix", "prefix-set"),
                *children(child(statement, "match"), "call-policy"),
            ):
                if reference is None:
                    continue
                target = "prefix-set" if local(reference) == "prefix-set" else "policy"
                if entry(policies, target, "name", value(reference)) is None:
                    yield _dangling(reference)


def _subinterface_references(config: Element) -> Iterator[Problem]:
    for each in children(child(config, "bfd"), "subinterface"):
        if find_subinterface(config, leaf(each, "id")) is None:
            yield Problem(each, "Must be an existing subinterface name")


def _management_references(config: Element) -> Iterator[Problem]:
    system = child(config, "system")
    for each in children(descend(system, "lldp"), "interface"):
        if entry(config, "interface", "name", leaf(each, "name")) is None:
            yield _dangling(each)
    for each in children(system, "ssh-server"):
        reference = child(each, "network-instance")
        if reference is not None and entry(config, "network-instance", "name", value(reference)) is None:
            yield _dangling(reference)
    for each in children(system, "netconf-server"):
        reference = child(each, "ssh-server")
        if reference is not None and entry(system, "ssh-server", "name", value(reference)) is None:
            yield _dangling(reference)


def _dangling(reference: Element) -> Problem:
    text = value(reference) or leaf(reference, "name")
    message = f'Invalid leafref value "{text}" - no target instance of "{local(reference)}".'
    return Problem(reference, message, "data-missing")


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _is_network(text: str) -> bool:
    try:
        ip_network(text)
    except ValueError:
        return False
    return "/" in text


def _is_range(text: str) -> bool:
    match = _RANGE.fullmatch(text)
    return text == "exact" or (match is not None and int(match[1]) <= int(match[2]) <= IPV6LENGTH)
