"""``build/`` is the old one or the new one, never half; what did not change keeps its mtime."""

import json
import os
from pathlib import Path

import pytest

from fabric_auto.compiler.compile import compile_to
from fabric_auto.compiler.output import output
from fabric_auto.compiler.program import check
from fabric_auto.compiler.project import load
from fabric_auto.errors import FabricAutoError
from tests.strategies import Shape


def snapshot(folder: Path) -> dict[str, tuple[bytes, int]]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


def write_half(build: Path) -> None:
    with output(build) as out:
        out.write("manifest.json", b"half")
        raise FabricAutoError("a template is wrong")


def compiled(project: Path, build: Path) -> dict[str, tuple[bytes, int]]:
    assert compile_to(check(load(project)), build) == []
    return snapshot(build)


def test_an_unchanged_input_leaves_every_byte_and_mtime_alone(make_project, tmp_path: Path) -> None:
    project = make_project(Shape(leaves=2).intent)
    first = compiled(project, tmp_path / "build")
    os.utime(tmp_path / "build/manifest.json", (1, 1))
    aged = snapshot(tmp_path / "build")
    assert compiled(project, tmp_path / "build") == aged
    assert {name: content for name, (content, _) in first.items()} == {
        name: content for name, (content, _) in aged.items()
    }


def test_a_change_touches_only_the_files_that_change(make_project, tmp_path: Path) -> None:
    before = compiled(make_project(Shape(leaves=2).intent), tmp_path / "build")
    after = compiled(make_project(Shape(leaves=3).intent), tmp_path / "build")
    same = {name for name in before if before[name] == after.get(name)}
    assert {"devices/east-leaf-01/config_db.json", "devices/east-leaf-02/config_db.json"} <= same
    assert "devices/east-spine-01/config.xml" not in same
    assert "devices/east-leaf-03/config_db.json" in after


def test_a_device_that_goes_takes_its_files_with_it(make_project, tmp_path: Path) -> None:
    compiled(make_project(Shape(leaves=3).intent), tmp_path / "build")
    after = compiled(make_project(Shape(leaves=2).intent), tmp_path / "build")
    assert not any("leaf-03" in name for name in after)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["build", "project"]


def test_an_error_in_the_middle_leaves_the_old_build(tmp_path: Path) -> None:
    with output(tmp_path / "build") as out:
        out.write("manifest.json", b"{}")
    with pytest.raises(FabricAutoError, match="a template is wrong"):
        write_half(tmp_path / "build")
    assert (tmp_path / "build/manifest.json").read_bytes() == b"{}"
    assert [path.name for path in tmp_path.iterdir()] == ["build"]


def test_a_full_disk_is_one_line_and_the_old_build_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with output(tmp_path / "build") as out:
        out.write("manifest.json", b"{}")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with (
        pytest.raises(FabricAutoError, match="cannot be written: No space left on device"),
        output(tmp_path / "build") as out,
    ):
        out.write("manifest.json", b"new")
    assert (tmp_path / "build/manifest.json").read_bytes() == b"{}"


def test_a_folder_that_is_not_ours_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/thesis.txt").write_text("years of work")
    with (
        pytest.raises(FabricAutoError, match="has files that fabric-auto did not write"),
        output(tmp_path / "mine") as out,
    ):
        out.write("manifest.json", b"{}")
    assert (tmp_path / "mine/thesis.txt").read_text() == "years of work"


def test_the_manifest_states_what_is_ours_on_each_device(make_project, tmp_path: Path) -> None:
    compiled(make_project(Shape(leaves=2).intent), tmp_path / "build")
    manifest = json.loads((tmp_path / "build/manifest.json").read_text())
    assert manifest["format_version"] == "1.0"
    leaf = manifest["devices"]["east-leaf-01"]
    assert (leaf["nos"], leaf["release"], leaf["platform"]) == ("sonic", "202505", "sonic-th4-64x400g")
    assert ["BGP_NEIGHBOR", "10.11.0.1"] in leaf["ownership"]["entries"]
    assert ["PORT", "Ethernet504", "mtu"] in leaf["ownership"]["fields"]
    assert not any(path[:2] == ["PORT", "Ethernet504"] for path in leaf["ownership"]["entries"])
    assert sorted(leaf["artifacts"]) == ["config_db.json"]


def test_compiling_twice_in_different_places_gives_the_same_bytes(make_project, tmp_path: Path) -> None:
    project = make_project(Shape(leaves=2).intent)
    first, second = (compiled(project, tmp_path / name) for name in ("a", "b"))
    assert {name: content for name, (content, _) in first.items()} == {
        name: content for name, (content, _) in second.items()
    }


def test_the_cabling_plan_has_every_cable_with_both_ends(make_project, tmp_path: Path) -> None:
    compiled(make_project(Shape(leaves=1, spines=1, hosts=1).intent), tmp_path / "build")
    assert (tmp_path / "build/fabric/east/cabling.csv").read_text() == (
        "link,a_device,a_port,a_panel,b_device,b_port,b_panel,speed,length,admin\n"
        "east-leaf-01/east-spine-01/1,east-leaf-01,Ethernet504,64,east-spine-01,ethernet-1/1,1,400G,30m,up\n"
        "east-leaf-01/east-gpu-01/nic1,east-leaf-01,Ethernet0,1,east-gpu-01,nic1,,400G,3m,up\n"
    )
