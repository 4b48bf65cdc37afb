"""Fabrics and inventory to a lab: the hardware that the intents ask for, cabled as they say."""

from hashlib import sha256
from ipaddress import ip_address

from fabric_auto.errors import FabricAutoError
from fabric_auto.fabric.model import Device, Fabric
from fabric_auto.intent.inventory import Inventory, InventoryHost
from fabric_auto.lab.emulated.topology import Cable, CableEnd, LabDevice, LabTopology, PanelPort


def build(fabrics: tuple[Fabric, ...], inventory: Inventory) -> LabTopology:
    """Return the lab's topology.

    Raises:
        FabricAutoError: a device has no inventory entry with a loopback address and a port, so the emulated lab cannot be it.
    """
    devices = [_device(device, inventory.get(device.name)) for fabric in fabrics for device in fabric.devices.values()]
    cables = [cable for fabric in fabrics for cable in _cables(fabric)]
    return LabTopology(tuple(devices), tuple(cables))


def _device(device: Device, host: InventoryHost | None) -> LabDevice:
    if host is None or host.port is None or not _is_loopback(host.address):
        where = "no inventory entry" if host is None else f"address {host.address} port {host.port or 'not stated'}"
        raise FabricAutoError(
            f"`{device.name}` cannot be emulated: {where}",
            help="the lab listens where the inventory says, on loopback alone: `hostname: 127.0.0.1` and a `port` of its own each",
        )
    whole = device.platform.breakouts[0]
    ports = tuple(
        PanelPort(port.name, port.lanes, port.alias, port.panel, whole.speeds_mbps[0]) for port in whole.ports
    )
    return LabDevice(
        name=device.name,
        nos=device.nos,
        release=device.release,
        model=device.platform.model,
        platform=device.platform.onie_platform,
        address=host.address,
        port=host.port,
        mac=_mac(device.name),
        ports=ports,
    )


def _cables(fabric: Fabric) -> list[Cable]:
    links = [
        Cable(
            CableEnd(link.lower.device, link.lower.port.name),
            CableEnd(link.upper.device, link.upper.port.name),
            link.cable_m,
        )
        for link in fabric.links
    ]
    hosts = [
        Cable(CableEnd(host.device, host.port.name), CableEnd(host.host, f"nic{host.nic}"), host.cable_m)
        for host in fabric.host_ports
    ]
    return links + hosts


def _mac(name: str) -> str:
    digest = sha256(name.encode()).digest()
    return ":".join(f"{byte:02x}" for byte in (0x02, *digest[:5]))


def _is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return address == "localhost"
