"""From empty boxes to a verified fabric and back, on both NOSes, through the command line."""

import json
import re
from dataclasses import replace

import pytest

from tests.e2e.conftest import SHAPE, Lab
from tests.strategies import SPECTRUM4

pytestmark = pytest.mark.lab

DEVICES = ["east-leaf-01", "east-leaf-02", "east-spine-01", "east-spine-02"]
ACL = {
    "op": "add",
    "path": "/ACL_TABLE",
    "value": {"OPS": {"type": "L3", "policy_desc": "operator", "stage": "ingress"}},
}
NTP = '<system xmlns="urn:nokia.com:srlinux:general:system"><ntp xmlns="urn:nokia.com:srlinux:linux:ntp"><server><address>192.0.2.123</address></server></ntp></system>'  # noqa: E501


def test_from_empty_to_a_verified_fabric(lab: Lab) -> None:
    assert lab.run("diff", "--detailed-exitcode", expect=2).stdout.strip().endswith("impact: reload on 2")
    done = lab.deploy()
    assert "4 devices changed and confirmed" in done.stderr
    assert "an empty diff" not in done.stdout
    assert lab.run("diff", "--detailed-exitcode").stdout == "Plan: nothing to do, every device is as intended\n"
    lab.run("verify")

    leaf = lab.config_db("east-leaf-01")
    assert leaf["DEVICE_METADATA"]["localhost"]["hostname"] == "east-leaf-01"
    assert leaf["DEVICE_METADATA"]["localhost"]["bgp_asn"] == "4200100000"
    assert leaf["DEVICE_METADATA"]["localhost"]["hwsku"] == "Arista-7060DX5-64S"  # the box's own, untouched
    assert leaf["INTERFACE"]["Ethernet504|10.11.0.0/31"] == {}
    assert leaf["BGP_NEIGHBOR"]["10.11.0.1"]["asn"] == "4200000000"
    assert leaf["VLAN_MEMBER"]["Vlan100|Ethernet0"] == {"tagging_mode": "untagged"}
    assert len(leaf["PORT"]) == 64  # the factory's unused ports are still there
    spine = lab.running("east-spine-01")
    assert "<host-name>east-spine-01</host-name>" in spine
    assert re.search(r"<autonomous-system>4200000000</autonomous-system>", spine)
    assert "mgmt0" in spine
    status = lab.client.status()
    assert {state for device in status.devices.values() for state in device.sessions.values()} == {"Established"}


def test_deploying_twice_opens_no_transaction(deployed: Lab) -> None:
    before = deployed.all_running()
    done = deployed.deploy()
    assert "nothing to do" in done.stderr
    assert deployed.all_running() == before


def test_a_change_on_every_device_needs_no_reload_and_is_verified(deployed: Lab) -> None:
    deployed.write(replace(SHAPE, mtu=9000))
    plan = deployed.run("plan", "-o", "plan.json")
    assert "impact: port bounce on 4" in plan.stdout
    deployed.run("deploy", "plan.json")
    ports = deployed.config_db("east-leaf-01")["PORT"]
    assert (ports["Ethernet0"]["mtu"], ports["Ethernet504"]["mtu"]) == ("9000", "9000")
    assert "<ip-mtu>9000</ip-mtu>" in deployed.running("east-spine-01")
    deployed.run("verify")


def test_growth_changes_the_spines_and_nothing_on_the_old_leaves(deployed: Lab) -> None:
    """A third leaf is planned for, though no box is there yet: only it and the spines differ."""
    before = json.loads(deployed.run("plan", "--format", "json").stdout)
    assert before["summary"] == {"add": 0, "change": 0, "remove": 0}
    deployed.write(replace(SHAPE, leaves=3))
    plan = json.loads(deployed.run("plan", "--limit", "east-spine-*,east-leaf-0[12]", "--format", "json").stdout)
    assert {change["device"] for change in plan["changes"]} == {"east-spine-01", "east-spine-02"}
    assert {action for change in plan["changes"] for action in change["actions"]} == {"create"}


