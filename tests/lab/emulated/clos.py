"""Views of a two-tier fabric as the tests need them: leaves and spines with /31 and /127 links and a loopback each."""

from collections.abc import Collection
from dataclasses import replace
from ipaddress import IPv4Interface, IPv4Network, IPv6Interface, IPv6Network, ip_interface

from fabric_auto.lab.emulated.device import AddressView, PortView, Prefix, SessionView, View
from fabric_auto.lab.emulated.topology import Cable, CableEnd

SPINE_ASN, FIRST_LEAF_ASN = 65000, 4200000001
BOTH = frozenset({"ipv4", "ipv6"})


def accept(neighbor: str, prefix: Prefix, protocol: str) -> bool:
    return True


def port(name: str, **changes: object) -> PortView:
    view = PortView(name, enabled=True, speed_mbps=400_000, fec="rs", lldp_port_id=f"alias-{name}")
    return replace(view, **changes)  # type: ignore[arg-type]  # a test states the fields it varies


def view(name: str, asn: int, loopback: str, maximum_paths: int = 64) -> View:
    """A device with BGP, a loopback that it originates, and no port yet."""
    address = ip_interface(f"{loopback}/32")
    return View(
        hostname=name,
        ports={},
        addresses=(AddressView("Loopback0", address, ""),),
        asn=asn,
        router_id=loopback,
        sessions=(),
        originates=((address.network, "Loopback0"),),
        imports=accept,
        exports=accept,
        maximum_paths={"ipv4": maximum_paths, "ipv6": maximum_paths},
    )


def grow(
    base: View, ports: Collection[PortView], addresses: Collection[AddressView], sessions: Collection[SessionView]
) -> View:
    return replace(
        base,
        ports=base.ports | {each.name: each for each in ports},
        addresses=(*base.addresses, *addresses),
        sessions=(*base.sessions, *sessions),
    )


def clos(
    leaves: int, spines: int, *, unique_spine_asn: bool = False, maximum_paths: int = 64
) -> tuple[dict[str, View], tuple[Cable, ...]]:
    """Every leaf to every spine by one cable, IPv4 and IPv6 sessions on each, a host and a VLAN on every leaf."""
    views, cables = {}, []
    for s in range(spines):
        asn = SPINE_ASN + (s if unique_spine_asn else 0)
        views[f"spine-{s}"] = view(f"spine-{s}", asn, f"10.1.{s}.1", maximum_paths)
    parts: dict[str, tuple[list[PortView], list[AddressView], list[SessionView]]] = {}
    for leaf in range(leaves):
        name = f"leaf-{leaf}"
        views[name] = view(name, FIRST_LEAF_ASN + leaf, f"10.0.{leaf}.1", maximum_paths)
        for s in range(spines):
            number = leaf * spines + s
            ends = CableEnd(name, f"Ethernet{s}"), CableEnd(f"spine-{s}", f"Ethernet{leaf}")
            cables.append(Cable(*ends, length_m=10))
            for version in (4, 6):
                _attach(parts, views, ends, number, version)
        ports, addresses, _ = parts[name]
        ports.append(port("Ethernet900"))
        for interface in (IPv4Interface(f"10.20.{leaf}.1/24"), IPv6Interface(f"2001:db8:20:{leaf:x}::1/64")):
            addresses.append(AddressView("Vlan100", interface, "", ("Ethernet900",)))
        views[name] = replace(
            views[name],
            originates=(
                *views[name].originates,
                (IPv4Network(f"10.20.{leaf}.0/24"), "Vlan100"),
                (IPv6Network(f"2001:db8:20:{leaf:x}::/64"), "Vlan100"),
            ),
        )
        cables.append(Cable(CableEnd(name, "Ethernet900"), CableEnd(f"host-{leaf}", "mlx5_0"), 3))
    return {name: grow(each, *parts[name]) for name, each in views.items()}, tuple(cables)


def _attach(
    parts: dict[str, tuple[list[PortView], list[AddressView], list[SessionView]]],
    views: dict[str, View],
    ends: tuple[CableEnd, CableEnd],
    number: int,
    version: int,
) -> None:
    base = ip_interface("172.16.0.0/31") if version == 4 else ip_interface("2001:db8:ffff::/127")
    pair = [base + 2 * number, base + 2 * number + 1]
    for mine, other, end, far in ((pair[0], pair[1], *ends), (pair[1], pair[0], *reversed(ends))):
        ports, addresses, sessions = parts.setdefault(end.device, ([], [], []))
        if version == 4:
            ports.append(port(end.port))
        interface = ip_interface(f"{mine.ip}/{31 if version == 4 else 127}")
        addresses.append(AddressView(end.port, interface, end.port))
        family = frozenset({f"ipv{version}"})
        sessions.append(SessionView(str(other.ip), str(mine.ip), views[far.device].asn, family))
