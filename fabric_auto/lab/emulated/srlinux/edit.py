"""Editing a configuration tree (RFC 6241 section 7.2): merge, replace, create, delete, remove."""

from typing import Final

from lxml.etree import _Element as Element

from fabric_auto.lab.emulated.srlinux.elements import USER_ORDERED, graft, key_values, local, value, xpath
from fabric_auto.lab.emulated.srlinux.errors import RpcError
from fabric_auto.lab.emulated.srlinux.keys import LEAF_LISTS, LISTS, PRESENCE, SchemaPath
from fabric_auto.lab.emulated.srlinux.nodes import CHILDREN
from fabric_auto.lab.emulated.srlinux.schema import OPERATION

CONTAINERS: Final = (
    PRESENCE
    | CHILDREN.keys()
    | {path[:depth] for path in (*LISTS, *LEAF_LISTS, *CHILDREN) for depth in range(1, len(path))}
) - LISTS.keys()
"""Paths that the tables show to be containers."""


def apply(target: Element, config: Element, default_operation: str) -> None:
    """Edit ``target`` in place by a ``config`` that passed :func:`~fabric_auto.lab.emulated.srlinux.schema.check`.

    Args:
        target: the root of a configuration.
        config: the edit's ``config`` element.
        default_operation: ``merge``, ``replace`` or ``none``.

    Raises:
        RpcError: ``data-exists`` or ``data-missing``; what came before in the edit is applied.
    """
    if default_operation == "replace":
        for each in list(target):
            target.remove(each)
        default_operation = "merge"
    for each in config:
        _edit(target, each, (local(each),), default_operation)


def find(parent: Element, node: Element, path: SchemaPath) -> Element | None:
    """Return the child of ``parent`` that ``node`` speaks of: same name, same keys, same value in a leaf-list."""
    keys = key_values(node, path)
    for each in parent:
        if each.tag != node.tag:
            continue
        if path in LEAF_LISTS and value(each) != value(node):
            continue
        if keys == key_values(each, path):
            return each
    return None


def _edit(parent: Element, node: Element, path: SchemaPath, inherited: str) -> None:
    operation = str(node.get(OPERATION, inherited))
    existing = find(parent, node, path)
    if operation in ("delete", "remove"):
        _delete(parent, node, path, existing, required=operation == "delete")
    elif operation in ("create", "replace"):
        _put(parent, node, path, existing, fresh=operation == "create")
    elif existing is None and operation == "none":
        raise _missing(node)
    elif not _inner(node, path):
        _set(parent, node, existing, touch=operation == "merge")
    else:
        _merge(graft(parent, node, deep=False) if existing is None else existing, node, path, operation)


def _merge(target: Element, node: Element, path: SchemaPath, operation: str) -> None:
    keys = LISTS.get(path, ())
    for key in keys:
        _edit(target, next(each for each in node if local(each) == key), (*path, key), "merge")
    for each in node:
        if local(each) not in keys:
            _edit(target, each, (*path, local(each)), operation)


def _set(parent: Element, node: Element, existing: Element | None, *, touch: bool) -> None:
    """Write a leaf or leaf-list entry, or an empty container."""
    if existing is None:
        graft(parent, node)
    elif touch and not len(existing) and value(existing) != value(node):
        _swap(parent, node, existing)


def _put(parent: Element, node: Element, path: SchemaPath, existing: Element | None, *, fresh: bool) -> None:
    if existing is not None and fresh:
        raise RpcError("data-exists", f'Data for "{local(node)}" already exists.', path=xpath(existing))
    for each in node.iterdescendants():
        if each.get(OPERATION) in ("delete", "remove"):
            raise RpcError(
                "bad-attribute",
                "Nothing to delete inside new data.",
                path=xpath(each),
                info=[("bad-attribute", "operation")],
            )
    if existing is None:
        graft(parent, node)
    else:
        _swap(parent, node, existing)
    if path in CONTAINERS and not len(node):
        made = find(parent, node, path)
        if made is not None:
            _prune(made, path)


def _swap(parent: Element, node: Element, existing: Element) -> None:
    """Put ``node`` in the place of ``existing``, at the end where order is not configuration.

    Nothing is moved: lxml drops a moved element's declarations of a namespace that is also declared above it, and with
    them the prefix of an identity.
    """
    later = list(parent)[parent.index(existing) + 1 :] if local(node) in USER_ORDERED else []
    parent.remove(existing)
    graft(parent, node)
    for each in later:
        graft(parent, each)
        parent.remove(each)


def _delete(parent: Element, node: Element, path: SchemaPath, existing: Element | None, *, required: bool) -> None:
    if existing is None:
        if required:
            raise _missing(node)
        return
    parent.remove(existing)
    _prune(parent, path[:-1])


def _prune(node: Element, path: SchemaPath) -> None:
    """Remove containers that the edit emptied and that mean nothing when empty (RFC 7950 section 7.5.8)."""
    while path and not len(node) and path not in LISTS and path not in PRESENCE:
        above = node.getparent()
        if above is None:
            return
        above.remove(node)
        node, path = above, path[:-1]


def _inner(node: Element, path: SchemaPath) -> bool:
    """Return True for a container or list entry; a childless element that no table knows is taken for a leaf."""
    return len(node) > 0 or path in LISTS or path in CONTAINERS


def _missing(node: Element) -> RpcError:
    return RpcError("data-missing", f'Data for "{local(node)}" does not exist.', path=xpath(node))
