"""CONFIG_DB against SONiC's models, verdicts compared with an independent judge."""

import copy
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fabric_auto.errors import FabricAutoError
from fabric_auto.yang import Violation
from fabric_auto.yang.sonic import SonicSchema
from fabric_auto.yang.sonic_instance import config_db_path

ConfigDb = dict[str, dict[str, dict[str, Any]]]
Addition = dict[str, Any]


@pytest.fixture(scope="module")
def master(yang_models: Path) -> SonicSchema:
    return SonicSchema(yang_models / "sonic" / "master")


@pytest.fixture(scope="module")
def leaf(shared: Path) -> ConfigDb:
    text = (shared / "reference/examples/sonic/leaf_frrcfgd_unnumbered_lossless.json").read_text()
    config: ConfigDb = json.loads(text)
    return config


# Each case adds rows and fields to the valid leaf; then where it goes wrong, and part of what the model says about it.
# The values are wrong by the models of sonic-buildimage master: PORT.mtu is 68..9216, a profile, map, port or VRF is a
# leafref, WRED's maximum is at least its minimum, a watchdog time at least POLL_INTERVAL, and so on.
REJECTED: dict[str, tuple[Addition, str, str]] = {
    "mtu above 9216": ({"PORT": {"Ethernet0": {"mtu": "9217"}}}, "PORT|Ethernet0/mtu", "range"),
    "speed zero": ({"PORT": {"Ethernet0": {"speed": "0"}}}, "PORT|Ethernet0/speed", "range"),
    "fec of no enum": ({"PORT": {"Ethernet0": {"fec": "kr"}}}, "PORT|Ethernet0/fec", "kr"),
    "port without lanes": ({"PORT": {"Ethernet4": {"speed": "100000"}}}, "PORT|Ethernet4", "lanes"),
    "map that is not there": (
        {"PORT_QOS_MAP": {"Ethernet0": {"dscp_to_tc_map": "NONE"}}},
        "PORT_QOS_MAP|Ethernet0/dscp_to_tc_map",
        "leafref",
    ),
    "map written the old way": (
        {"PORT_QOS_MAP": {"Ethernet0": {"tc_to_pg_map": "[TC_TO_PRIORITY_GROUP_MAP|AZURE]"}}},
        "PORT_QOS_MAP|Ethernet0/tc_to_pg_map",
        "pattern",
    ),
    "queue of no port": (
        {"QUEUE": {"Ethernet400|3": {"scheduler": "scheduler.1"}}},
        "QUEUE|Ethernet400|3",
        "Ethernet400",
    ),
    "vrf that is not there": (
        {"INTERFACE": {"Ethernet0": {"vrf_name": "Vrf9"}}},
        "INTERFACE|Ethernet0/vrf_name",
        "Vrf9",
    ),
    "unknown field": ({"PORT": {"Ethernet0": {"colour": "red"}}}, "PORT|Ethernet0/colour", "no such field"),
    "unknown field in a container": (
        {"DEVICE_METADATA": {"localhost": {"colour": "red"}}},
        "DEVICE_METADATA|localhost/colour",
        "no such field",
    ),
    "value of a container": (
        {"DEVICE_METADATA": {"localhost": {"type": "Boss"}}},
        "DEVICE_METADATA|localhost/type",
        "Boss",
    ),
    "unknown table": ({"PORTS": {"Ethernet0": {}}}, "PORTS", "no such table"),
    "key of too many parts": ({"PORT": {"Ethernet0|1": {"mtu": "9100"}}}, "PORT|Ethernet0|1", "1 parts"),
    "row that is no object": ({"PORT": {"Ethernet4": "up"}}, "PORT|Ethernet4", "JSON object"),
    "table that is no object": ({"VLAN": []}, "VLAN", "JSON object"),
    "list where one value stands": ({"PORT": {"Ethernet0": {"mtu": ["9100"]}}}, "PORT|Ethernet0/mtu", "one value"),
    "leaf-list as a plain string": (
        {"SWITCH_HASH": {"GLOBAL": {"ecmp_hash": "SRC_IP,DST_IP"}}},
        "SWITCH_HASH|GLOBAL/ecmp_hash",
        "JSON array",
    ),
    "router port as VLAN member": (
        {"VLAN": {"Vlan10": {"vlanid": "10"}}, "VLAN_MEMBER": {"Vlan10|Ethernet0": {"tagging_mode": "untagged"}}},
        "VLAN_MEMBER|Vlan10|Ethernet0",
        "outer",
    ),
    "vlanid unlike its VLAN": ({"VLAN": {"Vlan10": {"vlanid": "11"}}}, "VLAN|Vlan10/vlanid", "correspond"),
    "address on a loopback without base row": (
        {"LOOPBACK_INTERFACE": {"Loopback1|10.0.0.2/32": {}}},
        "LOOPBACK_INTERFACE|Loopback1|10.0.0.2/32",
        "Loopback1",
    ),
    "address on a port without base row": (
        {
            "PORT": {"Ethernet16": {"lanes": "17,18", "speed": "100000"}},
            "INTERFACE": {"Ethernet16|10.1.0.0/31": {}},
        },
        "INTERFACE|Ethernet16|10.1.0.0/31",
        "Must condition",
    ),
    "WRED maximum below its minimum": (
        {"WRED_PROFILE": {"AZURE_LOSSLESS": {"green_max_threshold": "1024"}}},
        "WRED_PROFILE|AZURE_LOSSLESS/green_max_threshold",
        "greater than or equal",
    ),
    "watchdog faster than its poll": (
        {"PFC_WD": {"GLOBAL": {"POLL_INTERVAL": "300"}}},
        "PFC_WD|Ethernet0/detection_time",
        "POLL_INTERVAL",
    ),
    "traffic class of a map": ({"DSCP_TO_TC_MAP": {"AZURE": {"3": "16"}}}, "DSCP_TO_TC_MAP|AZURE/3", "Class"),
    "DSCP of a map": ({"DSCP_TO_TC_MAP": {"AZURE": {"64": "0"}}}, "DSCP_TO_TC_MAP|AZURE", "DSCP"),
    "cable length without its unit": (
        {"CABLE_LENGTH": {"AZURE": {"Ethernet0": "40"}}},
        "CABLE_LENGTH|AZURE/Ethernet0",
        "cable length",
    ),
    "uA without its interface": (
        {"SRV6_MY_SIDS": {"MAIN|fcbb:bbbb:1:fe01::/64": {"action": "uA"}}},
        "SRV6_MY_SIDS|MAIN|fcbb:bbbb:1:fe01::/64",
        "interface",
    ),
    "portchannel without admin_status": (
        {"PORTCHANNEL": {"PortChannel1": {"mtu": "9100"}}},
        "PORTCHANNEL|PortChannel1",
        "admin_status",
    ),
}


