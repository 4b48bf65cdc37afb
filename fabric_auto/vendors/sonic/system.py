"""The device itself: our fields of ``DEVICE_METADATA|localhost``, the system's row (sonic-device_metadata.yang)."""

from typing import Final

from fabric_auto.device.model import DeviceConfig
from fabric_auto.vendors.sonic.tables import Row

TYPE: Final = "LeafRouter"
"""One type for every role: bgpcfgd waits for one, and others change behaviour (ToRRouter adds ``allowas-in``, spine
types change buffer defaults and cable lengths)."""


def metadata_row(device: DeviceConfig) -> Row:
    """Return the device's metadata.

    Without ``bgp_adv_lo_prefix_as_128`` bgpcfgd advertises the IPv6 loopback as a /64.
    """
    fields = {
        "bgp_adv_lo_prefix_as_128": "true",
        "bgp_asn": str(device.bgp.asn),
        "hostname": device.name,
        "type": TYPE,
    }
    return Row("DEVICE_METADATA", "localhost", fields, device.origin, is_shared=True)
