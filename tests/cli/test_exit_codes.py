"""Exit codes, streams and help, as a shell or a pipeline sees them (architecture.md, "Exit codes")."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.strategies import Shape


def fabric_auto(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "fabric_auto", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, timeout=60)


COMMANDS = [
    ("init",), ("validate",), ("compile",), ("explain",), ("diff",), ("plan",), ("deploy",), ("verify",), ("force-unlock",),
    ("trust", "add"), ("lab", "up"), ("lab", "status"), ("lab", "config"), ("lab", "down"), ("lab", "fault", "swap"),
    ("lab", "fault", "cut"), ("lab", "fault", "drop-session"), ("lab", "fault", "ignore-changes"), ("lab", "fault", "clear"),
]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_has_help_with_an_example(command: tuple[str, ...], tmp_path: Path) -> None:
    done = fabric_auto(*command, "--help", cwd=tmp_path)
    assert done.returncode == 0
    assert f"Example: fabric-auto {' '.join(command)}" in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    "arguments",
    [
        ("--bogus",),
        ("bogus",),
        ("validate", "--bogus"),
        ("validate", "--format", "xml"),
        ("explain",),
        ("explain", "FAB000"),
        (),
    ],
)
def test_a_usage_error_is_64_and_never_2(arguments: tuple[str, ...], tmp_path: Path) -> None:
    done = fabric_auto(*arguments, cwd=tmp_path)
    assert done.returncode == 64
    assert done.stdout == ""
    assert done.stderr
    assert "Traceback" not in done.stderr


def test_a_folder_that_is_no_project_is_one_line_and_1(tmp_path: Path) -> None:
    done = fabric_auto("validate", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.splitlines()[0].endswith("is no fabric-auto project: it has no fabric-auto.yaml")
    assert "fabric-auto init" in done.stderr


def test_findings_are_3_on_stdout_and_the_fail_on_option_decides(make_project) -> None:
    project = make_project(Shape().intent, **{"inventory/hosts.yaml": "east-laef-01: {hostname: 192.0.2.1}\n"})
    done = fabric_auto("validate", cwd=project)
    assert done.returncode == 0
    assert "warning[FAB114]" in done.stdout
    assert fabric_auto("validate", "--fail-on", "warning", cwd=project).returncode == 3
    broken = make_project(Shape().intent.replace("400G", "400"), folder="broken")
    done = fabric_auto("validate", cwd=broken)
    assert done.returncode == 3
    assert "error[FAB105]" in done.stdout
    assert fabric_auto("validate", "--fail-on", "never", cwd=broken).returncode == 0
    assert fabric_auto("compile", "--fail-on", "never", cwd=broken).returncode == 3  # there is nothing to compile
    assert not (broken / "build").exists()


def test_init_writes_a_project_that_compiles_as_it_is_and_never_overwrites(tmp_path: Path) -> None:
    assert fabric_auto("init", "net", cwd=tmp_path).returncode == 0
    assert fabric_auto("compile", "-C", "net", cwd=tmp_path).returncode == 0
    assert (tmp_path / "net/build/devices/east-leaf-01/config_db.json").is_file()
    done = fabric_auto("init", "net", cwd=tmp_path)
    assert done.returncode == 1
    assert "is already there; nothing was written" in done.stderr
    assert fabric_auto("init", "other", "--name", "Bad_Name", cwd=tmp_path).returncode == 64


def test_the_repository_s_own_project_is_what_init_writes(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    assert fabric_auto("init", "net", cwd=tmp_path).returncode == 0
    for name in (
        "fabric-auto.yaml",
        "intents/fabric.yaml",
        "inventory/hosts.yaml",
        "inventory/groups.yaml",
        "inventory/defaults.yaml",
    ):
        assert (root / name).read_text() == (tmp_path / "net" / name).read_text()


def test_a_reader_that_leaves_is_no_bug(make_project) -> None:
    project = make_project(Shape(leaves=6).intent.replace("speed: 400G", "speed: 400"))
    command = f"{sys.executable} -m fabric_auto validate --format json | head -1"
    done = subprocess.run(command, shell=True, cwd=project, capture_output=True, text=True, check=False, timeout=60)
    assert done.stderr == ""


def test_an_unwritable_output_folder_is_one_line(make_project) -> None:
    project = make_project(Shape().intent)
    (project / "build").write_text("a file")
    done = fabric_auto("compile", cwd=project)
    assert done.returncode == 1
    assert "build is not a folder" in done.stderr


def test_no_color_and_pipes_give_plain_text(make_project) -> None:
    project = make_project(Shape().intent.replace("400G", "400"))
    done = fabric_auto("validate", "--format", "full", cwd=project)
    assert "\x1b" not in done.stdout
    assert "\x1b" in fabric_auto("validate", "--format", "full", "--color", cwd=project).stdout


def test_the_version_is_printed(tmp_path: Path) -> None:
    assert fabric_auto("--version", cwd=tmp_path).stdout == "fabric-auto 0.1.0\n"
