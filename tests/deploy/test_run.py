import os
import signal
from datetime import timedelta
from pathlib import Path

import pytest

from fabric_auto.deploy.interrupt import interruptible
from fabric_auto.deploy.model import Status, new_run
from fabric_auto.diagnostics import Diagnostic, Severity
from fabric_auto.errors import FabricAutoError
from tests.deploy.conftest import Bench, as_before, clean
from tests.deploy.world import RUN, SRL_BASE, START, sonic_plan, srl_plan, unchanged_plan

DOWN = Diagnostic("FAB901", "port-down", Severity.ERROR, "`leaf-1 Ethernet0` is down")
WORN = Diagnostic("FAB999", "worn", Severity.WARNING, "a warning")


def statuses(outcome: object) -> dict[str, Status]:
    return {each.device: each.status for each in outcome.devices}  # type: ignore[attr-defined]  # an Outcome


def test_a_plan_without_changes_opens_nothing(bench: Bench) -> None:
    leaf = bench.leaf("leaf-9")
    outcome = bench.deploy(unchanged_plan())
    assert (outcome.exit_code, outcome.message) == (0, "nothing to do")
    assert statuses(outcome) == {"leaf-9": Status.UNCHANGED}
    assert leaf.opened == 0


def test_everything_is_applied_before_anything_is_confirmed(bench: Bench) -> None:
    leaf, spine = bench.leaf(), bench.spine()
    at_the_gate: list[object] = []

    def verify() -> tuple[Diagnostic, ...]:
        at_the_gate.extend([sorted(leaf.timers), spine.waiting is not None, bench.states.load_all()])
        return (WORN,)

    outcome = bench.deploy(srl_plan(), sonic_plan(), unchanged_plan(), verify=verify)
    assert at_the_gate == [[f"fabric-auto-{RUN}-confirm"], True, {}]
    assert outcome.exit_code == 0
    assert outcome.message == "2 devices changed and confirmed"
    assert outcome.findings == (WORN,)
    assert statuses(outcome) == {"spine-1": Status.CONFIRMED, "leaf-1": Status.CONFIRMED, "leaf-9": Status.UNCHANGED}
    assert sorted(bench.states.load_all()) == ["leaf-1", "spine-1"]


def test_one_device_that_cannot_start_keeps_all_untouched(bench: Bench) -> None:
    leaf, spine = bench.leaf(), bench.spine()
    spine.reachable = False
    outcome = bench.deploy(sonic_plan(), srl_plan())
    assert outcome.exit_code == 1
    assert outcome.message == "spine-1 cannot be deployed to: spine-1 refused the connection; nothing was touched"
    assert statuses(outcome) == {"leaf-1": Status.UNCHANGED, "spine-1": Status.UNCHANGED}
    assert clean(leaf)
    assert as_before(leaf)


def test_a_lock_that_fails_late_gives_the_others_back(bench: Bench) -> None:
    leaf, spine = bench.leaf(), bench.spine()
    spine.foreign_lock = True
    outcome = bench.deploy(sonic_plan(), srl_plan())
    assert outcome.exit_code == 1
    assert clean(leaf)
    assert any(each.startswith("sudo mkdir -m 755 /run/fabric-auto.lock && ") for each in leaf.log)


def test_stale_beside_unreachable_is_not_called_stale(bench: Bench) -> None:
    leaf, spine = bench.leaf(), bench.spine()
    leaf.tables["PORT"]["Ethernet0"]["mtu"] = "1500"
    assert bench.deploy(sonic_plan()).exit_code == 4
    (bench.project / f".fabric-auto/journal/{RUN}.jsonl").unlink()
    spine.reachable = False
    assert bench.deploy(sonic_plan(), srl_plan()).exit_code == 1


def test_a_failed_device_rolls_back_those_that_had_succeeded(bench: Bench) -> None:
    first, second, spine = bench.leaf("leaf-1"), bench.leaf("leaf-2"), bench.spine()
    second.ignore = True
    outcome = bench.deploy(sonic_plan("leaf-1"), sonic_plan("leaf-2"), srl_plan())
    assert outcome.exit_code == 5
    assert statuses(outcome) == {
        "leaf-1": Status.ROLLED_BACK,
        "leaf-2": Status.ROLLED_BACK,
        "spine-1": Status.UNCHANGED,
    }
    assert as_before(first)
    assert as_before(second)
    assert clean(first)
    assert (spine.log, spine.configuration) == (["lock", "discard", "unlock"], SRL_BASE)
    assert bench.states.load_all() == {}


