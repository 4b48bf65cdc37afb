"""Transient timers: ``systemd-run --on-active`` and ``systemctl``, with systemd 252's messages and exit codes.

A timer belongs to the device, not to the session that started it. When it fires it is unloaded (``RemainAfterElapse=no``)
and its service runs; a service that fails stays loaded unless ``--collect`` was given, and its name is taken until
``systemctl reset-failed`` (systemd.timer(5), systemd-run(1)).
"""

import asyncio
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from fabric_auto.lab.emulated.sonic.shell import Call, Command, Shell, Streams

_NOT_RUNNING: Final = 3
_NOT_LOADED: Final = 5
_UNITS: Final = {"us": 1e-6, "ms": 1e-3, "": 1, "s": 1, "sec": 1, "m": 60, "min": 60, "h": 3600, "hr": 3600, "d": 86400}
_SPAN: Final = re.compile(r"(\d+(?:\.\d+)?)\s*([a-z]*)\s*")
_NEEDS_AUTH: Final = "Interactive authentication required."
_VALUED: Final = frozenset({"--on-active", "--unit", "-u", "--property", "-p", "--timer-property", "--description"})
_FLAGS: Final = frozenset({"--collect", "-G", "--quiet", "-q", "--no-block", "--no-ask-password"})


@dataclass(slots=True)
class Unit:
    """A timer and the service that it starts.

    Attributes:
        state: ``waiting``, ``running`` or ``failed``.
        due: POSIX time at which the timer fires.
        collect: unload the service even when it failed.
        code: exit code of the service.
    """

    name: str
    words: tuple[str, ...]
    collect: bool
    due: float
    state: str = "waiting"
    code: int = 0
    handle: asyncio.TimerHandle | None = None


