"""A real client against the server: hello, locks, edits, errors, faults (RFC 6241, RFC 6242)."""

import asyncio
import contextlib
import re

import asyncssh
import pytest
from lxml import etree
from ncclient.operations import RPCError
from ncclient.transport.errors import AuthenticationError, SessionCloseError, SSHError, TransportError
from ncclient.xml_ import to_ele

pytestmark = pytest.mark.lab

BASE_10 = "urn:ietf:params:netconf:base:1.0"
NC = 'xmlns="urn:ietf:params:xml:ns:netconf:base:1.0"'
IF = 'xmlns="urn:nokia.com:srlinux:chassis:interfaces"'
DEFAULTS = "urn:ietf:params:xml:ns:yang:ietf-netconf-with-defaults"
EDIT = (
    f'<rpc {NC} message-id="1"><edit-config><target><candidate/></target>'
    "<error-option>{}</error-option><config/></edit-config></rpc>"
)
NAME = 'xmlns="urn:nokia.com:srlinux:general:system"'


def port(name: str = "ethernet-1/1", inner: str = "<description>x</description>") -> str:
    return f"<interface {IF}><name>{name}</name>{inner}</interface>"


def hostname(text: str) -> str:
    return f'<system {NAME}><name xmlns="urn:nokia.com:srlinux:chassis:system-name"><host-name>{text}</host-name></name></system>'


def refused(call, *arguments, **options) -> RPCError:
    with pytest.raises(RPCError) as caught:
        call(*arguments, **options)
    return caught.value


def raw(lab, switch, hello: str, *messages: bytes) -> bytes:
    """Everything the server says to a client that says hello, then the messages, then hangs up."""

    async def talk() -> bytes:
        connection = await asyncssh.connect(
            "127.0.0.1", switch.port, username="admin", password="NokiaSrl1!", known_hosts=None, client_keys=None
        )
        async with connection:
            process = await connection.create_process(subsystem="netconf", encoding=None)
            process.stdin.write(hello.encode() + b"]]>]]>" + b"".join(messages))
            process.stdin.write_eof()
            return await asyncio.wait_for(process.stdout.read(), 10)

    return lab.call(talk())


def hello(*capabilities: str) -> str:
    listed = "".join(f"<capability>{each}</capability>" for each in capabilities)
    return f"<hello {NC}><capabilities>{listed}</capabilities></hello>"


def test_the_hello_has_a_session_id_and_what_the_server_can(client):
    assert int(client.session_id) >= 1
    capabilities = list(client.server_capabilities)
    for wanted in ("candidate:1.0", "confirmed-commit:1.1", "rollback-on-error:1.0", "validate:1.1"):
        assert f"urn:ietf:params:netconf:capability:{wanted}" in capabilities
    assert "urn:ietf:params:netconf:base:1.1" in capabilities
    assert "urn:nokia.com:srlinux:chassis:interfaces?module=srl_nokia-interfaces" in capabilities


def test_a_base_10_client_gets_end_of_message_framing(lab, switch):
    answer = raw(lab, switch, hello(BASE_10), f'<rpc {NC} message-id="1"><close-session/></rpc>]]>]]>'.encode())
    first, second, rest = answer.split(b"]]>]]>")
    assert etree.fromstring(first).tag.endswith("hello")
    assert etree.fromstring(second)[0].tag == "{urn:ietf:params:xml:ns:netconf:base:1.0}ok"
    assert rest == b""


def test_a_base_11_client_gets_chunks_and_its_attributes_back(lab, switch):
    rpc = f'<rpc {NC} xmlns:ex="urn:ex" message-id="101" ex:user-id="fred"><discard-changes/></rpc>'.encode()
    answer = raw(lab, switch, hello(BASE_10, "urn:ietf:params:netconf:base:1.1"), b"\n#%d\n%s\n##\n" % (len(rpc), rpc))
    match = re.search(rb"\n#(\d+)\n(.*)\n##\n$", answer, re.DOTALL)
    assert match is not None
    assert int(match[1]) == len(match[2])
    reply = etree.fromstring(match[2])
    # RFC 6241 section 4.2, the example with user-id="fred"
    assert (reply.get("message-id"), reply.get("{urn:ex}user-id")) == ("101", "fred")


