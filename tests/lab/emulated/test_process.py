"""The lab's process: start, lab.json, control, stop; with real sockets on free ports."""

import asyncio
import json
import logging
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import asyncssh
import pytest

from fabric_auto.errors import FabricAutoError
from fabric_auto.lab.emulated import process
from fabric_auto.lab.emulated.control import LabClient
from fabric_auto.lab.emulated.device import View
from fabric_auto.lab.emulated.host_keys import host_key
from fabric_auto.lab.emulated.lab_file import LabFile
from fabric_auto.lab.emulated.topology import CableEnd, LabDevice, LabTopology
from tests.lab.emulated.clos import clos
from tests.lab.emulated.fake import FakeDevice, hardware

PASSWORD = "correct-horse-battery"
VIEWS, CABLES = clos(leaves=2, spines=2)
TOPOLOGY = LabTopology(tuple(hardware(name) for name in VIEWS), CABLES)


def build(views: dict[str, View]) -> process.Build:
    return lambda each, _key, on_change: FakeDevice(each, on_change, views[each.name])


@contextmanager
def running(state_dir: Path, topology: LabTopology = TOPOLOGY) -> Iterator[LabFile]:
    """A lab of fake devices on an event loop of its own; stopped in the end when the test has not."""
    ready: list[LabFile] = []
    is_ready, failures = threading.Event(), []

    def announce(lab: LabFile) -> None:
        ready.append(lab)
        is_ready.set()

    def target() -> None:
        try:
            asyncio.run(
                process.serve(
                    topology,
                    state_dir,
                    yang=None,
                    username="admin",
                    password=PASSWORD,
                    ready=announce,
                    build=build(VIEWS),
                )
            )
        except BaseException as error:  # noqa: BLE001 - the test's thread raises it
            failures.append(error)
        finally:
            is_ready.set()

    thread = threading.Thread(target=target)
    thread.start()
    try:
        assert is_ready.wait(30)
        if failures:
            raise failures[0]
        yield ready[0]
    finally:
        if thread.is_alive() and (state_dir / "lab.json").exists():
            LabClient.connect(state_dir).stop()
        thread.join(30)
        assert not thread.is_alive()


def greeting(port: int) -> str:
    with socket.create_connection(("127.0.0.1", port), 10) as connection, connection.makefile() as stream:
        return stream.readline().strip()


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_lab_json_says_where_each_device_listens_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    with running(tmp_path) as lab:
        written = json.loads((tmp_path / "lab.json").read_text(encoding="utf-8"))
        assert mode(tmp_path / "lab.json") == 0o600
        assert written["pid"] == os.getpid()
        assert written["control"]["address"] == "127.0.0.1"
        assert {name: greeting(each["port"]) for name, each in written["devices"].items()} == {n: n for n in VIEWS}
        assert LabFile.read(tmp_path) == lab
        assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_the_password_is_in_no_file_and_no_repr_that_the_lab_writes(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG), running(tmp_path) as lab:
        texts = [path.read_text(encoding="utf-8") for path in tmp_path.rglob("*") if path.is_file()]
        assert len(texts) >= len(VIEWS) + 2
        assert not any(PASSWORD in text for text in (*texts, caplog.text, repr(lab)))
        assert lab.control.token not in repr(lab)


def test_known_hosts_trusts_each_device_s_own_ed25519_key(tmp_path: Path) -> None:
    with running(tmp_path) as lab:
        known = asyncssh.read_known_hosts(str(tmp_path / "known_hosts"))
        for name, end in lab.devices.items():
            trusted = known.match("", "127.0.0.1", end.port)[0]
            key = asyncssh.read_private_key(tmp_path / "keys" / name)
            assert [each.public_data for each in trusted] == [key.public_data]
            assert key.get_algorithm() == "ssh-ed25519"
            assert mode(tmp_path / "keys" / name) == 0o600


def test_host_keys_stay_when_the_lab_starts_again(tmp_path: Path) -> None:
    with running(tmp_path):
        first = host_key(tmp_path / "keys", "leaf-0").public_data
    with running(tmp_path):
        assert host_key(tmp_path / "keys", "leaf-0").public_data == first
        assert host_key(tmp_path / "keys", "leaf-1").public_data != first


def test_status_shows_ports_sessions_and_cables(tmp_path: Path) -> None:
    with running(tmp_path) as lab:
        status = LabClient.connect(tmp_path).status()
        leaf = status.devices["leaf-0"]
        assert (status.pid, leaf.nos, leaf.port) == (os.getpid(), "sonic", lab.devices["leaf-0"].port)
        assert leaf.ports_up == ("Ethernet0", "Ethernet1", "Ethernet900")
        assert set(leaf.sessions.values()) == {"Established"}
        assert len(leaf.sessions) == 4
        assert status.cables == CABLES


