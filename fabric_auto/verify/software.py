"""Every device is the model, and runs the release, that its configuration was compiled for: FAB907."""

from collections.abc import Iterator, Mapping

from fabric_auto.core.releases import is_of
from fabric_auto.device.observed import Observed
from fabric_auto.diagnostics import Diagnostic
from fabric_auto.fabric.model import Device, Fabric
from fabric_auto.verify import rules


def software(fabric: Fabric, observed: Mapping[str, Observed]) -> Iterator[Diagnostic]:
    """Yield one finding for all devices of a tier that differ alike."""
    found: dict[tuple[str, str, str], list[Device]] = {}
    for device in fabric.devices.values():
        state = observed.get(device.name)
        if state is None:
            continue
        difference = _difference(device, state)
        if difference:
            found.setdefault((device.tier, device.platform.name, difference), []).append(device)
    for (_, _, difference), devices in found.items():
        first = devices[0]
        more = f" (and {len(devices) - 1} more)" if len(devices) > 1 else ""
        yield rules.WRONG_SOFTWARE.at(
            first.origin,
            f"compiled for another device: {first.name} {difference}{more}",
            subject=first.name,
            help="correct the platform in the intent or the release in the inventory, or upgrade the device",
        )


def _difference(device: Device, state: Observed) -> str:
    parts = []
    if state.model != device.platform.model:
        parts.append(f"is model {state.model}, not {device.platform.model}")
    if not is_of(state.release, device.release):
        parts.append(f"runs release {state.release}, not {device.release}")
    return " and ".join(parts)
