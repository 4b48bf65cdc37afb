"""Where a device is and how one logs in to it."""

import getpass
import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fabric_auto.intent.inventory import InventoryHost
from fabric_auto.transport.base import UnreachableError
from fabric_auto.transport.secrets import Secret, key_file, resolve

PORTS: Final = {"sonic": 22, "srlinux": 830}
"""The default port by NOS: SSH, and NETCONF over SSH (RFC 6242 §7)."""


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds.

    Attributes:
        connect_s: until the TCP connection, and again until the SSH banner.
        auth_s: until the device has decided on our credentials.
        rpc_s: until an RPC is answered.
    """

    connect_s: float = 15
    auth_s: float = 30
    rpc_s: float = 120


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One device's address and credentials; ``key`` is the path of a private key."""

    name: str
    address: str
    port: int
    user: str
    password: Secret | None
    key: Path | None
    allow_agent: bool = False

    @property
    def where(self) -> str:
        """Device and address, as every message names them: ``east-leaf-01 (127.0.0.1:2201)``."""
        address = f"[{self.address}]" if ":" in self.address else self.address
        return f"{self.name} ({address}:{self.port})"

    def check_credentials(self) -> None:
        """Refuse to connect when there is nothing to log in with.

        Raises:
            UnreachableError: neither password nor key nor agent.
        """
        if self.password is None and self.key is None and not self.allow_agent:
            raise UnreachableError(
                f"the inventory says nothing to log in to {self.where} with",
                help="give it `password` or `data.ssh_key`",
            )


def endpoint(
    host: InventoryHost, nos: str, project: Path, *, allow_agent: bool, environment: Mapping[str, str] = os.environ
) -> Endpoint:
    """Return the endpoint of an inventory host, its references resolved.

    Raises:
        FabricAutoError: a reference leads nowhere.
    """
    return Endpoint(
        name=host.name,
        address=host.address,
        port=host.port if host.port is not None else PORTS[nos],
        user=host.username or getpass.getuser(),
        password=None if host.password is None else resolve(host.password, project, environment),
        key=None if host.ssh_key is None else key_file(host.ssh_key, project, environment),
        allow_agent=allow_agent,
    )


def address_of(host: InventoryHost, nos: str | None) -> Endpoint:
    """Return where an inventory host is, without credentials: enough to ask for its host key.

    Raises:
        UnreachableError: nothing says what the host runs, and so on which port it listens.
    """
    port = host.port if host.port is not None else PORTS.get(nos or "")
    if port is None:
        raise UnreachableError(
            f"the inventory does not say what `{host.name}` runs", help="give it `platform` or `port`"
        )
    return Endpoint(host.name, host.address, port, host.username or getpass.getuser(), password=None, key=None)


def connect_socket(target: Endpoint, timeout_s: float) -> socket.socket:
    """Open the TCP connection.

    Raises:
        UnreachableError: refused, no answer, no route, or the name is not known.
    """
    try:
        sock = socket.create_connection((target.address, target.port), timeout_s)
    except TimeoutError:
        raise UnreachableError(f"{target.where} gave no answer within {timeout_s:g} s") from None
    except ConnectionRefusedError:
        raise UnreachableError(
            f"{target.where} refused the connection", help="is the device up, and the port right?"
        ) from None
    except socket.gaierror:
        raise UnreachableError(f"the address of {target.where} is not known to this machine") from None
    except OSError as error:
        raise UnreachableError(f"{target.where} cannot be reached: {error.strerror or error}") from None
    # A command is a few small packets; with Nagle's algorithm each waits for the peer's delayed acknowledgement (40 ms).
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return sock
