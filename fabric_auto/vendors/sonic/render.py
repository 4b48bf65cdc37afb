"""A device's configuration as SONiC spells it: the rows and fields of CONFIG_DB that are ours, built as data."""

from fabric_auto.device.model import DeviceConfig
from fabric_auto.vendors.base import Artifact, Rendered
from fabric_auto.vendors.sonic.bgp import neighbor_rows
from fabric_auto.vendors.sonic.interfaces import claims, interface_rows
from fabric_auto.vendors.sonic.leaves import document, dump
from fabric_auto.vendors.sonic.ports import port_rows
from fabric_auto.vendors.sonic.system import metadata_row
from fabric_auto.vendors.sonic.tables import Rows


def render(device: DeviceConfig) -> Rendered:
    """Return ``config_db.json`` of a device; it is never reloaded as it is, it would wipe what is not ours."""
    rows = Rows(
        (metadata_row(device), *port_rows(device), *interface_rows(device), *neighbor_rows(device)),
        claims(device),
    )
    leaves = rows.leaves()
    return Rendered(
        artifacts=(Artifact("config_db.json", dump(document(leaves))),),
        leaves=leaves,
        ownership=rows.ownership(),
        origins=rows.origins(),
    )
