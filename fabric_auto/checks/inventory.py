"""The inventory against the fabric."""

from typing import Final

from fabric_auto.checks.model import Checked
from fabric_auto.core.names import near_miss
from fabric_auto.diagnostics import Diagnostic, Note, Rule
from fabric_auto.intent import rules

TRANSPORT: Final = Rule(
    "FAB703",
    "transport-mismatch",
    """The inventory reaches a device as one NOS (`platform: sonic` is SSH, `platform: srlinux` is NETCONF), the intent gives it a
    platform of another. One of the two is wrong.""",
)


def transport_matches_the_platform(checked: Checked) -> list[Diagnostic]:
    """FAB703: the inventory and the intent agree on each device's NOS."""
    findings = []
    for fabric in checked.fabrics:
        for device in fabric.devices.values():
            host = checked.hosts.get(device.name)
            if host is not None and host.nos is not None and host.nos != device.nos:
                findings.append(
                    TRANSPORT.at(
                        host.span,
                        f"`{device.name}` is reached as {host.nos}, its platform `{device.platform.name}` runs {device.nos}",
                        notes=(Note("its platform is stated here", device.origin),),
                        help=f"write `platform: {device.nos}` in the inventory, or change the intent",
                    )
                )
    return findings


def every_host_is_a_device(checked: Checked) -> list[Diagnostic]:
    """FAB114: every inventory host is a device of some fabric."""
    if not checked.complete:
        return []
    names = {name for fabric in checked.fabrics for name in fabric.devices}
    findings = []
    for host in checked.hosts.values():
        if host.name not in names:
            near = near_miss(host.name, sorted(names - checked.hosts.keys()))
            hint = (
                f"a device without inventory entry has a similar name: `{near}`"
                if near
                else "remove it, or add it to a fabric"
            )
            findings.append(
                rules.UNUSED.at(host.span, f"inventory host `{host.name}` is a device of no fabric", help=hint)
            )
    return findings