def with_addition(config: ConfigDb, addition: Addition) -> ConfigDb:
    changed = copy.deepcopy(config)
    for table, rows in addition.items():
        if not isinstance(rows, dict):
            changed[table] = rows
            continue
        for key, fields in rows.items():
            target = changed.setdefault(table, {})
            target[key] = {**target.get(key, {}), **fields} if isinstance(fields, dict) else fields
    return changed


def judge(shared: Path, models: Path, files: list[Path]) -> dict[str, bool]:
    """File name → accepted, as the independent checker says."""
    script = shared / "tools/sonic_yang_check.py"
    command = [sys.executable, str(script), "--yang", str(models), "--strict-tables", *map(str, files)]
    output = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    verdicts = [line.split(" ", 1) for line in output.splitlines() if line.startswith(("OK ", "REJECT "))]
    return {Path(rest.split(":")[0]).name: verdict == "OK" for verdict, rest in verdicts}


def test_a_whole_valid_leaf_is_accepted_on_master(master: SonicSchema, leaf: ConfigDb) -> None:
    assert master.validate(leaf) == ()


@pytest.mark.parametrize("release", ["202505", "202511", "202605"])
def test_a_release_branch_rejects_the_leaf_only_for_its_micro_adjacency_sid(
    yang_models: Path, leaf: ConfigDb, release: str
) -> None:
    schema = SonicSchema(yang_models / "sonic" / release)
    row = "SRV6_MY_SIDS|MAIN|fcbb:bbbb:1:fe00::/64"
    assert {violation.path for violation in schema.validate(leaf)} == {f"{row}/interface", f"{row}/action"}
    older = {**leaf, "SRV6_MY_SIDS": {"MAIN|fcbb:bbbb:1::/48": leaf["SRV6_MY_SIDS"]["MAIN|fcbb:bbbb:1::/48"]}}
    assert schema.validate(older) == ()


