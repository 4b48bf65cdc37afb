import json
from dataclasses import replace
from datetime import timedelta

import jsonpatch
import pytest

from fabric_auto.deploy.model import Status
from fabric_auto.deploy.sonic_box import Box
from fabric_auto.deploy.sonic_scripts import rollback_script, step_script, undo_patches, undo_script
from fabric_auto.plan.model import Step
from tests.deploy.conftest import Bench, as_before, clean
from tests.deploy.world import (
    BASE,
    FOLDER,
    LOCKED,
    RUN,
    START,
    VENDORS,
    Sonic,
    reload_plan,
    sonic_plan,
    step_line,
)

LOCK = "/run/fabric-auto.lock"
AFTER = {
    **BASE,
    "PORT": {**BASE["PORT"], "Ethernet0": {"mtu": "9000", "description": "gpu-01 nic1"}},
    "VLAN": {"Vlan100": {"vlanid": "100"}},
}


def configuring(box: Sonic) -> list[str]:
    """The commands that touch configuration or timers, without their paths."""
    words = ("sudo config", "sudo flock", "sudo systemd-run", "sudo systemctl", "/bin/sh")
    return [each.replace(LOCKED, "LOCKED").replace(FOLDER, "RUN") for each in box.log if each.startswith(words)]


def undoings(box: Sonic) -> list[str]:
    return [each for each in box.log if each.startswith("/bin/sh")]


def test_a_change_is_guarded_applied_in_steps_held_confirmed_and_saved(bench: Bench) -> None:
    leaf = bench.leaf()
    outcome = bench.deploy(sonic_plan())
    assert (outcome.exit_code, outcome.of("leaf-1").status) == (0, Status.CONFIRMED)
    assert leaf.tables == AFTER
    assert json.loads(leaf.startup) == AFTER
    assert clean(leaf)
    accurate = "--timer-property=AccuracySec=1s"
    # 4200 s: two steps of 900 s dry and 900 s for real, 300 s for the checkpoint, and the window of 300 s.
    assert configuring(leaf) == [
        f"sudo config checkpoint fab-{RUN}",
        f"sudo systemd-run --on-active=4200s {accurate} --unit=fabric-auto-{RUN} --collect /bin/sh RUN/rollback.sh",
        "sudo config apply-patch -d RUN/step-1.json",
        "LOCKED /bin/sh RUN/step-1.sh > RUN/step-1.log 2>&1",
        "sudo config apply-patch -d RUN/step-2.json",
        "LOCKED /bin/sh RUN/step-2.sh > RUN/step-2.log 2>&1",
        f"sudo systemd-run --on-active=300s {accurate} --unit=fabric-auto-{RUN}-confirm --collect /bin/sh RUN/rollback.sh",
        f"sudo systemctl stop fabric-auto-{RUN}.timer",
        f"sudo systemctl stop fabric-auto-{RUN}-confirm.timer",
        "sudo config save -y",
        f"sudo config delete-checkpoint fab-{RUN}",
    ]
    state = bench.states.load("leaf-1")
    assert state is not None
    assert state.ownership == sonic_plan().ownership


def test_everything_that_is_staged_is_private(bench: Bench) -> None:
    leaf = bench.leaf()
    bench.deploy(sonic_plan())
    assert {path.removeprefix(FOLDER) for path in leaf.modes} == {
        "/step-1.json", "/step-2.json", "/step-1.sh", "/step-2.sh", "/undo-1.json", "/undo-2.json",
        "/saved_config_db.json", "/undo.sh", "/rollback.sh",
    }  # fmt: skip
    assert set(leaf.modes.values()) == {0o600}
    assert f"mkdir -p -m 700 {FOLDER}" in leaf.log


