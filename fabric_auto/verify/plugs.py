"""Where cables lead, as LLDP hears it (IEEE 802.1AB), and which wrong cables belong together."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from fabric_auto.device.observed import Neighbor, Observed
from fabric_auto.fabric.model import Device, Fabric, HostPort, Link
from fabric_auto.verify.expected import announced

End: TypeAlias = tuple[str, str]
"""A device's name and a port's."""

Cable: TypeAlias = tuple[End, End]


@dataclass(slots=True)
class Plugs:
    """Where every cable end should be and where it is.

    Attributes:
        links: the enabled link of each end.
        hosts: the host port of each end.
        order: position of each link's end; lower ends first, in the fabric's link order.
        far: where the cable at an end leads when that is not where it should; both directions.
    """

    links: dict[End, Link] = field(default_factory=dict)
    hosts: dict[End, HostPort] = field(default_factory=dict)
    order: dict[End, int] = field(default_factory=dict)
    far: dict[End, End] = field(default_factory=dict)

    def place(self, end: End) -> tuple[int, End]:
        """Return a sort key: ends of links first."""
        return self.order.get(end, len(self.order)), end


def plugs_of(fabric: Fabric, observed: Mapping[str, Observed]) -> Plugs:
    """Find every cable that leads elsewhere than the intent has it."""
    plugs = Plugs()
    enabled = [link for link in fabric.links if link.enabled]
    plugs.links.update((end, link) for link in enabled for end in ends_of(link))
    for number in (0, 1):
        plugs.order.update((ends_of(link)[number], len(plugs.order) + at) for at, link in enumerate(enabled))
    plugs.hosts.update(((host.device, host.port.name), host) for host in fabric.host_ports)
    heard = _heard(fabric, observed)
    plugs.far.update((end, far) for end, far in heard.items() if _is_wrong(fabric, plugs, end, far))
    for end, far in list(plugs.far.items()):
        if far not in heard:  # the other end hears nobody: this one's word counts for both
            plugs.far[far] = end
    return plugs


def ends_of(link: Link) -> tuple[End, End]:
    """Return the lower and the upper end of a link."""
    return (link.lower.device, link.lower.port.name), (link.upper.device, link.upper.port.name)


def components(plugs: Plugs) -> Iterator[list[End]]:
    """Yield sets of ends that belong together: joined by wrong cables as they are, and by links as they should be."""
    seen: set[End] = set()
    for start in sorted(plugs.far, key=plugs.place):
        component: list[End] = []
        todo = [start]
        while todo:
            end = todo.pop()
            if end not in seen:
                seen.add(end)
                component.append(end)
                todo.extend(_joined(plugs, end))
        if component:
            yield sorted(component, key=plugs.place)


def wrong_cables(plugs: Plugs, component: list[End]) -> list[Cable]:
    """Return the wrong cables of a component, each once, told from the end that comes first."""
    cables = {
        frozenset((end, plugs.far[end])): (end, plugs.far[end]) for end in reversed(component) if end in plugs.far
    }
    return sorted(cables.values(), key=lambda cable: plugs.place(cable[0]))


def _heard(fabric: Fabric, observed: Mapping[str, Observed]) -> dict[End, End]:
    names = _announced(fabric)
    return {
        (device, port): _resolve(fabric, names, neighbor)
        for device, state in observed.items()
        if device in fabric.devices
        for port, neighbor in state.neighbors.items()
    }


def _announced(fabric: Fabric) -> dict[Neighbor, End]:
    """Return the ports with a cable by what LLDP says of them."""
    names = {announced(end): (end.device, end.port.name) for link in fabric.links for end in (link.lower, link.upper)}
    names.update((Neighbor(host.device, host.port.alias), (host.device, host.port.name)) for host in fabric.host_ports)
    return names


def _resolve(fabric: Fabric, names: Mapping[Neighbor, End], heard: Neighbor) -> End:
    """Return the end that was heard, in the fabric's names where it is the fabric's."""
    known = names.get(heard)
    if known is not None:
        return known
    system = heard.system_name if heard.system_name in fabric.devices else heard.system_name.partition(".")[0]
    device = fabric.devices.get(system)
    if device is None:
        return heard.system_name, heard.port_id
    # A system name may be fully qualified (IEEE 802.1AB §8.5.6); a device's name has no dot.
    return names.get(Neighbor(system, heard.port_id)) or (system, _spare_port(device, heard.port_id))


def _spare_port(device: Device, alias: str) -> str:
    """Return the name of a port without a cable in the intent; what no port announces is told as it was heard."""
    ports = (port for breakout in device.platform.breakouts for port in breakout.ports)
    return next((port.name for port in ports if port.alias == alias), f"port ID {alias}")


def _is_wrong(fabric: Fabric, plugs: Plugs, end: End, far: End) -> bool:
    link = plugs.links.get(end)
    if link is not None:
        lower, upper = ends_of(link)
        return far != (upper if end == lower else lower)
    # Elsewhere hosts, foreign devices and spare ports may be plugged as anybody likes, unless they take the fabric's ports.
    return far in plugs.links or (far[0] in fabric.devices and (end in plugs.hosts or far in plugs.hosts))


def _joined(plugs: Plugs, end: End) -> Iterator[End]:
    if end in plugs.far:
        yield plugs.far[end]
    if end in plugs.links:
        yield from ends_of(plugs.links[end])
