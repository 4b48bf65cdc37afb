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

AS_RESERVED: Final = Rule(
    "FAB402",
    "as-number-reserved",
    """Leaves count up from the first AS number, so the last leaf's must be one too: at most 4294967294, and neither 23456
    (AS_TRANS, RFC 6793) nor 65535 (RFC 7300), which no router may use as its own.""",
)
_RESERVED: Final = frozenset({0, 23456, 65535})
_LAST: Final = 4294967294


def as_numbers_can_be_used(checked: Checked) -> list[Diagnostic]:
    """FAB402: every device's AS number is one that a router may have."""
    findings = []
    for fabric in checked.fabrics:
        bad = [each for each in fabric.devices.values() if each.bgp.asn in _RESERVED or each.bgp.asn > _LAST]
        if bad:
            more = f" (and {len(bad) - 1} more)" if len(bad) > 1 else ""
            findings.append(
                AS_RESERVED.at(
                    bad[0].bgp.origin,
                    f"`{bad[0].name}` would have AS number {bad[0].bgp.asn}{more}, which is reserved",
                    help="start the range so that every leaf has a usable number, like 4200000000 (RFC 6996)",
                )
            )
    return findings


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
