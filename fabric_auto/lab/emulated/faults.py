"""Faults that can be armed on an emulated device; the emulators ask at the points named here.

A fault is a value: ``{"device": "east-leaf-01", "kind": "drop-session", ...}``. Kinds of this version:

* ``drop-session``: the SSH or NETCONF session is cut at ``step``, the n-th command, file transfer or RPC from now
  (1 = the next), after the device has acted on it when ``after`` is true, before when false. One shot.
* ``ignore-changes``: the device says yes to every change and does nothing (configuration commands and edits/commits answer
  success, the running configuration stays). Until cleared.

Cables are not device faults: swapping, cutting and mending them is the lab's (:mod:`fabric_auto.lab.emulated.network`).
"""

from dataclasses import dataclass, field
from typing import Any


class SessionDropped(Exception):  # noqa: N818
    """The emulator must cut this session now, without an answer."""


@dataclass(slots=True)
class Faults:
    """The faults armed on one device."""

    ignore_changes: bool = False
    drop_at: int = 0
    drop_after: bool = False
    _steps: int = field(default=0)

    def arm(self, kind: str, options: dict[str, Any]) -> None:
        """Arm a fault.

        Raises:
            ValueError: no such kind, or an option is missing or wrong.
        """
        if kind == "ignore-changes":
            self.ignore_changes = True
        elif kind == "drop-session":
            step = options.get("step", 1)
            if not isinstance(step, int) or step < 1:
                raise ValueError("drop-session: `step` is a whole number from 1")
            self.drop_at, self.drop_after, self._steps = step, bool(options.get("after", False)), 0
        else:
            raise ValueError(f"no fault named `{kind}`; there are: drop-session, ignore-changes")

    def clear(self) -> None:
        """Disarm everything."""
        self.ignore_changes, self.drop_at, self._steps = False, 0, 0

    def before_step(self) -> None:
        """Count a step; raise when the session drops before the device acts.

        Raises:
            SessionDropped: cut the session now.
        """
        if self.drop_at:
            self._steps += 1
            if self._steps == self.drop_at and not self.drop_after:
                self.drop_at = 0
                raise SessionDropped

    def after_step(self) -> None:
        """Raise when the session drops after the device has acted and before it answers.

        Raises:
            SessionDropped: cut the session now.
        """
        if self.drop_at and self.drop_after and self._steps >= self.drop_at:
            self.drop_at = 0
            raise SessionDropped
