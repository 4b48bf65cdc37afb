import dataclasses
import time
from collections.abc import Iterator

import asyncssh
import pytest
from lxml import etree

from fabric_auto.transport import srlinux
from fabric_auto.transport.base import DeviceRefusedError, SessionLostError, UnreachableError
from fabric_auto.transport.endpoint import Endpoint, Timeouts
from fabric_auto.transport.host_keys import HostKey, KnownHosts, load
from fabric_auto.transport.secrets import Secret
from fabric_auto.transport.srlinux import SrlinuxSession, candidate_is_dirty
from tests.transport.server import Server

TIMEOUTS = Timeouts(connect_s=5, auth_s=5, rpc_s=5)
NC = "{urn:ietf:params:xml:ns:netconf:base:1.0}"
INTERFACES = "urn:nokia.com:srlinux:chassis:interfaces"


def error(tag: str, message: str, *, path: str = "", info: str = "") -> str:
    """An rpc-error as RFC 6241 §4.3 has it."""
    return (
        f"<rpc-error><error-type>application</error-type><error-tag>{tag}</error-tag><error-severity>error</error-severity>"
        + (f"<error-path>{path}</error-path>" if path else "")
        + f"<error-message>{message}</error-message>"
        + (f"<error-info>{info}</error-info>" if info else "")
        + "</rpc-error>"
    )


def interface(*names: str) -> str:
    return (
        "<data>"
        + "".join(f'<interface xmlns="{INTERFACES}"><name>{each}</name></interface>' for each in names)
        + "</data>"
    )


@pytest.fixture
def session(target: Endpoint, known: KnownHosts) -> Iterator[SrlinuxSession]:
    opened = srlinux.connect(target, known, TIMEOUTS)
    yield opened
    opened.close()


def sent(server: Server, number: int = -1) -> etree._Element:
    """The operation of an RPC, as it came over the wire."""
    return etree.fromstring(server.rpcs[number].strip().encode())[0]


def test_a_confirmed_commit_says_confirmed_on_the_wire(server: Server, session: SrlinuxSession) -> None:
    session.commit_confirmed(300, "20261201-0a0b")
    commit = sent(server)
    assert commit.tag == f"{NC}commit"
    assert [(each.tag.removeprefix(NC), each.text) for each in commit] == [
        ("confirmed", None),
        ("confirm-timeout", "300"),
        ("persist", "20261201-0a0b"),
    ]


def test_the_confirming_commit_and_the_cancellation_name_the_persist_id(
    server: Server, session: SrlinuxSession
) -> None:
    session.confirm("20261201-0a0b")
    session.cancel("20261201-0a0b")
    confirm, cancel = sent(server, -2), sent(server, -1)
    assert (confirm.tag, cancel.tag) == (f"{NC}commit", f"{NC}cancel-commit")
    for operation in (confirm, cancel):
        assert [(each.tag, each.text) for each in operation] == [(f"{NC}persist-id", "20261201-0a0b")]


def test_an_edit_goes_to_the_candidate_whole_or_not_at_all(server: Server, session: SrlinuxSession) -> None:
    session.edit(
        f'<config xmlns="{NC[1:-1]}"><interface xmlns="{INTERFACES}"><name>ethernet-1/1</name></interface></config>'.encode()
    )
    edit = sent(server)
    assert [each.tag.removeprefix(NC) for each in edit.find(f"{NC}target")] == ["candidate"]
    assert edit.findtext(f"{NC}error-option") == "rollback-on-error"
    assert edit.findtext(f"{NC}config/{{{INTERFACES}}}interface/{{{INTERFACES}}}name") == "ethernet-1/1"


def test_running_is_asked_for_without_defaults(server: Server, session: SrlinuxSession) -> None:
    server.replies["get-config"] = interface("ethernet-1/1")
    data = etree.fromstring(session.running())
    assert (data.tag, data[0][0].text) == (f"{NC}data", "ethernet-1/1")
    get = sent(server)
    assert [each.tag.removeprefix(NC) for each in get.find(f"{NC}source")] == ["running"]
    assert get.findtext("{urn:ietf:params:xml:ns:yang:ietf-netconf-with-defaults}with-defaults") == "explicit"


def test_a_filter_is_sent_as_a_subtree(server: Server, session: SrlinuxSession) -> None:
    server.replies["get"] = interface("ethernet-1/1")
    session.ask(f'<interface xmlns="{INTERFACES}"><name/></interface>')
    chosen = sent(server).find(f"{NC}filter")
    assert chosen is not None
    assert (chosen.get("type"), chosen[0].tag) == ("subtree", f"{{{INTERFACES}}}interface")


def test_a_lock_that_somebody_holds_names_the_session(
    server: Server, target: Endpoint, session: SrlinuxSession
) -> None:
    server.replies["lock"] = error("lock-denied", "Lock is held", info="<session-id>454</session-id>")
    with pytest.raises(DeviceRefusedError) as caught:
        session.lock()
    assert caught.value.message == f"{target.where} refused <lock>: lock-denied: Lock is held (held by session 454)"


