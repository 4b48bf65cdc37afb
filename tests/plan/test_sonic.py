"""SONiC steps against what the box takes: RFC 6902, generic_config_updater's rules, bgpcfgd's start-up."""

import json
from dataclasses import replace

import pytest

from fabric_auto.errors import FabricAutoError
from fabric_auto.plan.build import plan_device
from fabric_auto.plan.diff import changes_between
from fabric_auto.plan.model import DevicePlan, Impact
from fabric_auto.plan.sonic import impact as cost
from fabric_auto.plan.sonic import steps
from fabric_auto.plan.sonic_rows import displaced
from fabric_auto.plan.state import DeviceState
from fabric_auto.vendors.base import spell
from tests.plan.sonic_cases import Database, Wish, factory, leaves_of, neighbor, running_of
from tests.plan.test_laws import kept

QUIET = Wish(asn=None, loopbacks=())
"""No BGP instance of ours: everything it asks for can be patched."""


def wish(**parts: object) -> Wish:
    return Wish(**{"asn": None, "loopbacks": (), **parts})  # type: ignore[arg-type]  # fields of Wish by name


def plan(data: Database, intended: Wish | None, state: DeviceState | None = None) -> DevicePlan:
    return plan_device("leaf-01", "sonic", running_of(data), intended.rendered if intended else None, state)


def as_configured(intended: Wish) -> tuple[Database, DeviceState]:
    """A box that runs ``intended`` and nothing of ours beside it, with our state."""
    data = factory()
    first = plan(data, intended)
    for path, value in intended.rendered.leaves.items():
        row = data.setdefault(path[0], {}).setdefault(path[1], {})
        if len(path) == 3:
            row[path[2]] = value
    return data, kept(first)


def operations(made: DevicePlan) -> list[dict[str, object]]:
    assert [step.kind for step in made.steps] == ["apply-patch"]
    content: list[dict[str, object]] = json.loads(made.steps[0].content)
    return content


def test_a_table_that_is_not_there_is_added_whole() -> None:
    # releases up to 202505 refuse to add below an absent table
    made = plan(factory(), wish(panels={"Ethernet0": 1}, routed={"Ethernet0": ("10.11.0.0/31", "fd00:11::/127")}))
    assert {
        "op": "add",
        "path": "/INTERFACE",
        "value": {"Ethernet0": {}, "Ethernet0|10.11.0.0/31": {}, "Ethernet0|fd00:11::/127": {}},
    } in operations(made)


def test_a_row_joins_a_table_that_is_there_with_its_slash_escaped() -> None:
    data = factory()
    data["INTERFACE"] = {"Ethernet32": {}}
    made = plan(data, wish(panels={"Ethernet0": 1}, routed={"Ethernet0": ("10.11.0.0/31",)}))
    assert operations(made)[-2:] == [
        {"op": "add", "path": "/INTERFACE/Ethernet0", "value": {}},
        {"op": "add", "path": "/INTERFACE/Ethernet0|10.11.0.0~131", "value": {}},
    ]


def test_the_last_row_takes_its_table_with_it() -> None:
    # EmptyTableError: an empty table does not show up in CONFIG_DB
    data, state = as_configured(wish(panels={"Ethernet0": 1}, routed={"Ethernet0": ("10.11.0.0/31",)}))
    made = plan(data, wish(panels={"Ethernet0": 1}), state)
    assert operations(made) == [
        {"op": "remove", "path": "/INTERFACE/Ethernet0|10.11.0.0~131"},
        {"op": "remove", "path": "/INTERFACE"},
    ]


def test_a_field_that_changes_is_replaced_and_one_that_is_new_is_added() -> None:
    made = plan(factory(), wish(panels={"Ethernet0": 1}, mtu="4200"))
    assert {"op": "replace", "path": "/PORT/Ethernet0/mtu", "value": "4200"} in operations(made)
    assert {"op": "add", "path": "/PORT/Ethernet0/fec", "value": "rs"} in operations(made)


@pytest.mark.parametrize("field", ["asn", "name", "local_addr", "holdtime", "keepalive", "nhopself", "rrclient"])
def test_a_create_only_field_of_a_neighbor_makes_the_row_go_and_come_back_in_one_document(field: str) -> None:
    data, state = as_configured(wish(neighbors={"10.11.0.1": neighbor()}))
    made = plan(data, wish(neighbors={"10.11.0.1": {**neighbor(), field: "7"}}), state)
    assert operations(made) == [
        {"op": "remove", "path": "/BGP_NEIGHBOR/10.11.0.1"},
        {"op": "add", "path": "/BGP_NEIGHBOR/10.11.0.1", "value": {**neighbor(), field: "7"}},
    ]
    assert made.impact is Impact.SESSION_RESET


