"""NETCONF errors (RFC 6241 section 4.3 and appendix A), worded as servers word them."""

from collections.abc import Iterable

from lxml import etree
from lxml.etree import _Element as Element

from fabric_auto.lab.emulated.srlinux.namespaces import NETCONF


class RpcError(Exception):
    """An operation failed; the reply holds one ``rpc-error``.

    Attributes:
        tag: the error-tag.
        message: the error-message, "" to leave it out.
        path: the error-path, "" to leave it out.
        layer: the error-type: ``transport``, ``rpc``, ``protocol`` or ``application``.
        info: children of error-info as (name, text), in the NETCONF namespace.
    """

    def __init__(
        self,
        tag: str,
        message: str = "",
        *,
        path: str = "",
        layer: str = "application",
        info: Iterable[tuple[str, str]] = (),
    ) -> None:
        super().__init__(f"{tag}: {message}")
        self.tag, self.message, self.path, self.layer, self.info = tag, message, path, layer, tuple(info)

    def element(self) -> Element:
        """Return the ``rpc-error`` element."""
        error = etree.Element(f"{{{NETCONF}}}rpc-error", nsmap={None: NETCONF})
        rows = [
            ("type", self.layer),
            ("tag", self.tag),
            ("severity", "error"),
            ("path", self.path),
            ("message", self.message),
        ]
        for name, text in rows:
            if text:
                etree.SubElement(error, f"{{{NETCONF}}}error-{name}").text = text
        if self.info:
            holder = etree.SubElement(error, f"{{{NETCONF}}}error-info")
            for name, text in self.info:
                etree.SubElement(holder, f"{{{NETCONF}}}{name}").text = text
        return error


class RpcErrors(Exception):  # noqa: N818
    """Several errors at once, as validation finds them; the reply holds one ``rpc-error`` each."""

    def __init__(self, errors: Iterable[RpcError]) -> None:
        self.errors = tuple(errors)
        super().__init__("; ".join(str(each) for each in self.errors))


def locked(session: int) -> RpcError:
    """A resource is locked by another session; 0 is an entity that is no NETCONF session."""
    return RpcError(
        "lock-denied",
        "Access to the requested lock is denied because the lock is currently held by another entity.",
        layer="protocol",
        info=[("session-id", str(session))],
    )


def invalid(name: str, text: str, *, path: str = "", layer: str = "application") -> RpcError:
    """A value is not allowed where it stands."""
    return RpcError("invalid-value", f'Invalid value "{text}" in "{name}" element.', path=path, layer=layer)


def missing_element(name: str, *, path: str = "", layer: str = "protocol") -> RpcError:
    """An expected element is missing."""
    message = f'An expected element "{name}" is missing.'
    return RpcError("missing-element", message, path=path, layer=layer, info=[("bad-element", name)])


def unsupported(what: str) -> RpcError:
    """An operation, or an option of it, that this server does not have."""
    return RpcError("operation-not-supported", f"{what} is not supported.", layer="protocol")
