"""SONiC as the rest of the tool knows it."""

from collections.abc import Mapping

from fabric_auto.device.model import DeviceConfig
from fabric_auto.device.observed import Observed
from fabric_auto.vendors.base import Leaves, Rendered
from fabric_auto.vendors.sonic.leaves import parse
from fabric_auto.vendors.sonic.observe import QUESTIONS, observe
from fabric_auto.vendors.sonic.render import render


class Sonic:
    """The SONiC vendor (community SONiC, bgpcfgd). It has no templates: CONFIG_DB is built as data."""

    name: str = "sonic"
    releases: tuple[str, ...] = ("202505", "202511", "202605")
    questions: tuple[str, ...] = QUESTIONS

    def render(self, device: DeviceConfig) -> Rendered:
        """Return the device's artifact, leaves and ownership."""
        return render(device)

    def parse(self, running: bytes) -> Leaves:
        """Read CONFIG_DB JSON as leaves."""
        return parse(running)

    def observe(self, answers: Mapping[str, str]) -> Observed:
        """Turn the commands' output into observed state."""
        return observe(answers)


VENDOR = Sonic()
