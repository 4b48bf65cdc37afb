import json
from datetime import timedelta

import pytest

from fabric_auto.deploy.model import Status
from fabric_auto.deploy.sonic import rollback_script
from fabric_auto.deploy.sonic_box import Box
from tests.deploy.conftest import Bench, as_before, clean
from tests.deploy.world import BASE, RUN, START, Sonic, reload_plan, sonic_plan

FOLDER = f"/home/admin/.fabric-auto/{RUN}"
AFTER = {
    **BASE,
    "PORT": {**BASE["PORT"], "Ethernet0": {"mtu": "9000", "description": "gpu-01 nic1"}},
    "VLAN": {"Vlan100": {"vlanid": "100"}},
}


def configuring(box: Sonic) -> list[str]:
    """The commands that touch configuration or timers, without their paths."""
    words = ("sudo config", "sudo systemd-run", "sudo systemctl", "/bin/sh")
    return [each.replace(FOLDER, "RUN") for each in box.log if each.startswith(words)]


def test_a_change_is_guarded_applied_in_steps_held_confirmed_and_saved(bench: Bench) -> None:
    leaf = bench.leaf()
    outcome = bench.deploy(sonic_plan())
    assert (outcome.exit_code, outcome.of("leaf-1").status) == (0, Status.CONFIRMED)
    assert leaf.tables == AFTER
    assert json.loads(leaf.startup) == AFTER
    assert clean(leaf)
    assert configuring(leaf) == [
        f"sudo config checkpoint fab-{RUN}",
        f"sudo systemd-run --on-active=1200s --unit=fabric-auto-{RUN} --collect /bin/sh RUN/rollback.sh",
        "sudo config apply-patch -d RUN/step-1.json",
        "sudo config apply-patch RUN/step-1.json > RUN/step-1.log 2>&1",
        "sudo config apply-patch -d RUN/step-2.json",
        "sudo config apply-patch RUN/step-2.json > RUN/step-2.log 2>&1",
        f"sudo systemd-run --on-active=300s --unit=fabric-auto-{RUN}-confirm --collect /bin/sh RUN/rollback.sh",
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
        "/step-1.json", "/step-2.json", "/inverse-1.json", "/inverse-2.json", "/saved_config_db.json", "/rollback.sh",
        "/home/admin/.fabric-auto/lock/owner",
    }  # fmt: skip
    assert set(leaf.modes.values()) == {0o600}
    assert f"mkdir -p -m 700 {FOLDER}" in leaf.log


def test_the_script_undoes_in_order_and_falls_back_to_the_saved_configuration() -> None:
    script = rollback_script(Box("leaf-1", "admin", "r1"), sonic_plan().inverse).decode()
    folder = "/home/admin/.fabric-auto/r1"
    assert script == (
        "#!/bin/sh\n# fabric-auto run r1: undo\n"
        f"sudo config apply-patch {folder}/inverse-1.json && sudo config apply-patch {folder}/inverse-2.json"
        f" || sudo config reload -y -f {folder}/saved_config_db.json\n"
    )


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

    leaf.once(f"sudo config apply-patch {FOLDER}/step-2.json", half)
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
    assert not any(each.startswith("/bin/sh") for each in leaf.log)
    assert clean(leaf)


def test_a_session_lost_after_the_patch_acted_does_not_matter(bench: Bench) -> None:
    leaf = bench.leaf()
    leaf.once(f"sudo config apply-patch {FOLDER}/step-1.json", leaf.cut, after=True)
    outcome = bench.deploy(sonic_plan())
    assert (outcome.exit_code, leaf.tables, leaf.opened) == (0, AFTER, 2)


def test_a_session_lost_before_the_patch_acted_is_rolled_back(bench: Bench) -> None:
    leaf = bench.leaf()
    leaf.once(f"sudo config apply-patch {FOLDER}/step-1.json", leaf.cut)
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


def test_a_reload_ends_the_session_and_the_switch_is_waited_for(bench: Bench) -> None:
    leaf = bench.leaf()

    def reboot() -> None:
        leaf.away_until = bench.world.now + timedelta(seconds=90)
        leaf.cut()

    leaf.once("sudo config reload", reboot, after=True)
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

    leaf.once("sudo config reload", vanish, after=True)
    outcome = bench.deploy(reload_plan())
    left = outcome.of("leaf-1")
    assert (outcome.exit_code, left.status) == (6, Status.PENDING)
    assert left.reverts_at == START + timedelta(seconds=1200)
    assert str(left) == "leaf-1: pending until 12:20:00 UTC (leaf-1 refused the connection)"
    bench.world.sleep(1200)
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
    box.folders |= {"/home/admin/.fabric-auto", "/home/admin/.fabric-auto/lock"}
    owner = {"run": run, "owner": "bob@laptop", "expires": int(START.timestamp()) + box.skew_s + expires_in_s}
    box.files["/home/admin/.fabric-auto/lock/owner"] = json.dumps(owner).encode()


@pytest.mark.parametrize("skew_s", [0, -86400 * 365])
def test_somebody_elses_lock_is_respected_and_named(bench: Bench, skew_s: int) -> None:
    leaf = bench.leaf()
    leaf.skew_s = skew_s
    lock(leaf, "other", 60)
    outcome = bench.deploy(sonic_plan())
    assert outcome.exit_code == 1
    assert outcome.of("leaf-1").reason == "leaf-1 is locked by bob@laptop, run other, for another 60 s"
    assert configuring(leaf) == []
    assert "/home/admin/.fabric-auto/lock/owner" in leaf.files


def test_an_expired_lock_is_taken_over_and_that_is_said(bench: Bench) -> None:
    leaf = bench.leaf()
    lock(leaf, "other", -1)
    assert bench.deploy(sonic_plan()).exit_code == 0
    assert "leaf-1: took over the expired lock of bob@laptop, run other" in bench.said
    assert clean(leaf)


def test_a_lock_without_a_name_is_not_touched(bench: Bench) -> None:
    leaf = bench.leaf()
    leaf.folders |= {"/home/admin/.fabric-auto", "/home/admin/.fabric-auto/lock"}
    outcome = bench.deploy(sonic_plan())
    assert outcome.exit_code == 1
    assert outcome.of("leaf-1").help.endswith("then on the switch: rm -r /home/admin/.fabric-auto/lock")


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
