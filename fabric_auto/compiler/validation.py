"""``--yang DIR``: every artifact against the vendor's own models; a violation is a finding at the intent line behind it."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from fabric_auto.device.model import DeviceConfig
from fabric_auto.diagnostics import Diagnostic, Rule
from fabric_auto.errors import FabricAutoError
from fabric_auto.vendors.base import Rendered
from fabric_auto.yang import Violation

YANG: Final = Rule(
    "FAB710",
    "yang-violation",
    "The rendered configuration is not valid against the vendor's YANG models. Unless a template of the project caused it, this is a "
    "bug in fabric-auto: please report it with the intent.",
)


class _Schema(Protocol):
    def __call__(self, rendered: Rendered) -> tuple[Violation, ...]: ...


@dataclass(slots=True)
class YangCheck:
    """Vendor models in a folder: ``sonic/<release>/*.yang`` and ``srlinux/{flat,features}``; each is loaded once."""

    models: Path
    _schemas: dict[tuple[str, str, str], _Schema] = field(default_factory=dict)

    def findings(self, config: DeviceConfig, rendered: Rendered) -> list[Diagnostic]:
        """Return the violations of one device's artifacts.

        Raises:
            FabricAutoError: the folder has no models for this device.
        """
        key = (config.nos, config.release, config.platform.model if config.nos == "srlinux" else "")
        if key not in self._schemas:
            self._schemas[key] = self._load(config)
        return [_finding(config, rendered, violation) for violation in self._schemas[key](rendered)]

    def _load(self, config: DeviceConfig) -> _Schema:
        folder = self.models / "sonic" / config.release if config.nos == "sonic" else self.models / "srlinux"
        if not folder.is_dir():
            raise FabricAutoError(
                f"no YANG models of {config.nos} {config.release} in {self.models}",
                help=f"put them at {folder}, or leave --yang out",
            )
        if config.nos == "sonic":
            from fabric_auto.yang.sonic import SonicSchema  # noqa: PLC0415  (libyang is an optional extra)

            sonic = SonicSchema(folder)
            return lambda rendered: sonic.validate(json.loads(rendered.artifacts[0].content))
        from fabric_auto.yang.srlinux import SrlinuxSchema  # noqa: PLC0415  (libyang is an optional extra)

        chassis = config.platform.model.replace(" ", "-")  # the models' feature lists spell it 7220-IXR-H4
        srlinux = SrlinuxSchema(folder, config.release, chassis)
        return lambda rendered: srlinux.validate(rendered.artifacts[0].content)


def _finding(config: DeviceConfig, rendered: Rendered, violation: Violation) -> Diagnostic:
    steps = tuple(violation.path.strip("/").replace("|", "/", 1).split("/"))
    return YANG.at(
        rendered.origin_of(steps) or config.origin,
        f"`{config.name}` {violation.path or 'configuration'}: {violation.message}",
        subject=config.name,
        help=f"the models of {config.nos} {config.release} refuse it",
    )
