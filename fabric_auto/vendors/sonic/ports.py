"""Physical ports (``PORT``, sonic-port.yang). The rows are the hardware's: the fields written here are ours, no other.

``mtu`` is the IP MTU: the kernel interface that SONiC makes of a port has it without the Ethernet header.
"""

from collections.abc import Iterator

from fabric_auto.device.model import DeviceConfig, PortConfig
from fabric_auto.vendors.sonic.tables import Row


def port_rows(device: DeviceConfig) -> Iterator[Row]:
    """Yield a row for each port that is used or shares a panel with one."""
    for port in device.ports:
        yield Row("PORT", port.port.name, _fields(port), port.origin, is_shared=True)


def status(enabled: bool) -> str:
    """Spell an administrative status (``admin_status``).

    >>> status(False)
    'down'
    """
    return "up" if enabled else "down"


def _fields(port: PortConfig) -> dict[str, str]:
    fields = {
        "admin_status": status(port.enabled),
        "alias": port.port.alias,
        "description": port.description,
        "fec": "" if port.fec == "none" else port.fec,
        "index": str(port.port.panel),
        "lanes": ",".join(map(str, port.port.lanes)),
        "mtu": str(port.ip_mtu),
        "speed": str(port.speed_mbps),
        "subport": str(port.port.channel) if port.port.count > 1 else "",
    }
    return {name: value for name, value in fields.items() if value}
