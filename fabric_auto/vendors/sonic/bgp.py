"""The eBGP underlay (``BGP_NEIGHBOR``, sonic-bgp-neighbor.yang), for bgpcfgd, the default manager of FRR.

bgpcfgd keys a neighbour by its address alone, waits until ``local_addr`` is on an interface, and takes ECMP width and
policy from its own templates (``maximum-paths 514``, no route policy): neither has a field here.
"""

from collections.abc import Iterator

from fabric_auto.device.model import DeviceConfig
from fabric_auto.vendors.sonic.tables import Row


def neighbor_rows(device: DeviceConfig) -> Iterator[Row]:
    """Yield a row a session."""
    for neighbor in device.bgp.neighbors:
        fields = {
            "admin_status": "up",
            "asn": str(neighbor.asn),
            "holdtime": str(device.bgp.hold_s),
            "keepalive": str(device.bgp.keepalive_s),
            "local_addr": str(neighbor.local_address),
            "name": neighbor.peer,
            "nhopself": "0",
            "rrclient": "0",
        }
        yield Row("BGP_NEIGHBOR", str(neighbor.address), fields, neighbor.origin)
