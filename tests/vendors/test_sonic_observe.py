"""SONiC: what its commands print, and what we make of it. The shapes are those of sonic-utilities, lldpd and FRR."""

import json
from ipaddress import ip_network

import pytest

from fabric_auto.device.observed import Neighbor, Session
from fabric_auto.vendors.registry import VENDORS
from fabric_auto.vendors.sonic.observe import LLDP, PORTS, ROUTES, SUMMARY, VERSION

SONIC = VENDORS["sonic"]

SHOW_VERSION = """
SONiC Software Version: SONiC.202505.958412-5f3a1c2d7
SONiC OS Version: 12
Distribution: Debian 12.11
Kernel: 6.1.0-29-2-amd64
Build commit: 5f3a1c2d7
Build date: Wed Nov 12 09:41:02 UTC 2025
Built by: AzDevOps@vmss-soni0017GX

Platform: x86_64-arista_7060dx5_64s
HwSKU: Arista-7060DX5-64S
ASIC: broadcom
ASIC Count: 1
Serial Number: JPE22110001
"""


def lldp(system: str, port: str) -> dict[str, object]:
    return {
        "via": "LLDP",
        "rid": "1",
        "age": "0 day, 00:01:12",
        "chassis": {system: {"id": {"type": "mac", "value": "1a:2b:3c:00:00:01"}, "descr": "SRLinux-v25.3.1"}},
        "port": {"id": {"type": "ifname", "value": port}, "descr": "to leaf", "ttl": "120"},
    }


def connected(interface: str, **changes: object) -> dict[str, object]:
    hop = {"flags": 3, "fib": True, "directlyConnected": True, "interfaceName": interface, "active": True}
    return {
        "protocol": "connected",
        "selected": True,
        "destSelected": True,
        "installed": True,
        "nexthops": [hop],
    } | changes


def learned(*hops: str, more: tuple[object, ...] = (), **changes: object) -> dict[str, object]:
    each = [{"flags": 3, "fib": True, "ip": hop, "interfaceName": "Ethernet504", "active": True} for hop in hops]
    return {
        "protocol": "bgp",
        "selected": True,
        "destSelected": True,
        "installed": True,
        "nexthops": [*each, *more],
    } | changes


NOT_IN_FIB: dict[str, object] = {"flags": 1, "ip": "10.11.0.5", "interfaceName": "Ethernet488", "active": True}


ANSWERS: dict[str, object] = {
    PORTS: {
        "Ethernet0": {"Admin": "up", "Alias": "Ethernet1/1", "Oper": "up", "Speed": "400G", "Vlan": "trunk"},
        "Ethernet496": {"Admin": "down", "Alias": "Ethernet63/1", "Oper": "down", "Speed": "400G", "Vlan": "routed"},
        "Ethernet504": {"Admin": "up", "Alias": "Ethernet64/1", "Oper": "up", "Speed": "400G", "Vlan": "routed"},
        "PortChannel1": {"Admin": "up", "Oper": "down"},
    },
    LLDP: {
        "lldp": {
            "interface": [
                {"eth0": lldp("mgmt-switch", "7")},
                {"Ethernet504": lldp("east-spine-01", "ethernet-1/1")},
            ]
        }
    },
    SUMMARY: {
        "ipv4Unicast": {
            "routerId": "10.10.0.1",
            "as": 4200100000,
            "peers": {
                "10.11.0.1": {"remoteAs": 4200000000, "state": "Established", "pfxRcd": 5, "pfxSnt": 3},
                "10.11.0.3": {"remoteAs": 4200000000, "state": "Idle (Admin)", "pfxRcd": 0},
            },
        },
        "ipv6Unicast": {"peers": {"fd00:11::1": {"remoteAs": 4200000000, "state": "Active"}}},
    },
    ROUTES[0]: {
        "10.10.0.1/32": [connected("Loopback0", protocol="local"), connected("Loopback0", selected=False)],
        "10.10.0.2/32": [
            learned("10.11.0.1", "10.11.0.3", more=(NOT_IN_FIB,), offloaded=True),
        ],
        "10.20.0.64/26": [learned("10.11.0.3")],
    },
    ROUTES[1]: {"fd00:10::2/128": [learned("fd00:11::1", offloaded=True)]},
}


def answers(**changes: object) -> dict[str, str]:
    texts = {question: json.dumps(value) for question, value in ANSWERS.items()} | {VERSION: SHOW_VERSION}
    return texts | {name: str(value) for name, value in changes.items()}


def test_every_question_is_one_we_answer_here() -> None:
    assert set(SONIC.questions) == set(answers())


def test_release_and_model_are_stated_by_show_version() -> None:
    observed = SONIC.observe(answers())
    assert observed.release == "202505"
    assert observed.model == "Arista-7060DX5-64S"