@dataclass(slots=True)
class Timers:
    """The timers of one device.

    Attributes:
        units: by name without suffix.
        journal: what the services that ran printed.
        restart: called with the name of a service that ``systemctl restart`` names; False when there is none.
    """

    restart: Callable[[str], bool]
    units: dict[str, Unit] = field(default_factory=dict)
    journal: list[str] = field(default_factory=list)

    def stop(self) -> None:
        """Cancel every timer."""
        for unit in self.units.values():
            if unit.handle is not None:
                unit.handle.cancel()
        self.units.clear()

    def commands(self) -> dict[str, Command]:
        """Return ``systemd-run`` and ``systemctl``."""
        return {"systemd-run": self._systemd_run, "systemctl": self._systemctl}

    def _systemd_run(self, call: Call) -> int:
        if not call.root:
            return call.fail(f"Failed to start transient timer unit: {_NEEDS_AUTH}")
        options, words, wrong = _parse(call.args)
        if wrong:
            return call.fail(f"systemd-run: unrecognized option '{wrong}'")
        if not words or "--on-active" not in options:
            return call.fail("the emulated systemd-run needs --on-active and a command")
        delay = seconds(options["--on-active"])
        if delay is None:
            return call.fail(f"Failed to parse timer value: {options['--on-active']}")
        if not call.shell.finds(words[0]) and not call.shell.files.is_file(call.path(words[0])):
            return call.fail(f"Failed to find executable {words[0]}: No such file or directory")
        name = (options.get("--unit") or f"run-r{len(self.units) + 1:032x}").removesuffix(".timer")
        if name in self.units:
            loaded = f"{name}.timer" if self.units[name].state == "waiting" else f"{name}.service"
            return call.fail(
                f"Failed to start transient timer unit: Unit {loaded} was already loaded or has a fragment file."
            )
        self._arm(Unit(name, words, "--collect" in options, time.time() + delay), delay, call.shell)
        if "--quiet" not in options:
            call.streams.err(f"Running timer as unit: {name}.timer\nWill run service as unit: {name}.service\n")
        return 0

    def _arm(self, unit: Unit, delay: float, shell: Shell) -> None:
        service = Shell(shell.files, shell.commands, name="sh", root=True, folder="/")
        unit.handle = asyncio.get_running_loop().call_later(delay, self._fire, unit, service)
        self.units[unit.name] = unit

    def _fire(self, unit: Unit, service: Shell) -> None:
        unit.state = "running"
        written: list[str] = []
        unit.code = service.call(unit.words, Streams(written.append, written.append), root=True, builtins=False)
        self.journal.append("".join(written))
        unit.state = "failed"
        if unit.code == 0 or unit.collect:
            self.units.pop(unit.name, None)

    def _systemctl(self, call: Call) -> int:
        words = [each for each in call.args if not each.startswith("-")]
        verb, names = (words[0], words[1:]) if words else ("", [])
        verbs: dict[str, Callable[[Call, str], int]] = {
            "stop": self._stop_unit,
            "is-active": self._is_active,
            "reset-failed": self._reset_failed,
            "restart": self._restart_service,
        }
        if verb == "list-timers":
            return self._list_timers(call)
        if verb not in verbs:
            return call.fail(f"Unknown command verb {verb}.")
        if not names:
            return call.fail("Too few arguments.")
        if not call.root and verb != "is-active":
            return call.fail(f"Failed to {verb} {_full(names[0])}: {_NEEDS_AUTH}")
        return max(verbs[verb](call, name) for name in names)

    def _stop_unit(self, call: Call, name: str) -> int:
        unit = self.units.get(_base(name))
        full = _full(name)
        if unit is None or (full.endswith(".timer") and unit.state != "waiting"):
            return call.fail(f"Failed to stop {full}: Unit {full} not loaded.", _NOT_LOADED)
        # A name without suffix is the service: stopping that does not stop the timer which will start it.
        if full.endswith(".timer"):
            if unit.handle is not None:
                unit.handle.cancel()
            del self.units[unit.name]
        return 0

    def _is_active(self, call: Call, name: str) -> int:
        unit = self.units.get(_base(name))
        state = "inactive"
        if unit is not None and _full(name).endswith(".timer"):
            state = "active" if unit.state == "waiting" else "inactive"
        elif unit is not None:
            state = {"waiting": "inactive", "running": "active"}.get(unit.state, unit.state)
        call.out(f"{state}\n")
        return 0 if state == "active" else _NOT_RUNNING

    def _reset_failed(self, call: Call, name: str) -> int:
        unit = self.units.get(_base(name))
        if unit is None:
            full = _full(name)
            return call.fail(f"Failed to reset failed state of unit {full}: Unit {full} not loaded.")
        if unit.state == "failed":
            del self.units[unit.name]
        return 0

    def _restart_service(self, call: Call, name: str) -> int:
        if self.restart(_base(name)):
            return 0
        full = _full(name)
        return call.fail(f"Failed to restart {full}: Unit {full} not found.", _NOT_LOADED)

    def _list_timers(self, call: Call) -> int:
        waiting = [unit for unit in self.units.values() if unit.state == "waiting"]
        call.out("NEXT                        LEFT     LAST PASSED UNIT ACTIVATES\n")
        for unit in sorted(waiting, key=lambda each: each.due):
            when = time.strftime("%a %Y-%m-%d %H:%M:%S UTC", time.gmtime(unit.due))
            left = max(0, int(unit.due - time.time()))
            call.out(f"{when} {left}s left -    -      {unit.name}.timer {unit.name}.service\n")
        call.out(f"\n{len(waiting)} timers listed.\n")
        return 0


def seconds(text: str) -> float | None:
    """Return a time span in seconds (systemd.time(7)), or None when it is none.

    >>> seconds("1min 30s")
    90.0
    """
    if not re.fullmatch(rf"(?:{_SPAN.pattern})+", text.strip()):
        return None
    parts = _SPAN.findall(text.strip())
    if any(unit not in _UNITS for _, unit in parts):
        return None
    return float(sum(float(number) * _UNITS[unit] for number, unit in parts))


def _parse(args: tuple[str, ...]) -> tuple[dict[str, str], tuple[str, ...], str]:
    """Split ``systemd-run``'s arguments into options and command; the third is an option that it does not have."""
    options: dict[str, str] = {}
    words = list(args)
    while words and words[0].startswith("-"):
        word = words.pop(0)
        if word == "--":
            break
        name, equals, value = word.partition("=")
        if name in _VALUED and (equals or words):
            options["--unit" if name == "-u" else name] = value if equals else words.pop(0)
        elif word in _FLAGS:
            options[{"-G": "--collect", "-q": "--quiet"}.get(word, word)] = ""
        else:
            return options, (), word
    return options, tuple(words), ""


def _base(name: str) -> str:
    return name.removesuffix(".timer").removesuffix(".service")


def _full(name: str) -> str:
    return name if name.endswith((".timer", ".service")) else f"{name}.service"