def test_swap_cut_and_mend_reach_the_devices(tmp_path: Path) -> None:
    with running(tmp_path):
        client = LabClient.connect(tmp_path)
        client.swap(CableEnd("leaf-0", "Ethernet0"), CableEnd("leaf-0", "Ethernet1"))
        assert set(client.status().devices["leaf-0"].sessions.values()) == {"Connect"}
        client.mend()
        client.cut(CableEnd("leaf-0", "Ethernet0"))
        assert client.status().devices["leaf-0"].ports_up == ("Ethernet1", "Ethernet900")
        client.mend()
        assert set(client.status().devices["leaf-0"].sessions.values()) == {"Established"}


def test_faults_are_armed_and_cleared(tmp_path: Path) -> None:
    with running(tmp_path):
        client = LabClient.connect(tmp_path)
        client.fault("leaf-0", "ignore-changes")
        client.fault("leaf-1", "drop-session", {"step": 3, "after": True})
        devices = client.status().devices
        assert (devices["leaf-0"].ignores_changes, devices["leaf-0"].drops_session) == (True, False)
        assert (devices["leaf-1"].ignores_changes, devices["leaf-1"].drops_session) == (False, True)
        client.clear("leaf-0")
        assert not client.status().devices["leaf-0"].ignores_changes
        assert client.status().devices["leaf-1"].drops_session
        client.clear()
        assert not client.status().devices["leaf-1"].drops_session


def test_the_running_configuration_is_the_device_s_own_text(tmp_path: Path) -> None:
    with running(tmp_path):
        assert LabClient.connect(tmp_path).running("spine-1") == "hostname spine-1\n"


def test_a_request_that_the_lab_cannot_serve_is_one_clear_line(tmp_path: Path) -> None:
    with running(tmp_path):
        client = LabClient.connect(tmp_path)
        with pytest.raises(FabricAutoError, match="no device named `leaf-9` in the lab"):
            client.running("leaf-9")
        with pytest.raises(FabricAutoError, match="no fault named `melt`"):
            client.fault("leaf-0", "melt")
        with pytest.raises(FabricAutoError, match="no cable at leaf-0 Ethernet5"):
            client.cut(CableEnd("leaf-0", "Ethernet5"))
        with pytest.raises(FabricAutoError, match="step` is a whole number"):
            client.fault("leaf-0", "drop-session", {"step": "soon"})


def test_the_wrong_token_gets_nothing(tmp_path: Path) -> None:
    with running(tmp_path) as lab:
        for token in ("", "wrong", lab.control.token[:-1]):
            stranger = LabClient(tmp_path, replace(lab, control=replace(lab.control, token=token)))
            with pytest.raises(FabricAutoError, match="token"):
                stranger.stop()
        assert LabClient.connect(tmp_path).running("leaf-0")


@pytest.mark.parametrize("line", [b"\n", b"[]\n", b"{}\n", b'"x"\n', b"not json\n", b"\xff\xfe\n"])
def test_garbage_on_the_control_socket_is_refused_and_the_lab_lives(tmp_path: Path, line: bytes) -> None:
    with running(tmp_path) as lab:
        with socket.create_connection(("127.0.0.1", lab.control.port), 10) as connection:
            connection.sendall(line)
            assert json.loads(connection.makefile().readline())["ok"] is False
        assert LabClient.connect(tmp_path).running("leaf-0")


def test_stop_returns_when_nothing_listens_and_lab_json_is_gone(tmp_path: Path) -> None:
    with running(tmp_path) as lab:
        LabClient.connect(tmp_path).stop()
        assert not (tmp_path / "lab.json").exists()
        with pytest.raises(ConnectionRefusedError):
            greeting(lab.devices["leaf-0"].port)
        with pytest.raises(FabricAutoError, match="no lab is running in"):
            LabClient.connect(tmp_path)


def test_a_lab_file_whose_process_is_gone_is_told_apart(tmp_path: Path) -> None:
    with running(tmp_path) as lab:
        pass
    gone = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    replace(lab, pid=int(gone.stdout)).write(tmp_path)
    with pytest.raises(FabricAutoError, match=r"process \d+\) is no longer running"):
        LabClient.connect(tmp_path)
    # The number was given to another process since: nothing answers, or not as a lab does.
    lab.write(tmp_path)
    with pytest.raises(FabricAutoError, match="no longer running"):
        LabClient.connect(tmp_path)


