"""The emulated network: devices, the cables as they are plugged now, and when the control plane is computed."""

import asyncio
import time
from collections.abc import Collection
from typing import Final, Protocol

from fabric_auto.lab.emulated.control_plane import ControlPlane
from fabric_auto.lab.emulated.device import EmulatedDevice, State, View
from fabric_auto.lab.emulated.faults import Faults
from fabric_auto.lab.emulated.topology import Cable, CableEnd

SETTLE_S: Final = 0.05
"""How long changes are gathered before the control plane is computed, seconds."""

_LONGEST_SETTLE_S: Final = 2.0


class LabSwitch(EmulatedDevice, Protocol):
    """An emulated device that takes faults."""

    faults: Faults


class Network:
    """Devices and cables. Changes are gathered for a moment, then every device is told its new state.

    In a large lab a computation takes a while, so changes are gathered for at least as long: the devices' servers, on the
    same loop, keep half of the time.
    """

    def __init__(self, cables: Collection[Cable], settle_s: float = SETTLE_S) -> None:
        self.devices: dict[str, LabSwitch] = {}
        self.cables = tuple(cables)
        self._built = self.cables
        self._settle_s = settle_s
        self._took_s = 0.0
        self._control_plane = ControlPlane()
        self._views: dict[str, View] = {}
        self._states: dict[str, State] = {}
        self._stale = True
        self._timer: asyncio.TimerHandle | None = None

    def add(self, device: LabSwitch) -> None:
        """Put a device into the network."""
        self.devices[device.name] = device
        self.changed(device.name)

    def changed(self, device: str) -> None:
        """Note that a device's running configuration changed: what every emulator calls."""
        self._views.pop(device, None)
        self._invalidate()

    def states(self) -> dict[str, State]:
        """Return every device's state, computed first when something changed since."""
        if self._stale:
            self.recompute()
        return self._states

    def recompute(self) -> None:
        """Compute now, and tell every device its state."""
        self.close()
        started = time.perf_counter()
        for name, device in self.devices.items():
            if name not in self._views:
                self._views[name] = device.view()
        self._states = self._control_plane.compute(self._views, self.cables)
        self._stale = False
        for name, state in self._states.items():
            self.devices[name].set_state(state)
        self._took_s = time.perf_counter() - started

    def close(self) -> None:
        """Forget a computation that is due."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def swap(self, a: CableEnd, b: CableEnd) -> None:
        """Exchange the far ends of two cables: what was plugged opposite ``a`` is now opposite ``b``.

        Raises:
            ValueError: an end has no cable, or both are of one cable.
        """
        first, second = self._cable(a), self._cable(b)
        if first == second:
            raise ValueError(f"{_text(a)} and {_text(b)} are the two ends of one cable")
        exchanged = {
            first: Cable(a, _far(second, b), first.length_m),
            second: Cable(b, _far(first, a), second.length_m),
        }
        self._plug(tuple(exchanged.get(cable, cable) for cable in self.cables))

    def cut(self, end: CableEnd) -> None:
        """Take away the cable at ``end``.

        Raises:
            ValueError: there is none.
        """
        gone = self._cable(end)
        self._plug(tuple(cable for cable in self.cables if cable != gone))

    def mend(self) -> None:
        """Plug every cable as the topology has it."""
        self._plug(self._built)

    def _cable(self, end: CableEnd) -> Cable:
        for cable in self.cables:
            if end in (cable.a, cable.b):
                return cable
        raise ValueError(f"no cable at {_text(end)}")

    def _plug(self, cables: tuple[Cable, ...]) -> None:
        self.cables = cables
        self._invalidate()

    def _invalidate(self) -> None:
        self._stale = True
        if self._timer is not None:
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return  # no loop: the next read computes
        delay = min(max(self._settle_s, self._took_s), _LONGEST_SETTLE_S)
        self._timer = loop.call_later(delay, self.recompute)


def _far(cable: Cable, end: CableEnd) -> CableEnd:
    return cable.b if cable.a == end else cable.a


def _text(end: CableEnd) -> str:
    return f"{end.device} {end.port}"
