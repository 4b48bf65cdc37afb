"""A switch in a background event loop, its shell without SSH, and SSH clients for it."""

import asyncio
import base64
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import asyncssh
import paramiko
import pytest

from fabric_auto.lab.emulated.sonic.device import SonicDevice
from fabric_auto.lab.emulated.sonic.shell import Shell, Streams
from fabric_auto.lab.emulated.sonic.validation import Schema
from fabric_auto.lab.emulated.topology import LabDevice, PanelPort

PASSWORD = "YourPaSsWoRd"
KEY = asyncssh.generate_private_key("ssh-ed25519")
HARDWARE = LabDevice(
    name="east-leaf-01",
    nos="sonic",
    release="202505",
    model="Arista-7060X6-64PE",
    platform="x86_64-arista_7060x6_64pe",
    address="127.0.0.1",
    port=0,
    mac="1a:2b:3c:00:00:01",
    # device/arista/x86_64-arista_7060x6_64pe/Arista-7060X6-64PE/port_config.ini
    ports=(
        PanelPort("Ethernet0", tuple(range(17, 25)), "etp1", 1, 800_000, "rs"),
        PanelPort("Ethernet8", tuple(range(1, 9)), "etp2", 2, 800_000, "rs"),
        PanelPort("Ethernet16", tuple(range(9, 17)), "etp3", 3, 800_000, "rs"),
        PanelPort("Ethernet24", tuple(range(25, 33)), "etp4", 4, 800_000, "rs"),
    ),
)


@dataclass(frozen=True)
class Result:
    """What a command line printed and returned; ``both`` is the two streams as a terminal shows them."""

    code: int
    out: str
    err: str
    both: str


class Box:
    """A switch on the loop of a thread, with a shell of the user admin."""

    def __init__(self, lab: "Lab", device: SonicDevice) -> None:
        self.lab, self.device = lab, device
        self.shell: Shell = device.login()

    def run(self, line: str) -> Result:
        out: list[str] = []
        err: list[str] = []
        both: list[str] = []

        def act() -> int:
            streams = Streams(
                lambda text: (out.append(text), both.append(text)), lambda text: (err.append(text), both.append(text))
            )
            return self.shell.run(line, streams)

        code = self.lab.run(act)
        return Result(code, "".join(out), "".join(err), "".join(both))

    def config(self) -> dict:
        return json.loads(self.lab.run(self.device.running))

    def write(self, path: str, content: object) -> str:
        text = content if isinstance(content, str) else json.dumps(content)
        self.device.files.write(path, text, root=True)
        return path

    def patch(self, operations: object, *flags: str) -> Result:
        self.write("/home/admin/patch.json", operations)
        return self.run(f"sudo config apply-patch {' '.join(flags)} /home/admin/patch.json")

    def reload(self, config: object, *flags: str) -> Result:
        self.write("/home/admin/new.json", config)
        return self.run(f"sudo config reload -y -f {' '.join(flags)} /home/admin/new.json")


class Lab:
    """An event loop in a thread and the switches on it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.changes = 0
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.devices: list[SonicDevice] = []
        self.clients: list[paramiko.SSHClient] = []

    def call(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(30)

    def run(self, function: Callable):
        async def wrapped():
            return function()

        return self.call(wrapped())

    def _count(self) -> None:
        self.changes += 1

    def box(self, release: str = "202505", yang: Schema | None = None, hardware: LabDevice = HARDWARE) -> Box:
        root = self.root / f"device-{len(self.devices)}"
        root.mkdir()
        device = SonicDevice(replace(hardware, release=release), root, KEY, "admin", PASSWORD, self._count, yang)
        self.call(device.start())
        self.devices.append(device)
        return Box(self, device)

    def connect(self, device: SonicDevice, password: str = PASSWORD) -> paramiko.SSHClient:
        client = paramiko.SSHClient()
        name, blob = KEY.export_public_key().decode().split()[:2]
        key = paramiko.PKey.from_type_string(name, base64.b64decode(blob))
        client.get_host_keys().add(f"[127.0.0.1]:{device.port}", name, key)
        client.set_missing_host_key_policy(paramiko.RejectPolicy())
        client.connect("127.0.0.1", device.port, "admin", password, look_for_keys=False, allow_agent=False, timeout=10)
        self.clients.append(client)
        return client

    async def _settle(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        if others:
            await asyncio.wait(others, timeout=10)

    def close(self) -> None:
        for client in self.clients:
            client.close()
        for device in self.devices:
            self.call(device.stop())
        self.call(self._settle())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(10)
        self.loop.close()


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    made = Lab(tmp_path)
    yield made
    made.close()


@pytest.fixture
def box(lab: Lab) -> Box:
    return lab.box()
