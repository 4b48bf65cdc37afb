"""LLDP on SONiC needs no configuration.

lldpd runs by default on every port, and lldpmgrd announces ``PORT.alias`` as the port ID (subtype local) and
``PORT.description`` as the port description (sonic-buildimage, dockers/docker-lldp/lldpmgrd). The tables ``LLDP`` and
``LLDP_PORT`` have YANG, but nothing in the images of 202505, 202511 and 202605 reads them, so they are not emitted.
This module says what to expect of a SONiC peer instead.
"""

from fabric_auto.platforms.model import Port


def announced_port_id(port: Port) -> str:
    """Return the port ID that a SONiC switch announces for a port: its alias, else its name."""
    return port.alias or port.name
