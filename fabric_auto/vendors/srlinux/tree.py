"""NETCONF configuration to leaves and back.

:func:`parse` flattens a ``<config>`` or ``<data>`` element; :func:`build` makes the ``<config>`` of an
``<edit-config>`` (RFC 6241 §7.2) with operations on chosen entries. ``parse(build(leaves, {})) == leaves`` for every
result of ``parse``.

A leaf-list is a sorted tuple, but one that the model orders by user keeps its order, which has a meaning there. Leaves
come in document order, and :func:`build` writes in the order given, so lists ordered by user (policy statements) keep
theirs. Siblings without a known key are numbered: ``rule[#2]``. An identity in a leaf that the schema does not know is
``{namespace}name``.
"""

import re
from collections.abc import Mapping
from typing import Final, TypeAlias

from lxml import etree

from fabric_auto.vendors.base import Leaves, Path, Value
from fabric_auto.vendors.srlinux.keys import URN
from fabric_auto.vendors.srlinux.schema import (
    KEY,
    LEAF,
    LEAF_LIST,
    LIST,
    PRESENCE,
    ROOT,
    UNKNOWN,
    Node,
    module_of,
    read_step,
    spell_step,
)

NETCONF: Final = "urn:ietf:params:xml:ns:netconf:base:1.0"
_OPERATION: Final = f"{{{NETCONF}}}operation"
_REMOVALS: Final = frozenset({"remove", "delete"})
_QUALIFIED: Final = re.compile(r"\{([^{}]*)\}([\w.-]+)")

_Element: TypeAlias = etree._Element  # noqa: SLF001  (lxml's element type has no public name)


def read_xml(document: bytes) -> _Element:
    """Read a document from a device or a template: no DTD, no entities, nothing fetched, no huge nodes.

    Raises:
        ValueError: it is not well-formed, or it has a DTD.
    """
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(document, parser)
    except etree.XMLSyntaxError as error:
        raise ValueError(f"not well-formed XML: {error.msg}") from error
    if root.getroottree().docinfo.doctype:
        raise ValueError("XML with a document type is refused")
    return root


def parse(xml: bytes) -> Leaves:
    """Read a NETCONF ``<config>`` or ``<data>`` element as leaves.

    Raises:
        ValueError: it is not one.
    """
    root = read_xml(xml)
    if etree.QName(root).localname not in {"config", "data"}:
        raise ValueError(f"<config> or <data> expected, not <{etree.QName(root).localname}>")
    leaves: Leaves = {}
    _walk(root, ROOT, (), leaves)
    return leaves


def _walk(element: _Element, node: Node, path: Path, leaves: Leaves) -> None:
    known = node.children
    unknown: dict[str, list[_Element]] = {}
    for child in element:
        tag = str(child.tag)
        sub = known.get(tag)
        if sub is None:
            unknown.setdefault(tag, []).append(child)
        elif sub.kind is LEAF:
            leaves[(*path, sub.name)] = _text(child, sub)
        elif sub.kind is LIST:
            entry = (*path, _entry_step(child, sub))
            leaves[entry] = ""
            _walk(child, sub, entry, leaves)
        elif sub.kind is not KEY:
            _walk_other(child, sub, (*path, sub.name), leaves)
    for tag, children in unknown.items():
        _walk_unknown(children, node.tagged(tag), path, leaves)


def _walk_other(child: _Element, node: Node, path: Path, leaves: Leaves) -> None:
    if node.kind is LEAF_LIST:
        before = leaves.get(path, ())
        values = (*before, _text(child, node))
        leaves[path] = values if node.is_ordered else tuple(sorted(values))
        return
    if node.kind is PRESENCE:
        leaves[path] = ""
    _walk(child, node, path, leaves)


def _entry_step(element: _Element, node: Node) -> str:
    values = []
    for key in node.keys:
        leaf = node.by_name[key]
        child = element.find(leaf.tag)
        if child is None:
            raise ValueError(f"<{node.name}> without its key <{key}>")
        values.append(_text(child, leaf))
    return spell_step(node.name, node.keys, values)


def _walk_unknown(children: list[_Element], node: Node, path: Path, leaves: Leaves) -> None:
    if len(children) > 1 and not any(len(child) for child in children):
        leaves[(*path, node.name)] = tuple(sorted(_text(child, node) for child in children))
        return
    for number, child in enumerate(children, 1):
        step = node.name if len(children) == 1 else f"{node.name}[#{number}]"
        if len(child):
            _walk(child, node, (*path, step), leaves)
        else:
            leaves[(*path, step)] = _text(child, node)


