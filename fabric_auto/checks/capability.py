"""What the platform and its NOS release can do."""

from typing import Final

from fabric_auto.checks.model import Checked
from fabric_auto.diagnostics import Diagnostic, Note, Rule
from fabric_auto.fabric.model import Device

MTU: Final = Rule(
    "FAB702",
    "mtu-beyond-platform",
    """The fabric's IP MTU is larger than a platform in it can carry. The limit is the box's, not the model's: SR Linux commits
    refuse an `ip-mtu` that its YANG allows.""",
)
RELEASE: Final = Rule(
    "FAB704",
    "unknown-release",
    """The NOS release of a device is not one that this version renders for. The models of releases differ, so rendering for a near
    one could be refused, or worse, accepted and mean something else.""",
)


def mtu_fits_the_platform(checked: Checked) -> list[Diagnostic]:
    """FAB702: every platform of a fabric carries its IP MTU."""
    findings = []
    for fabric in checked.fabrics:
        small: dict[str, list[Device]] = {}
        for device in fabric.devices.values():
            if device.platform.limits.ip_mtu < fabric.mtu:
                small.setdefault(device.platform.name, []).append(device)
        for platform, devices in small.items():
            most = devices[0].platform.limits.ip_mtu
            findings.append(
                MTU.at(
                    fabric.origins["mtu"],
                    f"IP MTU {fabric.mtu} B is more than `{platform}` carries, {most} B{_on(devices)}",
                    notes=(Note("the platform is stated here", devices[0].origin),),
                    help=f"use `mtu: {most}` or less",
                )
            )
    return findings


def release_is_known(checked: Checked) -> list[Diagnostic]:
    """FAB704: each device runs a release that its platform's renderer knows."""
    unknown: dict[tuple[str, str], list[Device]] = {}
    for fabric in checked.fabrics:
        for device in fabric.devices.values():
            if not device.platform.knows(device.release):
                unknown.setdefault((device.nos, device.release), []).append(device)
    findings = []
    for (nos, release), devices in unknown.items():
        host = checked.hosts.get(devices[0].name)
        where = host.span if host is not None and devices[0].release_stated else devices[0].origin
        trains = ", ".join(f"`{train}`" for train in devices[0].platform.releases)
        findings.append(
            RELEASE.at(
                where,
                f"{nos} release `{release}` is not known for `{devices[0].platform.name}`{_on(devices)}",
                help=f"releases: {trains}",
            )
        )
    return findings


def _on(devices: list[Device]) -> str:
    return (
        f" (`{devices[0].name}`)" if len(devices) == 1 else f" (on {len(devices)} devices, first `{devices[0].name}`)"
    )
