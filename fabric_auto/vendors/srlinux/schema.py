"""The models as a tree of nodes, read once from :data:`~fabric_auto.vendors.srlinux.keys.TREE`, and path steps.

A node that the tree does not know still has a name and a namespace: its step is its bare name where the namespace is
its parent's, else ``{namespace}name``, so nothing is lost between reading and writing.
"""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from fabric_auto.vendors.srlinux.keys import TREE, URN

CONTAINER: Final = "container"
PRESENCE: Final = "presence"
LIST: Final = "list"
LEAF: Final = "leaf"
LEAF_LIST: Final = "leaf-list"
KEY: Final = "key"
UNKNOWN: Final = "unknown"


@dataclass(frozen=True, slots=True)
class Node:
    """A schema node.

    Attributes:
        name: how a step spells it, without keys.
        tag: ``{namespace}local`` as in XML.
        kind: one of the constants above; a list's key leaf is ``key``.
        type: ``string``, ``number``, ``uint64``, ``boolean``, ``empty`` or ``identity``; "" when not known.
        identities: namespace of the identities a leaf takes.
        keys: names of a list's keys, in order.
        is_ordered: ``ordered-by user`` (RFC 7950 §7.7.7).
        children: by XML tag.
    """

    name: str
    tag: str
    namespace: str
    kind: str
    type: str = ""
    identities: str = ""
    keys: tuple[str, ...] = ()
    is_ordered: bool = False
    children: dict[str, "Node"] = field(default_factory=dict, repr=False)
    by_name: dict[str, "Node"] = field(default_factory=dict, repr=False)

    @property
    def local_name(self) -> str:
        """The name without a namespace."""
        return self.tag.rpartition("}")[2]

    def tagged(self, tag: str) -> "Node":
        """Return the child with an XML tag, known or not."""
        known = self.children.get(tag)
        if known is not None:
            return known
        namespace, local = tag[1:].split("}", 1) if tag.startswith("{") else ("", tag)
        plain = namespace == self.namespace and local not in self.by_name
        return Node(local if plain else f"{{{namespace}}}{local}", tag, namespace, UNKNOWN)

    def named(self, name: str) -> "Node":
        """Return the child that a step names, known or not."""
        known = self.by_name.get(name)
        if known is not None:
            return known
        return self.tagged(name if name.startswith("{") else f"{{{self.namespace}}}{name}")


def module_of(namespace: str) -> str:
    """Return the YANG module of a namespace, for JSON (RFC 7951 §4).

    >>> module_of("urn:nokia.com:srlinux:chassis:interfaces")
    'srl_nokia-interfaces'
    """
    return f"srl_nokia-{namespace.rpartition(':')[2]}"


_LINE: Final = re.compile(r"(?P<indent> *)(?P<name>[\w-]+)(?P<mark>[*!]?)(?: \[(?P<keys>[^]]+)\])?(?P<rest>.*)")


def _read(tree: str) -> Node:
    root = Node("", "", "", CONTAINER)
    above = [root]
    for line in tree.strip().splitlines():
        match = _LINE.fullmatch(line)
        if match is None:
            raise ValueError(line)
        depth = len(match["indent"]) // 2
        node = _node(above[depth], match)
        above[depth].children[node.tag] = node
        above[depth].by_name[node.name] = node
        del above[depth + 1 :]
        above.append(node)
    return root


def _node(parent: Node, match: re.Match[str]) -> Node:
    words = match["rest"].split()
    namespace = next((URN + word[1:] for word in words if word.startswith("@")), parent.namespace)
    spelled = next((word for word in words if word != "user" and not word.startswith("@")), "")
    kind = _kind(parent, match["name"], match["mark"], keys=match["keys"], is_leaf=bool(spelled))
    base, _, identities = spelled.partition(":")
    return Node(
        name=match["name"],
        tag=f"{{{namespace}}}{match['name']}",
        namespace=namespace,
        kind=kind,
        type=base,
        identities=URN + identities if identities else "",
        keys=tuple((match["keys"] or "").split()),
        is_ordered="user" in words,
    )


def _kind(parent: Node, name: str, mark: str, *, keys: str | None, is_leaf: bool) -> str:
    if keys:
        return LIST
    if is_leaf:
        return KEY if name in parent.keys else LEAF_LIST if mark else LEAF
    return PRESENCE if mark else CONTAINER


ROOT: Final = _read(TREE)

_ESCAPED: Final = re.compile(r"\\(.)")
_KEY: Final = re.compile(r"\[([\w.-]+)=((?:[^\]\\]|\\.)*)\]")
_INDEX: Final = re.compile(r"\[#(\d+)\]")


def spell_step(name: str, keys: tuple[str, ...], values: list[str]) -> str:
    r"""Return a list entry's step; ``]`` and ``\`` in a value are escaped.

    >>> spell_step("prefix", ("ip-prefix", "mask-length-range"), ["10.0.0.0/16", "32..32"])
    'prefix[ip-prefix=10.0.0.0/16][mask-length-range=32..32]'
    """
    return name + "".join(f"[{key}={_escape(value)}]" for key, value in zip(keys, values, strict=True))


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace("]", "\\]") if "]" in value or "\\" in value else value


@dataclass(frozen=True, slots=True)
class Step:
    """A step taken apart: its name, its keys, and its number among siblings that have no known key."""

    name: str
    keys: tuple[tuple[str, str], ...]
    index: int | None

    @property
    def is_entry(self) -> bool:
        """True for a list entry."""
        return bool(self.keys) or self.index is not None


@lru_cache(maxsize=65536)
def read_step(step: str) -> Step:
    """Take a step apart.

    >>> read_step("subinterface[index=0]")
    Step(name='subinterface', keys=(('index', '0'),), index=None)

    Raises:
        ValueError: it is not a step.
    """
    name, bracket, rest = step.partition("[")
    if not bracket:
        return Step(name, (), None)
    rest = bracket + rest
    index = _INDEX.fullmatch(rest)
    if index is not None:
        return Step(name, (), int(index[1]))
    keys = tuple((match[1], _ESCAPED.sub(r"\1", match[2])) for match in _KEY.finditer(rest))
    if _KEY.sub("", rest):
        raise ValueError(f"`{step}` is not a step of an SR Linux path")
    return Step(name, keys, None)
