"""A small SSH server on loopback, in a thread: exec, shell, SFTP and a NETCONF subsystem with replies made by the test."""

import asyncio
import re
import threading
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import asyncssh

T = TypeVar("T")

USER = "admin"
PASSWORD = "correct horse"
END = "]]>]]>"
CAPABILITIES = (
    "urn:ietf:params:netconf:base:1.0",
    "urn:ietf:params:netconf:capability:candidate:1.0",
    "urn:ietf:params:netconf:capability:confirmed-commit:1.1",
    "urn:ietf:params:netconf:capability:rollback-on-error:1.0",
    "urn:ietf:params:netconf:capability:validate:1.1",
    "urn:ietf:params:netconf:capability:with-defaults:1.0?basic-mode=explicit",
)
OK = "<ok/>"


@dataclass
class Server:
    """A running server.

    Attributes:
        root: SFTP's root folder.
        key: its host key.
        authorized: public keys that log in, beside the password.
        answers: what commands do, beside the built-in ones: command → (stdout, stderr, exit code).
        rpcs: NETCONF operations as they came over the wire.
        replies: the content of ``<rpc-reply>`` by the operation's name; ``<ok/>`` when absent; None cuts the session.
    """

    root: Path
    key: asyncssh.SSHKey
    authorized: list[str] = field(default_factory=list)
    answers: dict[str, tuple[str, str, int]] = field(default_factory=dict)
    rpcs: list[str] = field(default_factory=list)
    replies: dict[str, str | None] = field(default_factory=dict)
    commands: list[str] = field(default_factory=list)
    port: int = 0
    connections: set[asyncssh.SSHServerConnection] = field(default_factory=set)
    _loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.new_event_loop)
    _listener: asyncssh.SSHAcceptor | None = None
    _thread: threading.Thread | None = None

    def start(self) -> "Server":
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._listener = self._call(self._listen(self.port))
        self.port = self._listener.get_port()
        return self

    def stop(self) -> None:
        if self._listener is not None:
            self._call(self._close(self._listener))
            self._listener = None
        self._loop.call_soon_threadsafe(self._loop.stop)
        if self._thread is not None:
            self._thread.join(10)
        self._loop.close()

    def use_key(self, key: asyncssh.SSHKey) -> None:
        """Listen on the same port with another host key."""
        assert self._listener is not None
        self._call(self._close(self._listener))
        self.key = key
        self._listener = self._call(self._listen(self.port))

    @property
    def known_hosts_line(self) -> str:
        kind, text = self.key.export_public_key().decode().split()[:2]
        return f"[127.0.0.1]:{self.port} {kind} {text}\n"

    def _call(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(20)

    async def _listen(self, port: int) -> asyncssh.SSHAcceptor:
        def sftp(channel: asyncssh.SSHServerChannel) -> asyncssh.SFTPServer:
            return asyncssh.SFTPServer(channel, chroot=str(self.root).encode())

        return await asyncssh.listen(
            "127.0.0.1",
            port,
            server_factory=lambda: _Login(self),
            server_host_keys=[self.key],
            process_factory=self._serve,
            sftp_factory=sftp,
            line_editor=False,
        )

    async def _close(self, listener: asyncssh.SSHAcceptor) -> None:
        listener.close()
        await listener.wait_closed()
        for connection in list(self.connections):
            connection.abort()
            await connection.wait_closed()
        self.connections.clear()
        await asyncio.sleep(0)

    async def _serve(self, process: asyncssh.SSHServerProcess[str]) -> None:
        if process.subsystem == "netconf":
            await self._netconf(process)
        elif process.command is None:
            process.stdout.write("admin@sonic:~$ ")
            await process.stdin.read()
            process.exit(0)
        else:
            await self._command(process, process.command)

    async def _command(self, process: asyncssh.SSHServerProcess[str], command: str) -> None:
        self.commands.append(command)
        if command == "drop":
            process.channel.get_connection().abort()
            return
        if command == "hang":
            await asyncio.sleep(3600)
        if command == "both-streams":
            for _ in range(40):
                process.stdout.write("o" * 65536)
                process.stderr.write("e" * 65536)
                await process.stdout.drain()
                await process.stderr.drain()
            process.exit(0)
            return
        stdout, stderr, code = self.answers.get(command, ("", f"-bash: {command}: command not found\n", 127))
        process.stdout.write(stdout)
        process.stderr.write(stderr)
        process.exit(code)

    async def _netconf(self, process: asyncssh.SSHServerProcess[str]) -> None:
        offered = "".join(f"<capability>{each}</capability>" for each in CAPABILITIES)
        process.stdout.write(
            f'<hello xmlns="urn:ietf:params:xml:ns:netconf:base:1.0"><capabilities>{offered}</capabilities>'
            f"<session-id>7</session-id></hello>{END}"
        )
        buffer = ""
        while chunk := await process.stdin.read(65536):
            buffer += chunk
            while END in buffer:
                message, buffer = buffer.split(END, 1)
                if not self._reply(process, message):
                    process.channel.get_connection().abort()
                    return
        process.exit(0)

    async def _command_not_there(self, process: asyncssh.SSHServerProcess[str]) -> None:
        process.exit(1)

    def _reply(self, process: asyncssh.SSHServerProcess[str], message: str) -> bool:
        number = re.search(r'message-id="([^"]+)"', message)
        if number is None:  # the client's hello
            return True
        operation = re.search(r"<(?:\w+:)?rpc[^>]*>\s*<(?:\w+:)?([\w-]+)", message)
        assert operation is not None
        self.rpcs.append(message)
        reply = self.replies.get(operation[1], OK)
        if reply is None:
            return False
        process.stdout.write(
            f'<rpc-reply xmlns="urn:ietf:params:xml:ns:netconf:base:1.0" message-id="{number[1]}">{reply}</rpc-reply>{END}'
        )
        return True


class _Login(asyncssh.SSHServer):
    def __init__(self, server: Server) -> None:
        self._server = server

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._server.connections.add(conn)

    def begin_auth(self, username: str) -> bool:  # noqa: ARG002  (asyncssh's signature)
        return True

    def password_auth_supported(self) -> bool:
        return True

    def validate_password(self, username: str, password: str) -> bool:
        return (username, password) == (USER, PASSWORD)

    def public_key_auth_supported(self) -> bool:
        return bool(self._server.authorized)

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        return username == USER and key.get_fingerprint() in self._server.authorized


Starter = Callable[[], Server]
