"""A project on the emulated lab, driven through the command line alone."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from fabric_auto.lab.emulated.control import LabClient
from tests.strategies import Shape

SHAPE = Shape(leaves=2, spines=2, per_pair=1, hosts=1)
"""Two SONiC leaves, two SR Linux spines: 4 devices, 4 links."""


@dataclass(frozen=True)
class Lab:
    """A project with its lab up."""

    root: Path

    def run(self, *arguments: str, expect: int = 0, timeout: float = 150) -> subprocess.CompletedProcess[str]:
        """Run a command in the project and check its exit code."""
        command = [sys.executable, "-m", "fabric_auto", *arguments]
        environment = {**os.environ, "NO_COLOR": "1", "HOME": str(self.root / "home")}
        done = subprocess.run(
            command, cwd=self.root, capture_output=True, text=True, check=False, timeout=timeout, env=environment
        )
        assert done.returncode == expect, f"{arguments} gave {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done

    @property
    def client(self) -> LabClient:
        return LabClient.connect(self.root / ".fabric-auto" / "lab")

    def running(self, device: str) -> str:
        """Return the configuration that the device really has."""
        return self.client.running(device)

    def config_db(self, device: str) -> dict[str, dict[str, dict[str, str]]]:
        return json.loads(self.running(device))

    def write(self, shape: Shape) -> None:
        """Change the intent."""
        (self.root / "intents/fabric.yaml").write_text(shape.intent)

    def deploy(self, *arguments: str, expect: int = 0) -> subprocess.CompletedProcess[str]:
        return self.run("deploy", *arguments, expect=expect)


def free_ports(number: int) -> list[int]:
    sockets = [socket.socket() for _ in range(number)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()


def write_project(root: Path, shape: Shape) -> None:
    devices = [("sonic", f"east-leaf-{n:02}") for n in range(1, 5)] + [("srlinux", f"east-spine-{n:02}") for n in range(1, 3)]
    devices = [each for each in devices if int(each[1][-2:]) <= (shape.leaves if "leaf" in each[1] else shape.spines)]
    hosts = "".join(
        f"{name}: {{hostname: 127.0.0.1, port: {port}, groups: [{nos}]}}\n"
        for (nos, name), port in zip(devices, free_ports(len(devices)), strict=True)
    )
    files = {
        "fabric-auto.yaml": "apiVersion: v1\n",
        "intents/fabric.yaml": shape.intent,
        "inventory/hosts.yaml": hosts,
        "inventory/groups.yaml": "sonic: {platform: sonic}\nsrlinux: {platform: srlinux}\n",
        "inventory/defaults.yaml": "username: admin\npassword: file:.fabric-auto/lab/password\n",
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (root / "home").mkdir()


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    """A fresh project with its lab up, factory configuration on every device, host keys trusted."""
    write_project(tmp_path, SHAPE)
    lab = Lab(tmp_path)
    lab.run("lab", "up")
    try:
        lab.run("trust", "add", "--all", "--yes")
        yield lab
    finally:
        subprocess.run([sys.executable, "-m", "fabric_auto", "lab", "down"], cwd=tmp_path, capture_output=True, check=False)


@pytest.fixture
def deployed(lab: Lab) -> Lab:
    """The same, with the fabric deployed."""
    lab.deploy()
    return lab
