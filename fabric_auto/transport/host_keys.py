"""SSH host keys: known before anything is said to a device, or nothing is said.

Files are in OpenSSH's ``known_hosts`` format (sshd(8)); the first file that knows a host decides.
"""

import base64
import contextlib
import hashlib
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import paramiko
from paramiko.hostkeys import HostKeyEntry, InvalidHostKey

from fabric_auto.transport.base import UnreachableError
from fabric_auto.transport.endpoint import Endpoint, connect_socket
from fabric_auto.transport.quiet import silence

_SSH_PORT: Final = 22
_PREFERRED: Final = ("ssh-ed25519", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521", "ssh-rsa")


@dataclass(frozen=True, slots=True)
class HostKey:
    """A public host key.

    Attributes:
        kind: key type (``ssh-ed25519``).
        text: the key in base64, as ``known_hosts`` has it.
    """

    kind: str
    text: str

    @property
    def fingerprint(self) -> str:
        """``SHA256:…``, as ssh-keygen -l shows it."""
        digest = hashlib.sha256(base64.b64decode(self.text)).digest()
        return "SHA256:" + base64.b64encode(digest).decode().rstrip("=")


@dataclass(frozen=True, slots=True)
class KnownHosts:
    """The entries of several ``known_hosts`` files, file by file."""

    files: tuple[tuple[HostKeyEntry, ...], ...]

    def keys_of(self, address: str, port: int) -> tuple[HostKey, ...]:
        """Return the keys known for a host, preferred type first; empty when there are none."""
        name = spelled(address, port)
        for entries in self.files:
            found = {_host_key(entry.key) for entry in entries if _names(entry, name)}
            if found:
                return tuple(sorted(found, key=_rank))
        return ()

    def merged(self, targets: Iterable[tuple[str, int]]) -> str:
        """Return one ``known_hosts`` text with the deciding entries of the given hosts."""
        lines = [
            f"{spelled(address, port)} {key.kind} {key.text}\n"
            for address, port in sorted(set(targets))
            for key in self.keys_of(address, port)
        ]
        return "".join(lines)


def files_of(project: Path) -> tuple[Path, ...]:
    """Return the files that are read, the deciding one first."""
    own = project / ".fabric-auto"
    return (
        own / "known_hosts",
        own / "lab" / "known_hosts",
        project / "inventory" / "known_hosts",
        Path("~/.ssh/known_hosts").expanduser(),
    )


def load(files: Iterable[Path]) -> KnownHosts:
    """Read ``known_hosts`` files; one that is absent has no entries, and a line that cannot be read is passed over."""
    return KnownHosts(tuple(_entries(path) for path in files))


def spelled(address: str, port: int) -> str:
    """Return a host as ``known_hosts`` names it: ``[127.0.0.1]:2201``, the bare address on port 22."""
    return address if port == _SSH_PORT else f"[{address}]:{port}"


def fetch_key(target: Endpoint, timeout_s: float = 15, prefer: Sequence[str] = ()) -> HostKey:
    """Ask a device for its host key, without logging in.

    Args:
        target: the device; its credentials are not used.
        timeout_s: for the TCP connection and for the key exchange, each.
        prefer: key types to ask for first.

    Raises:
        UnreachableError: the device cannot be reached or is no SSH server.
    """
    silence()
    sock = connect_socket(target, timeout_s)
    transport: paramiko.Transport | None = None
    try:
        transport = paramiko.Transport(sock)
        options = transport.get_security_options()
        options.key_types = sorted(options.key_types, key=lambda kind: _preference(kind, prefer))
        transport.start_client(timeout=timeout_s)
        return _host_key(transport.get_remote_server_key())
    except (paramiko.SSHException, OSError, EOFError):
        raise UnreachableError(f"{target.where} does not answer as an SSH server") from None
    finally:
        if transport is not None:
            transport.close()
        sock.close()


def require_known(target: Endpoint, known: KnownHosts, timeout_s: float) -> tuple[HostKey, ...]:
    """Return the keys known for a device.

    Raises:
        UnreachableError: there are none (the help has the fingerprint to compare), or the device cannot be reached.
    """
    keys = known.keys_of(target.address, target.port)
    if keys:
        return keys
    offered = fetch_key(target, timeout_s)
    raise UnreachableError(
        f"host key of {target.where} is not known",
        help=f"compare its fingerprint {offered.fingerprint} with the console, then: fabric-auto trust add {target.name}",
    )


def changed(target: Endpoint, keys: Sequence[HostKey], offered: HostKey) -> UnreachableError:
    """Return the error for a device that shows another key than the known one."""
    expected = next((key for key in keys if key.kind == offered.kind), keys[0])
    return UnreachableError(
        f"THE HOST KEY OF {target.where} HAS CHANGED: known is {expected.fingerprint}, the device shows {offered.fingerprint}",
        help="the device was reinstalled, or somebody stands between it and you: compare the fingerprint with the console; "
        f"only if it is right: fabric-auto trust add {target.name}",
    )


def check_offered(target: Endpoint, keys: Sequence[HostKey], timeout_s: float) -> None:
    """Look at the key a device shows, after a connection failed for a reason that may be its key.

    Raises:
        UnreachableError: it is another key than the known ones, or the device cannot be reached.
    """
    offered = fetch_key(target, timeout_s, prefer=[key.kind for key in keys])
    if offered not in keys:
        raise changed(target, keys, offered)


def add(project: Path, address: str, port: int, key: HostKey) -> Path:
    """Trust a key: it replaces what ``.fabric-auto/known_hosts`` says of the host. Return that file.

    Raises:
        OSError: the file cannot be written.
    """
    path = files_of(project)[0]
    name = spelled(address, port)
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    kept = [line for line in lines if (entry := _entry(line)) is None or not _names(entry, name)]
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as stream:
        stream.write("\n".join([*kept, f"{name} {key.kind} {key.text}"]) + "\n")
    fresh.replace(path)
    return path


def _entries(path: Path) -> tuple[HostKeyEntry, ...]:
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ()
    return tuple(entry for line in text.splitlines() if (entry := _entry(line)) is not None)


def _entry(line: str) -> HostKeyEntry | None:
    # Lines with a marker (@revoked, @cert-authority) have no key type in second place, so they are not entries here.
    with contextlib.suppress(InvalidHostKey, paramiko.SSHException, ValueError):
        return HostKeyEntry.from_line(line.strip())
    return None


def _names(entry: HostKeyEntry, name: str) -> bool:
    return any(
        each == name or (each.startswith("|1|") and paramiko.HostKeys.hash_host(name, each) == each)
        for each in entry.hostnames or ()
    )


def _host_key(key: paramiko.PKey) -> HostKey:
    return HostKey(key.get_name(), key.get_base64())


def _rank(key: HostKey) -> tuple[int, str]:
    return (_PREFERRED.index(key.kind) if key.kind in _PREFERRED else len(_PREFERRED), key.text)


def _preference(kind: str, prefer: Sequence[str]) -> int:
    # An RSA key signs with rsa-sha2-256 or rsa-sha2-512 (RFC 8332); its own type stays ssh-rsa.
    key_type = "ssh-rsa" if kind.startswith("rsa-sha2") else kind
    order = [*prefer, *(each for each in _PREFERRED if each not in prefer)]
    return order.index(key_type) if key_type in order else len(order)
