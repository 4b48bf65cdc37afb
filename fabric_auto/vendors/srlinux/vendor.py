"""SR Linux as the rest of the tool knows it."""

from collections.abc import Mapping
from pathlib import Path as FilePath

from fabric_auto.device.model import DeviceConfig
from fabric_auto.device.observed import Observed
from fabric_auto.vendors.base import Leaves, Rendered
from fabric_auto.vendors.srlinux.observe import QUESTIONS, observe
from fabric_auto.vendors.srlinux.render import render
from fabric_auto.vendors.srlinux.tree import parse


class SrLinux:
    """The SR Linux vendor, with a project's own templates when it has any."""

    name: str = "srlinux"
    releases: tuple[str, ...] = ("25.3",)
    questions: tuple[str, ...] = QUESTIONS

    def __init__(self, templates: FilePath | None = None) -> None:
        self._templates = templates

    def render(self, device: DeviceConfig) -> Rendered:
        """Return the device's artifacts, leaves and ownership."""
        return render(device, self._templates)

    def parse(self, running: bytes) -> Leaves:
        """Read a NETCONF ``<config>`` or ``<data>`` as leaves."""
        return parse(running)

    def observe(self, answers: Mapping[str, str]) -> Observed:
        """Turn ``<data>`` answers to the subtree filters into observed state."""
        return observe(answers)


VENDOR = SrLinux()
