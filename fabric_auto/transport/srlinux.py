"""An SR Linux session: NETCONF (RFC 6241) over SSH, by ncclient.

SR Linux serves NETCONF 1.0 and 1.1 with ``:candidate``, ``:confirmed-commit:1.1``, ``:rollback-on-error``, ``:validate`` and
``:with-defaults``; the candidate is shared by all sessions and survives them.
"""

import contextlib
import re
from collections.abc import Callable
from typing import Any, Final, NoReturn, Protocol, TypeAlias

from lxml import etree
from ncclient import NCClientError, manager
from ncclient.operations import RPCError
from ncclient.operations.errors import MissingCapabilityError, TimeoutExpiredError
from ncclient.transport.errors import AuthenticationError, SSHUnknownHostError
from paramiko import SSHException

from fabric_auto.transport.base import DeviceRefusedError, NetconfSession, SessionLostError, UnreachableError
from fabric_auto.transport.endpoint import Endpoint, Timeouts, connect_socket
from fabric_auto.transport.host_keys import HostKey, KnownHosts, check_offered, require_known
from fabric_auto.transport.quiet import silence

_BASE: Final = "urn:ietf:params:xml:ns:netconf:base:1.0"
_COMMITS: Final = (
    '<system xmlns="urn:nokia.com:srlinux:general:system">'
    '<configuration xmlns="urn:nokia.com:srlinux:general:configuration"><commit/></configuration></system>'
)
_SESSION_ID: Final = re.compile(r"session-id>\s*(\d+)\s*<")
_KEEPALIVE_S: Final = 30

_Shape: TypeAlias = tuple[str, str, tuple["_Shape", ...]]


class _Reply(Protocol):
    xml: str


class SrlinuxSession:
    """A session with one SR Linux switch (:class:`fabric_auto.transport.base.NetconfSession`).

    Args:
        target: the device.
        client: ncclient's manager, connected.
    """

    def __init__(self, target: Endpoint, client: manager.Manager) -> None:
        self._target = target
        self._client = client

    def running(self) -> bytes:
        """Return the running configuration: a ``<data>`` element, without defaults (RFC 6243 ``explicit``)."""
        return self._config("running")

    def candidate(self) -> bytes:
        """Return the candidate configuration, as :meth:`running` does."""
        return self._config("candidate")

    def ask(self, question: str) -> str:
        """Return the ``<data>`` element for a subtree filter (RFC 6241 §6)."""
        return _data(self._call("get", self._client.get, filter=("subtree", question))).decode()

    def lock(self) -> None:
        """Lock the candidate; the error names the session that holds it."""
        self._call("lock", self._client.lock, target="candidate")

    def unlock(self) -> None:
        """Unlock the candidate."""
        self._call("unlock", self._client.unlock, target="candidate")

    def discard(self) -> None:
        """Make the candidate equal to running."""
        self._call("discard-changes", self._client.discard_changes)

    def edit(self, config: bytes) -> None:
        """Edit the candidate; on an error nothing of the document stays (RFC 6241 §7.2, rollback-on-error)."""
        self._call(
            "edit-config",
            self._client.edit_config,
            target="candidate",
            config=config.decode(),
            error_option="rollback-on-error",
        )

    def validate(self) -> None:
        """Validate the candidate."""
        self._call("validate", self._client.validate, source="candidate")

    def commit_confirmed(self, timeout_s: int, persist: str) -> None:
        """Commit until confirmed (RFC 6241 §8.4); with ``persist`` it outlives this session."""
        self._call("commit", self._client.commit, confirmed=True, timeout=str(timeout_s), persist=persist)

    def confirm(self, persist: str) -> None:
        """Send the confirming commit."""
        self._call("commit", self._client.commit, persist_id=persist)

    def cancel(self, persist: str) -> None:
        """Roll a confirmed commit back now (``cancel-commit``)."""
        self._call("cancel-commit", self._client.cancel_commit, persist_id=persist)

    def save(self) -> bytes:
        """Copy running to startup (RFC 6241 §7.3, ``:startup``), and return what startup then holds."""
        self._call("copy-config", self._client.copy_config, source="running", target="startup")
        return self._config("startup")

    def pending_commit(self) -> str | None:
        """Return ``commit ID, persist-id TOKEN`` of an unconfirmed commit (``/system/configuration/commit``), or None."""
        root = _parse(self.ask(_COMMITS).encode())
        for commit in root.iterfind(".//{*}configuration/{*}commit"):
            if commit.findtext("{*}status") == "unconfirmed":
                words = f"commit {commit.findtext('{*}id') or '?'}"
                persist = commit.findtext("{*}persist-id")
                return f"{words}, persist-id {persist}" if persist else words
        return None

    def close(self) -> None:
        """End the session; never raises."""
        with contextlib.suppress(Exception):
            if self._client.connected:
                self._client.timeout = 5
                self._client.close_session()
        with contextlib.suppress(Exception):
            self._client._session.close()  # noqa: SLF001  (ncclient has no public way to drop a session that is stuck)

    def _config(self, datastore: str) -> bytes:
        # Without `explicit` a default that the device fills in would read as somebody's setting.
        modes = any("with-defaults" in str(each) for each in self._client.server_capabilities)
        options = {"with_defaults": "explicit"} if modes else {}
        return _data(self._call("get-config", self._client.get_config, source=datastore, **options))

    def _call(self, name: str, operation: Callable[..., Any], **arguments: Any) -> _Reply:
        try:
            reply: _Reply = operation(**arguments)
        except RPCError as error:
            raise DeviceRefusedError(f"{self._target.where} refused <{name}>: {words_of(error)}") from None
        except MissingCapabilityError:
            raise DeviceRefusedError(f"{self._target.where} does not offer what <{name}> needs") from None
        except (NCClientError, SSHException, OSError, EOFError) as error:
            self._lost(name, error)
        return reply

    def _lost(self, name: str, error: Exception) -> NoReturn:
        what = "gave no answer in time to" if isinstance(error, TimeoutExpiredError) else "ended the session in"
        raise SessionLostError(f"{self._target.where} {what} <{name}>") from None


