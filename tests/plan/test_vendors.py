"""The planner with what the vendors really render: a fabric's switches, deployed, changed and decommissioned."""

from dataclasses import replace
from pathlib import Path

import pytest

from fabric_auto.device.derive import derive
from fabric_auto.errors import FabricAutoError
from fabric_auto.plan.build import Running, plan_device, plan_fabric, read
from fabric_auto.plan.model import Impact
from fabric_auto.plan.sonic_patch import dump
from fabric_auto.vendors.base import Leaves, Rendered
from fabric_auto.vendors.registry import VENDORS
from fabric_auto.vendors.srlinux.tree import build, parse
from fabric_auto.yang.srlinux import SrlinuxSchema
from tests.fabrics import fabric_of
from tests.plan import srlinux_cases as srl
from tests.plan.sonic_cases import Database, apply, faults, last_of
from tests.plan.test_laws import kept
from tests.strategies import H4, SPECTRUM4, TH4, Shape

SHAPE = Shape(leaves=2, spines=2, hosts=3)


def rendered(shape: Shape, name: str) -> Rendered:
    config = derive(fabric_of(shape.intent), name)
    return VENDORS[config.nos].render(config)


def sonic_box(platform: str) -> Database:
    """A box of a platform as its image sets it up: every panel whole, and an operator's server."""
    shape = Shape(leaves=1, spines=1, leaf_platform=platform)
    breakout = next(
        each for each in derive(fabric_of(shape.intent), "east-leaf-01").platform.breakouts if each.count == 1
    )
    ports: dict[str, dict[str, object]] = {
        port.name: {
            "lanes": ",".join(map(str, port.lanes)),
            "alias": port.alias,
            "index": str(port.panel),
            "speed": str(breakout.speeds_mbps[0]),
            "fec": "rs",
            "mtu": "9100",
            "admin_status": "up",
        }
        for port in breakout.ports
    }
    return {
        "DEVICE_METADATA": {"localhost": {"hostname": "sonic", "mac": "02:00:00:00:00:01"}},
        "PORT": ports,
        "NTP_SERVER": {"192.0.2.123": {"iburst": "on"}},
        "CABLE_LENGTH": {"AZURE": dict.fromkeys(ports, "5m")},
    }


@pytest.mark.parametrize("platform", [TH4, SPECTRUM4])
def test_a_sonic_leaf_is_deployed_grown_and_decommissioned(platform: str) -> None:
    shape = replace(SHAPE, leaf_platform=platform)
    box = sonic_box(platform)
    steps = [rendered(shape, "east-leaf-01"), rendered(replace(shape, spines=3, mtu=4200), "east-leaf-01"), None]
    running, state, impacts = box, None, []
    for intended in steps:
        plan = plan_device("east-leaf-01", "sonic", read("sonic", dump(running)), intended, state, release="202505")
        assert all(faults(each) == [] for each in apply(running, plan.steps))
        after = last_of(running, plan.steps)
        assert read("sonic", dump(after)).leaves == plan.target
        assert last_of(after, plan.inverse) == running
        if intended:
            assert intended.leaves.items() <= plan.target.items()
        running, state = after, kept(plan)
        impacts.append(plan.impact)
    assert impacts[0] is impacts[2] is Impact.RELOAD
    running["LOOPBACK_INTERFACE"].pop("Loopback0")
    assert {table: rows for table, rows in running.items() if rows} == box


def test_a_new_spine_is_a_patch_without_harm_to_a_leaf_that_has_whole_ports() -> None:
    box = sonic_box(TH4)
    first = plan_device("east-leaf-01", "sonic", read("sonic", dump(box)), rendered(SHAPE, "east-leaf-01"), None)
    running = last_of(box, first.steps)
    more = rendered(replace(SHAPE, spines=3), "east-leaf-01")
    grown = plan_device("east-leaf-01", "sonic", read("sonic", dump(running)), more, kept(first))
    assert {step.kind for step in grown.steps} == {"apply-patch"}
    added = {change.path[:2] for change in grown.changes if change.path[0] == "BGP_NEIGHBOR"}
    assert len(added) == 2  # one session a family to the new spine
    assert all(change.action == "create" for change in grown.changes if change.path[0] != "PORT")


