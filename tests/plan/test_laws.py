"""The planner's laws: running + steps = target, target + inverse = running, foreign configuration stays as it is."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings

from fabric_auto.plan.build import plan_device
from fabric_auto.plan.diff import compare, target
from fabric_auto.plan.model import DevicePlan
from fabric_auto.plan.sonic import needs_reload, steps
from fabric_auto.plan.sonic_patch import edited
from fabric_auto.plan.state import DeviceState, state_after
from fabric_auto.vendors.base import NOTHING, Leaves
from tests.plan import srlinux_cases as srl
from tests.plan.sonic_cases import (
    Database,
    Wish,
    apply,
    databases,
    factory,
    faults,
    foreign,
    last_of,
    leaves_of,
    neighbor,
    running_of,
    wishes,
)

BASE_ROW = ("LOOPBACK_INTERFACE", "Loopback0")
NOW = datetime(2026, 12, 1, tzinfo=UTC)


def plan_of(data: Database, wish: Wish | None, state: DeviceState | None) -> DevicePlan:
    return plan_device("east-leaf-01", "sonic", running_of(data), wish.rendered if wish else None, state)


def kept(plan: DevicePlan) -> DeviceState:
    """The state as the next run reads it back."""
    return DeviceState.load(state_after(plan, "0" * 64, NOW).dump())


@settings(max_examples=100, deadline=None)
@given(databases(), wishes(), wishes())
def test_sonic_steps_reach_the_target_and_their_inverse_the_running_configuration(
    data: Database, first: Wish, second: Wish
) -> None:
    assert faults(data) == []
    state: DeviceState | None = None
    running = data
    for wish in (first, second, None):
        plan = plan_of(running, wish, state)
        for intermediate in apply(running, plan.steps):
            assert faults(intermediate) == []
        after = last_of(running, plan.steps)
        assert leaves_of(after) == plan.target == target(leaves_of(running), plan.changes)
        for intermediate in apply(after, plan.inverse):
            assert faults(intermediate) == []
        assert last_of(after, plan.inverse) == running
        state = kept(plan)
        assert plan_of(after, wish, state).changes == ()
        running = after


@settings(max_examples=100, deadline=None)
@given(databases(), wishes(), wishes())
def test_sonic_foreign_rows_survive_deploy_change_and_decommissioning(
    data: Database, first: Wish, second: Wish
) -> None:
    others = foreign(leaves_of(data), first, second)
    running, state = data, None
    for wish in (first, second, None):
        plan = plan_of(running, wish, state)
        running, state = last_of(running, plan.steps), kept(plan)
        assert {path: leaves_of(running).get(path) for path in others} == others
        if wish:
            assert wish.rendered.leaves.items() <= leaves_of(running).items()


@settings(max_examples=100, deadline=None)
@given(databases(), wishes(), wishes())
def test_sonic_decommissioning_gives_back_what_was_there_before_us(data: Database, first: Wish, second: Wish) -> None:
    running, state = data, None
    for wish in (first, second, None):
        plan = plan_of(running, wish, state)
        running, state = last_of(running, plan.steps), kept(plan)
    assert state is not None
    assert state.ownership == NOTHING
    assert state.previous == {}
    # apply-patch refuses to remove this one row, so it stays when we made it
    expected = leaves_of(data)
    if first.loopbacks or second.loopbacks:
        expected.setdefault(BASE_ROW, "")
    assert leaves_of(running) == expected


@given(wishes())
def test_sonic_compare_of_a_configuration_with_itself_is_empty(wish: Wish) -> None:
    rendered = wish.rendered
    assert compare(dict(rendered.leaves), rendered, rendered.ownership, {}) == ()


@settings(max_examples=100, deadline=None)
@given(databases(), wishes())
def test_small_sonic_patches_are_sound_after_each_document(data: Database, wish: Wish) -> None:
    plan = plan_of(data, wish, None)
    if needs_reload(plan.changes, edited(data, plan.changes)):
        return
    for size in (1, 3):
        forward, back = steps(data, plan.changes, size)
        for intermediate in apply(data, forward):
            assert faults(intermediate) == []
        after = last_of(data, forward)
        assert leaves_of(after) == plan.target
        assert last_of(after, back) == data


@settings(max_examples=100, deadline=None)
@given(srl.trees(), srl.wishes(), srl.wishes())
def test_srlinux_steps_reach_the_target_and_their_inverse_the_running_configuration(
    tree: Leaves, first: srl.Wish, second: srl.Wish
) -> None:
    running, state = tree, None
    for wish in (first, second, None):
        plan = plan_device("east-spine-01", "srlinux", srl.running_of(running), wish.rendered if wish else None, state)
        after = srl.last_of(running, plan.steps)
        assert after == plan.target
        assert srl.last_of(after, plan.inverse) == running
        state = kept(plan)
        assert (
            plan_device("east-spine-01", "srlinux", srl.running_of(after), wish.rendered if wish else None, state).steps
            == ()
        )
        running = after
    assert running == tree


@settings(max_examples=100, deadline=None)
@given(srl.trees(), srl.wishes(), srl.wishes())
def test_srlinux_foreign_entries_survive_deploy_change_and_decommissioning(
    tree: Leaves, first: srl.Wish, second: srl.Wish
) -> None:
    covers = [wish.rendered.ownership.covers for wish in (first, second)]
    others = {path: value for path, value in tree.items() if not any(each(path) for each in covers)}
    running, state = tree, None
    for wish in (first, second, None):
        plan = plan_device("east-spine-01", "srlinux", srl.running_of(running), wish.rendered if wish else None, state)
        running, state = srl.last_of(running, plan.steps), kept(plan)
        assert {path: running.get(path) for path in others} == others
        if wish:
            assert wish.rendered.leaves.items() <= running.items()


def test_the_vendors_models_accept_every_intermediate_sonic_configuration(yang_models: object) -> None:
    sonic = pytest.importorskip("fabric_auto.yang.sonic", reason="the YANG validator is not built yet")
    schema = sonic.SonicSchema(yang_models / "sonic" / "202505")  # type: ignore[operator]  # a Path
    panels = {"Ethernet0": 1, "Ethernet8": 2}
    routed = {"Ethernet0": ("10.11.0.0/31", "fd00:11::/127")}
    patch_only = Wish(panels=panels, routed=routed, neighbors={"10.11.0.1": neighbor()}, asn=None, loopbacks=())
    moved = Wish(panels=panels, members=("Ethernet0", "Ethernet12"), vlan=100, asn=None, loopbacks=())
    day_0 = Wish(panels={"Ethernet0": 2}, routed={"Ethernet4": ("10.11.0.2/31",)}, neighbors={"10.11.0.3": neighbor()})
    data = factory({"Ethernet8": 2})
    del data["FEATURE"]
    data["DEVICE_METADATA"]["localhost"]["hwsku"] = "DemoSku"
    assert schema.validate(data) == ()
    running, state = data, None
    for wish in (patch_only, moved, day_0, patch_only, None):
        plan = plan_of(running, wish, state)
        for intermediate in apply(running, plan.steps):
            assert schema.validate(intermediate) == ()
        for intermediate in apply(last_of(running, plan.steps), plan.inverse):
            assert schema.validate(intermediate) == ()
        running, state = last_of(running, plan.steps), kept(plan)
    assert {table: rows for table, rows in running.items() if table != "LOOPBACK_INTERFACE"} == data