@pytest.mark.parametrize("case", REJECTED)
def test_a_wrong_row_is_rejected_where_it_is_wrong(master: SonicSchema, leaf: ConfigDb, case: str) -> None:
    addition, path, message = REJECTED[case]
    found = master.validate(with_addition(leaf, addition))
    assert [v for v in found if v.path == path and message in v.message], found


def test_one_schema_serves_many_configurations_and_keeps_nothing_between_them(
    master: SonicSchema, leaf: ConfigDb
) -> None:
    assert master.validate(with_addition(leaf, {"PORT": {"Ethernet0": {"mtu": "1"}}})) != ()
    assert master.validate(leaf) == ()


def test_every_fault_is_reported_in_one_run(master: SonicSchema, leaf: ConfigDb) -> None:
    wrong = with_addition(
        leaf, {"PORT": {"Ethernet0": {"mtu": "1", "x": "1"}, "Ethernet8": {"fec": "kr"}}, "NONE": {"a": {}}}
    )
    assert {violation.path for violation in master.validate(wrong)} == {
        "PORT|Ethernet0/mtu",
        "PORT|Ethernet0/x",
        "PORT|Ethernet8/fec",
        "NONE",
    }


def test_a_host_name_may_have_an_underscore_as_on_the_box(master: SonicSchema) -> None:
    # RFC 6991's inet:host, which SONiC runs with, has the underscore; RFC 9911's has not.
    assert master.validate({"LDAP_SERVER": {"ldap_server_1": {}}}) == ()


def test_the_independent_judge_gives_the_same_verdicts(
    shared: Path, yang_models: Path, master: SonicSchema, leaf: ConfigDb, tmp_path: Path
) -> None:
    configs = {"valid": leaf} | {name: with_addition(leaf, addition) for name, (addition, _, _) in REJECTED.items()}
    files = {}
    for number, config in enumerate(configs.values()):
        file = tmp_path / f"{number}.json"
        file.write_text(json.dumps(config))
        files[file.name] = config
    verdicts = judge(shared, yang_models / "sonic" / "master", [tmp_path / name for name in files])
    assert verdicts == {name: master.validate(config) == () for name, config in files.items()}


def test_the_tables_are_those_of_the_models(master: SonicSchema, yang_models: Path) -> None:
    reference = json.loads((yang_models / "sonic" / "tables.json").read_text())
    assert master.tables() == set(reference)


def test_a_data_path_of_no_table_is_left_as_it_is() -> None:
    assert config_db_path("/a:b/c", {}) == "/a:b/c"


def test_a_folder_without_models_is_named(tmp_path: Path) -> None:
    with pytest.raises(FabricAutoError, match="no YANG models in"):
        SonicSchema(tmp_path)


def test_without_libyang_the_error_says_what_to_install(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "oopt_gnpy_libyang", None)
    with pytest.raises(FabricAutoError, match="needs libyang") as caught:
        SonicSchema(shared / "yang" / "sonic" / "master")
    assert caught.value.help == "pip install 'fabric-auto[yang]'"


def test_a_module_that_libyang_refuses_is_named(yang_models: Path, tmp_path: Path) -> None:
    (tmp_path / "sonic-broken.yang").write_text(
        'module sonic-broken { namespace "urn:x"; prefix x; container sonic-broken { leaf a { type nosuch; } } }'
    )
    with pytest.raises(FabricAutoError, match=r"refuses the YANG module sonic-broken: .*nosuch"):
        SonicSchema(tmp_path)


def test_a_violation_is_a_value() -> None:
    assert Violation("PORT|Ethernet0/mtu", "x") == Violation("PORT|Ethernet0/mtu", "x")
