"""Reading and building configuration trees: lxml elements under a ``data`` root."""

from collections.abc import Iterator
from typing import Final, TypeAlias

from lxml import etree
from lxml.etree import _Element as Element

from fabric_auto.lab.emulated.srlinux.keys import LISTS, SchemaPath
from fabric_auto.lab.emulated.srlinux.namespaces import NETCONF
from fabric_auto.lab.emulated.srlinux.nodes import CHILDREN

Fingerprint: TypeAlias = tuple[str, str, tuple["Fingerprint", ...]]

USER_ORDERED: Final = frozenset({"statement", "import-policy", "export-policy", "allowed-peer-as"})
"""Lists and leaf-lists whose order is configuration (``ordered-by user``, srl_nokia-routing-policy and -bgp)."""


def local(element: Element) -> str:
    """Return an element's name without its namespace."""
    return str(element.tag).rpartition("}")[2]


def namespace(element: Element) -> str:
    """Return an element's namespace, "" when it has none."""
    return str(element.tag).rpartition("}")[0][1:]


def value(element: Element | None) -> str:
    """Return an element's text without surrounding white space; "" for None."""
    return "" if element is None else (element.text or "").strip()


def bare(text: str) -> str:
    """Return the name of an identity without its prefix.

    >>> bare("srl_nokia-common:ipv4-unicast")
    'ipv4-unicast'
    """
    return text.rpartition(":")[2]


def child(parent: Element | None, name: str) -> Element | None:
    """Return the first child with that local name."""
    return next(children(parent, name), None)


def children(parent: Element | None, name: str) -> Iterator[Element]:
    """Yield the children with that local name."""
    return iter(()) if parent is None else parent.iterchildren(f"{{*}}{name}")


def descend(parent: Element | None, *names: str) -> Element | None:
    """Return the node that the names lead to from ``parent``, None when a step is missing."""
    for name in names:
        parent = child(parent, name)
    return parent


def leaf(parent: Element | None, *names: str, default: str = "") -> str:
    """Return the value of the leaf that the names lead to, ``default`` when it is not there."""
    found = descend(parent, *names)
    return default if found is None else value(found)


def entry(parent: Element | None, name: str, key: str, wanted: str) -> Element | None:
    """Return the entry of a one-key list; identities are compared without prefix."""
    return next((each for each in children(parent, name) if wanted in (leaf(each, key), bare(leaf(each, key)))), None)


def enabled(node: Element | None, default: str = "enable") -> bool:
    """Return True when the node is there and its ``admin-state`` says enable."""
    return node is not None and leaf(node, "admin-state", default=default) == "enable"


def root() -> Element:
    """Return an empty configuration."""
    return etree.Element(f"{{{NETCONF}}}data", nsmap={None: NETCONF})


def add(
    parent: Element, name: str, text: str | None = None, ns: str = "", prefixes: dict[str | None, str] | None = None
) -> Element:
    """Append a child in ``ns``, or in the parent's namespace, and return it."""
    ns = ns or namespace(parent)
    declared: dict[str | None, str] = {None: ns, **(prefixes or {})}
    made = etree.SubElement(parent, f"{{{ns}}}{name}", nsmap=declared)
    made.text = text
    return made


def graft(parent: Element, node: Element, *, deep: bool = True) -> Element:
    """Append a copy of ``node`` to ``parent``, without attributes and white space between elements.

    A prefix in a value (an identity) is declared somewhere above in the message and would be lost in a plain copy;
    here it is declared on the spot.
    """
    text = None if len(node) else value(node) or None
    prefix = (text or "").partition(":")[0]
    declared = node.nsmap.get(prefix) if text and ":" in text else None
    made = add(parent, local(node), text, namespace(node), {prefix: declared} if declared else None)
    if deep:
        for each in node:
            graft(made, each)
    return made


def copy_children(source: Element, target: Element | None = None) -> Element:
    """Return ``target``, or a new root, with copies of all children of ``source``."""
    made = root() if target is None else target
    for each in source:
        graft(made, each)
    return made


def key_values(node: Element, path: SchemaPath) -> tuple[str, ...]:
    """Return the key values of a list entry, identities without prefix; empty when ``path`` is no list."""
    known = CHILDREN.get(path, {})
    values = []
    for key in LISTS.get(path, ()):
        text = leaf(node, key)
        values.append(bare(text) if key in known and known[key].type.startswith("id=") else text)
    return tuple(values)


def xpath(node: Element) -> str:
    """Return where a node stands, as an ``error-path``: ``/interface[name='ethernet-1/1']/mtu``."""
    chain = [each for each in (node, *node.iterancestors()) if namespace(each) != NETCONF]
    chain.reverse()
    steps = []
    for depth, each in enumerate(chain):
        path = tuple(local(step) for step in chain[: depth + 1])
        keys = "".join(f"[{key}='{leaf(each, key)}']" for key in LISTS.get(path, ()))
        steps.append(f"/{path[-1]}{keys}")
    return "".join(steps)


def fingerprint(node: Element) -> Fingerprint:
    """Return a value that is equal for equal configurations, whatever the order of what has no order."""
    below = [fingerprint(each) for each in node]
    below.sort(key=lambda each: (each[0],) if bare_tag(each[0]) in USER_ORDERED else (each[0], repr(each)))
    return (str(node.tag), value(node), tuple(below))


def bare_tag(tag: str) -> str:
    """Return the local part of a ``{namespace}name`` tag."""
    return tag.rpartition("}")[2]
