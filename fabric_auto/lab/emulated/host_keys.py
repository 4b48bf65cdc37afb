"""The devices' SSH host keys: one ed25519 key a device, kept so that a lab that comes up again is the same lab."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import asyncssh

from fabric_auto.errors import FabricAutoError
from fabric_auto.lab.emulated.lab_file import Endpoint, write_private

_SSH_PORT: Final = 22


def host_key(folder: Path, device: str) -> asyncssh.SSHKey:
    """Return the device's host key from ``folder``, made at the first call (mode 0600).

    Raises:
        FabricAutoError: the file is there and is no key.
    """
    path = folder / device
    if not path.exists():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        key = asyncssh.generate_private_key("ssh-ed25519")
        write_private(path, key.export_private_key("openssh").decode())
        return key
    try:
        return asyncssh.read_private_key(path)
    except (asyncssh.KeyImportError, OSError) as error:
        raise FabricAutoError(f"{path} is not a host key: {error}", help="remove it; a new one is made") from error


def known_hosts(endpoints: Mapping[str, Endpoint], keys: Mapping[str, asyncssh.SSHKey]) -> str:
    """Return the hosts file that trusts exactly these devices (sshd(8), "SSH_KNOWN_HOSTS FILE FORMAT")."""
    return "".join(f"{_host(end)} {_public(keys[name])}\n" for name, end in endpoints.items())


def _host(end: Endpoint) -> str:
    return end.address if end.port == _SSH_PORT else f"[{end.address}]:{end.port}"


def _public(key: asyncssh.SSHKey) -> str:
    algorithm, blob, *_ = key.export_public_key("openssh").decode().split()
    return f"{algorithm} {blob}"
