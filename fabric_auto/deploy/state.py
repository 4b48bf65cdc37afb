"""What was set on each device last, a file a device: ``.fabric-auto/state/<device>.json``."""

from pathlib import Path

from fabric_auto.deploy.files import write_atomically
from fabric_auto.errors import FabricAutoError
from fabric_auto.plan.state import DeviceState


class StateStore:
    """The device states of a project.

    Args:
        folder: where they are, a file a device.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def load(self, device: str) -> DeviceState | None:
        """Return a device's state; None when nothing was ever confirmed on it.

        Raises:
            FabricAutoError: the file cannot be read, is of another device, or of a newer format.
        """
        path = self._path(device)
        try:
            text = path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise FabricAutoError(f"the state of {device} cannot be read: {error.strerror}: {path}") from None
        state = DeviceState.load(text)
        if state.device != device:
            raise FabricAutoError(f"{path} is the state of {state.device}", help="restore it from a backup")
        return state

    def load_all(self) -> dict[str, DeviceState]:
        """Return every state there is, by device."""
        names = sorted(path.stem for path in self.folder.glob("*.json")) if self.folder.is_dir() else []
        found = {name: self.load(name) for name in names}
        return {name: state for name, state in found.items() if state is not None}

    def save(self, state: DeviceState) -> None:
        """Keep a device's state, whole or not at all.

        Raises:
            OSError: it cannot be written; the old one stays.
        """
        write_atomically(self._path(state.device), state.dump())

    def _path(self, device: str) -> Path:
        return self.folder / f"{device}.json"