@pytest.mark.parametrize(
    ("rpc", "tag"),
    [
        ("<rpc", "malformed-message"),
        (f'<!DOCTYPE x [<!ENTITY a "b">]><rpc {NC} message-id="1"><get/></rpc>', "malformed-message"),
        (f"<rpc {NC}><get/></rpc>", "missing-attribute"),
        (f'<rpc {NC} message-id="1"><get-schema/></rpc>', "operation-not-supported"),
        (f'<rpc {NC} message-id="1"><get><filtre/></get></rpc>', "unknown-element"),
        (f'<rpc {NC} message-id="1"><edit-config><config/></edit-config></rpc>', "missing-element"),
        (f'<rpc {NC} message-id="1"><lock><target><startup/></target></lock></rpc>', "unknown-element"),
        (f'<rpc {NC} message-id="1"><kill-session><session-id>999</session-id></kill-session></rpc>', "invalid-value"),
        (f'<rpc {NC} message-id="1"><get><filter type="xpath" select="/"/></get></rpc>', "operation-not-supported"),
        (f'<rpc {NC} message-id="1"><get><with-defaults xmlns="{DEFAULTS}">trim</with-defaults></get></rpc>', "invalid-value"),
        (EDIT.format("continue-on-error"), "invalid-value"),
    ],
)  # fmt: skip
def test_a_wrong_message_is_answered_with_its_tag(lab, switch, rpc: str, tag: str):
    both = hello(BASE_10, "urn:ietf:params:netconf:base:1.1")
    answer = raw(lab, switch, both, b"\n#%d\n%s\n##\n" % (len(rpc), rpc.encode()))
    assert f"<error-tag>{tag}</error-tag>".encode() in answer


def test_an_old_client_never_sees_the_new_error_tag(lab, switch):
    # RFC 6241 appendix A: malformed-message must not be sent to base 1.0 clients
    answer = raw(lab, switch, hello(BASE_10), b"<rpc]]>]]>")
    assert b"rpc-error" not in answer


@pytest.mark.parametrize("capability", ["urn:x", "urn:ietf:params:netconf:base:2.0"])
def test_no_common_base_version_ends_the_session(lab, switch, capability: str):
    answer = raw(lab, switch, hello(capability), f'<rpc {NC} message-id="1"><get/></rpc>]]>]]>'.encode())
    assert answer.count(b"]]>]]>") == 1


def test_a_wrong_password_is_refused(lab, switch):
    with pytest.raises(AuthenticationError):
        lab.connect(switch, password="admin")


def test_the_lock_names_its_holder(lab, switch, client):
    other = lab.connect(switch)
    client.lock("candidate")
    error = refused(other.lock, "candidate")
    assert (error.tag, error.type) == ("lock-denied", "protocol")
    assert f"<session-id>{client.session_id}</session-id>" in etree.tostring(error.xml, encoding="unicode").replace(
        "nc:", ""
    )


def test_another_session_cannot_touch_a_locked_candidate(lab, switch, client, payload):
    other = lab.connect(switch)
    client.lock("candidate")
    assert refused(other.edit_config, target="candidate", config=payload(port())).tag == "lock-denied"
    assert refused(other.discard_changes).tag == "lock-denied"
    assert refused(other.commit).tag == "lock-denied"
    client.unlock("candidate")
    other.lock("candidate")


def test_only_the_holder_unlocks(lab, switch, client):
    client.lock("running")
    assert refused(lab.connect(switch).unlock, "running").tag == "operation-failed"


def test_a_dead_session_leaves_its_lock_behind_no_longer(lab, switch, client, wait):
    client.lock("candidate")
    client._session.close()
    wait(lambda: not switch.stores.locks)


def test_edits_are_shared_and_outlive_their_session(lab, switch, client, payload, find):
    client.edit_config(target="candidate", config=payload(hostname("from-the-dead")))
    client.close_session()
    other = lab.connect(switch)
    assert find(other.get_config("candidate"), "//name:host-name/text()") == ["from-the-dead"]
    other.commit()
    assert find(switch.running(), "//name:host-name/text()") == ["from-the-dead"]


def test_a_dirty_candidate_can_be_locked_on_sr_linux(client, payload):
    client.edit_config(target="candidate", config=payload(hostname("x")))
    client.lock("candidate")


def test_a_dirty_candidate_cannot_be_locked_by_the_rfc(lab, payload):
    # RFC 6241 section 7.5: lock-denied, and the session-id is 0 as no session holds it
    client = lab.connect(lab.switch(lock_dirty_candidate=False))
    client.edit_config(target="candidate", config=payload(hostname("x")))
    error = refused(client.lock, "candidate")
    assert error.tag == "lock-denied"
    assert "session-id>0<" in etree.tostring(error.xml, encoding="unicode")
    client.discard_changes()
    client.lock("candidate")


def test_unlock_discards_what_was_not_committed(client, payload, find):
    client.lock("candidate")
    client.edit_config(target="candidate", config=payload(hostname("x")))
    client.unlock("candidate")
    assert find(client.get_config("candidate"), "//name:host-name/text()") == ["srlinux"]


def test_commit_moves_the_candidate_to_running_and_not_before(switch, client, payload, find):
    client.edit_config(target="candidate", config=payload(port()))
    assert find(switch.running(), "//if:interface[if:name='ethernet-1/1']") == []
    client.validate("candidate")
    client.commit()
    assert find(switch.running(), "//if:interface[if:name='ethernet-1/1']/if:description/text()") == ["x"]


def test_discard_changes_makes_the_candidate_running_again(client, payload, find):
    client.edit_config(target="candidate", config=payload(hostname("x")))
    client.discard_changes()
    assert find(client.get_config("candidate"), "//name:host-name/text()") == ["srlinux"]