def test_several_errors_in_one_reply_are_all_told(server: Server, target: Endpoint, session: SrlinuxSession) -> None:
    server.replies["validate"] = error("invalid-value", "mtu out of range", path="/interface/mtu") + error(
        "missing-element", "no router-id"
    )
    with pytest.raises(DeviceRefusedError) as caught:
        session.validate()
    assert caught.value.message == (
        f"{target.where} refused <validate>: invalid-value: mtu out of range at /interface/mtu; missing-element: no router-id"
    )


def test_a_pending_commit_is_told_with_its_persist_id(server: Server, session: SrlinuxSession) -> None:
    def commits(*entries: tuple[int, str]) -> str:
        listed = "".join(
            f"<commit><id>{number}</id><status>{status}</status><persist-id>p{number}</persist-id></commit>"
            for number, status in entries
        )
        return (
            '<data><system xmlns="urn:nokia.com:srlinux:general:system">'
            f'<configuration xmlns="urn:nokia.com:srlinux:general:configuration">{listed}</configuration></system></data>'
        )

    server.replies["get"] = commits((3, "complete"), (4, "unconfirmed"))
    assert session.pending_commit() == "commit 4, persist-id p4"
    server.replies["get"] = commits((3, "complete"))
    assert session.pending_commit() is None
    server.replies["get"] = "<data/>"
    assert session.pending_commit() is None


def test_a_candidate_is_dirty_when_it_differs_and_not_when_it_is_ordered_otherwise() -> None:
    class Two:
        def __init__(self, running: str, candidate: str) -> None:
            self.running, self.candidate = running.encode, candidate.encode

    same = Two(interface("ethernet-1/1", "ethernet-1/2"), interface("ethernet-1/2", "ethernet-1/1"))
    other = Two(interface("ethernet-1/1"), interface("ethernet-1/1", "ethernet-1/2"))
    assert not candidate_is_dirty(same)  # type: ignore[arg-type]  # only two of its methods are asked
    assert candidate_is_dirty(other)  # type: ignore[arg-type]  # only two of its methods are asked


def test_a_session_that_is_cut_is_lost(server: Server, target: Endpoint, session: SrlinuxSession) -> None:
    server.replies["commit"] = None
    with pytest.raises(SessionLostError) as caught:
        session.commit_confirmed(300, "x")
    assert caught.value.message == f"{target.where} ended the session in <commit>"
    with pytest.raises(SessionLostError):
        session.running()


def test_an_answer_with_an_entity_is_not_expanded(server: Server, session: SrlinuxSession) -> None:
    server.replies["get-config"] = "<nothing/>"
    with pytest.raises(DeviceRefusedError, match="without <data>"):
        session.running()


def test_a_wrong_password_is_one_line_without_it(
    target: Endpoint, known: KnownHosts, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(UnreachableError) as caught:
        srlinux.connect(dataclasses.replace(target, password=Secret("hunter2")), known, TIMEOUTS)
    assert caught.value.message == f"{target.where} refused the credentials of `admin`"
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("kind", ["ssh-ed25519", "ecdsa-sha2-nistp256"])
def test_a_changed_host_key_shows_both_fingerprints(
    kind: str, server: Server, target: Endpoint, known: KnownHosts
) -> None:
    before, after = server.key, asyncssh.generate_private_key(kind)
    server.use_key(after)
    with pytest.raises(UnreachableError) as caught:
        srlinux.connect(target, known, TIMEOUTS)
    assert caught.value.message == (
        f"THE HOST KEY OF {target.where} HAS CHANGED: known is {before.get_fingerprint()}, "
        f"the device shows {after.get_fingerprint()}"
    )
    assert server.rpcs == []


def test_an_ecdsa_host_key_serves(server: Server, target: Endpoint, project_known: KnownHosts) -> None:
    opened = srlinux.connect(target, project_known, TIMEOUTS)
    opened.validate()
    opened.close()
    assert server.key.get_algorithm() == "ecdsa-sha2-nistp256"


@pytest.fixture
def project_known(server: Server, known: KnownHosts, tmp_path_factory: pytest.TempPathFactory) -> KnownHosts:
    assert known.files
    server.use_key(asyncssh.generate_private_key("ecdsa-sha2-nistp256"))
    path = tmp_path_factory.mktemp("known") / "known_hosts"
    path.write_text(server.known_hosts_line)
    return load([path])


def test_an_rsa_key_alone_is_refused_with_what_to_do(server: Server, target: Endpoint, known: KnownHosts) -> None:
    assert known.files
    pinned = (HostKey("ssh-rsa", "AAAA"),)
    with pytest.raises(UnreachableError, match="only an RSA host key is known of") as caught:
        srlinux._pinned(target, pinned)
    assert caught.value.help == "fabric-auto trust add east-leaf-01"


def test_an_ssh_server_without_netconf_is_told_apart(
    server: Server, target: Endpoint, known: KnownHosts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Server, "_netconf", Server._command_not_there)
    with pytest.raises(UnreachableError) as caught:
        srlinux.connect(target, known, Timeouts(connect_s=1, auth_s=5, rpc_s=1))
    assert caught.value.message == f"{target.where} opened no NETCONF session"


def test_every_rpc_is_sent_once(server: Server, session: SrlinuxSession) -> None:
    began = time.monotonic()
    for _ in range(5):
        session.validate()
    # ncclient looks for work every 100 ms (its session's TICK); this is a bound on that, not a target.
    assert (time.monotonic() - began) / 5 < 2
    assert len(server.rpcs) == 5
