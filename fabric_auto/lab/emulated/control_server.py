"""Steering a running lab: one JSON object a line over loopback TCP, each with the token of ``lab.json``.

A request is ``{"token": …, "operation": …, …}``; its answer ``{"ok": true, "result": …}`` or
``{"ok": false, "error": …}``.
"""

import asyncio
import json
import logging
from collections.abc import Callable
from hmac import compare_digest
from typing import Any, Final

from fabric_auto.lab.emulated.device import State
from fabric_auto.lab.emulated.network import LabSwitch, Network
from fabric_auto.lab.emulated.topology import CableEnd

LOOPBACK: Final = "127.0.0.1"
_LOG: Final = logging.getLogger(__name__)

# JSON both ways: a request is checked by the handler that uses it.
Request = dict[str, Any]


class ControlServer:
    """The lab's side of the control socket.

    Args:
        network: what is steered.
        token: what each request must carry.
        stop: called when a client asks the lab to stop, after it has its answer.
    """

    def __init__(self, network: Network, token: str, stop: Callable[[], None]) -> None:
        self._network = network
        self._token = token
        self._stop = stop
        self._server: asyncio.Server | None = None
        self._clients: set[asyncio.StreamWriter] = set()
        self._operations: dict[str, Callable[[Request], object]] = {
            "status": self._status,
            "swap": self._swap,
            "cut": self._cut,
            "mend": self._mend,
            "fault": self._fault,
            "clear": self._clear,
            "running": self._running,
            "ping": lambda _: None,
            "stop": lambda _: None,
        }

    async def start(self) -> int:
        """Listen on a free loopback port and return it."""
        self._server = await asyncio.start_server(self._serve, LOOPBACK, 0)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def close(self) -> None:
        """Close the socket and every client's connection."""
        if self._server is not None:
            self._server.close()
            for writer in list(self._clients):
                writer.close()
            await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._clients.add(writer)
        try:
            while line := await reader.readline():
                answer, operation = self._answer(line)
                writer.write(json.dumps(answer).encode() + b"\n")
                await writer.drain()
                if answer["ok"] and operation == "stop":
                    self._stop()
        except (ConnectionError, ValueError):  # gone, or a line longer than the reader's limit
            _LOG.debug("a control client was cut off")
        finally:
            self._clients.discard(writer)
            writer.close()

    def _answer(self, line: bytes) -> tuple[dict[str, object], str]:
        try:
            request = json.loads(line)
            if not isinstance(request, dict) or not self._knows(request.get("token")):
                return {"ok": False, "error": "the token is not this lab's"}, ""
            operation = str(request.get("operation"))
            handler = self._operations.get(operation)
            if handler is None:
                return {"ok": False, "error": f"no operation named `{operation}`"}, operation
            return {"ok": True, "result": handler(request)}, operation
        except (KeyError, TypeError) as error:
            return {"ok": False, "error": f"the request is incomplete or malformed: {error!r}"}, ""
        except ValueError as error:
            return {"ok": False, "error": str(error)}, ""
        except Exception:  # noqa: BLE001 - a bug in one request must not end the lab
            _LOG.exception("a control request failed")
            return {"ok": False, "error": "the lab failed; its lab.log has the traceback"}, ""

    def _knows(self, token: object) -> bool:
        return isinstance(token, str) and compare_digest(token.encode(), self._token.encode())

    def _device(self, request: Request) -> LabSwitch:
        device = self._network.devices.get(request["device"])
        if device is None:
            raise ValueError(f"no device named `{request['device']}` in the lab")
        return device

    def _status(self, _: Request) -> object:
        states = self._network.states()
        return {
            "devices": {name: _device_status(device, states[name]) for name, device in self._network.devices.items()},
            "cables": [
                {"a": [each.a.device, each.a.port], "b": [each.b.device, each.b.port], "length_m": each.length_m}
                for each in self._network.cables
            ],
        }

    def _swap(self, request: Request) -> None:
        self._network.swap(CableEnd(*request["a"]), CableEnd(*request["b"]))
        self._network.recompute()

    def _cut(self, request: Request) -> None:
        self._network.cut(CableEnd(*request["end"]))
        self._network.recompute()

    def _mend(self, _: Request) -> None:
        self._network.mend()
        self._network.recompute()

    def _fault(self, request: Request) -> None:
        self._device(request).faults.arm(request["kind"], request["options"])

    def _clear(self, request: Request) -> None:
        devices = self._network.devices.values() if request["device"] is None else (self._device(request),)
        for device in devices:
            device.faults.clear()

    def _running(self, request: Request) -> str:
        return self._device(request).running()


def _device_status(device: LabSwitch, state: State) -> dict[str, object]:
    return {
        "ports_up": sorted(state.ports_up),
        "sessions": {address: session.state for address, session in state.sessions.items()},
        "routes": len(state.routes),
        "ignores_changes": device.faults.ignore_changes,
        "drops_session": bool(device.faults.drop_at),
    }
