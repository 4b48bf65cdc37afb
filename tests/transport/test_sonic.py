import dataclasses
import logging
import time
from collections.abc import Iterator
from pathlib import Path

import asyncssh
import pytest

from fabric_auto.transport import sonic
from fabric_auto.transport.base import DeviceRefusedError, SessionLostError, UnreachableError
from fabric_auto.transport.endpoint import Endpoint, Timeouts
from fabric_auto.transport.host_keys import KnownHosts
from fabric_auto.transport.secrets import Secret
from fabric_auto.transport.sonic import SonicSession
from tests.transport.server import PASSWORD, Server

TIMEOUTS = Timeouts(connect_s=5, auth_s=5, rpc_s=5)


def connect(target: Endpoint, known: KnownHosts, folder: Path) -> SonicSession:
    key_file = folder / "merged"
    key_file.write_text(known.merged([(target.address, target.port)]))
    return sonic.connect(target, known, key_file, TIMEOUTS)


@pytest.fixture
def session(target: Endpoint, known: KnownHosts, tmp_path: Path) -> Iterator[SonicSession]:
    opened = connect(target, known, tmp_path)
    yield opened
    opened.close()


def test_a_command_gives_its_exit_code_and_its_streams_apart(server: Server, session: SonicSession) -> None:
    server.answers["config apply-patch x"] = ("Patch Applier: …\n", "Error: refused\n", 2)
    result = session.run("config apply-patch x")
    assert (result.exit_code, result.stdout, result.stderr) == (2, "Patch Applier: …\n", "Error: refused\n")


def test_much_output_on_both_streams_does_not_block(session: SonicSession) -> None:
    result = session.run("both-streams", timeout_s=60)
    assert (len(result.stdout), len(result.stderr)) == (40 * 65536, 40 * 65536)


def test_a_question_that_fails_is_refused_with_the_last_words(
    server: Server, target: Endpoint, session: SonicSession
) -> None:
    server.answers["show version"] = ("", "Traceback\nKeyError: 'mac'\n", 1)
    with pytest.raises(DeviceRefusedError) as caught:
        session.ask("show version")
    assert caught.value.message == f"{target.where} refused `show version`: KeyError: 'mac'"


def test_running_falls_back_to_sudo(server: Server, session: SonicSession) -> None:
    server.answers["sonic-cfggen -d --print-data"] = ("", "permission denied\n", 1)
    server.answers["sudo sonic-cfggen -d --print-data"] = ('{"PORT": {}}', "", 0)
    assert session.running() == b'{"PORT": {}}'


def test_no_answer_in_time_is_a_lost_session(session: SonicSession) -> None:
    with pytest.raises(SessionLostError, match="gave no answer in time to `hang`"):
        session.run("hang", timeout_s=0.3)


def test_a_session_that_is_cut_is_lost_for_commands_and_files(session: SonicSession) -> None:
    with pytest.raises(SessionLostError, match="ended the session in `drop`"):
        session.run("drop")
    with pytest.raises(SessionLostError, match="ended the session"):
        session.run("show version")
    with pytest.raises(SessionLostError, match=r"in the transfer of /x"):
        session.put("/x", b"")


def test_a_file_arrives_whole_private_and_replaces_the_old_one(server: Server, session: SonicSession) -> None:
    (server.root / "patch.json").write_text("old")
    content = bytes(range(256)) * 1000
    session.put("/patch.json", content)
    assert (server.root / "patch.json").read_bytes() == content
    assert (server.root / "patch.json").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in server.root.iterdir()] == ["patch.json"]
    assert session.get("/patch.json") == content


def test_a_file_that_is_absent_or_refused_is_no_lost_session(session: SonicSession) -> None:
    with pytest.raises(DeviceRefusedError, match="refused the file /absent"):
        session.get("/absent")
    with pytest.raises(DeviceRefusedError, match="refused the file /no/such/folder/x"):
        session.put("/no/such/folder/x", b"")
    assert session.run("anything").exit_code == 127


def test_a_wrong_password_is_one_line_without_it(
    target: Endpoint,
    known: KnownHosts,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    wrong = dataclasses.replace(target, password=Secret("hunter2"))
    with pytest.raises(UnreachableError) as caught:
        connect(wrong, known, tmp_path)
    assert caught.value.message == f"{target.where} refused the credentials of `admin`"
    assert "hunter2" not in caplog.text
    assert capfd.readouterr().err == ""
    assert repr(wrong).count("hunter2") == 0


def test_a_private_key_logs_in(server: Server, target: Endpoint, known: KnownHosts, tmp_path: Path) -> None:
    key = asyncssh.generate_private_key("ssh-ed25519")
    key.write_private_key(tmp_path / "id")
    server.authorized.append(key.get_fingerprint())
    opened = connect(dataclasses.replace(target, password=None, key=tmp_path / "id"), known, tmp_path)
    assert opened.run("x").exit_code == 127
    opened.close()


def test_nothing_to_log_in_with_is_said_before_connecting(target: Endpoint, known: KnownHosts, tmp_path: Path) -> None:
    with pytest.raises(UnreachableError, match="says nothing to log in to"):
        connect(dataclasses.replace(target, password=None), known, tmp_path)


@pytest.mark.parametrize("kind", ["ssh-ed25519", "ecdsa-sha2-nistp256"])
def test_a_changed_host_key_shows_both_fingerprints_and_no_password_is_sent(
    kind: str, server: Server, target: Endpoint, known: KnownHosts, tmp_path: Path
) -> None:
    before, after = server.key, asyncssh.generate_private_key(kind)
    server.use_key(after)
    with pytest.raises(UnreachableError) as caught:
        connect(target, known, tmp_path)
    assert caught.value.message == (
        f"THE HOST KEY OF {target.where} HAS CHANGED: known is {before.get_fingerprint()}, "
        f"the device shows {after.get_fingerprint()}"
    )
    assert server.commands == []


def test_a_server_that_is_not_ssh_is_unreachable(known: KnownHosts, tmp_path: Path) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(5)
        port = listener.getsockname()[1]
        target = Endpoint("east-leaf-01", "127.0.0.1", port, "admin", Secret(PASSWORD), None)
        with pytest.raises(
            UnreachableError, match=rf"east-leaf-01 \(127\.0\.0\.1:{port}\) does not answer as an SSH server"
        ):
            sonic.connect(target, known, tmp_path / "none", Timeouts(connect_s=0.5))


def test_the_libraries_do_not_log_to_the_root_logger(session: SonicSession) -> None:
    assert [logging.getLogger(name).propagate for name in ("paramiko", "netmiko", "ncclient")] == [False] * 3


def test_a_command_costs_no_polling_pause(server: Server, session: SonicSession) -> None:
    server.answers["true"] = ("", "", 0)
    began = time.monotonic()
    for _ in range(20):
        session.run("true")
    assert time.monotonic() - began < 10