def test_the_scripts_hold_one_lock_and_undo_what_was_begun_newest_first() -> None:
    box = Box("leaf-1", "admin", "r1")
    run = "/home/admin/.fabric-auto/r1"
    limit = "timeout -k 30 840"
    assert rollback_script(box).decode().splitlines()[2:] == [
        f"sudo flock -E 75 -w 1800 {run}/patching /bin/sh {run}/undo.sh",
    ]
    assert step_script(box, 1, "apply-patch").decode().splitlines()[2:] == [
        f"test ! -e {run}/undoing || echo the change is being undone on the switch",
        f"test ! -e {run}/undoing || exit 75",
        f": > {run}/step-1.started",
        f"{limit} config apply-patch {run}/step-1.json || exit $?",
        f": > {run}/step-1.done",
    ]
    begun = f"{run}/step-1.started {run}/step-1.done"
    assert undo_script(box, (b"[]", None)).decode().splitlines()[2:] == [
        f"mkdir -p {run}/undoing",
        f"test -e {run}/reload || test ! -e {run}/step-2.started || : > {run}/reload",
        (
            f"test -e {run}/reload || test ! -e {run}/step-1.started || {limit} config apply-patch {run}/undo-1.json"
            f" && rm -f {begun} || : > {run}/reload"
        ),
        (
            f"test ! -e {run}/reload || {limit} config reload -y -f {run}/saved_config_db.json"
            f" && rm -f {run}/reload {begun} {run}/step-2.started {run}/step-2.done"
        ),
    ]


def test_each_step_has_an_undoing_of_its_own_however_the_plans_inverse_is_cut() -> None:
    plan = replace(sonic_plan(), inverse=(Step("apply-patch", b"[]"),))
    first, second = undo_patches(plan, VENDORS["sonic"], json.dumps(BASE).encode())
    assert first is not None
    assert second is not None
    after_first = {**BASE, "PORT": {**BASE["PORT"], "Ethernet0": {"mtu": "9000"}}}
    assert jsonpatch.apply_patch(AFTER, json.loads(second)) == after_first
    assert jsonpatch.apply_patch(after_first, json.loads(first)) == BASE


def test_what_the_plan_undoes_by_a_reload_has_no_patches() -> None:
    plan = replace(sonic_plan(), inverse=(Step("reload", b"{}"),))
    assert undo_patches(plan, VENDORS["sonic"], json.dumps(BASE).encode()) == (None, None)


@pytest.mark.parametrize("run", ["", "a b", "a;reboot", "../x", "A"])
def test_a_run_that_is_no_name_never_reaches_a_command_line(run: str) -> None:
    with pytest.raises(ValueError, match="not a run's name"):
        Box("leaf-1", "admin", run)


def test_a_switch_that_says_yes_and_does_nothing_is_found_out(bench: Bench) -> None:
    leaf = bench.leaf()
    leaf.ignore = True
    outcome = bench.deploy(sonic_plan())
    assert (outcome.exit_code, outcome.of("leaf-1").status) == (5, Status.ROLLED_BACK)
    assert outcome.message == (
        "leaf-1 could not be changed: leaf-1 does not have what it should: PORT/Ethernet0/mtu; everything was rolled back"
    )
    assert as_before(leaf)
    assert clean(leaf)
    assert bench.states.load("leaf-1") is None


def test_a_patch_that_fails_half_way_is_undone_at_once(bench: Bench) -> None:
    leaf = bench.leaf()

    def half() -> None:
        leaf.half = True

    leaf.once(step_line(2), half)
    leaf.once("/bin/sh", lambda: setattr(leaf, "half", False))
    outcome = bench.deploy(sonic_plan())
    assert outcome.exit_code == 5
    assert outcome.message == (
        "leaf-1 could not be changed: leaf-1 refused step 2: - localhost: disk full; everything was rolled back"
    )
    assert as_before(leaf)
    assert clean(leaf)


def test_a_refused_patch_that_changed_nothing_needs_no_script(bench: Bench) -> None:
    leaf = bench.leaf()
    leaf.refuses = "sudo config apply-patch -d"
    outcome = bench.deploy(sonic_plan())
    assert (outcome.exit_code, outcome.of("leaf-1").status) == (5, Status.ROLLED_BACK)
    assert undoings(leaf) == []
    assert clean(leaf)


def test_a_session_lost_after_the_patch_acted_does_not_matter(bench: Bench) -> None:
    leaf = bench.leaf()
    leaf.once(step_line(1), leaf.cut, after=True)
    outcome = bench.deploy(sonic_plan())
    assert (outcome.exit_code, leaf.tables, leaf.opened) == (0, AFTER, 2)


def test_a_session_lost_before_the_patch_acted_is_rolled_back(bench: Bench) -> None:
    leaf = bench.leaf()
    leaf.once(step_line(1), leaf.cut)
    outcome = bench.deploy(sonic_plan())
    assert (outcome.exit_code, outcome.of("leaf-1").status) == (5, Status.ROLLED_BACK)
    assert as_before(leaf)
    assert clean(leaf)


