"""Physical ports (``PORT``, ``BREAKOUT_CFG``). The rows are the hardware's: the fields written here are ours, no other.

``mtu`` is the IP MTU: the kernel interface that SONiC makes of a port has it without the Ethernet header.
"""

from collections.abc import Iterator

from fabric_auto.core.units import format_speed
from fabric_auto.device.model import DeviceConfig, PortConfig
from fabric_auto.vendors.sonic.tables import Row


def port_rows(device: DeviceConfig) -> Iterator[Row]:
    """Yield a row for each port that is used or shares a panel with one, and one for each panel that is broken out."""
    for port in device.ports:
        yield Row("PORT", port.port.name, _fields(port), port.origin, is_shared=True)
        if port.port.channel == 1:
            mode = {"brkout_mode": _mode(device, port)}
            yield Row("BREAKOUT_CFG", port.port.name, mode, port.origin, is_shared=True)


def _mode(device: DeviceConfig, port: PortConfig) -> str:
    """Spell a breakout mode as platform.json does, or ``config interface breakout`` does not find it: ``2x400G[200G,100G]``."""
    breakout = next(each for each in device.platform.breakouts if each.count == port.port.count)
    others = ",".join(map(format_speed, breakout.speeds_mbps[1:]))
    return f"{breakout.mode}[{others}]" if others else breakout.mode


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
        "fec": port.fec,
        "index": str(port.port.panel),
        "lanes": ",".join(map(str, port.port.lanes)),
        "mtu": str(port.ip_mtu),
        "speed": str(port.speed_mbps),
        "subport": str(port.port.channel) if port.port.count > 1 else "",
    }
    return {name: value for name, value in fields.items() if value}
