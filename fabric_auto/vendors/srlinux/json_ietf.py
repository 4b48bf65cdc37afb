"""Leaves as JSON (RFC 7951).

A member is qualified by its module where the module changes, an identity always; 64-bit numbers are strings. A leaf
that the schema does not know is a boolean or a number when it looks like one, else a string.
"""

import json
import re
from functools import lru_cache
from typing import Final, TypeAlias, Union

from fabric_auto.vendors.base import Leaves, Path, Value
from fabric_auto.vendors.srlinux.schema import LEAF, LEAF_LIST, LIST, ROOT, UNKNOWN, Node, Step, module_of, read_step

Json: TypeAlias = Union[str, int, bool, list["Json"], dict[str, "Json"], None]  # noqa: UP007  (names itself)
_Object: TypeAlias = dict[str, Json]

_INTEGER: Final = re.compile(r"-?(0|[1-9]\d{0,9})")
_QUALIFIED: Final = re.compile(r"\{([^{}]*)\}([\w.-]+)")


def json_ietf(leaves: Leaves) -> bytes:
    """Return ``leaves`` as a JSON document."""
    top: _Object = {}
    containers: dict[Path, tuple[_Object, Node]] = {(): (top, ROOT)}
    for path, value in leaves.items():
        parent, above = _container(path[:-1], containers)
        step = read_step(path[-1])
        node = above.named(step.name)
        if _is_container(node, step, value):
            _container(path, containers)
        else:
            parent[_member(above, node)] = _values(node, value)
    lines: list[str] = []
    _write(top, "\n", lines)
    return ("".join(lines) + "\n").encode()


def _write(value: Json, line: str, out: list[str]) -> None:
    # The standard library's encoder is ten times slower when it indents, and a fabric has hundreds of these files.
    if isinstance(value, dict) and value:
        inner, opening = f"{line} ", "{"
        for name, each in value.items():
            out.append(f"{opening}{inner}{_scalar(name)}: ")
            _write(each, inner, out)
            opening = ","
        out.append(f"{line}}}")
    elif isinstance(value, list) and value:
        inner, opening = f"{line} ", "["
        for each in value:
            out.append(f"{opening}{inner}")
            _write(each, inner, out)
            opening = ","
        out.append(f"{line}]")
    elif isinstance(value, str):
        out.append(_scalar(value))
    else:
        out.append(json.dumps(value))


@lru_cache(maxsize=65536)
def _scalar(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _is_container(node: Node, step: Step, value: Value) -> bool:
    return value == "" and (step.is_entry or node.kind not in {LEAF, LEAF_LIST})


def _container(path: Path, containers: dict[Path, tuple[_Object, Node]]) -> tuple[_Object, Node]:
    found = containers.get(path)
    if found is not None:
        return found
    parent, above = _container(path[:-1], containers)
    step = read_step(path[-1])
    node = above.named(step.name)
    made: _Object = {key: _typed(node.named(key), value) for key, value in step.keys}
    member = _member(above, node)
    if node.kind is LIST or step.is_entry:
        entries = parent.setdefault(member, [])
        if isinstance(entries, list):
            entries.append(made)
    else:
        parent[member] = made
    containers[path] = (made, node)
    return made, node


def _member(above: Node, node: Node) -> str:
    return node.local_name if node.namespace == above.namespace else f"{module_of(node.namespace)}:{node.local_name}"


def _values(node: Node, value: Value) -> Json:
    return [_typed(node, each) for each in value] if isinstance(value, tuple) else _typed(node, value)


def _typed(node: Node, value: str) -> Json:
    if node.kind is UNKNOWN:
        return _guessed(value)
    if node.type == "number":
        return int(value)
    if node.type == "boolean":
        return value == "true"
    if node.type == "identity":
        return f"{module_of(node.identities)}:{value}"
    return [None] if node.type == "empty" else value


def _guessed(value: str) -> Json:
    qualified = _QUALIFIED.fullmatch(value)
    if qualified is not None:
        return f"{module_of(qualified[1])}:{qualified[2]}"
    if value in {"true", "false"}:
        return value == "true"
    return int(value) if _INTEGER.fullmatch(value) else value