def test_the_administrative_status_of_a_neighbor_is_changed_in_place() -> None:
    data, state = as_configured(wish(neighbors={"10.11.0.1": neighbor()}))
    made = plan(data, wish(neighbors={"10.11.0.1": {**neighbor(), "admin_status": "down"}}), state)
    assert operations(made) == [{"op": "replace", "path": "/BGP_NEIGHBOR/10.11.0.1/admin_status", "value": "down"}]


def test_a_vrf_that_leaves_a_loopback_takes_the_row_and_its_addresses_down_and_up() -> None:
    data = factory()
    data["VRF"] = {"Vrf1": {}}
    data["LOOPBACK_INTERFACE"] = {"Loopback1": {"vrf_name": "Vrf1"}, "Loopback1|192.0.2.1/32": {}, "Loopback0": {}}
    leaves = leaves_of(data)
    after = {path: value for path, value in leaves.items() if path[-1] != "vrf_name"}
    forward, _ = steps(data, changes_between(leaves, after))
    assert json.loads(forward[0].content) == [
        {"op": "remove", "path": "/LOOPBACK_INTERFACE/Loopback1|192.0.2.1~132"},
        {"op": "remove", "path": "/LOOPBACK_INTERFACE/Loopback1"},
        {"op": "add", "path": "/LOOPBACK_INTERFACE/Loopback1", "value": {}},
        {"op": "add", "path": "/LOOPBACK_INTERFACE/Loopback1|192.0.2.1~132", "value": {}},
    ]


def test_a_port_leaves_the_router_before_it_joins_a_vlan() -> None:
    # sonic-vlan.yang: a VLAN member may not be a router interface
    data, state = as_configured(wish(panels={"Ethernet0": 1}, routed={"Ethernet0": ("10.11.0.0/31",)}))
    made = plan(data, wish(panels={"Ethernet0": 1}, members=("Ethernet0",), vlan=100), state)
    assert [operation["path"] for operation in operations(made)] == [
        "/INTERFACE/Ethernet0|10.11.0.0~131",
        "/INTERFACE",
        "/VLAN",
        "/VLAN_INTERFACE",
        "/VLAN_MEMBER",
    ]
    assert made.impact is Impact.PORT_BOUNCE


def test_neighbors_come_after_the_addresses_they_use_and_go_before_them() -> None:
    intended = wish(
        panels={"Ethernet0": 1}, routed={"Ethernet0": ("10.11.0.0/31",)}, neighbors={"10.11.0.1": neighbor()}
    )
    data, state = as_configured(intended)
    added = [operation["path"] for operation in operations(plan(factory(), intended))]
    assert added[-2:] == ["/INTERFACE", "/BGP_NEIGHBOR"]
    removed = [operation["path"] for operation in operations(plan(data, None, state))]
    assert removed[:3] == ["/BGP_NEIGHBOR", "/INTERFACE/Ethernet0|10.11.0.0~131", "/INTERFACE"]


def test_a_patch_is_cut_into_documents_of_the_size_asked_for() -> None:
    data = factory()
    data["INTERFACE"] = {"Ethernet32": {}}
    made = plan(
        data, wish(panels={"Ethernet0": 1}, routed={"Ethernet0": tuple(f"10.11.0.{2 * n}/31" for n in range(9))})
    )
    forward, _ = steps(data, made.changes, 4)
    assert [len(json.loads(step.content)) for step in forward] == [4, 4, 4]  # host name, fec, base row, nine addresses


@pytest.mark.parametrize("field", ["bgp_asn", "type"])
def test_what_the_bgp_container_reads_at_its_start_is_a_reload_of_the_whole_configuration(field: str) -> None:
    made = plan(factory(), Wish())
    assert [step.kind for step in made.steps] == ["reload"]
    assert made.impact is Impact.RELOAD
    target = json.loads(made.steps[0].content)
    assert target["DEVICE_METADATA"]["localhost"][field] == {"bgp_asn": "4200000001", "type": "LeafRouter"}[field]
    assert target["DEVICE_METADATA"]["localhost"]["mac"] == "02:00:00:00:00:01"
    assert target["NTP_SERVER"] == {"192.0.2.123": {"iburst": "on"}}
    assert [(step.kind, json.loads(step.content)) for step in made.inverse] == [("reload", factory())]


def test_a_host_name_alone_is_hitless() -> None:
    made = plan(factory(), QUIET)
    assert [str(change) for change in made.changes] == ["update DEVICE_METADATA/localhost/hostname"]
    assert made.impact is Impact.HITLESS


