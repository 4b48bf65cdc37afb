"""A NETCONF configuration payload as the plain instance that it leaves behind (RFC 6241 sections 7.1 and 7.2)."""

import re

from lxml import etree

_NETCONF = "urn:ietf:params:xml:ns:netconf:base:1.0"
_ORDERING = "urn:ietf:params:xml:ns:yang:1"
_WRAPPERS = frozenset({"config", "data"})
_DECLARATION = re.compile(rb"^\s*<\?xml[^>]*\?>")


class PayloadError(ValueError):
    """The bytes are not an XML configuration."""


def instance_xml(payload: bytes) -> str:
    """The configuration elements side by side, without wrapper, comments and edit operations.

    What an operation deletes is left out. Nothing outside the bytes is read: a document type is refused.

    Args:
        payload: a ``<config>`` or ``<data>`` element, or its content.

    Raises:
        PayloadError: it is not well-formed XML, or declares a document type.
    """
    root = _root(payload)
    if root.getroottree().docinfo.doctype:
        raise PayloadError("a document type declaration has no place in configuration")
    name = etree.QName(root)
    wrapped = name.localname in _WRAPPERS and name.namespace in {None, _NETCONF}
    _settle_operations(root)
    elements = list(root) if wrapped else [root]
    for element in elements:
        element.tail = None
    return "".join(etree.tostring(element, encoding="unicode") for element in elements)


def _root(payload: bytes) -> etree._Element:
    try:
        return _parse(payload)
    except etree.XMLSyntaxError as error:
        if error.code != etree.ErrorTypes.ERR_DOCUMENT_END:
            raise PayloadError(f"not well-formed XML: {error.msg}") from error
    try:
        return _parse(b"<config>" + _DECLARATION.sub(b"", payload) + b"</config>")
    except etree.XMLSyntaxError as error:
        raise PayloadError(f"not well-formed XML: {error.msg}") from error


def _parse(text: bytes) -> etree._Element:
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
    )
    return etree.fromstring(text, parser)


def _settle_operations(root: etree._Element) -> None:
    for element in list(root.iter("*")):
        operation = element.attrib.pop(f"{{{_NETCONF}}}operation", None)
        for ordering in ("insert", "key", "value"):
            element.attrib.pop(f"{{{_ORDERING}}}{ordering}", None)
        parent = element.getparent()
        if operation in {"delete", "remove"} and parent is not None:
            parent.remove(element)
