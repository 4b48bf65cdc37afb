"""From a project to fabrics and findings: everything that needs no vendor."""

from collections.abc import Iterator
from dataclasses import dataclass

from fabric_auto import checks
from fabric_auto.compiler.project import Project
from fabric_auto.diagnostics import Diagnostic, Severity
from fabric_auto.diagnostics.render import ordered
from fabric_auto.fabric.build import Surroundings, build
from fabric_auto.fabric.model import Device, Fabric
from fabric_auto.platforms import catalogue


@dataclass(frozen=True, slots=True)
class Program:
    """A project that was read, expanded and checked.

    Attributes:
        fabrics: empty when a finding is an error.
        findings: of every stage, in order.
    """

    project: Project
    fabrics: tuple[Fabric, ...]
    findings: tuple[Diagnostic, ...]

    @property
    def is_sound(self) -> bool:
        """True when nothing is in error."""
        return not any(finding.severity is Severity.ERROR for finding in self.findings)

    def devices(self) -> Iterator[tuple[Fabric, Device]]:
        """Yield every device with its fabric, in fabric and tier order."""
        for fabric in self.fabrics:
            for device in fabric.devices.values():
                yield fabric, device


def check(project: Project) -> Program:
    """Expand and check a project: everything that needs no vendor."""
    findings = list(project.findings)
    fabrics: list[Fabric] = []
    if project.is_sound:
        surroundings = Surroundings(catalogue.load(project.platforms), project.inventory, project.settings.releases)
        fabrics, found = build(project.intents, surroundings)
        findings.extend(found)
        findings.extend(checks.run(tuple(fabrics), project.inventory, complete=len(fabrics) == len(project.intents)))
    sound = not any(finding.severity is Severity.ERROR for finding in findings)
    return Program(project, tuple(fabrics) if sound else (), tuple(ordered(findings)))