@pytest.mark.parametrize(
    ("version", "release"),
    [
        ("SONiC.202511.1", "202511"),
        ("SONiC.SONiC-OS-202605.0-dirty-20260801.010203", "202605"),
        ("SONiC.master.1017432-086b03bd7", "master"),
    ],
)
def test_the_release_is_the_branch_of_the_build(version: str, release: str) -> None:
    text = SHOW_VERSION.replace("SONiC.202505.958412-5f3a1c2d7", version)
    assert SONIC.observe(answers() | {VERSION: text}).release == release


def test_front_panel_ports_are_up_or_not() -> None:
    assert SONIC.observe(answers()).ports == {"Ethernet0": True, "Ethernet496": False, "Ethernet504": True}


def test_neighbors_are_heard_on_front_panel_ports_alone() -> None:
    assert SONIC.observe(answers()).neighbors == {"Ethernet504": Neighbor("east-spine-01", "ethernet-1/1")}


def test_a_list_of_one_neighbor_may_be_that_one_as_lldpctl_writes_it() -> None:
    one = json.dumps({"lldp": {"interface": {"Ethernet504": lldp("east-spine-01", "ethernet-1/1")}}})
    assert SONIC.observe(answers() | {LLDP: one}).neighbors == {
        "Ethernet504": Neighbor("east-spine-01", "ethernet-1/1")
    }


def test_no_neighbor_at_all_is_an_empty_object() -> None:
    assert SONIC.observe(answers() | {LLDP: '{"lldp": {}}'}).neighbors == {}


def test_a_chassis_without_a_system_name_has_an_empty_one() -> None:
    nameless = {"chassis": {"id": {"type": "mac", "value": "1a:2b:3c:00:00:01"}}, "port": {"id": {"value": "x"}}}
    text = json.dumps({"lldp": {"interface": [{"Ethernet504": nameless}]}})
    assert SONIC.observe(answers() | {LLDP: text}).neighbors == {"Ethernet504": Neighbor("", "x")}


def test_sessions_have_state_and_received_prefixes() -> None:
    assert SONIC.observe(answers()).sessions == {
        "10.11.0.1": Session("10.11.0.1", 4200000000, "established", 5),
        "10.11.0.3": Session("10.11.0.3", 4200000000, "idle", 0),
        "fd00:11::1": Session("fd00:11::1", 4200000000, "active", 0),
    }


def test_next_hops_are_those_in_the_forwarding_table() -> None:
    assert SONIC.observe(answers()).routes == {
        ip_network("10.10.0.1/32"): frozenset(),
        ip_network("10.10.0.2/32"): frozenset({"10.11.0.1", "10.11.0.3"}),
        ip_network("10.20.0.64/26"): frozenset({"10.11.0.3"}),
        ip_network("fd00:10::2/128"): frozenset({"fd00:11::1"}),
    }


@pytest.mark.parametrize(
    "changes",
    [
        {"selected": None},
        {"installed": None, "queued": True},
        {"installed": None, "failed": True},
        {"offloaded": False},
    ],
)
def test_a_route_that_bgp_has_and_the_switch_does_not_forward_by_is_none(changes: dict[str, object]) -> None:
    # FRR's zebra says `selected`, `installed`, `queued` and `failed` when set; `offloaded` false says that the ASIC refused
    route = {name: value for name, value in learned("10.11.0.1", **changes).items() if value is not None}
    table = json.dumps({"10.10.0.2/32": [route]})
    assert ip_network("10.10.0.2/32") not in SONIC.observe(answers() | {ROUTES[0]: table}).routes


def test_a_switch_without_bgp_has_no_sessions() -> None:
    observed = SONIC.observe(answers() | {SUMMARY: "% BGP instance not found\n"} | dict.fromkeys(ROUTES, "{}"))
    assert (observed.sessions, observed.routes) == ({}, {})


@pytest.mark.parametrize("question", [VERSION, PORTS, LLDP, SUMMARY, *ROUTES])
def test_an_answer_that_is_missing_or_garbage_is_refused_by_name(question: str) -> None:
    missing = answers()
    del missing[question]
    with pytest.raises(ValueError, match=r"no answer to|`show version` does not state"):
        SONIC.observe(missing)
    with pytest.raises(ValueError, match=r"JSON|does not state"):
        SONIC.observe(answers() | {question: "Segmentation fault"})


@pytest.mark.parametrize("answer", ["[]", '"up"', '{"ipv4Unicast": []}', '{"ipv4Unicast": {"peers": {"x": {}}}}'])
def test_json_of_another_shape_is_refused(answer: str) -> None:
    with pytest.raises(ValueError, match=r"an object is expected|cannot be read"):
        SONIC.observe(answers() | {SUMMARY: answer})
