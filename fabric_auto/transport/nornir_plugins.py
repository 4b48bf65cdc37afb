"""nornir connection plugins: ``fabric_ssh`` opens a SONiC session, ``fabric_netconf`` an SR Linux session.

What a session needs beyond nornir's own arguments stands in ``extras`` under :data:`PARAMETERS`, as one value. Secrets are
in there too, wrapped, so that nornir's own ``password`` attribute, which it prints, stays empty.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from nornir.core.configuration import Config
from nornir.core.plugins.connections import ConnectionPluginRegister

from fabric_auto.transport import sonic, srlinux
from fabric_auto.transport.base import Session, UnreachableError
from fabric_auto.transport.endpoint import Endpoint, Timeouts
from fabric_auto.transport.host_keys import KnownHosts

SSH: Final = "fabric_ssh"
NETCONF: Final = "fabric_netconf"
PLUGIN_OF: Final = {"sonic": SSH, "srlinux": NETCONF}
"""The connection plugin by NOS."""

PARAMETERS: Final = "fabric_auto"


@dataclass(frozen=True, slots=True)
class Parameters:
    """What both plugins take from ``extras``.

    Attributes:
        known: what is known of host keys.
        key_file: the same as one ``known_hosts`` file.
    """

    target: Endpoint
    known: KnownHosts
    key_file: Path
    timeouts: Timeouts


class _Plugin:
    def __init__(self) -> None:
        self._session: Session | None = None

    @property
    def connection(self) -> Session:
        """The open session."""
        if self._session is None:
            raise UnreachableError("no session is open")
        return self._session

    def open(  # noqa: PLR0917  (nornir's signature)
        self,
        hostname: str | None,  # noqa: ARG002
        username: str | None,  # noqa: ARG002
        password: str | None,  # noqa: ARG002
        port: int | None,  # noqa: ARG002
        platform: str | None,  # noqa: ARG002
        extras: dict[str, Any] | None = None,
        configuration: Config | None = None,  # noqa: ARG002
    ) -> None:
        """Open the session; raises :class:`UnreachableError`."""
        parameters = (extras or {}).get(PARAMETERS)
        if not isinstance(parameters, Parameters):
            raise UnreachableError("the connection plugin was opened without its parameters")
        self._session = self._connect(parameters)

    def close(self) -> None:
        """End the session."""
        if self._session is not None:
            self._session.close()
            self._session = None

    def _connect(self, parameters: Parameters) -> Session:
        raise NotImplementedError


class FabricSsh(_Plugin):
    """``fabric_ssh``: a :class:`fabric_auto.transport.sonic.SonicSession`."""

    def _connect(self, parameters: Parameters) -> Session:
        return sonic.connect(parameters.target, parameters.known, parameters.key_file, parameters.timeouts)


class FabricNetconf(_Plugin):
    """``fabric_netconf``: a :class:`fabric_auto.transport.srlinux.SrlinuxSession`."""

    def _connect(self, parameters: Parameters) -> Session:
        return srlinux.connect(parameters.target, parameters.known, parameters.timeouts)


def register() -> None:
    """Make both plugins known to nornir; once is enough, more does no harm."""
    ConnectionPluginRegister.register(SSH, FabricSsh)
    ConnectionPluginRegister.register(NETCONF, FabricNetconf)
