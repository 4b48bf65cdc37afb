import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from fabric_auto.deploy.journal import Journal, events, journal_path
from fabric_auto.deploy.lock import held, lock_path, project_lock
from fabric_auto.deploy.state import StateStore
from fabric_auto.errors import FabricAutoError
from fabric_auto.plan.state import DeviceState
from fabric_auto.vendors.base import Ownership

STATE = DeviceState(
    "leaf-1",
    "sonic",
    "0" * 64,
    datetime(2026, 12, 1, 12, 0, tzinfo=UTC),
    Ownership(frozenset({("VLAN", "Vlan100")}), frozenset()),
    {("PORT", "Ethernet0", "mtu"): "9100"},
)


def test_a_journal_is_private_only_grows_and_is_one_event_a_line(tmp_path: Path) -> None:
    with Journal(tmp_path, "r1", now=lambda: datetime(2026, 12, 1, 12, 0, tzinfo=UTC)) as journal:
        journal.write("apply", "leaf-1", step=1)
    path = journal_path(tmp_path, "r1")
    assert path == tmp_path / ".fabric-auto/journal/r1.jsonl"
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert [json.loads(line) for line in path.read_text().splitlines()] == [
        {"time": "2026-12-01T12:00:00.000+00:00", "event": "journal", "format_version": "1.0", "run": "r1"},
        {"time": "2026-12-01T12:00:00.000+00:00", "event": "apply", "device": "leaf-1", "step": 1},
    ]
    with pytest.raises(FileExistsError):
        Journal(tmp_path, "r1")


def test_an_event_is_on_disk_before_the_next_thing_is_done(tmp_path: Path) -> None:
    script = (
        "import os, sys; from pathlib import Path; from fabric_auto.deploy.journal import Journal\n"
        "journal = Journal(Path(sys.argv[1]), 'r1'); journal.write('apply', 'leaf-1'); os._exit(9)"
    )
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=False)
    assert done.returncode == 9
    assert [each["event"] for each in events(journal_path(tmp_path, "r1"))] == ["journal", "apply"]


def test_a_line_that_a_crash_cut_short_is_left_out_and_a_broken_one_is_not(tmp_path: Path) -> None:
    path = tmp_path / "r1.jsonl"
    path.write_text('{"event": "a"}\n{"event": "b"}\n{"eve')
    assert [each["event"] for each in events(path)] == ["a", "b"]
    path.write_text('{"event": "a"}\n{"eve\n{"event": "b"}\n')
    with pytest.raises(ValueError, match="Unterminated string"):
        list(events(path))


def test_a_state_is_kept_whole_and_private_and_read_back(tmp_path: Path) -> None:
    store = StateStore(tmp_path / "state")
    assert store.load("leaf-1") is None
    assert store.load_all() == {}
    store.save(STATE)
    store.save(STATE)
    assert store.load("leaf-1") == STATE
    assert store.load_all() == {"leaf-1": STATE}
    assert [path.name for path in store.folder.iterdir()] == ["leaf-1.json"]
    assert (store.folder / "leaf-1.json").stat().st_mode & 0o777 == 0o600


def test_a_state_under_another_devices_name_is_refused(tmp_path: Path) -> None:
    store = StateStore(tmp_path)
    store.save(STATE)
    (tmp_path / "leaf-1.json").rename(tmp_path / "leaf-2.json")
    with pytest.raises(FabricAutoError, match=r"leaf-2\.json is the state of leaf-1"):
        store.load("leaf-2")


def test_one_deployment_at_a_time_from_a_project(tmp_path: Path) -> None:
    with project_lock(tmp_path):
        holder = held(tmp_path)
        assert holder is not None
        assert holder.pid == os.getpid()
        assert lock_path(tmp_path).stat().st_mode & 0o777 == 0o600
        with (
            pytest.raises(FabricAutoError, match=rf"the project is locked by .*, process {os.getpid()}, since "),
            project_lock(tmp_path),
        ):
            pytest.fail("two hold the lock")
    assert held(tmp_path) is None
    assert [path.name for path in (tmp_path / ".fabric-auto").iterdir()] == []


def test_a_lock_whose_process_is_gone_is_taken_over(tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    with project_lock(tmp_path):
        content = json.loads(lock_path(tmp_path).read_text())
    lock_path(tmp_path).write_text(json.dumps({**content, "pid": gone.pid}))
    with project_lock(tmp_path):
        assert held(tmp_path) != gone.pid
    assert held(tmp_path) is None


def test_a_lock_of_another_machine_stays_whatever_its_process(tmp_path: Path) -> None:
    lock_path(tmp_path).parent.mkdir()
    lock_path(tmp_path).write_text(
        '{"user": "bob", "host": "elsewhere", "pid": 1, "since": "2026-12-01T12:00:00+00:00"}'
    )
    with pytest.raises(FabricAutoError, match="locked by bob@elsewhere, process 1") as caught, project_lock(tmp_path):
        pytest.fail("two hold the lock")
    assert caught.value.help == "wait for it to end; if it is gone: fabric-auto force-unlock"


def test_a_lock_that_cannot_be_read_is_not_taken_over(tmp_path: Path) -> None:
    lock_path(tmp_path).parent.mkdir()
    lock_path(tmp_path).write_text("rubbish")
    with pytest.raises(FabricAutoError, match="cannot be read"), project_lock(tmp_path):
        pytest.fail("two hold the lock")


def test_the_lock_is_given_back_when_the_work_fails(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), project_lock(tmp_path):
        raise ZeroDivisionError
    assert held(tmp_path) is None
