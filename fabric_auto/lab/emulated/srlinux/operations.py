"""The NETCONF operations (RFC 6241 section 7 and 8): one function each."""

from collections.abc import Callable, Sequence
from typing import Final, Protocol, TypeAlias

from lxml.etree import _Element as Element

from fabric_auto.lab.emulated.srlinux import messages
from fabric_auto.lab.emulated.srlinux.datastore import NAMES, Datastores
from fabric_auto.lab.emulated.srlinux.defaults import report_all
from fabric_auto.lab.emulated.srlinux.elements import copy_children, local, root, value
from fabric_auto.lab.emulated.srlinux.errors import invalid, missing_element, unsupported
from fabric_auto.lab.emulated.srlinux.filters import select
from fabric_auto.lab.emulated.srlinux.parameters import (
    choice,
    commit_request,
    datastore,
    edit_request,
    optional,
    parameters,
    subtree_filter,
)

LOCKABLE: Final = ("running", "candidate")
"""ietf-srl-deviations: lock and unlock of startup are not supported."""

CHANGES: Final = frozenset({"edit-config", "copy-config", "delete-config", "commit"})
"""Operations that change configuration; a device that ignores changes answers ok to these."""


class Server(Protocol):
    """What the operations need of the device."""

    @property
    def stores(self) -> Datastores:
        """The datastores."""
        ...

    def state_tree(self) -> Element:
        """Return running configuration and state."""
        ...

    def end_session(self, session: int, *, by: int) -> bool:
        """End a session, after its pending reply when it ends itself; False when there is none of that number."""
        ...


Content: TypeAlias = Sequence[Element]
Operation: TypeAlias = Callable[[Server, int, Element], Content]


def perform(server: Server, session: int, operation: Element) -> Content:
    """Carry out an operation and return the content of its reply.

    Raises:
        RpcError: it fails.
        RpcErrors: it fails for several reasons.
    """
    handler = _HANDLERS.get(local(operation))
    if handler is None:
        raise unsupported(f'Operation "{local(operation)}"')
    return handler(server, session, operation)


def _get(server: Server, _: int, operation: Element) -> Content:
    given = parameters(operation, ("filter", "with-defaults"))
    return _data(server.state_tree(), given)


def _get_config(server: Server, _: int, operation: Element) -> Content:
    given = parameters(operation, ("source", "filter", "with-defaults"))
    return _data(server.stores.trees[datastore(given, "source")], given)


def _data(tree: Element, given: dict[str, Element]) -> Content:
    """ietf-srl-deviations: with-defaults is ``explicit`` or ``report-all``."""
    if choice(given, "with-defaults", ("explicit", "report-all"), "explicit") == "report-all":
        tree = copy_children(tree)
        report_all(tree)
    return [select(tree, subtree_filter(given))]


def _edit_config(server: Server, session: int, operation: Element) -> Content:
    names = ("target", "default-operation", "test-option", "error-option", "config", "url")
    given = parameters(operation, names)
    target = datastore(given, "target", LOCKABLE)
    server.stores.edit(target, session, edit_request(given))
    return messages.ok()


def _copy_config(server: Server, session: int, operation: Element) -> Content:
    given = parameters(operation, ("target", "source", "with-defaults"))
    target = datastore(given, "target")
    source = _configuration(server, given)
    if "config" not in {local(each) for each in given["source"]} and datastore(given, "source") == target:
        raise invalid("source", target, layer="protocol")
    server.stores.copy(target, session, source)
    return messages.ok()


def _configuration(server: Server, given: dict[str, Element]) -> Element:
    name = datastore(given, "source", (*NAMES, "config"))
    return given["source"][0] if name == "config" else server.stores.trees[name]


def _delete_config(server: Server, session: int, operation: Element) -> Content:
    given = parameters(operation, ("target",))
    server.stores.copy(datastore(given, "target", ("startup",)), session, root())
    return messages.ok()


def _lock(server: Server, session: int, operation: Element) -> Content:
    server.stores.lock(datastore(parameters(operation, ("target",)), "target", LOCKABLE), session)
    return messages.ok()


def _unlock(server: Server, session: int, operation: Element) -> Content:
    server.stores.unlock(datastore(parameters(operation, ("target",)), "target", LOCKABLE), session)
    return messages.ok()


def _validate(server: Server, _: int, operation: Element) -> Content:
    server.stores.validate(_configuration(server, parameters(operation, ("source",))))
    return messages.ok()


def _commit(server: Server, session: int, operation: Element) -> Content:
    given = parameters(operation, ("confirmed", "confirm-timeout", "persist", "persist-id"))
    server.stores.commit(session, commit_request(given))
    return messages.ok()


def _cancel_commit(server: Server, session: int, operation: Element) -> Content:
    server.stores.cancel(session, optional(parameters(operation, ("persist-id",)), "persist-id"))
    return messages.ok()


def _discard_changes(server: Server, session: int, operation: Element) -> Content:
    parameters(operation, ())
    server.stores.discard(session)
    return messages.ok()


def _close_session(server: Server, session: int, operation: Element) -> Content:
    parameters(operation, ())
    server.end_session(session, by=session)
    return messages.ok()


def _kill_session(server: Server, session: int, operation: Element) -> Content:
    given = parameters(operation, ("session-id",))
    if "session-id" not in given:
        raise missing_element("session-id")
    text = value(given["session-id"])
    if (
        not text.isascii()
        or not text.isdigit()
        or int(text) == session
        or not server.end_session(int(text), by=session)
    ):
        raise invalid("session-id", text, layer="protocol")
    return messages.ok()


_HANDLERS: Final[dict[str, Operation]] = {
    "get": _get,
    "get-config": _get_config,
    "edit-config": _edit_config,
    "copy-config": _copy_config,
    "delete-config": _delete_config,
    "lock": _lock,
    "unlock": _unlock,
    "validate": _validate,
    "commit": _commit,
    "cancel-commit": _cancel_commit,
    "discard-changes": _discard_changes,
    "close-session": _close_session,
    "kill-session": _kill_session,
}
