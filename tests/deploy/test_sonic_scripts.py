"""The undoing, run by a real shell: a ``config`` of our own writes down how it was called and fails when told to."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from fabric_auto.deploy.sonic_box import Box
from fabric_auto.deploy.sonic_scripts import step_script, undo_script

BOX = Box("leaf-1", "admin", "r1")
CONFIG = """#!/bin/sh
echo "$1 ${4:-$2}" | sed "s,$PWD/,," >> called
test ! -e "fails-$1" || exit 2
"""

pytestmark = pytest.mark.skipif(
    any(shutil.which(each) is None for each in ("sh", "timeout", "sed")), reason="no POSIX shell, or no timeout(1)"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bin").mkdir()
    config = tmp_path / "bin/config"
    config.write_text(CONFIG)
    config.chmod(0o755)
    return tmp_path


def run(folder: Path, script: bytes) -> int:
    (folder / "script").write_bytes(script.replace(BOX.folder.encode(), str(folder).encode()))
    path = f"{folder}/bin:{os.environ['PATH']}"
    return subprocess.run(["sh", "script"], cwd=folder, env={"PATH": path}, check=False, stdout=-3).returncode


def called(folder: Path) -> list[str]:
    path = folder / "called"
    return path.read_text().splitlines() if path.exists() else []


@pytest.mark.parametrize(
    ("begun", "fails", "expected"),
    [
        ((), "", []),
        ((1,), "", ["apply-patch undo-1.json"]),
        ((1, 2), "", ["apply-patch undo-2.json", "apply-patch undo-1.json"]),
        ((1, 2), "apply-patch", ["apply-patch undo-2.json", "reload saved_config_db.json"]),
    ],
)
def test_steps_that_were_begun_are_undone_newest_first_and_once(
    folder: Path, begun: tuple[int, ...], fails: str, expected: list[str]
) -> None:
    for number in begun:
        (folder / f"step-{number}.started").touch()
    if fails:
        (folder / f"fails-{fails}").touch()
    script = undo_script(BOX, (b"[]", b"[]"))
    assert run(folder, script) == 0
    assert called(folder) == expected
    assert run(folder, script) == 0
    assert called(folder) == expected


def test_a_step_without_a_patch_back_is_undone_by_a_reload_that_is_tried_again_when_it_failed(folder: Path) -> None:
    (folder / "step-1.started").touch()
    (folder / "fails-reload").touch()
    script = undo_script(BOX, (None,))
    assert run(folder, script) == 2
    (folder / "fails-reload").unlink()
    assert run(folder, script) == 0
    assert called(folder) == ["reload saved_config_db.json"] * 2


def test_a_step_says_that_it_began_and_that_it_ended(folder: Path) -> None:
    script = step_script(BOX, 1, "apply-patch")
    (folder / "fails-apply-patch").touch()
    assert run(folder, script) == 2
    assert [(folder / f"step-1.{end}").exists() for end in ("started", "done")] == [True, False]
    (folder / "fails-apply-patch").unlink()
    assert run(folder, script) == 0
    assert (folder / "step-1.done").exists()
    assert called(folder) == ["apply-patch step-1.json"] * 2


def test_a_step_does_not_begin_after_an_undoing(folder: Path) -> None:
    assert run(folder, undo_script(BOX, (b"[]",))) == 0
    assert run(folder, step_script(BOX, 1, "apply-patch")) == 75
    assert called(folder) == []
