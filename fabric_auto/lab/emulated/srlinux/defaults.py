"""Defaults in replies: the with-defaults mode ``report-all`` (RFC 6243 section 3.1)."""

from lxml.etree import _Element as Element

from fabric_auto.lab.emulated.srlinux.elements import add, child, local, namespace
from fabric_auto.lab.emulated.srlinux.keys import SchemaPath
from fabric_auto.lab.emulated.srlinux.namespaces import namespace_of
from fabric_auto.lab.emulated.srlinux.nodes import CHILDREN


def report_all(tree: Element) -> None:
    """Add the default leaves of every known container and list entry that is in ``tree``."""
    for each in tree:
        _fill(each, (local(each),))


def _fill(node: Element, path: SchemaPath) -> None:
    for each in list(node):
        _fill(each, (*path, local(each)))
    for known in CHILDREN.get(path, {}).values():
        if known.default and child(node, known.name) is None:
            add(node, known.name, known.default, namespace_of((*path, known.name), namespace(node)))