def test_a_lab_file_that_is_none_is_told_apart(tmp_path: Path) -> None:
    for text in ("", "[]", "{}", '{"pid": 1}'):
        (tmp_path / "lab.json").write_text(text, encoding="utf-8")
        with pytest.raises(FabricAutoError, match="is not a lab file"):
            LabClient.connect(tmp_path)


def test_a_second_lab_in_the_same_folder_is_refused_and_the_first_lives(tmp_path: Path) -> None:
    with running(tmp_path):
        with pytest.raises(FabricAutoError, match="a lab already runs in"), running(tmp_path):
            pass
        assert LabClient.connect(tmp_path).running("leaf-0")


def test_a_port_in_use_names_the_device_and_leaves_nothing_behind(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        topology = LabTopology((hardware("leaf-0"), hardware("leaf-1", port)), ())
        with (
            pytest.raises(FabricAutoError, match=f"leaf-1: 127.0.0.1 port {port} is in use"),
            running(tmp_path, topology),
        ):
            pass
    assert not (tmp_path / "lab.json").exists()


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "192.0.2.1", "localhost", ""])
def test_an_address_that_is_not_loopback_is_refused(tmp_path: Path, address: str) -> None:
    topology = LabTopology((hardware("leaf-0", address=address),), ())
    with pytest.raises(FabricAutoError, match=r"leaf-0: .* is not a loopback address"), running(tmp_path, topology):
        pass


def test_free_ports_are_all_different() -> None:
    devices = process.with_ports([hardware(f"leaf-{number}") for number in range(50)])
    assert len({each.port for each in devices} - {0}) == 50


class TestCommand:
    """``python -m fabric_auto.lab.emulated.process`` in a process of its own, without devices of a vendor."""

    def start(self, state_dir: Path, devices: tuple[LabDevice, ...] = ()) -> "subprocess.Popen[str]":
        LabTopology(devices, ()).write(state_dir / "topology.json")
        (state_dir / "password").write_text(PASSWORD + "\n", encoding="utf-8")
        return subprocess.Popen(
            [sys.executable, "-m", "fabric_auto.lab.emulated.process", str(state_dir)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def wait_for_lab(self, state_dir: Path, lab: "subprocess.Popen[str]") -> None:
        while lab.poll() is None and not (state_dir / "lab.json").exists():
            threading.Event().wait(0.02)
        assert lab.poll() is None, lab.communicate()

    @pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
    def test_a_signal_ends_it_cleanly(self, tmp_path: Path, number: signal.Signals) -> None:
        with self.start(tmp_path) as lab:
            self.wait_for_lab(tmp_path, lab)
            assert LabFile.read(tmp_path).pid == lab.pid
            lab.send_signal(number)
            assert lab.communicate(timeout=30) == ("", "")
        assert lab.returncode == 0
        assert not (tmp_path / "lab.json").exists()
        assert "stopped" in (tmp_path / "lab.log").read_text(encoding="utf-8")

    def test_a_client_ends_it(self, tmp_path: Path) -> None:
        with self.start(tmp_path) as lab:
            self.wait_for_lab(tmp_path, lab)
            LabClient.connect(tmp_path).stop()
            assert lab.wait(30) == 0

    def test_a_killed_lab_is_seen_as_gone_and_can_start_again(self, tmp_path: Path) -> None:
        with self.start(tmp_path) as lab:
            self.wait_for_lab(tmp_path, lab)
            lab.kill()
        with pytest.raises(FabricAutoError, match="no longer running"):
            LabClient.connect(tmp_path)
        stale = (tmp_path / "lab.json").read_text(encoding="utf-8")
        with self.start(tmp_path) as again:
            while again.poll() is None and (tmp_path / "lab.json").read_text(encoding="utf-8") == stale:
                threading.Event().wait(0.02)
            LabClient.connect(tmp_path).stop()

    def test_trouble_is_one_line_and_exit_code_1(self, tmp_path: Path) -> None:
        with self.start(tmp_path, (hardware("leaf-0", address="192.0.2.1"),)) as lab:
            out, err = lab.communicate(timeout=30)
        assert (lab.returncode, out) == (1, "")
        assert err.startswith("error: leaf-0: `192.0.2.1` is not a loopback address")
        assert err.count("\n") == 1

    @pytest.mark.parametrize("missing", ["topology.json", "password"])
    def test_a_missing_file_is_named(self, tmp_path: Path, missing: str, capsys: pytest.CaptureFixture[str]) -> None:
        LabTopology((), ()).write(tmp_path / "topology.json")
        (tmp_path / "password").write_text(PASSWORD, encoding="utf-8")
        (tmp_path / missing).unlink()
        assert process.main([str(tmp_path)]) == 1
        assert capsys.readouterr().err == f"error: cannot read {tmp_path / missing}: No such file or directory\n"
