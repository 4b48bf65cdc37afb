"""What the intents mean: one immutable graph of devices, ports, links and addresses."""

from fabric_auto.fabric.model import Bgp, Device, Fabric, HostPort, Link, LinkEnd, Loopback, Pools, Role, Vlan

__all__ = ["Bgp", "Device", "Fabric", "HostPort", "Link", "LinkEnd", "Loopback", "Pools", "Role", "Vlan"]
