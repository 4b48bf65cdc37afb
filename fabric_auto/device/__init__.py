"""Vendor-neutral configuration of one switch, derived from the fabric, with the origin of every value."""

from fabric_auto.device.model import (
    BgpConfig,
    BgpNeighbor,
    BgpPolicy,
    DeviceConfig,
    HostVlan,
    LoopbackConfig,
    PortConfig,
    RoutedPort,
)

__all__ = [
    "BgpConfig",
    "BgpNeighbor",
    "BgpPolicy",
    "DeviceConfig",
    "HostVlan",
    "LoopbackConfig",
    "PortConfig",
    "RoutedPort",
]
