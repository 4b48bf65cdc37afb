"""A project on the emulated lab, driven through the command line alone."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import paramiko
import pytest
from ncclient import manager

from fabric_auto.lab.emulated.control import LabClient
from tests.strategies import Shape

BASE = "urn:ietf:params:xml:ns:netconf:base:1.0"
SHAPE = Shape(leaves=2, spines=2, per_pair=1, hosts=1)
"""Two SONiC leaves, two SR Linux spines: 4 devices, 4 links."""


@dataclass(frozen=True)
class Lab:
    """A project with its lab up."""

    root: Path

    def run(self, *arguments: str, expect: int | None = 0, timeout: float = 150) -> subprocess.CompletedProcess[str]:
        """Run a command in the project and check its exit code, unless ``expect`` is None."""
        command = [sys.executable, "-m", "fabric_auto", *arguments]
        environment = {**os.environ, "NO_COLOR": "1", "HOME": str(self.root / "home")}
        done = subprocess.run(
            command, cwd=self.root, capture_output=True, text=True, check=False, timeout=timeout, env=environment
        )
        assert expect is None or done.returncode == expect, (
            f"{arguments} gave {done.returncode}\n{done.stdout}\n{done.stderr}"
        )
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
        return self.run("deploy", "--yes", *arguments, expect=expect)

    def all_running(self) -> dict[str, str]:
        """Return the configuration of every device."""
        return {name: self.running(name) for name in self.client.status().devices}

    def operator(self, device: str, *commands: str) -> None:
        """Do what an operator does on a SONiC box behind the tool's back: shell commands, each must succeed."""
        port = self.client.status().devices[device].port
        with paramiko.SSHClient() as client:
            client.set_missing_host_key_policy(paramiko.AutoAddPolicy())
            client.connect("127.0.0.1", port, "admin", self.password, allow_agent=False, look_for_keys=False)
            for command in commands:
                _, stdout, stderr = client.exec_command(command, timeout=60)
                said = stdout.read().decode() + stderr.read().decode()
                assert stdout.channel.recv_exit_status() == 0, f"{command}: {said}"

    def patch(self, device: str, *operations: dict[str, object]) -> None:
        """Apply an operator's own patch on a SONiC box."""
        self.operator(device, f"echo '{json.dumps(operations)}' > /tmp/op.json", "sudo config apply-patch /tmp/op.json")

    def edit(self, device: str, config: str) -> None:
        """Commit an operator's own edit on an SR Linux box."""
        port = self.client.status().devices[device].port
        with manager.connect(
            host="127.0.0.1", port=port, username="admin", password=self.password, hostkey_verify=False,
            allow_agent=False, look_for_keys=False,
        ) as session:  # fmt: skip
            session.edit_config(target="candidate", config=f'<config xmlns="{BASE}">{config}</config>')
            session.commit()

    @property
    def password(self) -> str:
        return (self.root / ".fabric-auto/lab/password").read_text()


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
    devices = [("sonic", f"east-leaf-{n:02}") for n in range(1, 5)] + [
        ("srlinux", f"east-spine-{n:02}") for n in range(1, 3)
    ]
    devices = [each for each in devices if int(each[1][-2:]) <= (shape.leaves if "leaf" in each[1] else shape.spines)]
    hosts = "".join(
        f"{name}: {{hostname: 127.0.0.1, port: {port}, groups: [{nos}]}}\n"
        for (nos, name), port in zip(devices, free_ports(len(devices)), strict=True)
    )
    files = {
        "fabric-auto.yaml": "apiVersion: v1\ndeploy: {steady: 0s}\n",
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
def lab(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Lab]:
    """A fresh project with its lab up and factory configuration on every device; indirect parameters give its shape."""
    write_project(tmp_path, getattr(request, "param", SHAPE))
    lab = Lab(tmp_path)
    lab.run("lab", "up")
    try:
        yield lab
    finally:
        subprocess.run(
            [sys.executable, "-m", "fabric_auto", "lab", "down"], cwd=tmp_path, capture_output=True, check=False
        )


@pytest.fixture
def deployed(lab: Lab) -> Lab:
    """The same, with the fabric deployed."""
    lab.deploy()
    return lab
