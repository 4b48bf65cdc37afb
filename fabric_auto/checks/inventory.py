"""The inventory against the fabric."""

from typing import Final

from fabric_auto.checks.model import Checked
from fabric_auto.core.names import near_miss
from fabric_auto.diagnostics import Diagnostic, Note, Rule, Severity
from fabric_auto.intent import rules
from fabric_auto.intent.inventory import InventoryHost

TRANSPORT: Final = Rule(
    "FAB703",
    "transport-mismatch",
    """The inventory reaches a device as one NOS (`platform: sonic` is SSH, `platform: srlinux` is NETCONF), the intent gives it a
    platform of another. One of the two is wrong.""",
)

SHARED_ADDRESS: Final = Rule(
    "FAB705",
    "one-address-for-two-devices",
    """Two devices of the inventory have one address and port: both would be configured on one switch.""",
)
MISSING: Final = Rule(
    "FAB115",
    "device-not-in-inventory",
    """The project has an inventory, and a device of a fabric is not in it: it compiles, but cannot be reached.""",
    severity=Severity.WARNING,
)


def every_device_has_an_address_of_its_own(checked: Checked) -> list[Diagnostic]:
    """FAB705: no two hosts of the inventory are one switch."""
    first: dict[tuple[str, int | None], InventoryHost] = {}
    findings = []
    for host in checked.hosts.values():
        other = first.setdefault((host.address, host.port), host)
        if other is not host:
            where = f"{host.address}:{host.port}" if host.port is not None else host.address
            findings.append(
                SHARED_ADDRESS.at(
                    host.span,
                    f"`{host.name}` and `{other.name}` are both at {where}",
                    notes=(Note(f"`{other.name}` is here", other.span),),
                    help="give each its own address or port",
                )
            )
    return findings


def every_device_is_in_the_inventory(checked: Checked) -> list[Diagnostic]:
    """FAB115: when there is an inventory, every device is in it."""
    if not checked.hosts:
        return []
    missing = [
        device for fabric in checked.fabrics for device in fabric.devices.values() if device.name not in checked.hosts
    ]
    if not missing:
        return []
    more = f" (and {len(missing) - 1} more)" if len(missing) > 1 else ""
    near = near_miss(missing[0].name, checked.hosts)
    hint = f"a host with a similar name is there: `{near}`; " if near else ""
    return [
        MISSING.at(
            missing[0].origin,
            f"`{missing[0].name}`{more} is not in the inventory",
            help=f"{hint}add it to inventory/hosts.yaml before it is to be reached",
        )
    ]


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