@pytest.mark.parametrize("name", ["east-spine-01", "east-leaf-01"])
def test_an_srlinux_switch_is_deployed_grown_and_decommissioned(name: str) -> None:
    shape = replace(SHAPE, leaf_platform=H4)
    box: Leaves = parse(
        build(
            {
                ("interface[name=mgmt0]",): "",
                ("interface[name=mgmt0]", "admin-state"): "enable",
                ("network-instance[name=mgmt]",): "",
                ("system", "name", "host-name"): "srlinux",
                ("system", "lldp"): "",
                ("system", "lldp", "admin-state"): "enable",
            },
            {},
        )
    )
    running, state = box, None
    for intended in (rendered(shape, name), rendered(replace(shape, leaves=4, spines=4, mtu=4200), name), None):
        plan = plan_device(name, "srlinux", Running(running, {}), intended, state)
        after = srl.last_of(running, plan.steps)
        assert after == plan.target
        assert srl.last_of(after, plan.inverse) == running
        if intended:
            assert intended.leaves.items() <= after.items()
            assert plan_device(name, "srlinux", Running(after, {}), intended, kept(plan)).steps == ()
        running, state = after, kept(plan)
    assert running == box


@pytest.mark.parametrize("name", ["east-spine-01", "east-leaf-01"])
def test_the_vendors_models_accept_what_stays_while_an_operators_neighbor_uses_our_group(
    name: str, yang_models: Path
) -> None:
    schema = SrlinuxSchema(yang_models / "srlinux", "25.3.1", "7220-IXR-H4")
    shape = replace(SHAPE, leaf_platform=H4)
    first = plan_device(name, "srlinux", Running({}, {}), rendered(shape, name), None)
    assert schema.validate(build(first.target, {})) == ()
    neighbor = (*srl.BGP, "neighbor[peer-address=192.0.2.1]")
    running = first.target | {neighbor: "", (*neighbor, "peer-as"): "65000", (*neighbor, "peer-group"): "fabric-v4"}
    gone = plan_device(name, "srlinux", Running(running, {}), None, kept(first))
    assert gone.target[(*neighbor, "peer-group")] == "fabric-v4"
    assert schema.validate(build(gone.target, {})) == ()


def test_growing_a_spine_is_hitless() -> None:
    first = plan_device("east-spine-01", "srlinux", Running({}, {}), rendered(SHAPE, "east-spine-01"), None)
    grown = rendered(replace(SHAPE, leaves=4), "east-spine-01")
    plan = plan_device("east-spine-01", "srlinux", Running(first.target, {}), grown, kept(first))
    assert plan.impact is Impact.HITLESS


def test_what_is_no_table_is_left_out_of_a_running_configuration() -> None:
    running = read("sonic", b'{"PORT": {"Ethernet0": {"mtu": "9100"}}, "bgpraw": "frr version 10.3"}')
    assert running.document == {"PORT": {"Ethernet0": {"mtu": "9100"}}}


@pytest.mark.parametrize(("nos", "answer"), [("sonic", b"admin@sonic:~$"), ("sonic", b"[]"), ("srlinux", b"<data>")])
def test_what_is_no_configuration_is_trouble_in_one_line(nos: str, answer: bytes) -> None:
    with pytest.raises(FabricAutoError, match="the running configuration cannot be read: "):
        read(nos, answer)


def test_the_digest_is_that_of_what_will_happen() -> None:
    running = read("sonic", dump(sonic_box(TH4)))
    intended = rendered(SHAPE, "east-leaf-01")
    device = plan_device("east-leaf-01", "sonic", running, intended, None)
    plan = plan_fabric("inputs", [device])
    assert plan.digest == plan_fabric("inputs", [device]).digest
    assert len(plan.digest) == 64
    moved = replace(intended, origins={})
    assert plan_fabric("inputs", [plan_device("east-leaf-01", "sonic", running, moved, None)]).digest == plan.digest
    assert plan_fabric("other", [device]).digest != plan.digest
    other = plan_device("east-leaf-01", "sonic", running, rendered(replace(SHAPE, mtu=4200), "east-leaf-01"), None)
    assert plan_fabric("inputs", [other]).digest != plan.digest


def test_an_empty_change_has_no_steps() -> None:
    intended = rendered(SHAPE, "east-spine-01")
    plan = plan_device("east-spine-01", "srlinux", Running(dict(intended.leaves), {}), intended, None)
    assert (plan.changes, plan.steps, plan.inverse, plan.impact) == ((), (), (), Impact.NONE)