def test_a_stale_plan_is_refused_and_nothing_is_touched(deployed: Lab) -> None:
    deployed.write(replace(SHAPE, mtu=9000))
    deployed.run("plan", "-o", "plan.json")
    before = deployed.all_running()
    deployed.write(replace(SHAPE, mtu=8900))
    refused = deployed.run("deploy", "plan.json", expect=4)
    assert "is stale" in refused.stderr
    assert deployed.all_running() == before


def test_drift_is_found_by_verify_and_taken_back_by_deploy(deployed: Lab) -> None:
    deployed.patch("east-leaf-01", {"op": "replace", "path": "/PORT/Ethernet504/mtu", "value": "1500"})
    deployed.edit(
        "east-spine-01",
        '<interface xmlns="urn:nokia.com:srlinux:chassis:interfaces"><name>ethernet-1/1</name>'
        "<description>hands off</description></interface>",
    )
    found = deployed.run("verify", "--timeout", "1s", expect=7).stdout
    assert "FAB909" in found
    assert "`PORT/Ethernet504/mtu` is `1500`, not `9100`" in found
    assert "`interface[name=ethernet-1/1]/description` is `hands off`, not `east-leaf-01 Ethernet504`" in found
    deployed.run("diff", "--detailed-exitcode", expect=2)
    deployed.deploy()
    deployed.run("verify")
    assert deployed.config_db("east-leaf-01")["PORT"]["Ethernet504"]["mtu"] == "9100"
    assert "hands off" not in deployed.running("east-spine-01")


def test_what_others_configured_survives_deploy_rollback_and_removal(lab: Lab) -> None:
    lab.patch("east-leaf-01", ACL)
    lab.edit("east-spine-01", NTP)
    lab.deploy()
    assert lab.config_db("east-leaf-01")["ACL_TABLE"] == ACL["value"]
    assert "192.0.2.123" in lab.running("east-spine-01")

    before = lab.all_running()
    lab.client.fault("east-leaf-02", "ignore-changes")
    lab.write(replace(SHAPE, mtu=9000))
    lab.deploy(expect=5)
    lab.client.clear(None)
    assert lab.all_running() == before

    lab.write(replace(SHAPE, absent=("leaf-01",)))
    lab.deploy()
    left = lab.config_db("east-leaf-01")
    assert left["ACL_TABLE"] == ACL["value"]
    assert "BGP_NEIGHBOR" not in left
    assert "VLAN" not in left
    assert left["PORT"]["Ethernet504"].get("description") is None
    assert left["DEVICE_METADATA"]["localhost"]["hostname"] == "sonic"
    spine = lab.running("east-spine-01")
    assert "192.0.2.123" in spine
    assert "east-leaf-01" not in spine
    lab.run("verify")


def test_the_factory_configuration_comes_back_when_everything_is_let_go(lab: Lab) -> None:
    before = {name: json.loads(lab.running(name)) for name in ("east-leaf-01", "east-leaf-02")}
    lab.deploy()
    lab.write(replace(SHAPE, absent=("leaf-01", "leaf-02")))
    lab.deploy()
    for name, factory in before.items():
        after = lab.config_db(name)
        assert after.pop("LOOPBACK_INTERFACE") == {"Loopback0": {}}  # the patcher refuses to remove this row
        assert after == factory


@pytest.mark.parametrize(
    "lab", [replace(SHAPE, overrides=({"device": "leaf-02", "platform": SPECTRUM4},))], indirect=True
)
def test_an_800g_leaf_is_broken_out_and_joins_the_fabric(lab: Lab) -> None:
    factory = lab.config_db("east-leaf-02")
    assert factory["PORT"]["Ethernet504"]["lanes"] == "504,505,506,507,508,509,510,511"
    lab.deploy()
    lab.run("verify")
    ports = lab.config_db("east-leaf-02")["PORT"]
    assert (ports["Ethernet504"]["lanes"], ports["Ethernet508"]["lanes"]) == ("504,505,506,507", "508,509,510,511")
    assert (ports["Ethernet508"]["alias"], ports["Ethernet508"]["speed"]) == ("etp64b", "400000")
    assert ports["Ethernet8"]["lanes"] == "8,9,10,11,12,13,14,15"  # not ours, not touched
    lab.write(replace(SHAPE, absent=("leaf-02",)))
    lab.deploy()
    assert lab.config_db("east-leaf-02")["PORT"] == factory["PORT"]
