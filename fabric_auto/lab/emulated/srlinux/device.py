"""The emulated SR Linux switch: its SSH listener, its sessions, and its place in the lab."""

import asyncio
from collections.abc import Callable
from typing import Final

import asyncssh
from lxml import etree
from lxml.etree import _Element as Element

from fabric_auto.lab.emulated.device import State, View
from fabric_auto.lab.emulated.faults import Faults
from fabric_auto.lab.emulated.srlinux import messages, operations
from fabric_auto.lab.emulated.srlinux.datastore import Datastores
from fabric_auto.lab.emulated.srlinux.factory import boot_configuration, reachable
from fabric_auto.lab.emulated.srlinux.rules import Models, judge
from fabric_auto.lab.emulated.srlinux.session import Session
from fabric_auto.lab.emulated.srlinux.state import Facts, state_tree
from fabric_auto.lab.emulated.srlinux.view import view_of
from fabric_auto.lab.emulated.ssh import Login, close
from fabric_auto.lab.emulated.topology import LabDevice

SESSION_LIMIT: Final = 64
"""srl_nokia-netconf-server, ``session-limit``."""


class SrlinuxDevice:
    """An SR Linux switch that serves NETCONF over SSH; an :class:`~fabric_auto.lab.emulated.device.EmulatedDevice`.

    Not safe for threads: everything happens on the event loop that :meth:`start` ran on.

    Args:
        hardware: what it is and where it listens; port 0 takes a free one, see :attr:`port`.
        host_key: the SSH host key.
        username: the one user.
        password: its password.
        on_change: called after every change of the running configuration.
        yang: the vendor's models, None to check only what the device checks itself.
        lock_dirty_candidate: grant a lock on a candidate with edits, as SR Linux does; RFC 6241 section 7.5 refuses it.

    Attributes:
        faults: what is armed on the device; a step is an rpc.
    """

    def __init__(  # noqa: PLR0917 - the lab builds both kinds of switch with the same arguments
        self,
        hardware: LabDevice,
        host_key: asyncssh.SSHKey,
        username: str,
        password: str,
        on_change: Callable[[], None],
        yang: Models | None = None,
        *,
        lock_dirty_candidate: bool = True,
    ) -> None:
        self.name = hardware.name
        self.hardware = hardware
        self.faults = Faults()
        self._host_key, self._username, self._password = host_key, username, password
        self._on_change = on_change
        self._state = State()
        self._sessions: dict[int, Session] = {}
        self._connections: set[asyncssh.SSHServerConnection] = set()
        self._last_session = 0
        self._acceptor: asyncssh.SSHAcceptor | None = None
        self._stores = Datastores(
            boot_configuration(), judge(hardware, yang), self._changed, lock_dirty_candidate=lock_dirty_candidate
        )

    @property
    def stores(self) -> Datastores:
        """The datastores."""
        return self._stores

    @property
    def port(self) -> int:
        """The TCP port it listens on."""
        return self._acceptor.get_port() if self._acceptor else self.hardware.port

    def view(self) -> View:
        """Return the running configuration as the control plane sees it."""
        return view_of(self._stores.running, self.hardware)

    def set_state(self, state: State) -> None:
        """Take the control plane's answer; ``get`` answers from it."""
        self._state = state

    def running(self) -> str:
        """Return the running configuration as XML, a ``data`` element with indentation."""
        return etree.tostring(self._stores.running, pretty_print=True, encoding="unicode")

    async def start(self) -> None:
        """Listen on the device's address and port."""
        self._acceptor = await asyncssh.listen(
            self.hardware.address,
            self.hardware.port,
            server_factory=lambda: Login(
                self._username, self._password, self._connections, accepting=lambda: self.accepting
            ),
            server_host_keys=[self._host_key],
            process_factory=self._connected,
            encoding=None,
            line_editor=False,
            agent_forwarding=False,
        )

    async def stop(self) -> None:
        """Close every session and the listener; a pending confirmed commit is forgotten."""
        self._stores.commits.stop()
        acceptor, self._acceptor = self._acceptor, None
        await close(acceptor, self._connections)

    def serve(self, session: int, operation: Element) -> operations.Content:
        """Carry out one operation, with the faults that are armed.

        Raises:
            RpcError: it fails.
            RpcErrors: it fails for several reasons.
            SessionDropped: the session must be cut without an answer.
        """
        self.faults.before_step()
        ignored = self.faults.ignore_changes and etree.QName(operation).localname in operations.CHANGES
        content = messages.ok() if ignored else operations.perform(self, session, operation)
        self.faults.after_step()
        return content

    def state_tree(self) -> Element:
        """Return running configuration and state in one tree."""
        return state_tree(Facts(self.hardware, self._stores.running, self._state, self._stores.commits.records))

    def end_session(self, session: int, *, by: int) -> bool:
        """End a session: one's own after the reply, another's at once with its locks released."""
        found = self._sessions.get(session)
        if found is None:
            return False
        found.closing = True
        if session != by:
            found.cut()
            self._forget(session)
        return True

    @property
    def accepting(self) -> bool:
        """True while the running configuration lets a new NETCONF session in."""
        return len(self._sessions) < SESSION_LIMIT and reachable(self._stores.running)

    async def _connected(self, process: asyncssh.SSHServerProcess[bytes]) -> None:
        if process.subsystem != "netconf":
            process.stderr.write(b"This server has the subsystem netconf only.\n")
            process.exit(1)
            return
        self._last_session += 1
        session = Session(self._last_session, process, self)
        self._sessions[session.number] = session
        try:
            await session.run()
        finally:
            self._forget(session.number)
            process.exit(0)

    def _forget(self, session: int) -> None:
        if self._sessions.pop(session, None) is not None:
            self._stores.session_ended(session)

    def _changed(self) -> None:
        if not reachable(self._stores.running):
            asyncio.get_running_loop().call_soon(self._cut_all)
        self._on_change()

    def _cut_all(self) -> None:
        for session in list(self._sessions.values()):
            session.cut()