def test_prefixes_that_bgp_announces_change_by_a_reload() -> None:
    # bgpd.main.conf.j2 writes the network statements of Loopback0 and the VLANs, once
    data, state = as_configured(Wish(loopbacks=("10.10.0.1/32",)))
    made = plan(data, Wish(loopbacks=("10.10.0.2/32",)), state)
    assert made.impact is Impact.RELOAD


def test_a_breakout_displaces_the_ports_that_use_its_lanes_and_all_that_is_about_them() -> None:
    data = factory({"Ethernet0": 4})
    data["BUFFER_PG"] = {
        "Ethernet2|0": {"profile": "ingress_lossy_profile"},
        "Ethernet8|0": {"profile": "ingress_lossy_profile"},
    }
    gone = displaced(leaves_of(data), wish(panels={"Ethernet0": 2}).rendered.leaves)
    assert {spell(path) for path in gone if len(path) == 2 or path[0] == "CABLE_LENGTH"} == {
        "PORT/Ethernet2",
        "PORT/Ethernet6",
        "BUFFER_PG/Ethernet2|0",
        "CABLE_LENGTH/AZURE/Ethernet2",
        "CABLE_LENGTH/AZURE/Ethernet6",
    }
    made = plan(data, wish(panels={"Ethernet0": 2}))
    target = json.loads(made.steps[0].content)
    assert made.steps[0].kind == "reload"
    assert sorted(target["PORT"])[:3] == ["Ethernet0", "Ethernet16", "Ethernet24"]
    assert target["BUFFER_PG"] == {"Ethernet8|0": {"profile": "ingress_lossy_profile"}}


def test_a_breakout_is_refused_while_an_access_list_names_a_port_that_goes() -> None:
    data = factory({"Ethernet0": 4})
    data["ACL_TABLE"] = {"EDGE": {"type": "L3", "ports": ["Ethernet2", "Ethernet32"]}}
    with pytest.raises(
        FabricAutoError, match="ACL_TABLE/EDGE/ports names Ethernet2, a port that this change takes away"
    ):
        plan(data, wish(panels={"Ethernet0": 1}))


def test_our_vlan_stays_while_an_operators_port_is_a_member_of_it() -> None:
    data, state = as_configured(wish(panels={"Ethernet0": 1}, members=("Ethernet0",), vlan=100))
    data["VLAN_MEMBER"]["Vlan100|Ethernet32"] = {"tagging_mode": "tagged"}
    made = plan(data, None, state)
    assert ("VLAN", "Vlan100", "vlanid") in made.target
    assert {path for path in made.target if path[0] == "VLAN_MEMBER" and len(path) == 2} == {
        ("VLAN_MEMBER", "Vlan100|Ethernet32")
    }
    assert ("VLAN_INTERFACE", "Vlan100") not in made.target


def test_an_operators_membership_that_we_displaced_comes_back_only_while_its_vlan_is_there() -> None:
    data = factory()
    data["VLAN"] = {"Vlan50": {"vlanid": "50"}}
    data["VLAN_MEMBER"] = {"Vlan50|Ethernet0": {"tagging_mode": "untagged"}}
    intended = wish(panels={"Ethernet0": 1}, routed={"Ethernet0": ("10.11.0.0/31",)})
    first = plan(data, intended)
    assert ("VLAN_MEMBER", "Vlan50|Ethernet0") not in first.target
    state = kept(first)
    after, _ = as_configured(intended)
    assert ("VLAN_MEMBER", "Vlan50|Ethernet0") not in plan(after, None, state).target
    after["VLAN"] = {"Vlan50": {"vlanid": "50"}}
    assert ("VLAN_MEMBER", "Vlan50|Ethernet0") in plan(after, None, state).target


def test_an_operators_address_does_not_come_back_on_a_port_that_is_a_vlan_member_now() -> None:
    data = factory()
    data["INTERFACE"] = {"Ethernet0": {}, "Ethernet0|192.0.2.0/31": {}}
    state = kept(plan(data, wish(panels={"Ethernet0": 1}, routed={"Ethernet0": ("10.11.0.0/31",)})))
    running, _ = as_configured(wish(panels={"Ethernet0": 1}, routed={"Ethernet0": ("10.11.0.0/31",)}))
    shut = wish(panels={"Ethernet0": 1}, members=("Ethernet0",), vlan=100).rendered
    # a vendor claims addresses of enabled ports only; this one is a member all the same
    entries = frozenset(path for path in shut.ownership.entries if path[0] != "INTERFACE")
    shut = replace(shut, ownership=replace(shut.ownership, entries=entries))
    made = plan_device("leaf-01", "sonic", running_of(running), shut, state)
    assert ("VLAN_MEMBER", "Vlan100|Ethernet0") in made.target
    assert [path for path in made.target if path[0] == "INTERFACE"] == []


