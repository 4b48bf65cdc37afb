"""SONiC configurations for the planner's tests: what a box has, what is intended, and whether a CONFIG_DB is sound.

The rendered configurations follow the ownership contract of ``fabric_auto.vendors.base``; they are written here by hand
and not by the vendor's renderer, so that these tests judge the planner alone.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import jsonpatch
from hypothesis import strategies as st

from fabric_auto.diagnostics import Span
from fabric_auto.plan.build import Running
from fabric_auto.plan.model import Step
from fabric_auto.vendors.base import Leaves, Ownership, Path, Rendered

SPAN = Span("intents/fabric.yaml", 12, 5, 12, 20)
PANELS = ("Ethernet0", "Ethernet8", "Ethernet16", "Ethernet24", "Ethernet32")
Database = dict[str, dict[str, dict[str, object]]]


def leaves_of(data: Database) -> Leaves:
    """A CONFIG_DB as leaves."""
    leaves: Leaves = {}
    for table, rows in data.items():
        for key, fields in rows.items():
            leaves[table, key] = ""
            for name, value in fields.items():
                leaves[table, key, name] = tuple(value) if isinstance(value, list) else str(value)
    return leaves


def ports_of(panel: str, count: int) -> dict[str, dict[str, str]]:
    """The PORT rows of a panel with eight lanes, whole or broken out into two or four."""
    first, width = int(panel[8:]), 8 // count
    return {
        f"Ethernet{first + width * number}": {
            "lanes": ",".join(str(first + width * number + lane + 1) for lane in range(width)),
            "speed": str(800000 // count),
            "alias": f"etp{first // 8 + 1}{'abcd'[number] if count > 1 else ''}",
            "index": str(first // 8 + 1),
        }
        for number in range(count)
    }


@dataclass(frozen=True)
class Wish:
    """What a device should run: panels by breakout, routed ports, one VLAN, neighbors."""

    panels: dict[str, int] = field(default_factory=dict)
    routed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    members: tuple[str, ...] = ()
    vlan: int | None = None
    neighbors: dict[str, dict[str, str]] = field(default_factory=dict)
    mtu: str = "9100"
    asn: str | None = "4200000001"
    loopbacks: tuple[str, ...] = ("10.10.0.1/32", "fd00:10::1/128")

    @property
    def database(self) -> Database:
        """The wish as a CONFIG_DB."""
        data: Database = {"DEVICE_METADATA": {"localhost": {"hostname": "east-leaf-01"}}, "PORT": {}}
        if self.asn:
            data["DEVICE_METADATA"]["localhost"] |= {"bgp_asn": self.asn, "type": "LeafRouter"}
        for panel, count in self.panels.items():
            for port, fields in ports_of(panel, count).items():
                data["PORT"][port] = {**fields, "mtu": self.mtu, "fec": "rs", "admin_status": "up"}
        if self.loopbacks:
            rows = ("Loopback0", *(f"Loopback0|{prefix}" for prefix in self.loopbacks))
            data["LOOPBACK_INTERFACE"] = {row: {} for row in rows}
        for port, prefixes in self.routed.items():
            data.setdefault("INTERFACE", {}).update({port: {}, **{f"{port}|{prefix}": {} for prefix in prefixes}})
        if self.vlan is not None:
            name = f"Vlan{self.vlan}"
            data["VLAN"] = {name: {"vlanid": str(self.vlan), "mtu": self.mtu}}
            data["VLAN_INTERFACE"] = {name: {}, f"{name}|10.20.0.1/24": {}}
            if self.members:
                data["VLAN_MEMBER"] = {f"{name}|{port}": {"tagging_mode": "untagged"} for port in self.members}
        if self.neighbors:
            data["BGP_NEIGHBOR"] = {peer: dict(fields) for peer, fields in self.neighbors.items()}
        return {table: rows for table, rows in data.items() if rows}

    @property
    def rendered(self) -> Rendered:
        """The wish as a vendor states it."""
        leaves = leaves_of(self.database)
        fields = {path for path in leaves if path[0] in {"DEVICE_METADATA", "PORT"} and len(path) == 3}
        entries = {path[:2] for path in leaves if path[0] not in {"DEVICE_METADATA", "PORT"} and "|" not in path[1]}
        entries |= {path[:2] for path in leaves if path[0] == "VLAN_MEMBER"}
        for table, key in [path for path in entries if path[0].endswith("INTERFACE")]:
            entries.add((table, f"{key}|*"))
        for port in self.database.get("PORT", {}):
            entries |= {("INTERFACE", port), ("INTERFACE", f"{port}|*"), ("VLAN_MEMBER", f"*|{port}")}
        origins = {path[:2]: SPAN for path in leaves}
        return Rendered((), leaves, Ownership(frozenset(entries), frozenset(fields)), origins)


def neighbor(asn: str = "4200000000", local: str = "10.11.0.0") -> dict[str, str]:
    """A BGP_NEIGHBOR row as bgpcfgd takes it."""
    return {
        "asn": asn,
        "name": "east-spine-01",
        "local_addr": local,
        "holdtime": "9",
        "keepalive": "3",
        "nhopself": "0",
        "rrclient": "0",
        "admin_status": "up",
    }


def factory(counts: dict[str, int] | None = None) -> Database:
    """A box as it comes: ports, and what an operator and the image put there."""
    data: Database = {
        "DEVICE_METADATA": {"localhost": {"hostname": "sonic", "hwsku": "DemoSku", "mac": "02:00:00:00:00:01"}},
        "PORT": {},
        "NTP_SERVER": {"192.0.2.123": {"iburst": "on"}},
        "FEATURE": {"bgp": {"state": "enabled"}},
        "CABLE_LENGTH": {"AZURE": {}},
    }
    for panel in PANELS:
        for port, fields in ports_of(panel, (counts or {}).get(panel, 1)).items():
            data["PORT"][port] = {**fields, "mtu": "9100", "admin_status": "up"}
            data["CABLE_LENGTH"]["AZURE"][port] = "5m"
    return data


def running_of(data: Database) -> Running:
    """A CONFIG_DB as it was read."""
    return Running(leaves_of(data), data)


def apply(data: Database, steps: tuple[Step, ...]) -> Iterator[Database]:
    """Yield the CONFIG_DB after each step, made by the reference implementation of RFC 6902."""
    for step in steps:
        content = json.loads(step.content)
        data = content if step.kind == "reload" else jsonpatch.apply_patch(data, content)
        yield data


def last_of(data: Database, steps: tuple[Step, ...]) -> Database:
    """The CONFIG_DB after all steps."""
    return [data, *apply(data, steps)][-1]


def faults(data: Database) -> list[str]:
    """What the models refuse, of the rules that a fabric can break (sonic-*.yang, and unique lanes)."""
    return [*_row_faults(data), *_port_faults(data), *(f"{table} is empty" for table, rows in data.items() if not rows)]


def _row_faults(data: Database) -> Iterator[str]:
    ports, vlans = data.get("PORT", {}), data.get("VLAN", {})
    for table, above in (("INTERFACE", ports), ("VLAN_INTERFACE", vlans), ("LOOPBACK_INTERFACE", None)):
        for key in data.get(table, {}):
            name, _, prefix = key.partition("|")
            if above is not None and name not in above:
                yield f"{table}|{key}: no {name}"
            if prefix and name not in data[table]:
                yield f"{table}|{key}: no base row"
    yield from _member_faults(data)
    for key, fields in data.get("BGP_NEIGHBOR", {}).items():
        if "asn" not in fields:
            yield f"BGP_NEIGHBOR|{key}: no asn"


def _member_faults(data: Database) -> Iterator[str]:
    untagged = []
    for key in data.get("VLAN_MEMBER", {}):
        vlan, port = key.split("|")
        untagged.append(port)
        if vlan not in data.get("VLAN", {}) or port not in data["PORT"]:
            yield f"VLAN_MEMBER|{key}: no {vlan} or no {port}"
        if port in data.get("INTERFACE", {}):
            yield f"VLAN_MEMBER|{key}: {port} is a router interface"
    if len(untagged) != len(set(untagged)):
        yield "a port is untagged in two VLANs"


def _port_faults(data: Database) -> Iterator[str]:
    ports = data.get("PORT", {})
    lanes = [lane for fields in ports.values() for lane in str(fields.get("lanes", "")).split(",")]
    if len(lanes) != len(set(lanes)):
        yield "a lane is used twice"
    for port, fields in ports.items():
        if not {"lanes", "speed"} <= set(fields):
            yield f"PORT|{port}: lanes and speed are mandatory"
    for key in data.get("BUFFER_PG", {}):
        if key.split("|")[0] not in ports:
            yield f"BUFFER_PG|{key}: no such port"
    for key, fields in data.get("CABLE_LENGTH", {}).items():
        yield from (f"CABLE_LENGTH|{key}: no {port}" for port in fields if port not in ports)
    for key, fields in data.get("ACL_TABLE", {}).items():
        named = fields["ports"]
        assert isinstance(named, list)
        yield from (f"ACL_TABLE|{key}: no {port}" for port in named if port not in ports)


COUNTS = st.sampled_from([1, 1, 2, 4])


@st.composite
def databases(draw: st.DrawFn) -> Database:
    """A sound CONFIG_DB that we have never written to, with an operator's configuration in it."""
    data = factory({panel: draw(COUNTS) for panel in PANELS[:4]})
    data["ACL_TABLE"] = {"EDGE": {"type": "L3", "ports": ["Ethernet32"]}}
    data["PORT"]["Ethernet32"]["description"] = "operator's uplink"
    if draw(st.booleans()):
        data["BGP_NEIGHBOR"] = {"192.0.2.9": {"asn": "65000", "name": "operator"}}
    if draw(st.booleans()):
        data["LOOPBACK_INTERFACE"] = {"Loopback0": {}, "Loopback0|192.0.2.1/32": {}}
    if draw(st.booleans()):
        data["DEVICE_METADATA"]["localhost"] |= {"bgp_asn": "65001", "type": "ToRRouter"}
    for port in sorted(data["PORT"])[:6]:
        _use(data, port, draw(st.sampled_from(["", "", "routed", "member", "buffer", "described"])))
    return data


