"""Network instances (module srl_nokia-network-instance): ``default``, and a MAC-VRF for a leaf's hosts.

A subinterface works only when a network instance lists it. The gateway is in both: ``irb0.N`` bridges in the MAC-VRF
and routes in ``default``.
"""

from dataclasses import dataclass

from fabric_auto.device.model import DeviceConfig
from fabric_auto.vendors.srlinux.bgp import Bgp, bgp
from fabric_auto.vendors.srlinux.interfaces import IRB, SYSTEM, subinterface_name


@dataclass(frozen=True, slots=True)
class NetworkInstance:
    """A network instance: ``type`` is ``default`` or ``mac-vrf``, ``bgp`` None where none runs."""

    name: str
    type: str
    interfaces: tuple[str, ...]
    bgp: Bgp | None


def network_instances(device: DeviceConfig) -> tuple[NetworkInstance, ...]:
    """Return the network instances of the device."""
    routed = [subinterface_name(each.port.name) for each in device.routed_ports]
    routed.append(subinterface_name(SYSTEM))
    if device.host_vlan is None:
        return (NetworkInstance("default", "default", tuple(routed), bgp(device)),)
    gateway = subinterface_name(IRB, device.host_vlan.vlan_id)
    bridged = [subinterface_name(port.name) for port in device.host_vlan.members]
    return (
        NetworkInstance("default", "default", (*routed, gateway), bgp(device)),
        NetworkInstance(host_instance(device.host_vlan.vlan_id), "mac-vrf", (*bridged, gateway), None),
    )


def host_instance(vlan_id: int) -> str:
    """Return the name of the MAC-VRF of a host VLAN.

    >>> host_instance(100)
    'hosts-100'
    """
    return f"hosts-{vlan_id}"
