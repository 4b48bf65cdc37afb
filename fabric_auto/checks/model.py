"""What a check may look at."""

from dataclasses import dataclass

from fabric_auto.fabric.model import Fabric
from fabric_auto.intent.inventory import Inventory


@dataclass(frozen=True, slots=True)
class Checked:
    """All fabrics, and how their devices are reached."""

    fabrics: tuple[Fabric, ...]
    hosts: Inventory
    complete: bool
