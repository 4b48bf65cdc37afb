"""SONiC: CONFIG_DB rows of a leaf and a spine. Right values: the YANG of the tables, and bgpcfgd's needs."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from fabric_auto.device.model import DeviceConfig
from fabric_auto.vendors.base import Rendered
from fabric_auto.vendors.registry import VENDORS
from fabric_auto.vendors.sonic.leaves import document, dump
from tests.vendors.devices import DEVICE, HOST, LINK_1, LINK_2, LOOPBACK, VLAN, leaf, sonic_spine

SONIC = VENDORS["sonic"]


@pytest.fixture(scope="module")
def rendered() -> Rendered:
    return SONIC.render(leaf())


@pytest.fixture(scope="module")
def config(rendered: Rendered) -> dict[str, dict[str, dict[str, str]]]:
    tables: dict[str, dict[str, dict[str, str]]] = json.loads(rendered.artifacts[0].content)
    return tables


def test_the_artifact_holds_our_tables_and_no_other(config: dict[str, object]) -> None:
    assert list(config) == [
        "BGP_NEIGHBOR",
        "DEVICE_METADATA",
        "INTERFACE",
        "LOOPBACK_INTERFACE",
        "PORT",
        "VLAN",
        "VLAN_INTERFACE",
        "VLAN_MEMBER",
    ]


def test_metadata_has_what_bgpcfgd_waits_for_and_nothing_of_the_hardware(config: dict[str, object]) -> None:
    assert config["DEVICE_METADATA"] == {
        "localhost": {
            "bgp_adv_lo_prefix_as_128": "true",
            "bgp_asn": "4200100000",
            "hostname": "east-leaf-01",
            "type": "LeafRouter",
        }
    }


def test_a_port_has_lanes_alias_speed_fec_and_ip_mtu(config: dict[str, dict[str, object]]) -> None:
    assert config["PORT"]["Ethernet0"] == {
        "admin_status": "up",
        "alias": "Ethernet1/1",
        "description": "gpu-01 nic1",
        "fec": "rs",
        "index": "1",
        "lanes": "17,18,19,20,21,22,23,24",
        "mtu": "9100",
        "speed": "400000",
    }


def test_a_link_that_the_intent_shuts_keeps_its_addresses_and_is_down(
    config: dict[str, dict[str, dict[str, str]]],
) -> None:
    assert config["PORT"]["Ethernet496"]["admin_status"] == "down"
    assert "Ethernet496|10.11.0.2/31" in config["INTERFACE"]


def test_every_address_is_a_row_below_its_base_row(config: dict[str, dict[str, object]]) -> None:
    assert list(config["INTERFACE"]) == [
        "Ethernet496",
        "Ethernet496|10.11.0.2/31",
        "Ethernet496|fd00:11::2/127",
        "Ethernet504",
        "Ethernet504|10.11.0.0/31",
        "Ethernet504|fd00:11::/127",
    ]
    assert config["LOOPBACK_INTERFACE"] == {
        "Loopback0": {},
        "Loopback0|10.10.0.1/32": {},
        "Loopback0|fd00:10::1/128": {},
    }


def test_hosts_join_a_vlan_untagged_and_the_leaf_has_its_gateways(config: dict[str, object]) -> None:
    assert config["VLAN"] == {"Vlan100": {"mtu": "9100", "vlanid": "100"}}
    assert config["VLAN_MEMBER"] == {"Vlan100|Ethernet0": {"tagging_mode": "untagged"}}
    assert config["VLAN_INTERFACE"] == {"Vlan100": {}, "Vlan100|10.20.0.1/26": {}, "Vlan100|fd00:20::1/64": {}}


def test_a_neighbor_is_keyed_by_its_address_alone(config: dict[str, dict[str, object]]) -> None:
    assert list(config["BGP_NEIGHBOR"]) == ["10.11.0.1", "fd00:11::1"]
    assert config["BGP_NEIGHBOR"]["10.11.0.1"] == {
        "admin_status": "up",
        "asn": "4200000000",
        "holdtime": "9",
        "keepalive": "3",
        "local_addr": "10.11.0.0",
        "name": "east-spine-01",
        "nhopself": "0",
        "rrclient": "0",
    }


def test_a_broken_out_port_has_its_share_of_the_lanes_and_a_subport_number() -> None:
    config = json.loads(SONIC.render(sonic_spine()).artifacts[0].content)
    used, sibling = config["PORT"]["Ethernet0"], config["PORT"]["Ethernet4"]
    assert (used["lanes"], used["subport"], used["alias"], used["index"]) == ("0,1,2,3", "1", "etp1a", "1")
    assert (sibling["lanes"], sibling["subport"], sibling["admin_status"]) == ("4,5,6,7", "2", "down")
    assert "description" not in sibling


def test_no_fec_is_said_since_a_removed_field_would_leave_the_old_one_in_force() -> None:
    device = leaf()
    slow = replace(device, ports=tuple(replace(each, fec="none", speed_mbps=40_000) for each in device.ports))
    config = json.loads(SONIC.render(slow).artifacts[0].content)
    assert {row["fec"] for row in config["PORT"].values()} == {"none"}


def test_ports_sort_by_number_and_the_file_ends_with_a_newline(rendered: Rendered) -> None:
    content = rendered.artifacts[0].content
    assert list(json.loads(SONIC.render(sonic_spine()).artifacts[0].content)["PORT"]) == ["Ethernet0", "Ethernet4"]
    assert content.endswith(b"\n}\n")
    assert content.startswith(b'{\n  "BGP_NEIGHBOR": {\n    "10.11.0.1": {\n')
    assert SONIC.render(leaf()).artifacts[0].content == content


@pytest.mark.parametrize("device", [leaf(), sonic_spine()], ids=lambda each: each.name)
def test_the_artifact_reads_back_as_the_leaves_and_all_of_it_is_ours(device: DeviceConfig) -> None:
    rendered = SONIC.render(device)
    content = rendered.artifacts[0].content
    assert SONIC.parse(content) == rendered.leaves
    assert dump(document(rendered.leaves)) == content
    assert [path for path in rendered.leaves if not rendered.ownership.covers(path)] == []


@pytest.mark.parametrize(
    ("path", "is_ours"),
    [
        (("PORT", "Ethernet0", "mtu"), True),
        (("PORT", "Ethernet0", "dom_polling"), False),
        (("PORT", "Ethernet8", "mtu"), False),
        (("DEVICE_METADATA", "localhost", "hwsku"), False),
        (("DEVICE_METADATA", "localhost", "mac"), False),
        (("INTERFACE", "Ethernet504|192.0.2.1/24"), True),
        (("INTERFACE", "Ethernet0", "vrf_name"), True),
        (("INTERFACE", "Ethernet8|192.0.2.1/24"), False),
        (("VLAN_MEMBER", "Vlan7|Ethernet504", "tagging_mode"), True),
        (("VLAN_MEMBER", "Vlan7|Ethernet8", "tagging_mode"), False),
        (("VLAN_INTERFACE", "Vlan100|192.0.2.1/24"), True),
        (("LOOPBACK_INTERFACE", "Loopback0|192.0.2.1/32"), True),
        (("LOOPBACK_INTERFACE", "Loopback1"), False),
        (("VLAN", "Vlan7"), False),
        (("BGP_NEIGHBOR", "192.0.2.1", "asn"), False),
        (("ACL_TABLE", "EVERFLOW"), False),
    ],
)
def test_ours_is_what_we_write_and_what_cannot_stand_beside_it(
    rendered: Rendered, path: tuple[str, ...], is_ours: bool
) -> None:
    assert rendered.ownership.covers(path) is is_ours


@pytest.mark.parametrize(
    ("path", "origin"),
    [
        (("DEVICE_METADATA", "localhost", "bgp_asn"), DEVICE),
        (("PORT", "Ethernet0", "mtu"), HOST),
        (("INTERFACE", "Ethernet504|10.11.0.0/31"), LINK_1),
        (("PORT", "Ethernet496", "admin_status"), LINK_2),
        (("LOOPBACK_INTERFACE", "Loopback0|10.10.0.1/32"), LOOPBACK),
        (("VLAN", "Vlan100", "vlanid"), VLAN),
        (("BGP_NEIGHBOR", "10.11.0.1", "asn"), LINK_1),
    ],
)
def test_every_row_knows_its_intent_line(rendered: Rendered, path: tuple[str, ...], origin: object) -> None:
    assert rendered.origin_of(path) == origin


def test_leaf_lists_and_rows_without_fields_survive_parsing() -> None:
    leaves = SONIC.parse(
        b'{"NTP": {"global": {"src_intf": ["eth0", "Loopback0"]}}, "VRF": {"Vrf1": {}}, "bgpraw": "x"}'
    )
    assert leaves == {
        ("NTP", "global"): "",
        ("NTP", "global", "src_intf"): ("eth0", "Loopback0"),
        ("VRF", "Vrf1"): "",
    }
    assert document(leaves) == {"NTP": {"global": {"src_intf": ["eth0", "Loopback0"]}}, "VRF": {"Vrf1": {}}}


@pytest.mark.parametrize(
    "garbage", [b"", b"not json", b"[]", b'{"PORT": []}', b'{"PORT": {"Ethernet0": "up"}}', b"\xff"]
)
def test_what_is_not_config_db_is_refused(garbage: bytes) -> None:
    with pytest.raises(ValueError, match="CONFIG_DB"):
        SONIC.parse(garbage)


@pytest.mark.parametrize("release", ["202505", "202511", "202605"])
def test_the_vendor_models_accept_a_leaf_and_a_spine(
    shared: Path, yang_models: Path, tmp_path: Path, release: str
) -> None:
    files: list[Path] = []
    for device in (leaf(), sonic_spine()):
        files.append(tmp_path / f"{device.name}.json")
        files[-1].write_bytes(SONIC.render(replace(device, release=release)).artifacts[0].content)
    tool = [sys.executable, str(shared / "tools/sonic_yang_check.py"), "--yang", str(yang_models / "sonic" / release)]
    done = subprocess.run([*tool, *map(str, files)], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
