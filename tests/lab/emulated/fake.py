"""An emulated device that listens and has a view, and nothing else."""

import asyncio
from collections.abc import Callable

from fabric_auto.lab.emulated.device import State, View
from fabric_auto.lab.emulated.faults import Faults
from fabric_auto.lab.emulated.topology import LabDevice


class FakeDevice:
    """Stands in for an emulator: whoever connects gets its name in a line."""

    def __init__(self, hardware: LabDevice, on_change: Callable[[], None], view: View) -> None:
        self.name = hardware.name
        self.hardware = hardware
        self.faults = Faults()
        self.state = State()
        self.views = 0
        self._view = view
        self._on_change = on_change
        self._server: asyncio.Server | None = None

    def view(self) -> View:
        self.views += 1
        return self._view

    def configure(self, view: View) -> None:
        self._view = view
        self._on_change()

    def set_state(self, state: State) -> None:
        self.state = state

    def running(self) -> str:
        return f"hostname {self._view.hostname}\n"

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._greet, self.hardware.address, self.hardware.port)

    async def stop(self) -> None:
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()

    async def _greet(self, _: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(self.name.encode() + b"\n")
        await writer.drain()
        writer.close()


def hardware(name: str, port: int = 0, address: str = "127.0.0.1", nos: str = "sonic") -> LabDevice:
    return LabDevice(name, nos, "202505", "any", "any", address, port, "02:00:00:00:00:01", ())
