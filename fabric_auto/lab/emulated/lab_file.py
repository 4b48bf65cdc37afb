"""``lab.json``: how a running lab is found, and the token that steers it. Only its owner can read it."""

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

from fabric_auto.errors import FabricAutoError

NAME: Final = "lab.json"
_HELP: Final = "start it with `fabric-auto lab up`"


@dataclass(frozen=True, slots=True)
class Control:
    """Where the control socket listens, and the token that each request carries."""

    address: str
    port: int
    token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a device listens: SSH for SONiC, NETCONF for SR Linux."""

    nos: str
    address: str
    port: int


@dataclass(frozen=True, slots=True)
class LabFile:
    """A running lab.

    Attributes:
        pid: its process.
        username: the user of every device.
        devices: by name.
    """

    pid: int
    username: str
    control: Control
    devices: dict[str, Endpoint]
    version: int = 1

    def write(self, state_dir: Path) -> None:
        """Write the file whole or not at all, for the owner only (mode 0600)."""
        write_private(state_dir / NAME, json.dumps(asdict(self), indent=1) + "\n")

    @staticmethod
    def read(state_dir: Path) -> "LabFile":
        """Read the file of the lab in ``state_dir``.

        Raises:
            FabricAutoError: there is none, or it is not one.
        """
        path = state_dir / NAME
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            return LabFile(
                pid=data["pid"],
                username=data["username"],
                control=Control(**data["control"]),
                devices={name: Endpoint(**each) for name, each in data["devices"].items()},
                version=data["version"],
            )
        except FileNotFoundError:
            raise FabricAutoError(f"no lab is running in {state_dir}", help=_HELP) from None
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise FabricAutoError(
                f"{path} is not a lab file: {error!r}", help="remove it, then start the lab"
            ) from error


def not_running(state_dir: Path, lab: LabFile) -> FabricAutoError:
    """Return the error for a lab file whose process does not answer."""
    return FabricAutoError(f"the lab in {state_dir} (process {lab.pid}) is no longer running", help=_HELP)


def write_private(path: Path, text: str) -> None:
    """Write a file for the owner only (mode 0600), by way of a new file that takes its place."""
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    aside.unlink(missing_ok=True)
    descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        stream.write(text)
    aside.replace(path)
