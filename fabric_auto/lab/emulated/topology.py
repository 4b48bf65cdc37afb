"""The lab as built: devices, their hardware, and the cables between them. Read from and written to JSON.

The lab knows hardware and cables, never intents: what runs on a device is only what somebody configured there.
"""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class PanelPort:
    """A front-panel port of the hardware as shipped.

    Attributes:
        name: the NOS name of the whole port (``Ethernet0``, ``ethernet-1/1``).
        lanes: SerDes lanes, as the SKU's port_config states them; empty on SR Linux.
        alias: the vendor's name of the port (``Ethernet1/1``, ``etp1``).
        index: front-panel number.
        speed_mbps: native speed, Mb/s.
        fec: FEC of the factory configuration, ``""`` when it states none.
    """

    name: str
    lanes: tuple[int, ...]
    alias: str
    index: int
    speed_mbps: int
    fec: str = ""


@dataclass(frozen=True, slots=True)
class LabDevice:
    """One emulated switch.

    Attributes:
        nos: ``sonic`` or ``srlinux``.
        release: what ``show version`` answers ("202505", "25.3.1").
        model: SONiC HWSKU, SR Linux chassis type ("7220 IXR-H4").
        platform: SONiC ONIE platform; empty on SR Linux.
        address, port: where the server listens: SSH for SONiC, NETCONF for SR Linux. Loopback only.
        mac: system MAC address.
    """

    name: str
    nos: str
    release: str
    model: str
    platform: str
    address: str
    port: int
    mac: str
    ports: tuple[PanelPort, ...]


@dataclass(frozen=True, slots=True, order=True)
class CableEnd:
    """A device (or host) and its port, by NOS name after breakout (or NIC name)."""

    device: str
    port: str


@dataclass(frozen=True, slots=True)
class Cable:
    """A cable as it was really plugged; either end may be a host that is no emulated device."""

    a: CableEnd
    b: CableEnd
    length_m: int


@dataclass(frozen=True, slots=True)
class LabTopology:
    """Everything the lab is made of."""

    devices: tuple[LabDevice, ...]
    cables: tuple[Cable, ...]
    version: int = field(default=1)

    def write(self, path: Path) -> None:
        """Write the topology as JSON."""
        path.write_text(json.dumps(asdict(self), indent=1) + "\n", encoding="utf-8")

    @staticmethod
    def read(path: Path) -> "LabTopology":
        """Read a topology that :meth:`write` wrote.

        Raises:
            ValueError: the file is not one.
        """
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            devices = tuple(
                LabDevice(
                    **{**each, "ports": tuple(PanelPort(**{**p, "lanes": tuple(p["lanes"])}) for p in each["ports"])}
                )
                for each in data["devices"]
            )
            cables = tuple(Cable(CableEnd(**c["a"]), CableEnd(**c["b"]), c["length_m"]) for c in data["cables"])
        except (KeyError, TypeError) as error:
            raise ValueError(f"{path} is not a lab topology: {error!r}") from error
        return LabTopology(devices, cables, data["version"])
