"""Routing: AS numbers that lose routes."""

from typing import Final

from fabric_auto.checks.model import Checked
from fabric_auto.diagnostics import Diagnostic, Note, Rule
from fabric_auto.fabric.model import Device, Role

AS_REUSE: Final = Rule(
    "FAB401",
    "as-number-reused",
    """Two leaves, or a leaf and a spine, have one AS number: each drops the other's routes, since its own number is in their AS
    path (RFC 4271 §9.1.2). Spines of one fabric share theirs on purpose (RFC 7938 §5.2). Start the ranges far enough apart.""",
)


def as_numbers_are_apart(checked: Checked) -> list[Diagnostic]:
    """FAB401: within a fabric, a leaf's AS number is nobody else's."""
    findings: list[Diagnostic] = []
    for fabric in checked.fabrics:
        seen: dict[int, Device] = {}
        clashes: list[tuple[Device, Device]] = []
        for device in fabric.devices.values():
            first = seen.setdefault(device.bgp.asn, device)
            if first is not device and Role.LEAF in {first.role, device.role}:
                clashes.append((first, device))
        if clashes:
            first, second = clashes[0]
            more = f" (and {len(clashes) - 1} more)" if len(clashes) > 1 else ""
            findings.append(
                AS_REUSE.at(
                    second.bgp.origin,
                    f"`{first.name}` and `{second.name}` both have AS number {second.bgp.asn}{more}",
                    notes=(Note(f"the range of `{first.tier}` starts here", first.bgp.origin),),
                    help="leaves count up from their number, one each; start the ranges further apart",
                )
            )
    return findings
