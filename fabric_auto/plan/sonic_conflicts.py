"""What on a SONiC box makes a plan pointless: addresses that overlap ours, and a routing mode that ignores our sessions."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from ipaddress import ip_interface
from typing import Final

from fabric_auto.errors import FabricAutoError
from fabric_auto.vendors.base import Leaves, Path, spell

_ADDRESSED: Final = frozenset(
    {"INTERFACE", "LOOPBACK_INTERFACE", "PORTCHANNEL_INTERFACE", "VLAN_INTERFACE", "VLAN_SUB_INTERFACE"}
)
_METADATA: Final = ("DEVICE_METADATA", "localhost")
_FOREIGN_MODES: Final = frozenset({"split", "split-unified"})
"""With these the bgp container keeps configuration files of somebody else (docker_init.sh)."""


@dataclass(frozen=True, slots=True)
class _Range:
    path: Path
    version: int
    first: int
    last: int

    def overlaps(self, other: "_Range") -> bool:
        return self.version == other.version and self.first <= other.last and other.first <= self.last


def refuse_foreign_routing(device: str, running: Leaves) -> None:
    """Refuse a box whose routing daemons do not read the BGP_NEIGHBOR rows that we write.

    Raises:
        FabricAutoError: its FRR configuration is kept by hand, or by the management framework.
    """
    mode = running.get((*_METADATA, "docker_routing_config_mode"))
    framework = running.get((*_METADATA, "frr_mgmt_framework_config"))
    if mode in _FOREIGN_MODES or framework == "true":
        said = f"docker_routing_config_mode `{mode}`" if mode in _FOREIGN_MODES else "frr_mgmt_framework_config `true`"
        raise FabricAutoError(
            f"{device} runs with {said}: bgpcfgd's BGP_NEIGHBOR rows would be ignored or read otherwise",
            help="remove the setting and restart the bgp container, or leave the device out with --limit",
        )


def refuse_overlaps(device: str, target: Leaves, intended: Leaves) -> None:
    """Refuse a target in which an address that is not ours overlaps one of ours: two interfaces would have one subnet.

    Raises:
        FabricAutoError: naming both.
    """
    ours = list(_ranges(path for path in intended if path in target))
    for foreign in _ranges(path for path in target if path not in intended):
        for own in ours:
            if foreign.overlaps(own):
                raise FabricAutoError(
                    f"{device} has `{spell(foreign.path)}`, which is not ours and overlaps `{spell(own.path)}` of the fabric",
                    help="remove it from the switch, or give the fabric another pool",
                )


def _ranges(paths: Iterable[Path]) -> Iterator[_Range]:
    for path in paths:
        if len(path) != 2 or path[0] not in _ADDRESSED or "|" not in path[1]:  # noqa: PLR2004  (a row)
            continue
        try:
            network = ip_interface(path[1].rsplit("|", 1)[1]).network
        except ValueError:
            continue  # the box holds what is no address; its own validation is not ours to repeat
        yield _Range(path, network.version, int(network.network_address), int(network.broadcast_address))
