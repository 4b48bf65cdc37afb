"""Subtree filters (RFC 6241 section 6): what of a tree a filter selects, and the reply with just that."""

from dataclasses import dataclass, field

from lxml.etree import _Element as Element

from fabric_auto.lab.emulated.srlinux.elements import child, copy_children, graft, local, namespace, root, value
from fabric_auto.lab.emulated.srlinux.keys import LISTS, SchemaPath

STATE_LISTS: dict[SchemaPath, tuple[str, ...]] = {
    ("system", "lldp", "interface", "neighbor"): ("id",),
    ("system", "configuration", "commit"): ("id",),
    ("network-instance", "route-table", "ipv4-unicast", "route"): (
        "ipv4-prefix", "route-type", "route-owner", "id", "origin-network-instance",
    ),
    ("network-instance", "route-table", "ipv6-unicast", "route"): (
        "ipv6-prefix", "route-type", "route-owner", "id", "origin-network-instance",
    ),
    ("network-instance", "route-table", "next-hop-group"): ("index",),
    ("network-instance", "route-table", "next-hop-group", "next-hop"): ("id",),
    ("network-instance", "route-table", "next-hop"): ("index",),
}  # fmt: skip
"""Keys of the state lists that this device has (srl_nokia-lldp, -configuration, -ip-route-tables)."""


@dataclass(slots=True)
class _Selection:
    """The nodes to return: ``whole`` with all below, ``part`` with what is selected below.

    lxml makes a new object for a node that nobody holds; the sets hold them.
    """

    whole: set[Element] = field(default_factory=set)
    part: set[Element] = field(default_factory=set)


def select(data: Element, subtree: Element | None) -> Element:
    """Return the part of ``data`` that the filters below ``subtree`` select; all of it when there is no filter.

    An empty ``subtree`` selects nothing (RFC 6241 section 6.4.2). List entries come with their keys.
    """
    if subtree is None:
        return copy_children(data)
    selection = _Selection()
    for node in data:
        for each in subtree:
            _match(each, node, (local(node),), selection)
    made = root()
    for node in data:
        _copy(node, made, selection)
    return made


def _match(wanted: Element, node: Element, path: SchemaPath, selection: _Selection) -> bool:
    """Mark what ``wanted`` selects at and below ``node``; return True when that is anything."""
    if not _same(wanted, node):
        return False
    if not len(wanted):
        if value(wanted) and value(wanted) != value(node):
            return False
        selection.whole.add(node)
        return True
    contents = [each for each in wanted if not len(each) and value(each)]
    rest = [each for each in wanted if len(each) or not value(each)]
    held = [_holding(each, node) for each in contents]
    if None in held:
        return False
    if not rest:
        selection.whole.add(node)
        return True
    hits = [_match(each, below, (*path, local(below)), selection) for each in rest for below in node]
    if not any(hits) and not contents:
        return False
    selection.part.add(node)
    selection.whole.update(each for each in held if each is not None)
    keys = LISTS.get(path) or STATE_LISTS.get(path, ())
    selection.whole.update(each for key in keys if (each := child(node, key)) is not None)
    return True


def _holding(content: Element, node: Element) -> Element | None:
    """Return the leaf of ``node`` that a content match node (section 6.2.5) asks for."""
    return next((each for each in node if _same(content, each) and value(content) == value(each)), None)


def _same(wanted: Element, node: Element) -> bool:
    """A filter without a namespace matches any (section 6.2.1); attributes must match (6.2.2), and data has none."""
    if wanted.attrib or local(wanted) != local(node):
        return False
    return namespace(wanted) in ("", namespace(node))


def _copy(node: Element, target: Element, selection: _Selection) -> None:
    if node in selection.whole:
        graft(target, node)
    elif node in selection.part:
        made = graft(target, node, deep=False)
        for each in node:
            _copy(each, made, selection)
