"""``compile``: a checked program to files, one device after the other."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Final

import fabric_auto
from fabric_auto.compiler.cabling import cabling
from fabric_auto.compiler.output import MANIFEST, output
from fabric_auto.compiler.program import Program
from fabric_auto.compiler.render import render
from fabric_auto.compiler.validation import YangCheck
from fabric_auto.device.model import DeviceConfig
from fabric_auto.diagnostics import Diagnostic
from fabric_auto.vendors.base import Ownership, Rendered

FORMAT_VERSION: Final = "1.0"


def compile_to(
    program: Program, folder: Path, *, yang: Path | None = None, progress: Callable[[str], None] = lambda _: None
) -> list[Diagnostic]:
    """Write every artifact of a sound program below ``folder``.

    Args:
        yang: vendor models to validate every artifact against.
        progress: called with each device's name when it is done.

    Returns:
        YANG violations; when there is one, ``folder`` is left as it was.

    Raises:
        FabricAutoError: the folder cannot be written, a template is wrong, or models are missing.
    """
    check = YangCheck(yang) if yang is not None else None
    findings: list[Diagnostic] = []
    devices: dict[str, object] = {}
    with output(folder) as out:
        for config, rendered in render(program):
            digests = {
                each.name: out.write(f"devices/{config.name}/{each.name}", each.content) for each in rendered.artifacts
            }
            devices[config.name] = _entry(config, rendered, digests)
            if check is not None:
                findings.extend(check.findings(config, rendered))
            progress(config.name)
        for fabric in program.fabrics:
            out.write(f"fabric/{fabric.name}/cabling.csv", cabling(fabric))
        out.write(MANIFEST, _manifest(program.project.digest(), devices))
        out.keep = not findings
    return findings


def _manifest(inputs: str, devices: dict[str, object]) -> bytes:
    """Return the manifest as JSON: one line a device, so that a diff names the device and the file stays small."""
    lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(devices[name], sort_keys=True)}" for name in sorted(devices))
    head = {"format_version": FORMAT_VERSION, "inputs": inputs, "tool_version": fabric_auto.__version__}
    return (json.dumps(head)[:-1] + ',\n"devices": {\n' + lines + "\n}}\n").encode()


def _entry(config: DeviceConfig, rendered: Rendered, digests: dict[str, str]) -> dict[str, object]:
    return {
        "fabric": config.fabric,
        "nos": config.nos,
        "release": config.release,
        "platform": config.platform.name,
        "artifacts": digests,
        "ownership": ownership_json(rendered.ownership),
    }


def ownership_json(ownership: Ownership) -> dict[str, list[list[str]]]:
    """Return what is ours as JSON: paths as lists of steps, sorted."""
    return {"entries": sorted(map(list, ownership.entries)), "fields": sorted(map(list, ownership.fields))}
