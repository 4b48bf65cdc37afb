"""The cabling plan: every cable with both ends, for the people who plug them."""

import csv
import io
from typing import Final

from fabric_auto.core.units import format_length, format_speed
from fabric_auto.fabric.model import Fabric
from fabric_auto.platforms.model import Port

_HEAD: Final = ("link", "a_device", "a_port", "a_panel", "b_device", "b_port", "b_panel", "speed", "length", "admin")


def cabling(fabric: Fabric) -> bytes:
    """Return the plan as CSV (RFC 4180, UTF-8, LF): fabric links first, then host ports.

    ``a_panel`` is the front-panel port; with a breakout its channel follows a slash (``12/3``).
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_HEAD)
    for link in fabric.links:
        a, b = link.lower, link.upper
        admin = "up" if link.enabled else "down"
        writer.writerow(
            (
                link.name,
                a.device,
                a.port.name,
                _panel(a.port),
                b.device,
                b.port.name,
                _panel(b.port),
                format_speed(link.speed_mbps),
                format_length(link.cable_m),
                admin,
            )
        )
    for host in fabric.host_ports:
        name, nic = f"{host.device}/{host.host}/nic{host.nic}", f"nic{host.nic}"
        writer.writerow(
            (
                name,
                host.device,
                host.port.name,
                _panel(host.port),
                host.host,
                nic,
                "",
                format_speed(host.speed_mbps),
                format_length(host.cable_m),
                "up",
            )
        )
    return text.getvalue().encode()


def _panel(port: Port) -> str:
    return f"{port.panel}/{port.channel}" if port.channel else str(port.panel)
