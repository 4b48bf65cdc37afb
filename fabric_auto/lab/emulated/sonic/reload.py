"""``config load``, ``save`` and ``reload``: whole files into and out of CONFIG_DB.

Texts and order: sonic-utilities, ``config/main.py`` and ``utilities_common/flock.py``. ``reload`` merges the file over the
image's ``init_cfg.json`` and, when the file states no platform or MAC address, over what the hardware says.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from os import strerror
from typing import Final

from fabric_auto.lab.emulated.sonic.database import Json, Tables, dump, merged, read_object, stored
from fabric_auto.lab.emulated.sonic.factory import init_cfg, sysinfo
from fabric_auto.lab.emulated.sonic.releases import validates_default_file
from fabric_auto.lab.emulated.sonic.shell import Call
from fabric_auto.lab.emulated.sonic.validation import Judge
from fabric_auto.lab.emulated.topology import LabDevice

CONFIG_DB_FILE: Final = "/etc/sonic/config_db.json"
INIT_CFG_FILE: Final = "/etc/sonic/init_cfg.json"
LOCK_FILE: Final = "/etc/sonic/reload.lock"
_CFGGEN: Final = "/usr/local/bin/sonic-cfggen"


class AbortError(Exception):
    """click's Abort: ``Aborted!`` on standard error, exit code 1."""


class CrashError(Exception):
    """The command dies of an exception; the text is the traceback's last line."""


@dataclass(frozen=True, slots=True)
class Running:
    """What the file commands do to the device.

    Attributes:
        read: returns a copy of CONFIG_DB.
        merge: sets fields in it.
        replace: puts another in its place; True when the services restart, which also cuts every SSH session.
    """

    read: Callable[[], Tables]
    merge: Callable[[Tables], None]
    replace: Callable[[Tables, bool], None]


class Loader:
    """The file commands of one device."""

    def __init__(self, hardware: LabDevice, judge: Judge, running: Running) -> None:
        self._hardware = hardware
        self._judge = judge
        self._running = running

    def save(self, call: Call, name: str | None, *, yes: bool) -> int:
        """``config save``: CONFIG_DB into a file."""
        if not yes:
            return _unconfirmed(call, "Existing files will be overwritten, continue?")
        path = name or CONFIG_DB_FILE
        call.out(f"Running command: {_CFGGEN} -d --print-data > {path}\n")
        try:
            call.shell.files.write(call.path(path), dump(self._running.read()), root=True)
        except OSError as error:
            return call.fail(f"/bin/sh: 1: cannot create {path}: {strerror(error.errno or 0)}", 2)
        return 0

    def load(self, call: Call, name: str | None, *, yes: bool) -> int:
        """``config load``: the fields of a file into CONFIG_DB, unchecked."""
        if not yes:
            what = f"the file(s) {name}" if name else "the default config file(s)"
            return _unconfirmed(call, f"Load config from {what} ?")
        path = name or CONFIG_DB_FILE
        if not call.shell.files.is_file(call.path(path)):
            call.out(f"The config_db file {path} doesn't exist\n")
            return 0
        call.out(f"Running command: {_CFGGEN} -j {path} --write-to-db\n")
        try:
            config = self._read(call, path)
        except CrashError as error:
            return _traceback(call, str(error))
        self._running.merge(stored(config))
        return 0

    def reload(self, call: Call, name: str | None, flags: frozenset[str]) -> int:
        """``config reload``: a file in place of CONFIG_DB; the services restart unless ``-n``."""
        call.out(f"Acquired lock on {LOCK_FILE}\n" if "-b" not in flags else f"Bypass lock on {LOCK_FILE}\n")
        code, last = 0, ""
        try:
            code = self._reload(call, name, flags)
        except AbortError:
            code, last = 1, "Aborted!"
        except CrashError as error:
            code, last = 1, f"Traceback (most recent call last):\nException: {error}"
        if "-b" not in flags:
            call.out(f"Released lock on {LOCK_FILE}\n")
        return call.fail(last, code) if last else code

    def _reload(self, call: Call, name: str | None, flags: frozenset[str]) -> int:
        if "-y" not in flags:
            what = f"the file(s) {name}" if name else "the default config file(s)"
            call.out(f"Clear current config and reload config in config_db format from {what} ? [y/N]: \n")
            raise AbortError
        restart = "-n" not in flags
        path = name or CONFIG_DB_FILE
        if name is not None or (validates_default_file(self._judge.release) and "-f" not in flags):
            self._validate(call, path)
        if restart:
            call.out("Stopping SONiC target ...\n")
        if not call.shell.files.is_file(call.path(path)):
            call.out(f"The config file {path} doesn't exist\n")
            config = None
        else:
            config = self._read(call, path)
        if config is not None:
            target = self._target(call, config, path, forced="-l" in flags)
            if target is None:
                call.out("Could not get the HWSKU from config file,  Exiting!!!\n")
                return 1
            self._running.replace(target, restart)
        if restart:
            call.out("Restarting SONiC target ...\nReloading Monit configuration ...\n")
        return 0

    def _target(self, call: Call, config: Mapping[str, Json], path: str, *, forced: bool) -> Tables | None:
        """Return what CONFIG_DB holds after the reload, or None when the hardware cannot be looked up."""
        written = stored(config)
        metadata = written.get("DEVICE_METADATA", {}).get("localhost", {})
        target: Tables = {}
        if forced or not metadata.get("platform") or not metadata.get("mac"):
            if not metadata.get("hwsku"):
                return None
            call.out(f"Running command: {_CFGGEN} -H -k {metadata['hwsku']} --write-to-db\n")
            target = sysinfo(self._hardware)
        base = self._init_cfg(call)
        options = f"-j {INIT_CFG_FILE} -j {path}" if base else f"-j {path}"
        call.out(f"Running command: {_CFGGEN} {options} --write-to-db\n")
        call.out("Running command: /usr/local/bin/db_migrator.py -o migrate\n")
        return merged(merged(target, base), written)

    def _init_cfg(self, call: Call) -> Tables:
        try:
            return stored(read_object(call.shell.files.read(INIT_CFG_FILE)))
        except (OSError, ValueError):
            return {}

    def _validate(self, call: Call, path: str) -> None:
        config = self._read(call, path)
        error = self._judge.model_error(config)
        if error is not None:
            call.out(f"sonic_yang(3):{error.replace(chr(10), ':', 1)}\n")
            call.out(f"{path} fails YANG validation! Error: {error}\n")
            raise AbortError
        unknown = self._judge.without_yang(config)
        if unknown:
            call.out(f"Config tables are missing yang models: dict_keys({unknown})\n")
            raise AbortError

    def _read(self, call: Call, path: str) -> dict[str, Json]:
        try:
            return read_object(call.shell.files.read(call.path(path)))
        except OSError as error:
            raise CrashError(f"[Errno {error.errno}] {strerror(error.errno or 0)}: '{path}'") from None
        except ValueError as error:
            raise CrashError(str(error)) from None


def write_image_files(write: Callable[[str, str], None], tables: Tables) -> None:
    """Write what the image and its first boot leave in ``/etc/sonic``."""
    write(INIT_CFG_FILE, json.dumps(init_cfg(), indent=4))
    write(CONFIG_DB_FILE, dump(tables))


def _unconfirmed(call: Call, question: str) -> int:
    call.out(f"{question} [y/N]: \n")
    return call.fail("Aborted!")


def _traceback(call: Call, last: str) -> int:
    return call.fail(f"Traceback (most recent call last):\n{last}")