@pytest.mark.parametrize(
    "command",
    ["sudo systemctl stop", "sudo config save", "sudo config delete-checkpoint", "sudo systemd-run --on-active=300s"],
)
@pytest.mark.parametrize("after", [True, False])
def test_a_session_lost_while_holding_or_confirming_is_taken_up_again(bench: Bench, command: str, after: bool) -> None:
    leaf = bench.leaf()
    leaf.once(command, leaf.cut, after=after)
    outcome = bench.deploy(sonic_plan())
    assert (outcome.exit_code, outcome.of("leaf-1").status) == (0, Status.CONFIRMED)
    assert json.loads(leaf.startup) == AFTER
    assert leaf.timers == {}


def test_a_patch_that_goes_on_without_its_session_is_waited_for(bench: Bench) -> None:
    leaf = bench.leaf()
    leaf.goes_on(1, 600)
    outcome = bench.deploy(sonic_plan())
    assert (outcome.exit_code, outcome.of("leaf-1").status) == (0, Status.CONFIRMED)
    assert (leaf.tables, leaf.undone_at) == (AFTER, [])
    assert bench.world.now >= START + timedelta(seconds=600)


def test_a_patch_that_goes_on_and_fails_is_undone_only_once_it_has_ended(bench: Bench) -> None:
    leaf = bench.leaf()
    leaf.half = True
    leaf.goes_on(1, 600)
    plan = sonic_plan()
    operations = [
        *json.loads(plan.steps[0].content),
        {"op": "add", "path": "/PORT/Ethernet0/description", "value": "x"},
    ]
    plan = replace(plan, steps=(Step("apply-patch", json.dumps(operations).encode()),))
    leaf.once("/bin/sh", lambda: setattr(leaf, "half", False))
    outcome = bench.deploy(plan)
    assert (outcome.exit_code, outcome.of("leaf-1").status) == (5, Status.ROLLED_BACK)
    assert min(leaf.undone_at) >= START + timedelta(seconds=600)
    assert as_before(leaf)
    assert clean(leaf)


def test_the_timer_waits_for_a_patch_that_still_runs(bench: Bench) -> None:
    leaf = bench.leaf()
    leaf.goes_on(1, 4500, unreachable=True)
    outcome = bench.deploy(sonic_plan())
    assert outcome.of("leaf-1").status is Status.PENDING
    bench.world.sleep(4200)
    assert len(leaf.undone_at) == 1
    assert leaf.undone_at[0] >= START + timedelta(seconds=4500)
    assert as_before(leaf)


def test_the_timer_undoes_only_the_steps_that_were_begun_and_reloads_nothing(bench: Bench) -> None:
    leaf = bench.leaf()

    def vanish() -> None:
        leaf.reachable = False
        leaf.cut()

    leaf.once(step_line(2), vanish)
    outcome = bench.deploy(sonic_plan())
    assert outcome.of("leaf-1").status is Status.PENDING
    bench.world.sleep(4200)
    assert as_before(leaf)
    assert leaf.configured[1:] == [
        "apply-patch -d step-1.json", "apply-patch step-1.json", "apply-patch -d step-2.json", "apply-patch undo-1.json",
    ]  # fmt: skip


def test_no_step_begins_once_the_switch_undoes_the_change(bench: Bench) -> None:
    leaf = bench.leaf()
    leaf.once("sudo config apply-patch -d", lambda: leaf.folders.add(f"{FOLDER}/undoing"))
    outcome = bench.deploy(sonic_plan())
    assert outcome.exit_code == 5
    assert outcome.message == (
        "leaf-1 could not be changed: leaf-1 refused step 1: the change is being undone on the switch;"
        " everything was rolled back"
    )
    assert "apply-patch step-1.json" not in leaf.configured


@pytest.mark.parametrize("service_runs", [True, False])
def test_a_guard_that_fired_is_found_out_before_the_window_begins(bench: Bench, service_runs: bool) -> None:
    leaf = bench.leaf()
    unit = f"fabric-auto-{RUN}"

    def fire() -> None:
        del leaf.timers[unit]
        leaf.service = unit if service_runs else ""
        leaf.script(f"{FOLDER}/rollback.sh")
        # Its script has ended by the time that the rollback looks.
        leaf.once("sudo flock", lambda: setattr(leaf, "service", ""))

    leaf.once(f"systemctl is-active {unit}.service", fire)
    outcome = bench.deploy(sonic_plan())
    assert outcome.exit_code == 5
    assert outcome.message == (
        f"leaf-1 could not be changed: leaf-1 is undoing the change by itself: its timer {unit} fired;"
        " everything was rolled back"
    )
    assert not any("--on-active=300s" in each for each in leaf.log)
    assert as_before(leaf)


