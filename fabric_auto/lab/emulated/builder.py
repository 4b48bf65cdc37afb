"""Making the emulated devices of a lab, with the vendors' models shared by the devices of one release."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import asyncssh

from fabric_auto.errors import FabricAutoError
from fabric_auto.lab.emulated.network import LabSwitch
from fabric_auto.lab.emulated.topology import LabDevice
from fabric_auto.yang.sonic import SonicSchema
from fabric_auto.yang.srlinux import SrlinuxSchema


@dataclass(slots=True)
class Builder:
    """Makes devices; called once a device.

    Attributes:
        roots: the folder under which each SONiC device keeps its files.
        yang: the folder of the vendors' models, ``sonic/<release>`` and ``srlinux``; None to go without.
        username, password: of the one user of every device.
    """

    roots: Path
    yang: Path | None
    username: str
    password: str = field(repr=False)
    _sonic: dict[str, SonicSchema] = field(default_factory=dict)
    _srlinux: dict[tuple[str, str], SrlinuxSchema] = field(default_factory=dict)

    def __call__(self, hardware: LabDevice, key: asyncssh.SSHKey, on_change: Callable[[], None]) -> LabSwitch:
        """Return the device, not listening yet.

        Raises:
            FabricAutoError: no such NOS, or no models for the release.
        """
        if hardware.nos == "sonic":
            return self._sonic_device(hardware, key, on_change)
        if hardware.nos == "srlinux":
            return self._srlinux_device(hardware, key, on_change)
        raise FabricAutoError(f"{hardware.name}: there is no emulated `{hardware.nos}`; there are: sonic, srlinux")

    # A lab of one NOS does without the other's emulator, so each is imported by the first device that needs it.

    def _sonic_device(self, hardware: LabDevice, key: asyncssh.SSHKey, on_change: Callable[[], None]) -> LabSwitch:
        from fabric_auto.lab.emulated.sonic.device import SonicDevice  # noqa: PLC0415

        root = self.roots / hardware.name
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
        models = self._sonic_schema(hardware)
        return SonicDevice(hardware, root, key, self.username, self.password, on_change, models)

    def _srlinux_device(self, hardware: LabDevice, key: asyncssh.SSHKey, on_change: Callable[[], None]) -> LabSwitch:
        from fabric_auto.lab.emulated.srlinux.device import SrlinuxDevice  # noqa: PLC0415

        models = self._srlinux_schema(hardware)
        return SrlinuxDevice(hardware, key, self.username, self.password, on_change, models)

    def _sonic_schema(self, hardware: LabDevice) -> SonicSchema | None:
        if self.yang is None:
            return None
        if hardware.release not in self._sonic:
            self._sonic[hardware.release] = SonicSchema(_folder(self.yang / "sonic" / hardware.release, hardware))
        return self._sonic[hardware.release]

    def _srlinux_schema(self, hardware: LabDevice) -> SrlinuxSchema | None:
        if self.yang is None:
            return None
        # The models call the chassis "7220 IXR-H4" 7220-IXR-H4.
        key = (hardware.release, hardware.model.replace(" ", "-"))
        if key not in self._srlinux:
            self._srlinux[key] = SrlinuxSchema(_folder(self.yang / "srlinux", hardware), *key)
        return self._srlinux[key]


def _folder(path: Path, hardware: LabDevice) -> Path:
    if not path.is_dir():
        raise FabricAutoError(
            f"{hardware.name}: no models of {hardware.nos} {hardware.release} at {path}",
            help="name the folder that holds sonic/<release> and srlinux with --yang, or leave --yang out",
        )
    return path
