"""Predicates over fabrics: what is well formed but would not work. One module a noun, one function a check."""

from collections.abc import Callable
from typing import Final

from fabric_auto.checks import addressing, capability, inventory, routing
from fabric_auto.checks.model import Checked
from fabric_auto.diagnostics import Diagnostic
from fabric_auto.fabric.model import Fabric
from fabric_auto.intent.inventory import Inventory

CHECKS: Final[tuple[Callable[[Checked], list[Diagnostic]], ...]] = (
    addressing.pools_are_unicast,
    addressing.pools_do_not_overlap,
    routing.as_numbers_can_be_used,
    routing.as_numbers_are_apart,
    capability.mtu_fits_the_platform,
    capability.release_is_known,
    inventory.transport_matches_the_platform,
    inventory.every_host_is_a_device,
    inventory.every_device_is_in_the_inventory,
    inventory.every_device_has_an_address_of_its_own,
)


def run(fabrics: tuple[Fabric, ...], hosts: Inventory, *, complete: bool) -> list[Diagnostic]:
    """Run every check.

    Args:
        complete: every fabric of the project is there; checks that look for something unused need it.
    """
    checked = Checked(fabrics, hosts, complete)
    return [finding for check in CHECKS for finding in check(checked)]