def test_a_finding_at_the_gate_rolls_everything_back(bench: Bench) -> None:
    leaf, spine = bench.leaf(), bench.spine()
    outcome = bench.deploy(sonic_plan(), srl_plan(), verify=lambda: (DOWN, WORN))
    assert (outcome.exit_code, outcome.findings) == (5, (DOWN, WORN))
    assert outcome.message == "verification found 1 error; everything was rolled back"
    assert statuses(outcome) == {"leaf-1": Status.ROLLED_BACK, "spine-1": Status.ROLLED_BACK}
    assert as_before(leaf)
    assert clean(leaf)
    assert (spine.configuration, spine.edited, spine.waiting, spine.locked) == (SRL_BASE, SRL_BASE, None, False)


def test_a_gate_that_cannot_look_rolls_everything_back(bench: Bench) -> None:
    leaf = bench.leaf()

    def blind() -> tuple[Diagnostic, ...]:
        raise FabricAutoError("spine-1 gave no answer within 15 s")

    outcome = bench.deploy(sonic_plan(), verify=blind)
    assert outcome.exit_code == 5
    assert outcome.message == (
        "the network could not be verified: spine-1 gave no answer within 15 s; everything was rolled back"
    )
    assert as_before(leaf)


def test_a_rollback_that_fails_names_the_device_and_when_it_reverts(bench: Bench) -> None:
    leaf = bench.leaf()
    bench.spine()

    def lose_the_leaf() -> tuple[Diagnostic, ...]:
        leaf.reachable = leaf.connected = False
        return (DOWN,)

    outcome = bench.deploy(sonic_plan(), srl_plan(), verify=lose_the_leaf)
    assert outcome.exit_code == 6
    assert outcome.message == "verification found 1 error; leaf-1 could not be rolled back"
    assert statuses(outcome) == {"leaf-1": Status.PENDING, "spine-1": Status.ROLLED_BACK}
    assert outcome.of("leaf-1").reverts_at == START + timedelta(seconds=300)
    assert outcome.of("leaf-1").help == "it reverts by itself; look at it then: fabric-auto diff"
    bench.world.sleep(300)
    assert as_before(leaf)


def test_a_rollback_that_does_nothing_is_found_out(bench: Bench) -> None:
    leaf = bench.leaf()

    def numb() -> tuple[Diagnostic, ...]:
        leaf.ignore = True
        return (DOWN,)

    outcome = bench.deploy(sonic_plan(), verify=numb)
    assert outcome.exit_code == 6
    assert outcome.of("leaf-1").status in {Status.PENDING, Status.UNKNOWN}
    assert "leaf-1 does not have what it should: " in outcome.of("leaf-1").reason


def test_a_confirmation_that_fails_on_one_device_keeps_the_others_and_names_it(bench: Bench) -> None:
    first, second = bench.leaf("leaf-1"), bench.leaf("leaf-2")

    def lose_the_second() -> tuple[Diagnostic, ...]:
        second.reachable = second.connected = False
        return ()

    outcome = bench.deploy(sonic_plan("leaf-1"), sonic_plan("leaf-2"), verify=lose_the_second)
    assert outcome.exit_code == 6
    assert outcome.message == "leaf-2 could not be confirmed: leaf-2 refused the connection"
    assert statuses(outcome) == {"leaf-1": Status.CONFIRMED, "leaf-2": Status.PENDING}
    assert sorted(bench.states.load_all()) == ["leaf-1"]
    bench.world.sleep(300)
    assert as_before(second)
    assert first.tables["PORT"]["Ethernet0"]["mtu"] == "9000"


def test_an_interruption_before_the_change_touches_nothing(bench: Bench) -> None:
    leaf = bench.leaf()
    asked: list[int] = []
    outcome = bench.deploy(sonic_plan(), stop=lambda: len(asked) > 1 or bool(asked.append(1)))  # type: ignore[func-returns-value]  # the second question on
    assert (outcome.exit_code, outcome.message) == (130, "interrupted; nothing was touched")
    assert as_before(leaf)
    assert clean(leaf)


def test_an_interruption_during_the_change_says_what_is_pending_until_when(bench: Bench) -> None:
    first, second = bench.leaf("leaf-1"), bench.leaf("leaf-2")
    outcome = bench.deploy(
        sonic_plan("leaf-1"), sonic_plan("leaf-2"), stop=lambda: first.tables["PORT"]["Ethernet0"]["mtu"] == "9000"
    )
    assert (outcome.exit_code, outcome.message) == (130, "interrupted; 1 pending")
    assert statuses(outcome) == {"leaf-1": Status.PENDING, "leaf-2": Status.UNCHANGED}
    assert outcome.of("leaf-1").reverts_at == START + timedelta(seconds=4200)
    assert clean(second)
    bench.world.sleep(4200)
    assert as_before(first)
    assert as_before(second)