def test_a_cable_length_row_goes_when_every_port_in_it_is_displaced() -> None:
    data = factory({"Ethernet0": 2})
    data["CABLE_LENGTH"] = {"AZURE": {"Ethernet4": "5m"}}
    made = plan(data, wish(panels={"Ethernet0": 1}))
    assert "CABLE_LENGTH" not in json.loads(made.steps[0].content)


def test_what_others_wrote_about_a_port_of_ours_goes_with_the_port() -> None:
    data = factory()
    first = plan(data, wish(panels={"Ethernet0": 2}))
    running = json.loads(first.steps[0].content)
    running["CABLE_LENGTH"]["AZURE"]["Ethernet4"] = "40m"
    running["BUFFER_PG"] = {"Ethernet4|0": {"profile": "ingress_lossy_profile"}}
    running["PORT"]["Ethernet4"]["autoneg"] = "on"
    made = plan(running, None, kept(first))
    assert json.loads(made.steps[0].content) == data


def test_a_displaced_port_does_not_come_back_where_others_use_its_lanes_now() -> None:
    data = factory({"Ethernet0": 2})
    first = plan(data, wish(panels={"Ethernet0": 1}))
    running = json.loads(first.steps[0].content)
    # somebody re-cut the panel: three rows that are not ours, on lanes 3 to 8
    del running["PORT"]["Ethernet0"]
    running["PORT"] |= {
        key: fields for key, fields in factory({"Ethernet0": 4})["PORT"].items() if key in {"Ethernet2", "Ethernet6"}
    }
    del running["CABLE_LENGTH"]["AZURE"]["Ethernet0"]
    made = plan(running, None, kept(first))
    assert ("PORT", "Ethernet4") not in made.target
    assert ("CABLE_LENGTH", "AZURE", "Ethernet4") not in made.target


def test_a_displaced_field_does_not_come_back_without_its_row() -> None:
    data = factory({"Ethernet0": 2})
    first = plan(data, wish(panels={"Ethernet0": 1}))
    running = json.loads(first.steps[0].content)
    del running["CABLE_LENGTH"]
    made = plan(running, None, kept(first))
    assert ("PORT", "Ethernet4") in made.target
    assert [path for path in made.target if path[0] == "CABLE_LENGTH"] == []


def test_decommissioning_keeps_the_base_row_of_loopback0() -> None:
    # gu_common.py, validate_field_operation: `remove` of /LOOPBACK_INTERFACE/Loopback0 is illegal
    data, state = as_configured(Wish())
    made = plan(data, None, state)
    assert [path for path in made.target if path[0] == "LOOPBACK_INTERFACE"] == [("LOOPBACK_INTERFACE", "Loopback0")]


def test_the_inverse_of_a_patch_that_makes_loopback0_is_a_reload() -> None:
    made = plan(factory(), wish(loopbacks=("10.10.0.1/32",)))
    assert [step.kind for step in made.steps] == ["apply-patch"]
    assert [(step.kind, json.loads(step.content)) for step in made.inverse] == [("reload", factory())]


@pytest.mark.parametrize(("status", "impact"), [("up", Impact.PORT_BOUNCE), ("down", Impact.HITLESS)])
def test_an_mtu_change_bounces_a_port_that_is_up(status: str, impact: Impact) -> None:
    data, state = as_configured(wish(panels={"Ethernet0": 1}, mtu="9100"))
    data["PORT"]["Ethernet0"]["admin_status"] = status
    changes = [
        change
        for change in plan(data, wish(panels={"Ethernet0": 1}, mtu="4200"), state).changes
        if change.path[-1] == "mtu"
    ]
    assert cost(leaves_of(data), tuple(changes), data) is impact


def test_a_new_neighbor_is_hitless_and_one_that_goes_resets_its_session() -> None:
    data, state = as_configured(wish(neighbors={"10.11.0.1": neighbor()}))
    more = wish(neighbors={"10.11.0.1": neighbor(), "10.11.0.3": neighbor(local="10.11.0.2")})
    assert plan(data, more, state).impact is Impact.HITLESS
    assert plan(data, QUIET, state).impact is Impact.SESSION_RESET


def test_a_foreign_field_of_a_port_stays_when_we_let_the_port_go() -> None:
    data, state = as_configured(wish(panels={"Ethernet0": 1}))
    data["PORT"]["Ethernet0"]["description"] = "operator's"
    made = plan(data, None, state)
    assert made.target["PORT", "Ethernet0", "description"] == "operator's"
    assert ("PORT", "Ethernet0", "fec") not in made.target
    assert made.target["PORT", "Ethernet0", "mtu"] == "9100"