def _use(data: Database, port: str, use: str) -> None:
    if use == "routed":
        data.setdefault("INTERFACE", {}).update({port: {}, f"{port}|192.0.2.{len(data['INTERFACE'])}/32": {}})
    elif use == "member":
        data.setdefault("VLAN", {})["Vlan50"] = {"vlanid": "50"}
        data.setdefault("VLAN_MEMBER", {})[f"Vlan50|{port}"] = {"tagging_mode": "untagged"}
    elif use == "buffer":
        data.setdefault("BUFFER_PG", {})[f"{port}|0"] = {"profile": "ingress_lossy_profile"}
    elif use == "described":
        data["PORT"][port]["description"] = "operator's"


@st.composite
def wishes(draw: st.DrawFn) -> Wish:
    """What one device of a fabric may be asked to run."""
    panels = {panel: draw(COUNTS) for panel in PANELS[:3] if draw(st.booleans())}
    ports = [port for panel, count in panels.items() for port in ports_of(panel, count)]
    uses = {port: draw(st.sampled_from(["routed", "member", "idle"])) for port in ports}
    routed = {port: (f"10.11.0.{2 * number}/31",) for number, port in enumerate(ports) if uses[port] == "routed"}
    asns = st.sampled_from(["4200000000", "4200000009"])
    neighbors = {f"10.11.0.{2 * ports.index(port) + 1}": neighbor(draw(asns)) for port in routed}
    members = tuple(port for port in ports if uses[port] == "member")
    return Wish(
        panels=panels,
        routed=routed,
        members=members,
        vlan=draw(st.sampled_from([50, 100])) if members else None,
        neighbors=neighbors,
        mtu=draw(st.sampled_from(["9100", "4200"])),
        asn=draw(st.sampled_from([None, "4200000001", "4200000002"])),
        loopbacks=draw(st.sampled_from([(), ("10.10.0.1/32",), ("10.10.0.2/32", "fd00:10::2/128")])),
    )


def foreign(running: Leaves, *wishes_: Wish) -> dict[Path, object]:
    """The leaves that none of the wishes owns or leaves no room for."""
    panels = {panel for wish in wishes_ for panel in wish.panels}
    numbers = {f"Ethernet{number}" for panel in panels for number in range(int(panel[8:]), int(panel[8:]) + 8)}

    def about_used(path: Path) -> bool:
        if path[0] == "PORT" and path[-1] == "description" and path[1] in PANELS:
            return False
        return bool(numbers & {*path[1].split("|"), *path[2:]})

    return {
        path: value
        for path, value in running.items()
        if not about_used(path) and not any(wish.rendered.ownership.covers(path) for wish in wishes_)
    }