def test_a_guard_that_fires_while_the_window_begins_is_found_out(bench: Bench) -> None:
    leaf = bench.leaf()

    def fire() -> None:
        del leaf.timers[f"fabric-auto-{RUN}"]
        leaf.script(f"{FOLDER}/rollback.sh")

    leaf.once(f"sudo systemctl stop fabric-auto-{RUN}.timer", fire)
    outcome = bench.deploy(sonic_plan())
    assert outcome.exit_code == 5
    assert "is undoing the change by itself" in outcome.message
    assert as_before(leaf)
    assert clean(leaf)


@pytest.mark.parametrize("session_lost", [True, False])
def test_a_refused_reload_is_told_at_once_with_its_reason(bench: Bench, session_lost: bool) -> None:
    leaf = bench.leaf()
    leaf.refuses_reload = True
    if session_lost:
        leaf.goes_on(1, 20)
    outcome = bench.deploy(reload_plan())
    assert (outcome.exit_code, outcome.of("leaf-1").status) == (5, Status.ROLLED_BACK)
    assert outcome.message == (
        f"leaf-1 could not be changed: leaf-1 refused step 1: {FOLDER}/step-1.json fails YANG validation!"
        " Error: a leaf is wrong; everything was rolled back"
    )
    assert bench.world.now - START < timedelta(seconds=40)
    assert as_before(leaf)
    assert clean(leaf)


def test_a_reload_ends_the_session_and_the_switch_is_waited_for(bench: Bench) -> None:
    leaf = bench.leaf()

    def reboot() -> None:
        leaf.away_until = bench.world.now + timedelta(seconds=90)
        leaf.cut()

    leaf.once(step_line(1), reboot, after=True)
    outcome = bench.deploy(reload_plan())
    assert outcome.exit_code == 0
    assert leaf.tables["DEVICE_METADATA"]["localhost"]["bgp_asn"] == "4200000000"
    assert json.loads(leaf.startup) == leaf.tables
    assert "leaf-1: reloading, waiting for the switch to come back" in bench.said


def test_a_switch_that_does_not_come_back_reverts_by_itself_and_says_when(bench: Bench) -> None:
    leaf = bench.leaf()

    def vanish() -> None:
        leaf.reachable = False
        leaf.cut()

    leaf.once(step_line(1), vanish, after=True)
    outcome = bench.deploy(reload_plan())
    left = outcome.of("leaf-1")
    assert (outcome.exit_code, left.status) == (6, Status.PENDING)
    assert left.reverts_at == START + timedelta(seconds=2400)
    assert str(left) == "leaf-1: pending until 12:40:00 UTC (leaf-1 refused the connection)"
    bench.world.sleep(2400)
    assert as_before(leaf)


def test_daemons_rows_are_neither_stale_nor_lost(bench: Bench) -> None:
    leaf = bench.leaf()
    plan = sonic_plan()
    leaf.tables["BUFFER_PROFILE"]["pg_lossless_100000_5m_profile"] = {"xoff": "2"}
    leaf.tables["BUFFER_PG"] = {"Ethernet0|3-4": {"profile": "x"}}
    del leaf.tables["BUFFER_PROFILE"]["pg_lossless_400000_5m_profile"]
    assert bench.deploy(plan).exit_code == 0


def test_an_operators_field_survives_confirmation_and_roll_back(bench: Bench) -> None:
    leaf = bench.leaf()
    plan = sonic_plan()
    leaf.tables["NTP_SERVER"] = {"10.0.0.1": {}}
    outcome = bench.deploy(plan)
    assert outcome.exit_code == 0
    assert leaf.tables["NTP_SERVER"] == {"10.0.0.1": {}}
    assert leaf.tables["PORT"]["Ethernet8"] == {"mtu": "9100", "description": "an operator's"}


def test_a_plan_is_stale_when_a_row_appeared_in_a_table_it_touches(bench: Bench) -> None:
    leaf = bench.leaf()
    leaf.tables["VLAN"] = {"Vlan7": {"vlanid": "7"}}
    outcome = bench.deploy(sonic_plan())
    assert (outcome.exit_code, outcome.of("leaf-1").status) == (4, Status.UNCHANGED)
    assert outcome.message == (
        "leaf-1 cannot be deployed to: leaf-1 changed since the plan was made: VLAN/Vlan7, VLAN/Vlan7/vlanid; nothing was touched"
    )
    assert configuring(leaf) == []


