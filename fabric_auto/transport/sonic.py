"""A SONiC session: netmiko logs in; commands run on exec channels of its SSH transport, files go by SFTP.

An exec channel gives the exit code, and stdout and stderr apart (RFC 4254 §6.5, §6.10); no prompt is ever matched.
"""

import contextlib
import secrets
import selectors
import time
from pathlib import Path
from typing import Final, NoReturn

import paramiko
from netmiko import BaseConnection, ConnectHandler
from netmiko.exceptions import NetmikoAuthenticationException, NetmikoBaseException
from paramiko.sftp_client import SFTPClient

from fabric_auto.transport.base import CommandResult, DeviceRefusedError, SessionLostError, UnreachableError
from fabric_auto.transport.endpoint import Endpoint, Timeouts, connect_socket
from fabric_auto.transport.host_keys import KnownHosts, check_offered, require_known
from fabric_auto.transport.quiet import silence

RUNNING: Final = "sonic-cfggen -d --print-data"
_KEEPALIVE_S: Final = 30
_CHUNK: Final = 65536
_LARGEST_OUTPUT: Final = 256 * 1024 * 1024
_POLL_S: Final = 0.05


class SonicSession:
    """A session with one SONiC switch (:class:`fabric_auto.transport.base.ShellSession`).

    Args:
        target: the device.
        connection: netmiko's, logged in.
    """

    def __init__(self, target: Endpoint, connection: BaseConnection) -> None:
        self._target = target
        self._connection = connection
        client = connection.remote_conn_pre
        transport = client.get_transport() if client is not None else None
        if client is None or transport is None:
            raise UnreachableError(f"{target.where} ended the session at once")
        self._client = client
        self._transport = transport
        self._sftp: SFTPClient | None = None

    def running(self) -> bytes:
        """Return CONFIG_DB as JSON.

        Raises:
            DeviceRefusedError: the device does not give it, with or without sudo.
            SessionLostError: no answer.
        """
        result = self.run(RUNNING)
        if result.exit_code != 0:
            result = self.run(f"sudo {RUNNING}")
        return self._checked(result).stdout.encode()

    def ask(self, question: str) -> str:
        """Return what a command prints.

        Raises:
            DeviceRefusedError: its exit code is not 0.
            SessionLostError: no answer.
        """
        return self._checked(self.run(question)).stdout

    def run(self, command: str, *, timeout_s: float = 60) -> CommandResult:
        """Run a command line; a non-zero exit code is a result, not an error.

        Raises:
            SessionLostError: no answer within ``timeout_s``, or the session ended.
        """
        deadline = time.monotonic() + timeout_s
        try:
            channel = self._transport.open_session(timeout=timeout_s)
            try:
                channel.exec_command(command)
                stdout, stderr = self._read(channel, command, deadline)
                exit_code = channel.exit_status
            finally:
                channel.close()
        except (paramiko.SSHException, OSError, EOFError):
            self._lost(command)
        if exit_code < 0:
            self._lost(command)
        return CommandResult(command, exit_code, stdout.decode(errors="replace"), stderr.decode(errors="replace"))

    def put(self, path: str, content: bytes, mode: int = 0o600) -> None:
        """Write a file whole or not at all: aside, its mode first, then renamed over ``path``.

        Raises:
            DeviceRefusedError: the device does not take it.
            SessionLostError: the session ended.
        """
        aside = f"{path}.{secrets.token_hex(4)}"
        try:
            sftp = self._files()
            with sftp.open(aside, "wbx") as stream:
                stream.chmod(mode)
                stream.set_pipelined(True)
                stream.write(content)
            if sftp.stat(aside).st_size != len(content):
                raise DeviceRefusedError(f"{self._target.where} kept only a part of {path}")
            sftp.posix_rename(aside, path)
        except (paramiko.SSHException, OSError, EOFError) as error:
            self._file_trouble(path, error)

    def get(self, path: str) -> bytes:
        """Read a file.

        Raises:
            DeviceRefusedError: there is none, or it may not be read.
            SessionLostError: the session ended.
        """
        try:
            with self._files().open(path, "rb") as stream:
                return stream.read()
        except (paramiko.SSHException, OSError, EOFError) as error:
            self._file_trouble(path, error)

    def close(self) -> None:
        """End the session; never raises."""
        with contextlib.suppress(Exception):
            self._connection.paramiko_cleanup()

    def _read(self, channel: paramiko.Channel, command: str, deadline: float) -> tuple[bytearray, bytearray]:
        stdout, stderr = bytearray(), bytearray()
        with selectors.DefaultSelector() as selector:
            selector.register(channel, selectors.EVENT_READ)
            while not _finished(channel):
                if time.monotonic() > deadline:
                    self._lost(command, "gave no answer in time to")
                selector.select(min(1.0, max(0.0, deadline - time.monotonic())))
                if not _drain(channel, stdout, stderr):
                    # Output has ended and the exit status is on its way; select would return at once.
                    channel.status_event.wait(_POLL_S)
                if len(stdout) + len(stderr) > _LARGEST_OUTPUT:
                    self._lost(command, "does not stop answering")
        _drain(channel, stdout, stderr)
        return stdout, stderr

    def _files(self) -> SFTPClient:
        if self._sftp is None:
            self._sftp = self._client.open_sftp()
        return self._sftp

    def _checked(self, result: CommandResult) -> CommandResult:
        if result.exit_code == 0:
            return result
        words = (result.stderr.strip() or result.stdout.strip() or f"exit code {result.exit_code}").splitlines()[-1]
        raise DeviceRefusedError(f"{self._target.where} refused `{_short(result.command)}`: {words}")

    def _file_trouble(self, path: str, error: Exception) -> NoReturn:
        # An SFTP status (no such file, permission denied, failure) is an OSError too; only then is the transport alive.
        if isinstance(error, OSError) and self._transport.is_active():
            raise DeviceRefusedError(
                f"{self._target.where} refused the file {path}: {error.strerror or error}"
            ) from None
        raise SessionLostError(f"{self._target.where} ended the session in the transfer of {path}") from None

    def _lost(self, command: str, what: str = "ended the session in") -> NoReturn:
        raise SessionLostError(f"{self._target.where} {what} `{_short(command)}`") from None


