"""RFC 6241 section 8.4, with a real client."""

import pytest
from ncclient.operations import RPCError

pytestmark = pytest.mark.lab

PATH = "//name:host-name/text()"


def config(text: str) -> str:
    return (
        '<config xmlns="urn:ietf:params:xml:ns:netconf:base:1.0"><system xmlns="urn:nokia.com:srlinux:general:system">'
        f'<name xmlns="urn:nokia.com:srlinux:chassis:system-name"><host-name>{text}</host-name></name></system></config>'
    )


@pytest.fixture
def now(switch, find):
    return lambda: find(switch.running(), PATH)[0]


@pytest.fixture
def tried(client):
    """Commit a host name, to be confirmed."""

    def commit(text: str, **options) -> None:
        client.edit_config(target="candidate", config=config(text))
        client.commit(confirmed=True, **options)

    return commit


def refused(call, *arguments, **options) -> RPCError:
    with pytest.raises(RPCError) as caught:
        call(*arguments, **options)
    return caught.value


def statuses(client, find) -> list[str]:
    wanted = (
        '<system xmlns="urn:nokia.com:srlinux:general:system">'
        '<configuration xmlns="urn:nokia.com:srlinux:general:configuration"><commit/></configuration></system>'
    )
    return find(client.get(filter=("subtree", wanted)), "//conf:commit/conf:status/text()")


def test_an_unconfirmed_commit_reverts_when_its_time_is_up(tried, now, wait):
    tried("new", timeout="1")
    assert now() == "new"
    wait(lambda: now() == "srlinux")


def test_a_confirming_commit_makes_it_stay(client, switch, tried, now):
    tried("new", timeout="60")
    client.commit()
    assert now() == "new"
    assert switch.stores.commits.pending is None


def test_the_session_that_issued_it_takes_it_along(client, tried, now, wait):
    tried("new", timeout="60")
    client.close_session()
    wait(lambda: now() == "srlinux")


def test_a_persistent_one_outlives_its_session_and_is_confirmed_from_another(lab, switch, client, tried, now, wait):
    tried("new", timeout="60", persist="token")
    client.close_session()
    wait(lambda: not switch._sessions)
    other = lab.connect(switch)
    assert now() == "new"
    other.commit(persist_id="token")
    assert switch.stores.commits.pending is None
    assert now() == "new"


def test_a_persistent_one_reverts_by_its_timer_without_any_session(switch, client, tried, now, wait):
    tried("new", timeout="1", persist="token")
    client.close_session()
    wait(lambda: now() == "srlinux")


@pytest.mark.parametrize("options", [{}, {"persist_id": "wrong"}])
def test_a_persistent_one_is_confirmed_with_its_token_only(client, tried, now, options):
    tried("new", timeout="60", persist="token")
    assert refused(client.commit, **options).tag == "invalid-value"
    assert refused(client.cancel_commit, **options).tag == "invalid-value"
    assert now() == "new"


def test_cancel_reverts_at_once(client, switch, tried, now):
    tried("new", timeout="60")
    client.cancel_commit()
    assert now() == "srlinux"
    assert switch.stores.commits.pending is None


def test_cancel_by_token_from_another_session(lab, switch, client, tried, now):
    tried("new", timeout="60", persist="token")
    lab.connect(switch).cancel_commit(persist_id="token")
    assert now() == "srlinux"


def test_there_must_be_something_to_cancel(client):
    assert refused(client.cancel_commit).tag == "operation-failed"


def test_a_token_without_a_pending_commit_is_wrong(client):
    assert refused(client.commit, persist_id="token").tag == "invalid-value"


def test_another_session_does_not_confirm_what_is_not_persistent(lab, switch, client, tried, now):
    tried("new", timeout="60")
    other = lab.connect(switch)
    assert refused(other.commit).tag == "in-use"
    assert refused(other.cancel_commit).tag == "in-use"
    assert now() == "new"


def test_running_cannot_be_locked_while_another_session_waits(lab, switch, client, tried):
    # RFC 6241 section 7.5
    tried("new", timeout="60")
    assert refused(lab.connect(switch).lock, "running").tag == "lock-denied"


def test_a_follow_up_extends_the_time_and_keeps_the_first_way_back(client, tried, now):
    # RFC 6241 section 8.4.1: reverting goes back to before the sequence, not to its middle
    tried("first", timeout="60", persist="token")
    client.edit_config(target="candidate", config=config("second"))
    client.commit(confirmed=True, timeout="60", persist_id="token")
    assert now() == "second"
    client.cancel_commit(persist_id="token")
    assert now() == "srlinux"


@pytest.mark.parametrize("timeout", ["0", "-1", "ten", "4294967296"])
def test_a_timeout_is_a_positive_32_bit_number(client, timeout: str):
    assert refused(client.commit, confirmed=True, timeout=timeout).tag == "invalid-value"


def test_edits_made_meanwhile_stay_in_the_candidate_when_running_reverts(client, tried, now, find):
    tried("new", timeout="60")
    client.edit_config(target="candidate", config=config("later"))
    client.cancel_commit()
    assert now() == "srlinux"
    assert find(client.get_config("candidate"), PATH) == ["later"]


def test_the_commit_shows_in_the_state(client, tried, find):
    tried("new", timeout="60")
    assert statuses(client, find) == ["unconfirmed"]
    client.commit()
    assert statuses(client, find) == ["complete", "complete"]


def test_a_stopped_device_forgets_its_timer(lab, switch, tried, now):
    tried("new", timeout="60")
    lab.call(switch.stop())
    assert now() == "new"
