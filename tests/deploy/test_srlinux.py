import json
from datetime import timedelta

import pytest

from fabric_auto.deploy.model import Status
from fabric_auto.plan.model import Step
from tests.deploy.conftest import Bench
from tests.deploy.world import RUN, SRL_BASE, START, srl_plan

AFTER = {**SRL_BASE, "system/host-name": "spine-1", "interface[name=ethernet-1/1]": ""}


def test_the_transaction_is_lock_edit_validate_commit_confirmed_confirm_unlock(bench: Bench) -> None:
    spine = bench.spine()
    outcome = bench.deploy(srl_plan())
    assert (outcome.exit_code, outcome.of("spine-1").status) == (0, Status.CONFIRMED)
    assert spine.log == ["lock", "edit", "validate", f"commit confirmed 300 {RUN}", f"confirm {RUN}", "save", "unlock"]
    assert (spine.configuration, spine.edited, spine.waiting, spine.locked) == (AFTER, AFTER, None, False)
    assert spine.startup == AFTER


def test_a_change_that_is_confirmed_and_not_saved_is_told(bench: Bench) -> None:
    spine = bench.spine()
    spine.unsaved = True
    outcome = bench.deploy(srl_plan())
    assert outcome.exit_code == 6
    assert outcome.of("spine-1").reason == (
        "spine-1 runs the change but did not save it: spine-1 refused <copy-config>: operation-failed: no space left"
    )
    assert outcome.of("spine-1").help.startswith("on the switch: save startup")
    assert (spine.configuration, spine.waiting, spine.locked) == (AFTER, None, False)


def test_the_change_waits_for_its_confirmation_while_the_network_is_verified(bench: Bench) -> None:
    spine = bench.spine()
    seen = []
    bench.deploy(srl_plan(), verify=lambda: seen.append(spine.waiting) or ())  # type: ignore[func-returns-value]  # a look
    assert seen == [(RUN, START + timedelta(seconds=300), SRL_BASE)]


def test_an_unconfirmed_commit_of_others_stops_the_deployment(bench: Bench) -> None:
    spine = bench.spine()
    spine.waiting = ("other", START + timedelta(hours=1), dict(SRL_BASE))
    outcome = bench.deploy(srl_plan())
    assert outcome.exit_code == 1
    assert outcome.of("spine-1").reason == "spine-1 has an unconfirmed commit (commit 4, persist-id other)"
    assert spine.log == []


def test_others_edits_in_the_candidate_stop_the_deployment(bench: Bench) -> None:
    spine = bench.spine()
    spine.edited["acl/x"] = "1"
    outcome = bench.deploy(srl_plan())
    assert outcome.exit_code == 1
    assert outcome.of("spine-1").reason == "the candidate of spine-1 holds edits that somebody has not committed"
    assert (spine.log, spine.edited["acl/x"]) == ([], "1")


def test_others_edits_are_discarded_when_that_is_asked_for(bench: Bench) -> None:
    spine = bench.spine()
    spine.edited["acl/x"] = "1"
    outcome = bench.deploy(srl_plan(), discard_candidate=True)
    assert outcome.exit_code == 0
    assert "acl/x" not in spine.configuration


def test_edits_made_between_the_look_and_the_lock_stop_the_deployment(bench: Bench) -> None:
    spine = bench.spine()
    spine.once("lock", lambda: spine.edited.update({"acl/x": "1"}), after=True)
    outcome = bench.deploy(srl_plan())
    assert (outcome.exit_code, spine.locked) == (1, False)
    assert spine.edited["acl/x"] == "1"
    assert "edit" not in spine.log


def test_a_lock_of_others_is_named_and_nothing_is_touched(bench: Bench) -> None:
    spine = bench.spine()
    spine.foreign_lock = True
    outcome = bench.deploy(srl_plan())
    assert outcome.exit_code == 1
    assert outcome.of("spine-1").reason.endswith("lock-denied: held (held by session 454)")
    assert spine.log == ["lock"]


def test_a_refused_edit_leaves_a_clean_unlocked_candidate(bench: Bench) -> None:
    from fabric_auto.transport.base import DeviceRefusedError

    def refuse() -> None:
        raise DeviceRefusedError("spine-1 refused <validate>: invalid-value: mtu")

    spine = bench.spine()
    spine.once("validate", refuse)
    outcome = bench.deploy(srl_plan())
    assert (outcome.exit_code, outcome.of("spine-1").status) == (5, Status.UNCHANGED)
    assert outcome.message == (
        "spine-1 could not be changed: spine-1 refused <validate>: invalid-value: mtu; everything was rolled back"
    )
    assert (spine.configuration, spine.edited, spine.locked) == (SRL_BASE, SRL_BASE, False)


