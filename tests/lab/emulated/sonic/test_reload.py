"""``config load``, ``save`` and ``reload``, and the factory configuration.

Texts and effects: sonic-utilities, ``config/main.py``; ``reference/sonic-config-transcripts.txt``.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fabric_auto.yang.sonic import SonicSchema

RELEASES = ("202505", "202511", "202605")


@pytest.mark.parametrize("release", RELEASES)
def test_the_factory_configuration_is_valid_against_the_models(lab, yang_models: Path, release: str) -> None:
    config = lab.box(release).config()
    assert SonicSchema(yang_models / "sonic" / release).validate(config) == ()


def test_the_factory_configuration_is_valid_for_an_independent_judge(lab, box, shared: Path, tmp_path: Path) -> None:
    pytest.importorskip("oopt_gnpy_libyang")
    path = tmp_path / "config_db.json"
    path.write_text(json.dumps(box.config()), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, shared / "tools/sonic_yang_check.py", path], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_fresh_image_has_its_ports_up_and_no_bgp(box) -> None:
    config = box.config()
    assert config["PORT"]["Ethernet0"] == {
        "admin_status": "up",
        "alias": "etp1",
        "fec": "rs",
        "index": "1",
        "lanes": "17,18,19,20,21,22,23,24",
        "mtu": "9100",
        "speed": "800000",
    }
    metadata = config["DEVICE_METADATA"]["localhost"]
    assert metadata["hostname"] == "sonic"
    assert metadata["mac"] == "1a:2b:3c:00:00:01"
    assert "bgp_asn" not in metadata
    assert "LOOPBACK_INTERFACE" not in config
    assert json.loads(box.run("cat /etc/sonic/config_db.json").out) == config


def test_save_writes_config_db_and_says_how(box) -> None:
    box.run("sonic-db-cli CONFIG_DB HSET 'PORT|Ethernet0' mtu 9000")
    result = box.run("sudo config save -y")
    assert result.both == "Running command: /usr/local/bin/sonic-cfggen -d --print-data > /etc/sonic/config_db.json\n"
    assert json.loads(box.run("cat /etc/sonic/config_db.json").out)["PORT"]["Ethernet0"]["mtu"] == "9000"
    assert box.run("sudo config save").both.endswith("continue? [y/N]: \nAborted!\n")


def test_load_merges_and_checks_nothing(box) -> None:
    path = box.write("/home/admin/x.json", {"VLAN_MEMBER": {"Vlan9|Ethernet77": {}}, "PORT": {"Ethernet0": {"mtu": 1}}})
    result = box.run(f"sudo config load -y {path}")
    assert result.both == f"Running command: /usr/local/bin/sonic-cfggen -j {path} --write-to-db\n"
    assert box.config()["VLAN_MEMBER"] == {"Vlan9|Ethernet77": {}}
    assert box.config()["PORT"]["Ethernet0"]["mtu"] == "1"
    assert box.config()["PORT"]["Ethernet0"]["alias"] == "etp1"
    absent = box.run("sudo config load -y /home/admin/none.json")
    assert (absent.code, absent.out) == (0, "The config_db file /home/admin/none.json doesn't exist\n")


def test_reload_without_restart_prints_the_lock_and_the_command(box) -> None:
    config = box.config()
    config["PORT"]["Ethernet0"]["mtu"] = "9000"
    result = box.reload(config, "-n")
    assert result.code == 0
    assert result.out.startswith(
        "Acquired lock on /etc/sonic/reload.lock\nRunning command: /usr/local/bin/sonic-cfggen -j "
    )
    assert result.out.endswith("Released lock on /etc/sonic/reload.lock\n")
    assert box.config() == config


def test_reload_forgets_what_is_not_in_the_file_and_adds_what_the_image_and_the_hardware_say(box) -> None:
    box.run("sonic-db-cli CONFIG_DB HSET 'VLAN|Vlan10' vlanid 10")
    small = {
        "DEVICE_METADATA": {"localhost": {"hwsku": "Arista-7060X6-64PE", "hostname": "leaf", "type": "LeafRouter"}}
    }
    assert box.reload(small, "-n").code == 0
    config = box.config()
    assert "VLAN" not in config
    metadata = config["DEVICE_METADATA"]["localhost"]
    assert (metadata["mac"], metadata["platform"]) == ("1a:2b:3c:00:00:01", "x86_64-arista_7060x6_64pe")
    assert metadata["hostname"] == "leaf"
    assert config["PORT"]["Ethernet0"]["lanes"] == "17,18,19,20,21,22,23,24"
    assert config["FEATURE"]["bgp"]["state"] == "enabled"


def test_reload_needs_the_hwsku_to_look_up_what_is_missing(box) -> None:
    result = box.reload({"DEVICE_METADATA": {"localhost": {"hostname": "leaf"}}}, "-n")
    assert result.code == 1
    assert "Could not get the HWSKU from config file,  Exiting!!!\n" in result.out


def test_reload_aborts_on_a_table_without_a_model_and_leaves_config_db(box) -> None:
    config = box.config()
    result = box.reload({**config, "ARS_PROFILE": {"p": {"algorithm": "ewma"}}}, "-n")
    assert result.code == 1
    assert "Config tables are missing yang models: dict_keys(['ARS_PROFILE'])\n" in result.out
    assert result.both.endswith("Released lock on /etc/sonic/reload.lock\nAborted!\n")
    assert box.config() == config


def test_reload_aborts_on_what_the_models_forbid(box) -> None:
    config = box.config()
    wrong = {**config, "VLAN_MEMBER": {"Vlan10|Ethernet0": {"tagging_mode": "untagged"}}}
    result = box.reload(wrong, "-n")
    assert result.code == 1
    assert "/home/admin/new.json fails YANG validation! Error: Data Loading Failed\n" in result.out
    assert 'Invalid leafref value "Vlan10"' in result.out
    assert box.config() == config


def test_reload_with_the_models_finds_what_the_built_in_rules_do_not(lab, yang_models: Path) -> None:
    box = lab.box(yang=SonicSchema(yang_models / "sonic" / "202505"))
    config = box.config()
    result = box.reload({**config, "WRED_PROFILE": {"w": {"ecn": "ecn_sometimes"}}}, "-n")
    assert result.code == 1
    assert "fails YANG validation!" in result.out
    assert box.config() == config
    assert box.patch([{"op": "add", "path": "/WRED_PROFILE", "value": {"w": {"ecn": "ecn_all"}}}]).code == 0
    assert box.patch([{"op": "replace", "path": "/WRED_PROFILE/w/ecn", "value": "ecn_sometimes"}]).code == 2


@pytest.mark.parametrize("content", ["{", "[]"])
def test_reload_dies_of_a_file_that_is_no_configuration(box, content: str) -> None:
    result = box.reload(content, "-n")
    assert result.code == 1
    assert "Traceback (most recent call last):" in result.err


def test_reload_of_the_saved_file_is_validated_only_after_202605(lab) -> None:
    for release, code in (("202605", 0), ("master", 1)):
        box = lab.box(release)
        broken = box.config() | {"VLAN_MEMBER": {"Vlan10|Ethernet0": {"tagging_mode": "untagged"}}}
        box.write("/etc/sonic/config_db.json", broken)
        assert box.run("sudo config reload -y -n").code == code
        assert box.run("sudo config reload -y -n -f").code == 0


def test_reload_asks_when_nobody_said_yes(box) -> None:
    result = box.run("sudo config reload /home/admin/x.json")
    assert result.code == 1
    assert "from the file(s) /home/admin/x.json ? [y/N]: " in result.out
    assert result.err == "Aborted!\n"


def test_a_box_that_ignores_changes_reloads_into_what_it_had(
    lab, box, wait: Callable[[Callable[[], bool]], None]
) -> None:
    config = box.config()
    lab.run(lambda: box.device.faults.arm("ignore-changes", {}))
    changed = json.loads(json.dumps(config))
    changed["PORT"]["Ethernet0"]["mtu"] = "9000"
    assert box.reload(changed).code == 0
    assert box.config() == config
    wait(lambda: lab.run(box.device._outage.done))


def test_every_change_is_told_to_the_control_plane(lab, box) -> None:
    before = lab.changes
    box.run("sonic-db-cli CONFIG_DB HSET 'PORT|Ethernet0' mtu 9000")
    assert lab.changes > before
    before = lab.changes
    box.patch([{"op": "replace", "path": "/PORT/Ethernet0/mtu", "value": "9100"}])
    assert lab.changes > before
    before = lab.changes
    box.run("show version; sonic-cfggen -d --print-data")
    assert lab.changes == before
