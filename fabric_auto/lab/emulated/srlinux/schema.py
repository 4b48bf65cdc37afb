"""Checks of an edit before anything is applied: names, namespaces, list keys, attributes and leaf values.

Namespaces and top-level names are checked everywhere, children and values in the containers of
:mod:`~fabric_auto.lab.emulated.srlinux.nodes`.
"""

import re
from typing import Final

from lxml.etree import _Element as Element

from fabric_auto.lab.emulated.srlinux.elements import leaf, local, namespace, value, xpath
from fabric_auto.lab.emulated.srlinux.errors import RpcError, invalid, missing_element
from fabric_auto.lab.emulated.srlinux.keys import LISTS, SchemaPath
from fabric_auto.lab.emulated.srlinux.namespaces import NETCONF, namespace_of
from fabric_auto.lab.emulated.srlinux.nodes import CHILDREN, IDENTITIES

OPERATION: Final = f"{{{NETCONF}}}operation"
OPERATIONS: Final = frozenset({"merge", "replace", "create", "delete", "remove"})
"""Values of the ``operation`` attribute (RFC 6241 section 7.2)."""

_RANGE: Final = re.compile(r"\d+(?:\.\.\d+)?(?:\|\d+(?:\.\.\d+)?)*")


def check(config: Element) -> None:
    """Check everything in an edit's ``config``, or in a whole configuration.

    Raises:
        RpcError: the first thing that is wrong, in document order.
    """
    for each in config:
        _node(each, (local(each),), "", leaving=False)


def accepts(kind: str, node: Element) -> bool:
    """Return True when the leaf's value is of the type, spelled as in the module ``nodes``."""
    text = value(node)
    if kind == "admin":
        return text in ("enable", "disable")
    if kind == "bool":
        return text in ("true", "false")
    if kind == "empty":
        return not text
    if kind.startswith("id="):
        return _identity(kind.removeprefix("id="), node)
    if ".." in kind and _RANGE.fullmatch(kind):
        return _in_range(kind, text)
    return text in kind.split("|")


def _identity(base: str, node: Element) -> bool:
    """An unprefixed identity is of the namespace that is the default one where it stands (RFC 7950 section 9.10.3)."""
    prefix, _, name = value(node).rpartition(":")
    wanted, names = IDENTITIES[base]
    return node.nsmap.get(prefix or None) == wanted and name in names


def _in_range(kind: str, text: str) -> bool:
    if not text.isascii() or not text.isdigit():
        return False
    bounds = (part.partition("..") for part in kind.split("|"))
    return any(int(low) <= int(text) <= int(high or low) for low, _, high in bounds)


def _node(node: Element, path: SchemaPath, parent: str, *, leaving: bool) -> None:
    _name(node, path, parent)
    leaving = _operation(node, leaving=leaving)
    if len(node) and value(node):
        raise RpcError("bad-element", "Text beside elements.", path=xpath(node), info=[("bad-element", local(node))])
    _keys(node, LISTS.get(path, ()))
    known = CHILDREN.get(path[:-1], {}).get(path[-1])
    if known is not None and known.type and not (leaving and not value(node)) and not accepts(known.type, node):
        raise invalid(path[-1], value(node), path=xpath(node))
    for each in node:
        _node(each, (*path, local(each)), namespace(node), leaving=leaving)


def _keys(node: Element, keys: tuple[str, ...]) -> None:
    """Keys come first, in the model's order (RFC 7950 section 7.8.5)."""
    for position, key in enumerate(keys):
        if not leaf(node, key):
            raise missing_element(key, path=xpath(node), layer="application")
        if local(node[position]) != key:
            message = f'Invalid position of the key "{key}" in a list.'
            raise RpcError("bad-element", message, path=xpath(node), info=[("bad-element", key)])


def _name(node: Element, path: SchemaPath, parent: str) -> None:
    name, found = path[-1], namespace(node)
    wanted = namespace_of(path, parent)
    siblings = CHILDREN.get(path[:-1])
    if not wanted or (siblings is not None and name not in siblings):
        raise RpcError(
            "unknown-element",
            f'An unexpected element "{name}" is present.',
            path=xpath(node),
            info=[("bad-element", name)],
        )
    if found != wanted:
        raise RpcError(
            "unknown-namespace",
            f'An unexpected namespace "{found}" is present.',
            path=xpath(node),
            info=[("bad-element", name), ("bad-namespace", found)],
        )


def _operation(node: Element, *, leaving: bool) -> bool:
    for attribute, text in node.attrib.items():
        name = str(attribute)
        info = [("bad-attribute", name.rpartition("}")[2]), ("bad-element", local(node))]
        if name != OPERATION:
            raise RpcError("unknown-attribute", f'Unexpected attribute "{name}".', path=xpath(node), info=info)
        if text not in OPERATIONS:
            raise RpcError("bad-attribute", f'Bad value "{text}" of "operation".', path=xpath(node), info=info)
        leaving = str(text) in ("delete", "remove")
    return leaving
