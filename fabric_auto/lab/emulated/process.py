"""The process of the emulated lab: ``python -m fabric_auto.lab.emulated.process STATE_DIR [--yang DIR]``.

Reads ``topology.json`` and ``password`` of STATE_DIR; writes ``keys/``, ``known_hosts``, ``lab.log`` and, when every
device listens, ``lab.json``, which it removes when it ends.
"""

import argparse
import asyncio
import errno
import logging
import os
import secrets
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import Final, TypeAlias

import asyncssh

from fabric_auto.errors import FabricAutoError
from fabric_auto.lab.emulated.builder import Builder
from fabric_auto.lab.emulated.control import LabClient
from fabric_auto.lab.emulated.control_server import LOOPBACK, ControlServer
from fabric_auto.lab.emulated.host_keys import host_key, known_hosts
from fabric_auto.lab.emulated.lab_file import NAME, Control, Endpoint, LabFile, write_private
from fabric_auto.lab.emulated.network import LabSwitch, Network
from fabric_auto.lab.emulated.topology import LabDevice, LabTopology

Build: TypeAlias = Callable[[LabDevice, asyncssh.SSHKey, Callable[[], None]], LabSwitch]
"""Makes a device of its hardware, host key, and what it calls after every change."""

_LOG: Final = logging.getLogger(__name__)
_STOP_TIMEOUT_S: Final = 10.0


async def serve(
    topology: LabTopology,
    state_dir: Path,
    *,
    yang: Path | None,
    username: str,
    password: str,
    ready: Callable[[LabFile], None],
    build: Build | None = None,
) -> None:
    """Run a lab until a client stops it or the task is cancelled.

    Args:
        topology: what it is made of; a device whose port is 0 listens on a free one.
        state_dir: the lab's folder, made when absent.
        yang: folder of the vendors' models, ``sonic/<release>`` and ``srlinux``; None to go without.
        username, password: of the one user of every device.
        ready: called when every device listens and ``lab.json`` is written.
        build: makes the devices; None for the emulators.

    Raises:
        FabricAutoError: an address is not loopback or in use, a lab runs in the folder already, or models are missing.
    """
    _take(state_dir)
    hardware = with_ports(topology.devices)
    build = build or Builder(state_dir / "devices", yang, username, password)
    keys = {each.name: host_key(state_dir / "keys", each.name) for each in hardware}
    network = Network(topology.cables)
    for each in hardware:
        network.add(build(each, keys[each.name], partial(network.changed, each.name)))
    stop, token = asyncio.Event(), secrets.token_urlsafe(32)
    control = ControlServer(network, token, stop.set)
    lab_json = state_dir / NAME
    try:
        await _start(network, hardware)
        endpoints = {each.name: Endpoint(each.nos, each.address, each.port) for each in hardware}
        write_private(state_dir / "known_hosts", known_hosts(endpoints, keys))
        lab = LabFile(os.getpid(), username, Control(LOOPBACK, await control.start(), token), endpoints)
        network.recompute()
        lab.write(state_dir)
        _LOG.info("%d devices listen", len(hardware))
        ready(lab)
        await stop.wait()
    finally:
        await control.close()
        network.close()
        await _stop(network)
        lab_json.unlink(missing_ok=True)
        _LOG.info("stopped")


