"""A device's configuration as SR Linux spells it: the NETCONF payload from templates, and what follows from it."""

from pathlib import Path as FilePath
from typing import Final

from fabric_auto.device.model import DeviceConfig
from fabric_auto.errors import FabricAutoError
from fabric_auto.vendors.base import Artifact, Leaves, Rendered
from fabric_auto.vendors.srlinux.interfaces import interfaces
from fabric_auto.vendors.srlinux.json_ietf import json_ietf
from fabric_auto.vendors.srlinux.network_instances import network_instances
from fabric_auto.vendors.srlinux.origins import origins
from fabric_auto.vendors.srlinux.ownership import ownership
from fabric_auto.vendors.srlinux.policy import policies, prefix_sets
from fabric_auto.vendors.srlinux.set_commands import set_commands
from fabric_auto.vendors.srlinux.system import system
from fabric_auto.vendors.srlinux.templates import render_template
from fabric_auto.vendors.srlinux.tree import parse

TEMPLATE: Final = "srlinux/config.xml.j2"


def render(device: DeviceConfig, project_templates: FilePath | None) -> Rendered:
    """Return ``config.xml`` (what is deployed), ``config.set`` and ``config.json`` of a device.

    Raises:
        FabricAutoError: a template is wrong, or its output is not a configuration.
    """
    document = render_template(project_templates, TEMPLATE, device.name, _context(device)).encode()
    leaves = _leaves(device, document)
    return Rendered(
        artifacts=(
            Artifact("config.xml", document),
            Artifact("config.set", set_commands(leaves).encode()),
            Artifact("config.json", json_ietf(leaves)),
        ),
        leaves=leaves,
        ownership=ownership(leaves),
        origins=origins(device),
    )


def _context(device: DeviceConfig) -> dict[str, object]:
    return {
        "device": device,
        "interfaces": interfaces(device),
        "network_instances": network_instances(device),
        "prefix_sets": prefix_sets(device.bgp.policy),
        "policies": policies(device.bgp.policy),
        "system": system(device),
    }


def _leaves(device: DeviceConfig, document: bytes) -> Leaves:
    try:
        return parse(document)
    except ValueError as error:
        raise FabricAutoError(
            f"templates/{TEMPLATE} gives no configuration for {device.name}: {error}",
            help="correct the project's templates/srlinux",
        ) from error