def _text(element: _Element, node: Node) -> str:
    text = element.text
    if text is None or text.isspace():
        return ""
    if (node.type == "identity" or node.kind is UNKNOWN) and ":" in text:
        prefix, _, name = text.strip().partition(":")
        namespace = element.nsmap.get(prefix)
        if namespace is not None:
            return name if node.type == "identity" else f"{{{namespace}}}{name}"
    return text


def build(leaves: Leaves, operations: Mapping[Path, str]) -> bytes:
    """Return the NETCONF ``<config>`` document of ``leaves``.

    Args:
        leaves: content; what lies at or below a removed path is left out, except a leaf-list's values, which name what
            to remove.
        operations: ``nc:operation`` (``replace``, ``create``, ``remove``, ``delete``) by path of an entry, a container
            or a leaf. A path need not be in ``leaves``; a removed entry carries its keys alone.

    Raises:
        ValueError: a path cannot be written.
    """
    # An attribute takes no default namespace: the operation needs the prefix.
    prefixes: dict[str | None, str] = {None: NETCONF, "nc": NETCONF} if operations else {None: NETCONF}
    root = etree.Element(f"{{{NETCONF}}}config", nsmap=prefixes)
    removed = {path for path, operation in operations.items() if operation in _REMOVALS}
    writer = _Writer(root)
    for path, value in leaves.items():
        if not removed or not _is_removed(path, value, removed):
            writer.place(path, value)
    for path, operation in operations.items():
        for element in writer.elements(path):
            element.set(_OPERATION, operation)
    return etree.tostring(root, encoding="utf-8", pretty_print=True)


def _is_removed(path: Path, value: Value, removed: set[Path]) -> bool:
    if path in removed:
        return not isinstance(value, tuple)
    return any(path[:depth] in removed for depth in range(1, len(path)))


class _Writer:
    """A document being written: where each path's element is."""

    def __init__(self, root: _Element) -> None:
        self._containers: dict[Path, tuple[_Element, Node]] = {(): (root, ROOT)}
        self._leaves: dict[Path, list[_Element]] = {}

    def place(self, path: Path, value: Value) -> None:
        """Write one leaf, entry or presence container."""
        if value == "" and not self._is_leaf(path):
            self._container(path)
            return
        parent, above = self._container(path[:-1])
        step = read_step(path[-1])
        node = above.named(step.name)
        values = value if isinstance(value, tuple) else (value,)
        self._leaves[path] = [_leaf(parent, above, node, each) for each in values]

    def elements(self, path: Path) -> list[_Element]:
        """Return the elements of a path, written now when they were not."""
        if path not in self._containers and path not in self._leaves:
            self.place(path, "")
        return self._leaves[path] if path in self._leaves else [self._containers[path][0]]

    def _is_leaf(self, path: Path) -> bool:
        step = read_step(path[-1])
        return not step.is_entry and self._container(path[:-1])[1].named(step.name).kind in {LEAF, LEAF_LIST}

    def _container(self, path: Path) -> tuple[_Element, Node]:
        found = self._containers.get(path)
        if found is not None:
            return found
        parent, above = self._container(path[:-1])
        step = read_step(path[-1])
        node = above.named(step.name)
        element = _element(parent, above, node)
        for key, value in step.keys:
            _leaf(element, node, node.named(key), value)
        self._containers[path] = (element, node)
        return element, node


def _element(parent: _Element, above: Node, node: Node, extra: tuple[str, str] | None = None) -> _Element:
    namespaces: dict[str | None, str] = {}
    if extra is not None:
        namespaces[extra[0]] = extra[1]
    if above.namespace != node.namespace:
        namespaces[None] = node.namespace
    return etree.SubElement(parent, node.tag, nsmap=namespaces or None)


def _leaf(parent: _Element, above: Node, node: Node, value: str) -> _Element:
    namespace, name = node.identities, value
    qualified = _QUALIFIED.fullmatch(value) if node.kind is UNKNOWN else None
    if qualified is not None:
        namespace, name = qualified[1], qualified[2]
    if namespace in {"", node.namespace} or not value:
        element = _element(parent, above, node)
        element.text = name or None
        return element
    prefix = module_of(namespace) if namespace.startswith(URN) else "identity"
    element = _element(parent, above, node, (prefix, namespace))
    element.text = f"{prefix}:{name}"
    return element
