"""The emulated lab's life: start its one process, wait until every device listens, stop it."""

import os
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from fabric_auto.errors import FabricAutoError
from fabric_auto.lab.emulated.control import LabClient
from fabric_auto.lab.emulated.topology import LabTopology

START_BUDGET_S: Final = 60


def state_dir(project: Path) -> Path:
    """Return where the lab of a project keeps its files."""
    return project / ".fabric-auto" / "lab"


def up(topology: LabTopology, folder: Path, *, yang: Path | None, progress: Callable[[str], None]) -> LabClient:
    """Start the lab and return when every device listens.

    Raises:
        FabricAutoError: a lab is already running here, or it did not start; the reason is in the message.
    """
    if _is_running(folder):
        raise FabricAutoError("the lab of this project is already running", help="stop it first: fabric-auto lab down")
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise FabricAutoError(
            f"{folder} cannot be made: {error.strerror}", help="the lab keeps its files in the project"
        ) from None
    shutil.rmtree(folder / "devices", ignore_errors=True)  # factory configuration, not yesterday's files
    _write_private(folder / "password", secrets.token_urlsafe(24))
    topology.write(folder / "topology.json")
    (folder / "lab.json").unlink(missing_ok=True)
    command = [
        sys.executable,
        "-m",
        "fabric_auto.lab.emulated.process",
        str(folder),
        *(["--yang", str(yang)] if yang else []),
    ]
    with (folder / "lab.out").open("wb") as out:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True)
    progress(f"starting {len(topology.devices)} devices")
    deadline = time.monotonic() + START_BUDGET_S
    while time.monotonic() < deadline:
        if (folder / "lab.json").is_file():
            return LabClient.connect(folder)
        if process.poll() is not None:
            raise FabricAutoError(
                f"the lab did not start: {_last_line(folder / 'lab.out')}", help=f"its log is {folder / 'lab.log'}"
            )
        time.sleep(0.05)
    process.terminate()
    raise FabricAutoError(f"the lab did not start within {START_BUDGET_S} s", help=f"its log is {folder / 'lab.log'}")


def down(folder: Path) -> None:
    """Stop the lab and wait until it is gone.

    Raises:
        FabricAutoError: no lab is running here.
    """
    client = LabClient.connect(folder)
    client.stop()
    deadline = time.monotonic() + START_BUDGET_S
    while (folder / "lab.json").exists() and time.monotonic() < deadline:
        time.sleep(0.05)


def _is_running(folder: Path) -> bool:
    try:
        LabClient.connect(folder)
    except FabricAutoError:
        return False
    return True


def _write_private(path: Path, text: str) -> None:
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)


def _last_line(path: Path) -> str:
    lines = path.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return lines[-1] if lines else "it said nothing"