def connect(target: Endpoint, known: KnownHosts, key_file: Path, timeouts: Timeouts) -> SonicSession:
    """Log in to a SONiC switch.

    Args:
        target: the device.
        known: what is known of host keys.
        key_file: the same as one ``known_hosts`` file, for netmiko.
        timeouts: seconds.

    Raises:
        UnreachableError: unreachable, host key unknown or changed, or the credentials are refused.
    """
    silence()
    target.check_credentials()
    keys = require_known(target, known, timeouts.connect_s)
    connection = ConnectHandler(
        device_type="linux",
        host=target.address,
        port=target.port,
        sock=connect_socket(target, timeouts.connect_s),
        username=target.user,
        password=target.password.reveal() if target.password is not None else None,
        pkey=_private_key(target),
        use_keys=False,
        allow_agent=target.allow_agent,
        ssh_strict=True,
        system_host_keys=False,
        alt_host_keys=True,
        alt_key_file=str(key_file),
        conn_timeout=timeouts.connect_s,
        banner_timeout=timeouts.connect_s,
        auth_timeout=timeouts.auth_s,
        keepalive=_KEEPALIVE_S,
        # netmiko's own session preparation looks for a prompt; a login banner with `#` or `$` misleads it.
        auto_connect=False,
    )
    try:
        connection.establish_connection()
    except NetmikoAuthenticationException:
        raise UnreachableError(
            f"{target.where} refused the credentials of `{target.user}`",
            help="check the inventory's username and secret",
        ) from None
    except (NetmikoBaseException, paramiko.SSHException, OSError, EOFError):
        connection.paramiko_cleanup()
        check_offered(target, keys, timeouts.connect_s)
        raise UnreachableError(f"{target.where} ended the connection before a session was open") from None
    return SonicSession(target, connection)


def _private_key(target: Endpoint) -> paramiko.PKey | None:
    if target.key is None:
        return None
    try:
        return paramiko.PKey.from_path(target.key)
    except (paramiko.SSHException, OSError, ValueError, TypeError):
        raise UnreachableError(f"the private key of {target.where} cannot be read: {target.key}") from None


def _finished(channel: paramiko.Channel) -> bool:
    return bool(channel.closed) or (channel.exit_status_ready() and bool(channel.eof_received))


def _drain(channel: paramiko.Channel, stdout: bytearray, stderr: bytearray) -> bool:
    some = False
    while channel.recv_ready():
        stdout += channel.recv(_CHUNK)
        some = True
    while channel.recv_stderr_ready():
        stderr += channel.recv_stderr(_CHUNK)
        some = True
    return some


def _short(command: str) -> str:
    return command if len(command) <= 80 else command[:79] + "…"  # noqa: PLR2004  (a line)