def test_a_reload_is_stale_when_anything_at_all_changed(bench: Bench) -> None:
    leaf = bench.leaf()
    leaf.tables["NTP_SERVER"] = {"10.0.0.1": {}}
    assert bench.deploy(reload_plan()).exit_code == 4
    assert configuring(leaf) == []


def lock(box: Sonic, run: str, expires_in_s: int) -> None:
    box.folders.add(LOCK)
    owner = {"run": run, "owner": "bob@laptop", "expires": int(START.timestamp()) + box.skew_s + expires_in_s}
    box.files[f"{LOCK}/owner"] = json.dumps(owner).encode()


@pytest.mark.parametrize("skew_s", [0, -86400 * 365])
def test_somebody_elses_lock_is_respected_and_named(bench: Bench, skew_s: int) -> None:
    leaf = bench.leaf()
    leaf.skew_s = skew_s
    lock(leaf, "other", 60)
    outcome = bench.deploy(sonic_plan())
    assert outcome.exit_code == 1
    assert outcome.of("leaf-1").reason == "leaf-1 is locked by bob@laptop, run other, for another 60 s"
    assert configuring(leaf) == []
    assert f"{LOCK}/owner" in leaf.files


def test_all_logins_share_one_lock() -> None:
    assert {Box("leaf-1", user, "r1").lock for user in ("admin", "ann", "root")} == {LOCK}


def test_an_expired_lock_is_taken_over_and_that_is_said(bench: Bench) -> None:
    leaf = bench.leaf()
    lock(leaf, "other", -1)
    assert bench.deploy(sonic_plan()).exit_code == 0
    assert "leaf-1: took over the expired lock of bob@laptop, run other" in bench.said
    assert clean(leaf)


def test_a_lock_without_a_name_is_not_touched(bench: Bench) -> None:
    leaf = bench.leaf()
    leaf.folders.add(LOCK)
    outcome = bench.deploy(sonic_plan())
    assert outcome.exit_code == 1
    assert outcome.of("leaf-1").help.endswith("then on the switch: sudo rm -r /run/fabric-auto.lock")


def test_another_runs_waiting_timer_stops_the_deployment(bench: Bench) -> None:
    leaf = bench.leaf()
    leaf.timers["fabric-auto-other-confirm"] = (START + timedelta(hours=1), "x")
    outcome = bench.deploy(sonic_plan())
    assert outcome.exit_code == 1
    assert outcome.of("leaf-1").reason == "leaf-1 has a change waiting to be confirmed, timer fabric-auto-other-confirm"


def test_another_release_than_the_one_compiled_for_stops_the_deployment(bench: Bench) -> None:
    leaf = bench.leaf()
    outcome = bench.deploy(sonic_plan(), releases={"leaf-1": "202511"})
    assert outcome.exit_code == 1
    assert outcome.of("leaf-1").reason == "leaf-1 runs release 202505, and its configuration was made for 202511"
    assert configuring(leaf) == []


def test_a_timer_that_says_it_runs_and_does_not_is_found_out_before_the_change(bench: Bench) -> None:
    leaf = bench.leaf()
    leaf.once("sudo systemd-run", leaf.timers.clear, after=True)
    outcome = bench.deploy(sonic_plan())
    assert outcome.exit_code == 5
    assert not any("apply-patch" in each for each in leaf.log)


def test_a_save_that_did_not_happen_is_named(bench: Bench) -> None:
    leaf = bench.leaf()
    leaf.once("sudo config save", lambda: setattr(leaf, "ignore", True))
    outcome = bench.deploy(sonic_plan())
    left = outcome.of("leaf-1")
    assert (outcome.exit_code, left.status) == (6, Status.UNKNOWN)
    assert left.reason.startswith("leaf-1 runs the change but did not save it: ")
    assert left.help.startswith("on the switch: sudo config save -y")


def test_a_switch_that_reverted_before_its_confirmation_is_not_saved(bench: Bench) -> None:
    leaf = bench.leaf()
    outcome = bench.deploy(sonic_plan(), verify=lambda: bench.world.sleep(301) or ())  # type: ignore[func-returns-value]  # time passes
    left = outcome.of("leaf-1")
    assert (outcome.exit_code, left.status) == (6, Status.ROLLED_BACK)
    assert left.reason == "leaf-1 does not have its change any more"
    assert as_before(leaf)
