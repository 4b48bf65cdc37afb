"""A switch in a background event loop, and clients for it."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import asyncssh
import ncclient.transport.session
import pytest
from lxml import etree
from ncclient import manager

from fabric_auto.lab.emulated.srlinux.device import SrlinuxDevice
from fabric_auto.lab.emulated.srlinux.rules import Models
from fabric_auto.lab.emulated.topology import LabDevice, PanelPort

SHARED = Path(__file__).parents[5] / "shared"
NAMESPACES = {
    "if": "urn:nokia.com:srlinux:chassis:interfaces",
    "ni": "urn:nokia.com:srlinux:net-inst:network-instance",
    "bgp": "urn:nokia.com:srlinux:bgp:bgp",
    "fib": "urn:nokia.com:srlinux:fib:ip-route-tables",
    "sys": "urn:nokia.com:srlinux:general:system",
    "lldp": "urn:nokia.com:srlinux:lldp:lldp",
    "info": "urn:nokia.com:srlinux:linux:system-info",
    "conf": "urn:nokia.com:srlinux:general:configuration",
    "name": "urn:nokia.com:srlinux:chassis:system-name",
    "plat": "urn:nokia.com:srlinux:chassis:platform",
    "chas": "urn:nokia.com:srlinux:chassis:platform-chassis",
    "pol": "urn:nokia.com:srlinux:plcy:routing-policy",
}
KEY = asyncssh.generate_private_key("ssh-ed25519")
HARDWARE = LabDevice(
    name="east-leaf-01",
    nos="srlinux",
    release="25.3.1",
    model="7220 IXR-H4",
    platform="",
    address="127.0.0.1",
    port=0,
    mac="1a:2b:3c:00:00:01",
    ports=tuple(PanelPort(f"ethernet-1/{n}", (), f"ethernet-1/{n}", n, 400_000) for n in range(1, 65)),
)


class Lab:
    """An event loop in a thread and the switches on it."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.devices: list[SrlinuxDevice] = []
        self.managers: list[manager.Manager] = []

    def call(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(30)

    def run(self, function: Callable[[], object]) -> object:
        async def wrapped() -> object:
            return function()

        return self.call(wrapped())

    def switch(self, yang: Models | None = None, hardware: LabDevice = HARDWARE, **options: bool) -> SrlinuxDevice:
        device = SrlinuxDevice(hardware, KEY, "admin", "NokiaSrl1!", lambda: None, yang, **options)
        self.call(device.start())
        self.devices.append(device)
        return device

    def connect(self, device: SrlinuxDevice, password: str = "NokiaSrl1!") -> manager.Manager:
        client = manager.connect(
            host="127.0.0.1",
            port=device.port,
            username="admin",
            password=password,
            hostkey_verify=False,
            look_for_keys=False,
            allow_agent=False,
            timeout=20,
        )
        self.managers.append(client)
        return client

    async def _settle(self) -> None:
        """Let what is closing finish closing."""
        others = asyncio.all_tasks() - {asyncio.current_task()}
        if others:
            await asyncio.wait(others, timeout=10)

    def close(self) -> None:
        for client in self.managers:
            client._session.close()  # not close_session: a dropped session would wait for its answer
        for device in self.devices:
            self.call(device.stop())
        self.call(self._settle())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(10)
        self.loop.close()


@pytest.fixture
def lab(monkeypatch: pytest.MonkeyPatch) -> Iterator[Lab]:
    monkeypatch.setattr(ncclient.transport.session, "TICK", 0.005)
    made = Lab()
    yield made
    made.close()


@pytest.fixture
def switch(lab: Lab) -> SrlinuxDevice:
    return lab.switch()


@pytest.fixture
def client(lab: Lab, switch: SrlinuxDevice) -> manager.Manager:
    return lab.connect(switch)


@pytest.fixture
def hardware() -> LabDevice:
    return HARDWARE


@pytest.fixture
def h5() -> LabDevice:
    return replace(HARDWARE, release="25.10.1", model="7220 IXR-H5-64D")


@pytest.fixture
def shared() -> Path:
    if not SHARED.is_dir():
        pytest.skip("the vendor's models and examples are not beside the repository")
    return SHARED


@pytest.fixture
def payload() -> Callable[[str], str]:
    """Wrap elements as the config parameter of edit-config."""
    return lambda inner: (
        '<config xmlns="urn:ietf:params:xml:ns:netconf:base:1.0" '
        f'xmlns:nc="urn:ietf:params:xml:ns:netconf:base:1.0">{inner}</config>'
    )


@pytest.fixture
def find() -> Callable[[object, str], list[str]]:
    """Values at an XPath of a reply's data or of XML text, prefixes as in NAMESPACES."""

    def values(source: object, path: str) -> list[str]:
        text = source if isinstance(source, str) else source.data_xml
        found = etree.fromstring(text.encode()).xpath(path, namespaces=NAMESPACES)
        return [each if isinstance(each, str) else (each.text or "") for each in found]

    return values
