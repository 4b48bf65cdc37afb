"""BGP as bgpcfgd and FRR run it: what is fixed when the container starts, and what follows CONFIG_DB live.

Facts (sonic-buildimage): the ``router bgp`` main configuration, with router id, loopback and VLAN networks, is a template
rendered when the bgp container starts (``dockers/docker-fpm-frr/frr/bgpd/bgpd.main.conf.j2``); peers are added and removed
live (``src/sonic-bgpcfgd/bgpcfgd/managers_bgp.py``), and of a peer that is there only ``admin_status`` can change.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, TypeAlias

from fabric_auto.lab.emulated.device import Prefix
from fabric_auto.lab.emulated.sonic.addresses import configured, loopback0
from fabric_auto.lab.emulated.sonic.database import Row, Tables

Address: TypeAlias = IPv4Address | IPv6Address

MAXIMUM_PATHS: Final = 514
"""sonic-buildimage, files/image_config/constants/constants.yml: bgp.maximum_paths, both families."""

_OWN_FILES: Final = frozenset({"split", "split-unified"})


@dataclass(frozen=True, slots=True)
class Peer:
    """A neighbour as FRR has it.

    Attributes:
        local: the ``local_addr`` that bgpcfgd found on an interface, "" when none was stated.
        timers: keepalive and hold time when not 60 and 180, else None.
        options: address-family commands beside ``activate``.
    """

    address: str
    asn: int
    local: str
    enabled: bool
    name: str
    timers: tuple[str, str] | None
    options: tuple[str, ...]

    @property
    def family(self) -> str:
        """``ipv4`` or ``ipv6``."""
        return f"ipv{ip_address(self.address).version}"


@dataclass(frozen=True, slots=True)
class Running:
    """What the bgp container runs.

    Attributes:
        asn: 0 when there is no ``router bgp``.
        main: the main configuration was rendered at the start.
        networks: ``network`` statements, with the interface whose prefix each is.
        allow_own_as: ``allowas-in`` of the peer groups.
    """

    asn: int = 0
    router_id: str = ""
    main: bool = False
    networks: tuple[tuple[Prefix, str], ...] = ()
    allow_own_as: int = 0


class Bgp:
    """The bgp container.

    Attributes:
        running: its global part.
        peers: neighbours by address.
    """

    def __init__(self, tables: Tables) -> None:
        self.running = Running()
        self.peers: dict[str, Peer] = {}
        self.start(tables)

    def start(self, tables: Tables) -> None:
        """Start the container: everything anew from CONFIG_DB."""
        self.running = _main(tables)
        self.peers = {}
        self.follow(tables)

    def follow(self, tables: Tables) -> None:
        """Follow a change of CONFIG_DB as bgpcfgd does."""
        metadata = tables.get("DEVICE_METADATA", {}).get("localhost", {})
        asn = _asn(metadata)
        if asn == 0 or (self.running.asn and asn != self.running.asn):
            # FRR refuses `router bgp` with another AS number than the one that runs, so no peer is added or removed.
            return
        rows = {key.removeprefix("default|"): row for key, row in tables.get("BGP_NEIGHBOR", {}).items()}
        self.peers = {address: peer for address, peer in self.peers.items() if address in rows}
        new = {address: row for address, row in rows.items() if address not in self.peers}
        for address, peer in self.peers.items():
            status = rows[address].get("admin_status")
            if status in {"up", "down"}:
                self.peers[address] = replace(peer, enabled=status == "up")
        if new and _ready(tables, metadata):
            local = {each.address.ip for each in configured(tables)}
            for address, row in new.items():
                if _startable(address, row, local):
                    self._add(address, row, metadata, tables)

    def _add(self, address: str, row: Row, metadata: Row, tables: Tables) -> None:
        if not self.running.asn:
            # `router bgp` comes into being without the main configuration; zebra gives the router id.
            self.running = replace(self.running, asn=_asn(metadata), router_id=_highest(tables))
        self.running = replace(self.running, allow_own_as=_allow_own_as(tables, metadata))
        default = metadata.get("default_bgp_status", "up")
        timers = str(row.get("keepalive", "60")), str(row.get("holdtime", "180"))
        flags = (("rrclient", "route-reflector-client"), ("nhopself", "next-hop-self"))
        self.peers[address] = Peer(
            address=address,
            asn=int(str(row.get("asn", "0"))),
            local=str(row.get("local_addr", "")),
            enabled=row.get("admin_status", default) != "down",
            name=str(row.get("name", "")),
            timers=timers if timers != ("60", "180") else None,
            options=tuple(command for field, command in flags if str(row.get(field, "0")) != "0"),
        )


def _asn(metadata: Row) -> int:
    text = str(metadata.get("bgp_asn", ""))
    return int(text) if text.isdigit() else 0


def _main(tables: Tables) -> Running:
    metadata = tables.get("DEVICE_METADATA", {}).get("localhost", {})
    asn = _asn(metadata)
    if asn == 0 or metadata.get("docker_routing_config_mode") in _OWN_FILES:
        return Running()
    loopback = loopback0(tables, 4)
    router_id = str(metadata.get("bgp_router_id", "")) or (str(loopback.ip) if loopback else "")
    return Running(asn, router_id or _highest(tables), main=True, networks=_networks(tables, metadata))


def _networks(tables: Tables, metadata: Row) -> tuple[tuple[Prefix, str], ...]:
    networks: list[tuple[Prefix, str]] = []
    v4, v6 = loopback0(tables, 4), loopback0(tables, 6)
    if v4 is not None:
        networks.append((IPv4Network(f"{v4.ip}/32"), "Loopback0"))
    if v6 is not None:
        length = 128 if metadata.get("bgp_adv_lo_prefix_as_128") == "true" else 64
        networks.append((IPv6Network(f"{v6.ip}/{length}", strict=False), "Loopback0"))
    vlans = (each for each in configured(tables) if each.table == "VLAN_INTERFACE")
    networks += [(ip_network(each.address.network), each.name) for each in vlans]
    return tuple(networks)


def _highest(tables: Tables) -> str:
    """Without a stated router id zebra takes the highest IPv4 address, loopbacks before others; "" when there is none."""
    addresses = [(each.table == "LOOPBACK_INTERFACE", each.address.ip) for each in configured(tables)]
    found = [(loopback, int(ip)) for loopback, ip in addresses if ip.version == 4]  # noqa: PLR2004 - IPv4
    return str(ip_address(max(found)[1])) if found else ""


def _ready(tables: Tables, metadata: Row) -> bool:
    """The dependencies of every peer: AS number, type, Loopback0, and an IPv4 router id."""
    if "type" not in metadata or "Loopback0" not in tables.get("LOOPBACK_INTERFACE", {}):
        return False
    return "bgp_router_id" in metadata or loopback0(tables, 4) is not None


def _startable(address: str, row: Row, configured_here: Collection[Address]) -> bool:
    """A peer waits for the interface of its ``local_addr``, and FRR refuses one whose address or AS number is none."""
    try:
        ip_address(address)
        local = ip_address(str(row["local_addr"]).split("/", maxsplit=1)[0]) if "local_addr" in row else None
    except ValueError:
        return False
    if not str(row.get("asn", "")).isdigit():
        return False
    return local is None or local in configured_here


def _allow_own_as(tables: Tables, metadata: Row) -> int:
    if metadata.get("type") == "ToRRouter":
        return 1
    bbr = tables.get("BGP_BBR", {}).get("all", {}).get("status")
    return int(metadata.get("type") == "LeafRouter" and bbr == "enabled")
