"""What both kinds of switch need of an SSH server: the login, and an end to every connection."""

import asyncio
from collections.abc import Callable, Collection
from hmac import compare_digest

import asyncssh


class Login(asyncssh.SSHServer):
    """Lets the one user in by password, and keeps account of the open connections.

    Args:
        username: the one user.
        password: its password.
        connections: the open connections, of all logins of the device.
        accepting: says whether the device takes a new connection now.
    """

    def __init__(
        self,
        username: str,
        password: str,
        connections: set[asyncssh.SSHServerConnection],
        *,
        accepting: Callable[[], bool] = lambda: True,
    ) -> None:
        self._username, self._password, self._connections = username, password, connections
        self._accepting = accepting
        self._connection: asyncssh.SSHServerConnection | None = None

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        """Remember the connection; end it when the device takes none."""
        self._connection = conn
        self._connections.add(conn)
        if not self._accepting():
            conn.abort()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - why it went makes no difference
        """Forget the connection."""
        if self._connection is not None:
            self._connections.discard(self._connection)

    def begin_auth(self, username: str) -> bool:  # noqa: ARG002 - every user must authenticate
        """Ask for authentication."""
        return True

    def password_auth_supported(self) -> bool:
        """Passwords are accepted."""
        return True

    def validate_password(self, username: str, password: str) -> bool:
        """Compare user and password."""
        user_matches = compare_digest(username.encode(), self._username.encode())
        return compare_digest(password.encode(), self._password.encode()) and user_matches


async def close(acceptor: asyncssh.SSHAcceptor | None, connections: Collection[asyncssh.SSHServerConnection]) -> None:
    """Close the listener, if any, and every connection, and wait until they are."""
    if acceptor is not None:
        acceptor.close()
    closing = list(connections)
    for each in closing:
        each.abort()
    await asyncio.gather(*(each.wait_closed() for each in closing))
    if acceptor is not None:
        await acceptor.wait_closed()
