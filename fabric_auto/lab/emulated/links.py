"""Which ports are up, and what LLDP hears on them: the views joined with the cables as built."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from fabric_auto.lab.emulated.device import LldpNeighbor, PortView, View
from fabric_auto.lab.emulated.topology import Cable, CableEnd

_RS_MANDATORY_MBPS: Final = 200_000
"""From 200 Gb/s up RS-FEC is part of the PCS, not an option (IEEE 802.3bs clause 119, 802.3df)."""

_FEC_FAMILY: Final = {
    "disabled": "none",
    "rs-fec": "rs",
    "rs-528": "rs",
    "rs-544": "rs",
    "base-r": "fc",
}
"""SR Linux spellings (srl_nokia-interfaces, ``fec-option``) by SONiC's (sonic-port, ``fec``)."""


@dataclass(frozen=True, slots=True)
class Links:
    """The links that are up.

    Attributes:
        ports: the ports that are up, by device.
        far: what is plugged at the other end of an up port, by device and port.
        lldp: what LLDP hears, by device and port.
    """

    ports: dict[str, frozenset[str]]
    far: dict[str, dict[str, CableEnd]]
    lldp: dict[str, dict[str, LldpNeighbor]]


def join(views: Mapping[str, View], cables: Collection[Cable]) -> Links:
    """Return the links that come up: a cable is there, both ends are enabled, speed and FEC agree.

    An end that is in no view is a host: it is always willing and takes the switch's speed.
    """
    far: dict[str, dict[str, CableEnd]] = {name: {} for name in views}
    lldp: dict[str, dict[str, LldpNeighbor]] = {name: {} for name in views}
    for cable in cables:
        if not _comes_up(views, cable):
            continue
        for near, other in ((cable.a, cable.b), (cable.b, cable.a)):
            if near.device not in views:
                continue
            far[near.device][near.port] = other
            heard = _announcement(views, other)
            if heard and views[near.device].ports[near.port].lldp:
                lldp[near.device][near.port] = heard
    return Links({name: frozenset(ends) for name, ends in far.items()}, far, lldp)


def agree(one: PortView, other: PortView) -> bool:
    """Return True when two ports are enabled and run the same speed and FEC."""
    if not (one.enabled and other.enabled) or one.speed_mbps != other.speed_mbps:
        return False
    fecs = {_fec(one), _fec(other)}
    return len(fecs) == 1 or "auto" in fecs


def _comes_up(views: Mapping[str, View], cable: Cable) -> bool:
    ports = [views[end.device].ports.get(end.port) for end in (cable.a, cable.b) if end.device in views]
    present = [port for port in ports if port is not None]
    if len(present) < len(ports) or not present:
        return False
    return agree(present[0], present[-1])


def _fec(port: PortView) -> str:
    if not port.fec:
        return "rs" if port.speed_mbps >= _RS_MANDATORY_MBPS else "none"
    return _FEC_FAMILY.get(port.fec, port.fec)


def _announcement(views: Mapping[str, View], end: CableEnd) -> LldpNeighbor | None:
    view = views.get(end.device)
    if view is None:
        return LldpNeighbor(end.device, end.port, end.port)
    port = view.ports[end.port]
    return LldpNeighbor(view.hostname, port.lldp_port_id) if port.lldp else None
