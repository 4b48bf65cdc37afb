"""The emulated SONiC switch: CONFIG_DB, its daemons, its commands and its SSH server."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Final

import asyncssh

from fabric_auto.lab.emulated.device import State, View
from fabric_auto.lab.emulated.faults import Faults
from fabric_auto.lab.emulated.sonic.bgp import Bgp
from fabric_auto.lab.emulated.sonic.config_command import ConfigCommand
from fabric_auto.lab.emulated.sonic.coreutils import COREUTILS
from fabric_auto.lab.emulated.sonic.database import ConfigDb, Tables, dump
from fabric_auto.lab.emulated.sonic.dbcli import DbCli
from fabric_auto.lab.emulated.sonic.factory import boot_configuration
from fabric_auto.lab.emulated.sonic.facts import Facts
from fabric_auto.lab.emulated.sonic.filesystem import FileSystem
from fabric_auto.lab.emulated.sonic.moves import Move, apply
from fabric_auto.lab.emulated.sonic.processes import PROCESSES
from fabric_auto.lab.emulated.sonic.reload import Loader, Running, write_image_files
from fabric_auto.lab.emulated.sonic.server import Sessions, Sftp
from fabric_auto.lab.emulated.sonic.shell import Command, Shell
from fabric_auto.lab.emulated.sonic.show import Shows
from fabric_auto.lab.emulated.sonic.systemd import Timers
from fabric_auto.lab.emulated.sonic.updater import Store
from fabric_auto.lab.emulated.sonic.validation import Judge, Schema
from fabric_auto.lab.emulated.sonic.view import view_of
from fabric_auto.lab.emulated.ssh import Login, close
from fabric_auto.lab.emulated.topology import LabDevice

_LISTEN_TRIES: Final = 50
_LISTEN_PAUSE_S: Final = 0.1


class SonicDevice:
    """A SONiC switch over SSH; an :class:`~fabric_auto.lab.emulated.device.EmulatedDevice`.

    Not safe for threads: everything happens on the event loop that :meth:`start` ran on. A command runs to its end before
    the loop goes on, so nobody sees a patch half applied, unless :attr:`before_move` ends it there.

    Args:
        hardware: what it is and where it listens; port 0 takes a free one, see :attr:`port`.
        root: a folder of the host for the device's files, made fresh by the caller.
        host_key: the SSH host key, or the path of one.
        username: the one user.
        password: its password.
        on_change: called after every command that changed CONFIG_DB, and when BGP started anew.
        yang: the models of the hardware's release; None to check by the built-in rules alone.
        outage_s: how long it refuses connections after ``config reload``, seconds.

    Attributes:
        faults: what is armed on the device; a step is a command line or a file transfer.
        before_move: called with each move of a patch before it is made; an UpdateError that it raises ends the patch there.
        reloads: how often ``config reload`` restarted the services.
    """

    def __init__(  # noqa: PLR0917 - the lab builds both kinds of switch with the same arguments
        self,
        hardware: LabDevice,
        root: Path,
        host_key: asyncssh.SSHKey | Path,
        username: str,
        password: str,
        on_change: Callable[[], None],
        yang: Schema | None = None,
        *,
        outage_s: float = 0.3,
    ) -> None:
        self.name = hardware.name
        self.hardware = hardware
        self.faults = Faults()
        self.files = FileSystem(root)
        self.before_move: Callable[[Move], None] = lambda _: None
        self.reloads = 0
        self._host_key, self._username, self._password = host_key, username, password
        self._on_change, self._outage_s = on_change, outage_s
        self._config = ConfigDb(boot_configuration(hardware))
        self._bgp = Bgp(self._config.tables)
        self._state = State()
        self._view: View | None = None
        self._timers = Timers(self._restart_service)
        self._connections: set[asyncssh.SSHServerConnection] = set()
        self._acceptor: asyncssh.SSHAcceptor | None = None
        self._port = hardware.port
        self._outage: asyncio.Task[None] | None = None
        self._commands = self._all_commands(Judge(hardware.release, yang))
        write_image_files(lambda path, text: self.files.write(path, text, root=True), self._config.tables)

    @property
    def port(self) -> int:
        """The TCP port it listens on."""
        return self._port

    @property
    def hostname(self) -> str:
        """The host name now."""
        return self._facts().hostname

    @property
    def timers(self) -> Timers:
        """The transient timers."""
        return self._timers

    def view(self) -> View:
        """Return the running configuration as the control plane sees it; the same object while nothing changed."""
        if self._view is None:
            self._view = view_of(self._config.tables, self._bgp)
        return self._view

    def set_state(self, state: State) -> None:
        """Take the control plane's answer; show commands answer from it."""
        self._state = state

    def running(self) -> str:
        """Return CONFIG_DB as JSON."""
        return f"{dump(self._config.tables)}\n"

    def login(self) -> Shell:
        """Return a new login shell of the user admin."""
        return Shell(self.files, self._commands)

    async def start(self) -> None:
        """Listen on the device's address and port."""
        self._acceptor = await asyncssh.listen(
            self.hardware.address,
            self._port,
            server_factory=lambda: Login(self._username, self._password, self._connections),
            server_host_keys=[self._host_key],
            process_factory=Sessions(self),
            sftp_factory=lambda channel: Sftp(channel, self),
            encoding="utf-8",
            errors="surrogateescape",
            line_editor=False,
            agent_forwarding=False,
        )
        self._port = self._acceptor.get_port()

    async def stop(self) -> None:
        """Close every session and the listener; timers are forgotten."""
        self._timers.stop()
        if self._outage is not None:
            self._outage.cancel()
            await asyncio.gather(self._outage, return_exceptions=True)
        await self._close()

    def _all_commands(self, judge: Judge) -> dict[str, Command]:
        running = Running(self._config.snapshot, self._merge, self._replace)
        config = ConfigCommand(judge, Loader(self.hardware, judge, running), self._store)
        dbcli = DbCli(self._facts, self._config, self._changed, lambda: self.faults.ignore_changes)
        return {
            **COREUTILS,
            **PROCESSES,
            **Shows(self._facts).commands(),
            **self._timers.commands(),
            "config": config,
            "sonic-db-cli": dbcli,
        }

    def _facts(self) -> Facts:
        return Facts(self.hardware, self._config.tables, self._bgp, self._state)

    def _store(self) -> Store:
        return Store(self._config.snapshot, self._move, silent=self.faults.ignore_changes)

    def _move(self, move: Move) -> None:
        self.before_move(move)
        apply(move, self._config.tables)
        self._changed()

    def _merge(self, tables: Tables) -> None:
        if not self.faults.ignore_changes:
            self._config.merge(tables)
            self._changed()

    def _replace(self, tables: Tables, restart: bool) -> None:
        if not self.faults.ignore_changes:
            self._config.replace(tables)
        if restart:
            self._bgp.start(self._config.tables)
            self.reloads += 1
            if self._outage is not None:
                self._outage.cancel()
            self._outage = asyncio.get_running_loop().create_task(self._network_restarts())
        self._changed()

    def _changed(self) -> None:
        self._bgp.follow(self._config.tables)
        self._view = None
        self._on_change()

    def _restart_service(self, name: str) -> bool:
        if name == "bgp":
            self._bgp.start(self._config.tables)
            self._view = None
            self._on_change()
        return name in self._config.tables.get("FEATURE", {})

    async def _network_restarts(self) -> None:
        """``config reload`` restarts eth0: every session ends, and for a while nobody gets in."""
        await self._close()
        await asyncio.sleep(self._outage_s)
        for attempt in range(_LISTEN_TRIES):
            try:
                await self.start()
            except OSError:
                if attempt == _LISTEN_TRIES - 1:
                    raise
                await asyncio.sleep(_LISTEN_PAUSE_S)
            else:
                return

    async def _close(self) -> None:
        acceptor, self._acceptor = self._acceptor, None
        await close(acceptor, self._connections)
