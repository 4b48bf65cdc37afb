"""Steering a running lab: the client that `fabric-auto lab` and the tests use (:mod:`.control_server` answers it)."""

import json
import os
import socket
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from fabric_auto.errors import FabricAutoError
from fabric_auto.lab.emulated.lab_file import NAME, LabFile, not_running
from fabric_auto.lab.emulated.topology import Cable, CableEnd

_TIMEOUT_S: Final = 60.0
_POLL_S: Final = 0.02


@dataclass(frozen=True, slots=True)
class DeviceStatus:
    """A device as the lab sees it.

    Attributes:
        address, port: where it listens.
        ports_up: names of the ports that are up.
        sessions: BGP session states by neighbour address.
        routes: routes in its table.
        ignores_changes, drops_session: the faults armed on it.
    """

    nos: str
    address: str
    port: int
    ports_up: tuple[str, ...]
    sessions: dict[str, str]
    routes: int
    ignores_changes: bool
    drops_session: bool


@dataclass(frozen=True, slots=True)
class LabStatus:
    """A running lab: its devices by name, and the cables as they are plugged now."""

    pid: int
    devices: dict[str, DeviceStatus]
    cables: tuple[Cable, ...]


class LabClient:
    """Steers the lab that runs in a folder. Every method raises FabricAutoError when the lab does not answer or refuses."""

    def __init__(self, state_dir: Path, lab: LabFile) -> None:
        self._state_dir = state_dir
        self.lab = lab

    @classmethod
    def connect(cls, state_dir: Path) -> "LabClient":
        """Return a client of the lab in ``state_dir``.

        Raises:
            FabricAutoError: no lab runs there: no ``lab.json``, or its process is gone.
        """
        lab = LabFile.read(state_dir)
        if not _alive(lab.pid):
            raise not_running(state_dir, lab)
        client = cls(state_dir, lab)
        client.ping()
        return client

    def ping(self) -> None:
        """Ask the lab for nothing.

        Raises:
            FabricAutoError: it does not answer.
        """
        self._ask("ping")

    def status(self) -> LabStatus:
        """Return the devices and cables as they are now."""
        answer = self._ask("status")
        devices = {
            name: DeviceStatus(
                nos=end.nos,
                address=end.address,
                port=end.port,
                **{**answer["devices"][name], "ports_up": tuple(answer["devices"][name]["ports_up"])},
            )
            for name, end in self.lab.devices.items()
        }
        cables = tuple(Cable(CableEnd(*c["a"]), CableEnd(*c["b"]), c["length_m"]) for c in answer["cables"])
        return LabStatus(self.lab.pid, devices, cables)

    def swap(self, a: CableEnd, b: CableEnd) -> None:
        """Exchange the far ends of the cables at ``a`` and ``b``; devices know when this returns."""
        self._ask("swap", a=[a.device, a.port], b=[b.device, b.port])

    def cut(self, end: CableEnd) -> None:
        """Take away the cable at ``end``; devices know when this returns."""
        self._ask("cut", end=[end.device, end.port])

    def mend(self) -> None:
        """Plug every cable as the topology has it; devices know when this returns."""
        self._ask("mend")

    def fault(self, device: str, kind: str, options: dict[str, Any] | None = None) -> None:
        """Arm a fault (:mod:`fabric_auto.lab.emulated.faults`)."""
        self._ask("fault", device=device, kind=kind, options=options or {})

    def clear(self, device: str | None = None) -> None:
        """Disarm the faults of a device, or of all."""
        self._ask("clear", device=device)

    def running(self, device: str) -> str:
        """Return a device's running configuration as text: JSON for SONiC, XML for SR Linux."""
        text: str = self._ask("running", device=device)
        return text

    def stop(self) -> None:
        """Stop the lab and wait until it has cleaned up."""
        self._ask("stop")
        deadline = time.monotonic() + _TIMEOUT_S
        while (self._state_dir / NAME).exists():
            if time.monotonic() > deadline:
                raise FabricAutoError(f"the lab (process {self.lab.pid}) does not stop", help="end that process")
            time.sleep(_POLL_S)

    def _ask(self, operation: str, **details: object) -> Any:  # JSON; each caller knows its shape
        control = self.lab.control
        request = {"token": control.token, "operation": operation, **details}
        try:
            with (
                socket.create_connection((control.address, control.port), _TIMEOUT_S) as connection,
                connection.makefile("rwb") as stream,
            ):
                stream.write(json.dumps(request).encode() + b"\n")
                stream.flush()
                line = stream.readline()
        except TimeoutError:
            raise FabricAutoError(
                f"the lab (process {self.lab.pid}) does not answer", help="look into lab.log"
            ) from None
        except OSError:
            raise not_running(self._state_dir, self.lab) from None
        return self._result(line)

    def _result(self, line: bytes) -> object:
        try:
            answer = json.loads(line)
            if answer["ok"]:
                result: object = answer["result"]
                return result
            error = str(answer["error"])
        except (ValueError, KeyError, TypeError):
            # Something else listens on the port of a lab that is gone.
            raise not_running(self._state_dir, self.lab) from None
        raise FabricAutoError(error)


def _alive(pid: int) -> bool:
    if os.name == "nt":
        return True  # signal 0 is Ctrl-C there; the connection will tell
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
