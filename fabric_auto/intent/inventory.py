"""The inventory: a Nornir inventory (hosts, groups, defaults), read strictly; how each device is reached.

Nornir's own keys are ``hostname``, ``port``, ``username``, ``password``, ``platform``, ``groups``, ``data``,
``connection_options``; ours stand under ``data``: ``release``, ``ssh_key``, ``site``.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from pydantic import Field, ValidationError

from fabric_auto.core.names import near_miss
from fabric_auto.diagnostics import Diagnostic, Note, Span
from fabric_auto.intent import rules
from fabric_auto.intent.base import Model, findings_of
from fabric_auto.source import Document

REFERENCES: Final = ("env:", "file:", "keyring:")


class HostData(Model):
    """What this tool adds to a Nornir element."""

    release: str | None = None
    ssh_key: str | None = None
    site: str | None = None


class Element(Model):
    """A host, a group or the defaults."""

    hostname: str | None = None
    port: Annotated[int, Field(ge=1, le=65535)] | None = None
    username: str | None = None
    password: str | None = None
    platform: Literal["sonic", "srlinux"] | None = None
    groups: list[str] = Field(default_factory=list)
    data: HostData = HostData()


@dataclass(frozen=True, slots=True)
class InventoryHost:
    """How one device is reached; groups and defaults already applied.

    Attributes:
        nos: the transport: ``sonic`` (SSH) or ``srlinux`` (NETCONF); None when the inventory does not say.
        port: None stands for the NOS's own: 22 or 830.
        release: NOS release, None when not stated.
        password, ssh_key: references (``env:NAME``, ``file:PATH``, ``keyring:NAME``), never secrets.
    """

    name: str
    address: str
    port: int | None
    nos: str | None
    release: str | None
    username: str | None
    password: str | None
    ssh_key: str | None
    span: Span


Inventory = dict[str, InventoryHost]


def parse(
    hosts: Document | None, groups: Document | None, defaults: Document | None
) -> tuple[Inventory, list[Diagnostic]]:
    """Read the three inventory documents (each may be absent).

    Returns:
        Hosts by name, in file order, and findings.
    """
    findings: list[Diagnostic] = []
    group_elements = _elements(groups, findings)
    if groups is not None and isinstance(groups.value, dict):
        # A group that is there and wrong has its finding; who is in it needs none.
        group_elements = {name: group_elements.get(name, Element()) for name in groups.value}
    default = _element(defaults, (), findings) if defaults is not None else Element()
    inventory: Inventory = {}
    for name, element in _elements(hosts, findings).items():
        assert hosts is not None  # noqa: S101  (elements come from it)
        span = hosts.at((name,), key=True)
        chain = [element, *_groups_of(name, element, group_elements, hosts, findings), default or Element()]
        inventory[name] = InventoryHost(
            name=name,
            address=str(_first(chain, "hostname") or name),
            port=_first(chain, "port"),
            nos=_first(chain, "platform"),
            release=_first([each.data for each in chain], "release"),
            username=_first(chain, "username"),
            password=_first(chain, "password"),
            ssh_key=_first([each.data for each in chain], "ssh_key"),
            span=span,
        )
    return inventory, findings


def _elements(document: Document | None, findings: list[Diagnostic]) -> dict[str, Element]:
    if document is None:
        return {}
    if not isinstance(document.value, dict):
        findings.append(
            rules.WRONG_TYPE.at(document.at(()), "an inventory file must be a mapping from names to hosts or groups")
        )
        return {}
    elements = {name: _element(document, (name,), findings) for name in document.value}
    return {name: element for name, element in elements.items() if element is not None}


def _element(document: Document, path: tuple[str, ...], findings: list[Diagnostic]) -> Element | None:
    value: Any = document.value
    for step in path:
        value = value[step]
    try:
        element = Element.model_validate({} if value is None else value)
    except ValidationError as error:
        findings.extend(findings_of(error, document, path, Element))
        return None
    for key, reference, where in (
        ("password", element.password, path),
        ("ssh_key", element.data.ssh_key, (*path, "data")),
    ):
        if reference is not None and not reference.startswith(REFERENCES):
            findings.append(
                rules.PLAIN_SECRET.at(
                    document.at((*where, key)),
                    f"`{key}` is not a reference",
                    help="write `env:NAME`, `file:PATH` or `keyring:NAME`, and keep the secret there",
                )
            )
    return element


def _groups_of(
    name: str, element: Element, groups: dict[str, Element], document: Document, findings: list[Diagnostic]
) -> list[Element]:
    found: list[Element] = []
    waiting = [(group, (name, "groups", index)) for index, group in enumerate(element.groups)]
    seen: set[str] = set()
    while waiting:
        group, path = waiting.pop(0)
        if group in seen:
            continue
        seen.add(group)
        if group not in groups:
            near = near_miss(group, groups)
            hint = f"a group with a similar name exists: `{near}`" if near else "add it to groups.yaml"
            findings.append(rules.UNKNOWN_REFERENCE.at(document.at(path), f"no group named `{group}`", help=hint))
            continue
        found.append(groups[group])
        waiting.extend((parent, path) for parent in groups[group].groups)
    return found


def _first(chain: list[Any], key: str) -> Any:
    return next((getattr(each, key) for each in chain if getattr(each, key) is not None), None)


def note_of(host: InventoryHost) -> Note:
    """Return a note that shows where the host stands in the inventory."""
    return Note(f"`{host.name}` is in the inventory", host.span)