def connect(target: Endpoint, known: KnownHosts, timeouts: Timeouts) -> SrlinuxSession:
    """Open a NETCONF session with an SR Linux switch.

    Raises:
        UnreachableError: unreachable, host key unknown or changed, credentials refused, or no NETCONF there.
    """
    silence()
    target.check_credentials()
    keys = require_known(target, known, timeouts.connect_s)
    pinned = _pinned(target, keys)
    try:
        client = manager.connect(
            host=target.address,
            port=target.port,
            sock=connect_socket(target, timeouts.connect_s),
            username=target.user,
            password=target.password.reveal() if target.password is not None else None,
            key_filename=str(target.key) if target.key is not None else None,
            hostkey_verify=True,
            hostkey_b64=pinned.text,
            allow_agent=target.allow_agent,
            look_for_keys=False,
            timeout=timeouts.connect_s,
            keepalive=_KEEPALIVE_S,
            manager_params={"timeout": timeouts.rpc_s},
        )
    except AuthenticationError:
        raise UnreachableError(
            f"{target.where} refused the credentials of `{target.user}`",
            help="check the inventory's username and secret",
        ) from None
    except SSHUnknownHostError:
        check_offered(target, [pinned], timeouts.connect_s)
        raise UnreachableError(f"{target.where} showed another host key than the known one, once") from None
    except (NCClientError, SSHException, OSError, EOFError):
        check_offered(target, keys, timeouts.connect_s)
        raise UnreachableError(
            f"{target.where} opened no NETCONF session", help="is its netconf-server enabled on this port?"
        ) from None
    client.huge_tree = False
    return SrlinuxSession(target, client)


def candidate_is_dirty(session: NetconfSession) -> bool:
    """Return True when the shared candidate holds edits that nobody has committed."""
    return _shape(_parse(session.candidate())) != _shape(_parse(session.running()))


def words_of(error: RPCError) -> str:
    """Return an rpc-error in the device's words: tag, message, path, and who holds a lock.

    With several errors in a reply ``error.tag`` does not exist (ncclient 0.7.1), so each is read by itself.
    """
    each = getattr(error, "errlist", None) or [error]
    return "; ".join(dict.fromkeys(_words(one) for one in each))


def _words(error: RPCError) -> str:
    message = " ".join((error.message or "").split())
    words = ": ".join(part for part in (error.tag, message) if part) or "no reason given"
    if error.path:
        words += f" at {' '.join(error.path.split())}"
    holder = _SESSION_ID.search(error.info or "")
    return f"{words} (held by session {holder[1]})" if holder and error.tag in {"lock-denied", "in-use"} else words


def _pinned(target: Endpoint, keys: tuple[HostKey, ...]) -> HostKey:
    # ncclient asks for the pinned key's type by name, and `ssh-rsa` names a signature that nobody offers any more.
    if keys[0].kind == "ssh-rsa":
        raise UnreachableError(
            f"only an RSA host key is known of {target.where}, and NETCONF needs its ed25519 or ECDSA key",
            help=f"fabric-auto trust add {target.name}",
        )
    return keys[0]


def _data(reply: _Reply) -> bytes:
    data = _parse(reply.xml.encode()).find(f"{{{_BASE}}}data")
    if data is None:
        raise DeviceRefusedError("the device answered without <data>")
    return etree.tostring(data)


def _parse(text: bytes) -> etree._Element:
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True
    )
    try:
        return etree.fromstring(text, parser)
    except etree.XMLSyntaxError as error:
        raise DeviceRefusedError(f"the device answered in broken XML: {error}") from None


def _shape(element: etree._Element) -> _Shape:
    # Order of siblings says nothing here: both are dumps of one tree, and a list entry is known by its content.
    return str(element.tag), (element.text or "").strip(), tuple(sorted(_shape(each) for each in element))