def with_ports(devices: Sequence[LabDevice]) -> tuple[LabDevice, ...]:
    """Return the devices with a free port in place of each port 0.

    Raises:
        FabricAutoError: an address is not a loopback address.
    """
    for each in devices:
        if not _is_loopback(each.address):
            raise FabricAutoError(
                f"{each.name}: `{each.address}` is not a loopback address",
                help="the lab listens on 127.0.0.1 or ::1 only",
            )
    with ExitStack() as held:
        return tuple(each if each.port else replace(each, port=_free_port(each.address, held)) for each in devices)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the lab of a folder; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m fabric_auto.lab.emulated.process", description="the emulated lab")
    parser.add_argument("state_dir", type=Path, metavar="STATE_DIR", help="holds topology.json and password")
    parser.add_argument("--yang", type=Path, metavar="DIR", help="vendor models: sonic/<release> and srlinux")
    parser.add_argument("--username", default="admin", help="the user of every device (default: admin)")
    options = parser.parse_args(arguments)
    try:
        topology, password = _read(options.state_dir)
        logging.basicConfig(
            filename=options.state_dir / "lab.log",
            level=logging.INFO,
            format="%(asctime)s %(levelname)s %(name)s: %(message)s",
        )
        logging.getLogger("asyncssh").setLevel(logging.WARNING)
        asyncio.run(_until_signal(topology, options, password))
    except FabricAutoError as error:
        _LOG.error("%s", error.message)
        sys.stderr.write(f"error: {error.message}" + (f": {error.help}\n" if error.help else "\n"))
        return error.exit_code
    except Exception as error:  # noqa: BLE001 - the last line of defence: log it, say so, exit
        _LOG.exception("the lab failed")
        sys.stderr.write(f"error: the lab failed: {error!r}; {options.state_dir / 'lab.log'} has the traceback\n")
        return 1
    return 0


async def _until_signal(topology: LabTopology, options: argparse.Namespace, password: str) -> None:
    lab = asyncio.ensure_future(
        serve(
            topology,
            options.state_dir,
            yang=options.yang,
            username=options.username,
            password=password,
            ready=lambda _: None,
        )
    )
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        # Where the loop takes no signal handlers, Ctrl-C cancels the task by itself.
        with suppress(NotImplementedError):
            loop.add_signal_handler(number, lab.cancel)
    with suppress(asyncio.CancelledError):
        await lab


def _read(state_dir: Path) -> tuple[LabTopology, str]:
    try:
        topology = LabTopology.read(state_dir / "topology.json")
        password = (state_dir / "password").read_text(encoding="utf-8").rstrip("\r\n")
    except OSError as error:
        raise FabricAutoError(f"cannot read {error.filename}: {error.strerror}") from error
    except ValueError as error:
        raise FabricAutoError(str(error)) from error
    if not password:
        raise FabricAutoError(f"{state_dir / 'password'} is empty")
    return topology, password


def _take(state_dir: Path) -> None:
    """Make the folder; refuse it when a lab runs there."""
    state_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        running = LabClient.connect(state_dir)
    except FabricAutoError:
        return
    raise FabricAutoError(f"a lab already runs in {state_dir} (process {running.lab.pid})", help="stop it first")


def _is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


def _free_port(address: str, held: ExitStack) -> int:
    """Return a free port; it stays taken until ``held`` closes, so that no two devices get the same."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    probe = held.enter_context(socket.socket(family, socket.SOCK_STREAM))
    probe.bind((address, 0))
    port: int = probe.getsockname()[1]
    return port


async def _start(network: Network, hardware: Sequence[LabDevice]) -> None:
    results = await asyncio.gather(*(network.devices[each.name].start() for each in hardware), return_exceptions=True)
    for each, result in zip(hardware, results, strict=True):
        if isinstance(result, OSError) and result.errno == errno.EADDRINUSE:
            raise FabricAutoError(
                f"{each.name}: {each.address} port {each.port} is in use",
                help="end what listens there, or change the port",
            )
        if isinstance(result, BaseException):
            raise result


async def _stop(network: Network) -> None:
    stopping = (asyncio.wait_for(device.stop(), _STOP_TIMEOUT_S) for device in network.devices.values())
    results = await asyncio.gather(*stopping, return_exceptions=True)
    for device, result in zip(network.devices.values(), results, strict=True):
        if isinstance(result, Exception):
            _LOG.error("%s did not stop: %r", device.name, result)


if __name__ == "__main__":
    sys.exit(main())
