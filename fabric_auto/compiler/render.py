"""From a sound program to rendered devices, one after the other."""

from collections.abc import Collection, Iterator

from fabric_auto.compiler.program import Program
from fabric_auto.device.derive import derive
from fabric_auto.device.model import DeviceConfig
from fabric_auto.vendors.base import Rendered
from fabric_auto.vendors.registry import vendor


def render(program: Program, only: Collection[str] | None = None) -> Iterator[tuple[DeviceConfig, Rendered]]:
    """Derive and render devices, in fabric and tier order; nothing is kept.

    Args:
        only: names of the devices wanted; all of them when None.
    """
    for fabric, device in program.devices():
        if only is None or device.name in only:
            config = derive(fabric, device.name)
            yield config, vendor(device.nos, program.project.templates).render(config)