def test_an_interruption_at_the_gate_leaves_all_to_revert_by_themselves(bench: Bench) -> None:
    leaf, spine = bench.leaf(), bench.spine()
    wish: list[int] = []
    outcome = bench.deploy(
        sonic_plan(),
        srl_plan(),
        verify=lambda: wish.append(1) or (),  # type: ignore[func-returns-value]  # Ctrl-C while it looks
        stop=lambda: bool(wish),
    )
    assert (outcome.exit_code, outcome.message) == (130, "interrupted; 2 pending")
    assert str(outcome.of("leaf-1")) == "leaf-1: pending until 12:05:00 UTC (interrupted)"
    bench.world.sleep(300)
    assert as_before(leaf)
    assert spine.configuration == SRL_BASE


def test_an_interruption_between_confirmations_says_which_are_confirmed(bench: Bench) -> None:
    import json

    first, second = bench.leaf("leaf-1"), bench.leaf("leaf-2")
    outcome = bench.deploy(
        sonic_plan("leaf-1"),
        sonic_plan("leaf-2"),
        stop=lambda: json.loads(first.startup)["PORT"]["Ethernet0"]["mtu"] == "9000",
    )
    assert outcome.exit_code == 130
    assert statuses(outcome) == {"leaf-1": Status.CONFIRMED, "leaf-2": Status.PENDING}
    assert sorted(bench.states.load_all()) == ["leaf-1"]
    bench.world.sleep(300)
    assert as_before(second)


def test_a_second_ctrl_c_still_gives_an_answer(bench: Bench) -> None:
    leaf = bench.leaf()

    def hard() -> tuple[Diagnostic, ...]:
        raise KeyboardInterrupt

    outcome = bench.deploy(sonic_plan(), verify=hard)
    assert (outcome.exit_code, outcome.of("leaf-1").status) == (130, Status.PENDING)
    assert sorted(leaf.timers) == [f"fabric-auto-{RUN}-confirm"]


def test_a_state_that_cannot_be_kept_is_told(bench: Bench) -> None:
    bench.leaf()
    (bench.project / ".fabric-auto").mkdir(exist_ok=True)
    (bench.project / ".fabric-auto/state").write_text("in the way")
    outcome = bench.deploy(sonic_plan())
    assert (outcome.exit_code, outcome.of("leaf-1").status) == (6, Status.CONFIRMED)
    assert outcome.message.startswith("the state of leaf-1 could not be kept: ")


def test_the_journal_tells_the_run_in_order(bench: Bench) -> None:
    bench.leaf()
    bench.deploy(sonic_plan())
    assert [each["event"] for each in bench.events] == [
        "journal", "started",
        "preflight", "preflight done", "lock", "lock done", "apply", "apply done", "hold", "hold done",
        "verified", "confirm", "confirm done", "left", "finished",
    ]  # fmt: skip
    assert bench.events[1]["devices"] == ["leaf-1"]
    assert bench.events[-1]["exit_code"] == 0


def test_a_failure_is_in_the_journal_with_its_reason(bench: Bench) -> None:
    leaf = bench.leaf()
    leaf.ignore = True
    bench.deploy(sonic_plan())
    failed = [each for each in bench.events if each["event"] == "apply failed"]
    assert [each["reason"] for each in failed] == ["leaf-1 does not have what it should: PORT/Ethernet0/mtu"]
    assert [each["event"] for each in bench.events if "rollback" in str(each["event"])] == ["rollback", "rollback done"]


def test_many_devices_make_the_guard_outlast_all_waves(bench: Bench) -> None:
    plans = []
    for number in range(41):
        bench.leaf(f"leaf-{number}")
        plans.append(sonic_plan(f"leaf-{number}"))
    bench.deploy(*plans)
    leaf = bench.world.boxes["leaf-0"]
    # 41 devices, 20 at a time: three waves of two steps, each 900 s dry and 900 s for real, and 300 s; then the window.
    assert any("--on-active=12000s" in each for each in leaf.log)


def test_a_runs_name_sorts_by_time_and_is_fit_for_units_and_files() -> None:
    name = new_run(START)
    assert name.startswith("20261201-120000-")
    assert set(name) <= set("0123456789abcdef-")


def test_the_first_signal_is_a_wish_and_the_second_an_interrupt() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with interruptible() as stop:
        assert not stop()
        os.kill(os.getpid(), signal.SIGTERM)
        assert stop()
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGTERM) is before


def test_no_secret_and_no_configuration_is_in_the_journal(bench: Bench) -> None:
    bench.leaf()
    bench.deploy(sonic_plan())
    text = Path(bench.project / f".fabric-auto/journal/{RUN}.jsonl").read_text()
    assert "gpu-01" not in text