def test_a_switch_that_says_yes_and_does_nothing_is_found_out(bench: Bench) -> None:
    spine = bench.spine()
    spine.ignore = True
    outcome = bench.deploy(srl_plan())
    assert (outcome.exit_code, outcome.of("spine-1").status) == (5, Status.ROLLED_BACK)
    assert spine.log[-3:] == [f"cancel {RUN}", "discard", "unlock"]
    assert (spine.configuration, spine.edited, spine.waiting) == (SRL_BASE, SRL_BASE, None)


def test_a_session_lost_before_the_commit_leaves_nothing_behind(bench: Bench) -> None:
    spine = bench.spine()
    spine.once("commit", spine.cut)
    outcome = bench.deploy(srl_plan())
    assert (outcome.exit_code, outcome.of("spine-1").status) == (5, Status.UNCHANGED)
    assert (spine.configuration, spine.edited, spine.locked) == (SRL_BASE, SRL_BASE, False)


@pytest.mark.parametrize("rpc", ["edit", "validate"])
@pytest.mark.parametrize("after", [True, False])
def test_a_session_lost_while_editing_leaves_a_clean_candidate(bench: Bench, rpc: str, after: bool) -> None:
    spine = bench.spine()
    spine.once(rpc, spine.cut, after=after)
    outcome = bench.deploy(srl_plan())
    assert (outcome.exit_code, outcome.of("spine-1").status) == (5, Status.UNCHANGED)
    assert (spine.configuration, spine.edited, spine.locked) == (SRL_BASE, SRL_BASE, False)


def test_a_session_lost_after_the_commit_finds_it_by_its_persist_id(bench: Bench) -> None:
    spine = bench.spine()
    spine.once("commit", spine.cut, after=True)
    outcome = bench.deploy(srl_plan())
    assert (outcome.exit_code, outcome.of("spine-1").status) == (0, Status.CONFIRMED)
    assert (spine.configuration, spine.waiting) == (AFTER, None)


@pytest.mark.parametrize("after", [True, False])
def test_a_session_lost_in_the_confirmation_is_taken_up_again(bench: Bench, after: bool) -> None:
    spine = bench.spine()
    spine.once("confirm", spine.cut, after=after)
    outcome = bench.deploy(srl_plan())
    assert outcome.exit_code == 0
    assert (spine.configuration, spine.waiting) == (AFTER, None)
    assert spine.log.count(f"confirm {RUN}") == 1


def test_a_switch_that_reverted_before_its_confirmation_is_not_called_confirmed(bench: Bench) -> None:
    spine = bench.spine()
    outcome = bench.deploy(srl_plan(), verify=lambda: bench.world.sleep(301) or ())  # type: ignore[func-returns-value]  # time passes
    assert (outcome.exit_code, outcome.of("spine-1").status) == (6, Status.ROLLED_BACK)
    assert spine.configuration == SRL_BASE
    assert bench.states.load("spine-1") is None


def test_a_plan_is_stale_when_what_it_changes_was_changed(bench: Bench) -> None:
    spine = bench.spine()
    spine.configuration["system/host-name"] = spine.edited["system/host-name"] = "somebody"
    outcome = bench.deploy(srl_plan())
    assert outcome.exit_code == 4
    assert spine.log == []


def test_what_others_configure_beside_ours_is_not_stale_and_survives(bench: Bench) -> None:
    spine = bench.spine()
    spine.configuration["acl/x"] = spine.edited["acl/x"] = "1"
    assert bench.deploy(srl_plan()).exit_code == 0
    assert spine.configuration["acl/x"] == "1"


def test_another_release_stops_the_deployment(bench: Bench) -> None:
    bench.spine()
    outcome = bench.deploy(srl_plan(), releases={"spine-1": "25.7.1"})
    assert outcome.of("spine-1").reason == "spine-1 runs release 25.3.1, and its configuration was made for 25.7.1"


@pytest.mark.parametrize(("train", "expected"), [("25.3", 0), ("25.3.1", 0), ("25", 0), ("25.30", 1), ("25.3.10", 1)])
def test_a_release_of_the_train_that_was_compiled_for_is_that_release(bench: Bench, train: str, expected: int) -> None:
    bench.spine()
    assert bench.deploy(srl_plan(), releases={"spine-1": train}).exit_code == expected


def test_a_documents_bytes_are_sent_as_they_were_planned(bench: Bench) -> None:
    spine = bench.spine()
    sent: list[bytes] = []
    real = spine.edit
    spine.edit = lambda config: (sent.append(config), real(config))[1]  # type: ignore[method-assign,func-returns-value]  # a look
    plan = srl_plan()
    bench.deploy(plan)
    assert [Step("edit-config", each) for each in sent] == list(plan.steps)
    assert json.loads(sent[0])["system/host-name"] == "spine-1"
