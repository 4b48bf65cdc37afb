"""Reading the parameters of NETCONF operations (RFC 6241 section 7), strictly: what is not known is an error."""

from collections.abc import Iterable

from lxml.etree import _Element as Element

from fabric_auto.lab.emulated.srlinux.commit import Request
from fabric_auto.lab.emulated.srlinux.datastore import NAMES, EditRequest
from fabric_auto.lab.emulated.srlinux.elements import local, namespace, value
from fabric_auto.lab.emulated.srlinux.errors import RpcError, invalid, missing_element, unsupported
from fabric_auto.lab.emulated.srlinux.namespaces import NETCONF, WITH_DEFAULTS

_MAX_TIMEOUT = 4294967295


def parameters(operation: Element, allowed: Iterable[str]) -> dict[str, Element]:
    """Return the parameters by name.

    Raises:
        RpcError: one is unknown, there twice, or in a wrong namespace.
    """
    known, found = set(allowed), dict[str, Element]()
    for each in operation:
        name = local(each)
        if name not in known:
            raise RpcError(
                "unknown-element", f'Unexpected element "{name}".', layer="protocol", info=[("bad-element", name)]
            )
        if namespace(each) != (WITH_DEFAULTS if name == "with-defaults" else NETCONF):
            info = [("bad-element", name), ("bad-namespace", namespace(each))]
            raise RpcError("unknown-namespace", f'Unexpected namespace of "{name}".', layer="protocol", info=info)
        if name in found:
            raise RpcError("bad-element", f'"{name}" is there twice.', layer="protocol", info=[("bad-element", name)])
        found[name] = each
    return found


def datastore(given: dict[str, Element], role: str, allowed: Iterable[str] = NAMES) -> str:
    """Return the datastore that ``target`` or ``source`` names.

    Raises:
        RpcError: the parameter is missing or names a datastore that the operation does not take.
    """
    if role not in given:
        raise missing_element(role)
    names = [local(each) for each in given[role]]
    if names == ["url"]:
        raise unsupported(f'"{role}" of type url')
    if len(names) != 1 or names[0] not in set(allowed):
        wrong = names[0] if names else role
        raise RpcError(
            "unknown-element", f'Unexpected "{wrong}" in "{role}".', layer="protocol", info=[("bad-element", wrong)]
        )
    return names[0]


def choice(given: dict[str, Element], name: str, allowed: Iterable[str], default: str) -> str:
    """Return the value of an enumerated parameter.

    Raises:
        RpcError: ``invalid-value``.
    """
    if name not in given:
        return default
    text = value(given[name])
    if text not in set(allowed):
        raise invalid(name, text, layer="protocol")
    return text


def edit_request(given: dict[str, Element]) -> EditRequest:
    """Return the parameters of edit-config; error-option as ietf-srl-deviations leaves it.

    Raises:
        RpcError: a value is wrong, or there is no ``config``.
    """
    default = choice(given, "default-operation", ("merge", "replace", "none"), "merge")
    on_error = choice(given, "error-option", ("stop-on-error", "rollback-on-error"), "stop-on-error")
    test = choice(given, "test-option", ("set", "test-then-set", "test-only"), "set")
    if "url" in given:
        raise unsupported("edit-config from a url")
    if "config" not in given:
        raise missing_element("config")
    return EditRequest(given["config"], default, on_error == "stop-on-error", test)


def commit_request(given: dict[str, Element]) -> Request:
    """Return the parameters of commit.

    Raises:
        RpcError: ``invalid-value`` for a timeout that is no positive 32-bit number.
    """
    text = value(given["confirm-timeout"]) if "confirm-timeout" in given else "600"
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= _MAX_TIMEOUT:
        raise invalid("confirm-timeout", text, layer="protocol")
    return Request("confirmed" in given, int(text), optional(given, "persist"), optional(given, "persist-id"))


def optional(given: dict[str, Element], name: str) -> str | None:
    """Return a parameter's value, None when it is not given."""
    return value(given[name]) if name in given else None


def subtree_filter(given: dict[str, Element]) -> Element | None:
    """Return the subtree filter of a get or get-config, None when there is none.

    Raises:
        RpcError: the filter is of another type.
    """
    wanted = given.get("filter")
    if wanted is None:
        return None
    kind = wanted.get("type") or wanted.get(f"{{{NETCONF}}}type") or "subtree"
    if kind != "subtree":
        raise unsupported(f'Filter type "{kind}"')
    return wanted
