"""Reading and writing NETCONF messages: hello, rpc, rpc-reply (RFC 6241 sections 4 and 8.1)."""

from collections.abc import Iterable, Sequence
from typing import Final

from lxml import etree
from lxml.etree import _Element as Element

from fabric_auto.lab.emulated.srlinux.elements import graft, local, namespace, value
from fabric_auto.lab.emulated.srlinux.errors import RpcError
from fabric_auto.lab.emulated.srlinux.namespaces import NETCONF, TOP

BASE_10: Final = "urn:ietf:params:netconf:base:1.0"
BASE_11: Final = "urn:ietf:params:netconf:base:1.1"
_CAPABILITY: Final = "urn:ietf:params:netconf:capability:"

CAPABILITIES: Final = (
    BASE_10,
    BASE_11,
    _CAPABILITY + "writable-running:1.0",
    _CAPABILITY + "candidate:1.0",
    _CAPABILITY + "confirmed-commit:1.1",
    _CAPABILITY + "rollback-on-error:1.0",
    _CAPABILITY + "startup:1.0",
    _CAPABILITY + "validate:1.1",
    _CAPABILITY + "with-defaults:1.0?basic-mode=explicit&also-supported=report-all",
)
"""The standard ones: RFC 6241 section 8; RFC 6243 with the two modes that ietf-srl-deviations leaves."""

_MODULES: Final = {"interface": "srl_nokia-interfaces", "tunnel-interface": "srl_nokia-tunnel-interfaces"}
"""Top-level containers whose module is not ``srl_nokia-`` and their own name."""


def parse(message: bytes) -> Element:
    """Parse a message: no DTD, no entities, no network, comments and processing instructions dropped.

    Raises:
        RpcError: ``malformed-message``.
    """
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(message.strip(), parser)
    except etree.XMLSyntaxError as error:
        raise RpcError("malformed-message", f"{error}", layer="rpc") from error
    if root.getroottree().docinfo.doctype:
        raise RpcError("malformed-message", "A document type declaration is not allowed.", layer="rpc")
    return root


def hello(session_id: int) -> bytes:
    """Return the server's hello (RFC 6241 section 8.1)."""
    message = etree.Element(f"{{{NETCONF}}}hello", nsmap={None: NETCONF})
    holder = etree.SubElement(message, f"{{{NETCONF}}}capabilities")
    modules = (f"{uri}?module={_MODULES.get(path[0], 'srl_nokia-' + path[0])}" for path, uri in TOP.items())
    for uri in (*CAPABILITIES, *modules):
        etree.SubElement(holder, f"{{{NETCONF}}}capability").text = uri
    etree.SubElement(message, f"{{{NETCONF}}}session-id").text = str(session_id)
    return etree.tostring(message, xml_declaration=True, encoding="UTF-8")


def base_of(message: Element) -> str:
    """Return the newest base version that a client's hello and this server share.

    Raises:
        RpcError: it is no hello, has a session-id, or shares no version: the session must end (RFC 6241 section 8.1).
    """
    if message.tag != f"{{{NETCONF}}}hello" or any(local(each) == "session-id" for each in message):
        raise RpcError("operation-failed", "Not a client's hello.", layer="rpc")
    offered = {value(each) for each in message.iter(f"{{{NETCONF}}}capability")}
    for base in (BASE_11, BASE_10):
        if base in offered:
            return base
    raise RpcError("operation-failed", "No common base capability.", layer="rpc")


def operation_of(rpc: Element) -> Element:
    """Return the operation inside an rpc.

    Raises:
        RpcError: it is no rpc, has no message-id, or not exactly one operation of the NETCONF namespace.
    """
    if rpc.tag != f"{{{NETCONF}}}rpc":
        raise RpcError("unknown-element", "Not an rpc.", layer="rpc", info=[("bad-element", local(rpc))])
    if "message-id" not in rpc.attrib:
        info = [("bad-attribute", "message-id"), ("bad-element", "rpc")]
        raise RpcError("missing-attribute", 'An expected attribute "message-id" is missing.', layer="rpc", info=info)
    if len(rpc) != 1:
        raise RpcError("operation-failed", "An rpc holds one operation.", layer="rpc")
    if namespace(rpc[0]) != NETCONF:
        raise RpcError("operation-not-supported", f'Operation "{local(rpc[0])}" is not supported.', layer="protocol")
    return rpc[0]


def reply(rpc: Element | None, content: Iterable[Element]) -> bytes:
    """Return an rpc-reply with all attributes of the rpc (RFC 6241 section 4.2)."""
    declared: dict[str | None, str] = {None: NETCONF, **_prefixes(rpc)}
    message = etree.Element(f"{{{NETCONF}}}rpc-reply", nsmap=declared)
    if rpc is not None:
        for name, text in rpc.attrib.items():
            message.set(name, text)
    for each in content:  # copied, not moved: see edit._swap
        graft(message, each)
    return etree.tostring(message, xml_declaration=True, encoding="UTF-8")


def ok() -> Sequence[Element]:
    """Return the content of a reply that says ok."""
    return [etree.Element(f"{{{NETCONF}}}ok", nsmap={None: NETCONF})]


def _prefixes(rpc: Element | None) -> dict[str | None, str]:
    return {} if rpc is None else {prefix: uri for prefix, uri in rpc.nsmap.items() if prefix}