def test_stop_on_error_keeps_what_came_before_and_rollback_on_error_does_not(client, payload, find):
    gone = f'<interface {IF} nc:operation="delete"><name>ethernet-1/9</name></interface>'
    config = payload(port() + gone)
    path = "//if:interface[if:name='ethernet-1/1']/if:name/text()"
    assert (
        refused(client.edit_config, target="candidate", config=config, error_option="rollback-on-error").tag
        == "data-missing"
    )
    assert find(client.get_config("candidate"), path) == []
    assert refused(client.edit_config, target="candidate", config=config).tag == "data-missing"
    assert find(client.get_config("candidate"), path) == ["ethernet-1/1"]


def test_test_only_changes_nothing(client, payload, find):
    client.edit_config(target="candidate", config=payload(hostname("x")), test_option="test-only")
    assert find(client.get_config("candidate"), "//name:host-name/text()") == ["srlinux"]


def test_every_broken_rule_is_reported_and_running_stays(switch, client, payload):
    before = switch.running()
    client.edit_config(
        target="candidate", config=payload(port("ethernet-1/65") + port("ethernet-1/1", "<mtu>9500</mtu>"))
    )
    errors = refused(client.commit).errors
    assert [error.path for error in errors] == [
        "/interface[name='ethernet-1/65']",
        "/interface[name='ethernet-1/1']/mtu",
    ]
    assert {error.tag for error in errors} == {"operation-failed"}
    assert switch.running() == before


def test_replacing_mgmt0_breaks_the_network_instance_that_uses_it(client, payload):
    # srl_nokia-interfaces: the replaced mgmt0 has no subinterface 0, and network-instance mgmt lists mgmt0.0
    bare = f'<interface {IF} nc:operation="replace"><name>mgmt0</name></interface>'
    client.edit_config(target="candidate", config=payload(bare))
    assert refused(client.commit).path == "/network-instance[name='mgmt']/interface[name='mgmt0.0']"


def test_running_is_writable(switch, client, payload, find):
    client.edit_config(target="running", config=payload(hostname("direct")))
    assert find(switch.running(), "//name:host-name/text()") == ["direct"]
    assert find(client.get_config("candidate"), "//name:host-name/text()") == ["direct"]
    assert (
        refused(client.edit_config, target="running", config=payload(port("ethernet-1/65"))).tag == "operation-failed"
    )


def test_running_is_saved_by_copying_it_to_startup(client, payload, find):
    client.edit_config(target="running", config=payload(hostname("saved")))
    assert find(client.get_config("startup"), "//name:host-name/text()") == ["srlinux"]
    client.copy_config("running", "startup")
    assert find(client.get_config("startup"), "//name:host-name/text()") == ["saved"]


def test_report_all_shows_defaults_and_explicit_does_not(client, find):
    # srl_nokia-ssh: default of timeout is 0
    path = "//*[local-name()='ssh-server']/*[local-name()='timeout']/text()"
    assert find(client.get_config("running", with_defaults="report-all"), path) == ["0", "0"]
    assert find(client.get_config("running", with_defaults="explicit"), path) == []


def test_kill_session_ends_another_and_frees_its_lock(lab, switch, client):
    other = lab.connect(switch)
    other.lock("candidate")
    client.kill_session(other.session_id)
    client.lock("candidate")
    with pytest.raises((SessionCloseError, TransportError)):
        other.get_config("running")


def test_a_session_does_not_kill_itself(client):
    assert refused(client.kill_session, client.session_id).tag == "invalid-value"


@pytest.mark.parametrize(("after", "left"), [(False, "srlinux"), (True, "changed")])
def test_the_session_drops_before_or_after_the_device_acts(switch, client, payload, find, after, left):
    client.edit_config(target="candidate", config=payload(hostname("changed")))
    switch.faults.arm("drop-session", {"step": 1, "after": after})
    with pytest.raises((SessionCloseError, TransportError)):
        client.commit()
    assert find(switch.running(), "//name:host-name/text()") == [left]


def test_a_device_that_ignores_changes_says_ok_and_does_nothing(switch, client, payload):
    before = switch.running()
    switch.faults.arm("ignore-changes", {})
    assert client.edit_config(target="candidate", config=payload(hostname("x"))).ok
    assert client.commit(confirmed=True, timeout="60").ok
    assert switch.running() == before


def test_disabling_the_netconf_server_cuts_the_session_and_keeps_clients_out(lab, switch, client, payload, wait):
    ns = 'xmlns="urn:nokia.com:srlinux:netconf:netconf-server"'
    off = f"<system {NAME}><netconf-server {ns}><name>mgmt</name><admin-state>disable</admin-state></netconf-server></system>"
    client.edit_config(target="candidate", config=payload(off))
    with contextlib.suppress(SessionCloseError, TransportError):  # the cut may overtake the answer
        client.commit()
    wait(lambda: not client.connected)
    with pytest.raises(SSHError):
        lab.connect(switch)


def test_an_unknown_rpc_of_another_namespace_is_not_supported(client):
    assert refused(client.dispatch, to_ele('<x xmlns="urn:x"/>')).tag == "operation-not-supported"
