import copy
import pickle
from pathlib import Path

import pytest

from fabric_auto.errors import FabricAutoError
from fabric_auto.transport.secrets import Secret, key_file, resolve


def test_a_secret_never_shows_itself() -> None:
    secret = Secret("hunter2")
    assert [str(secret), repr(secret), f"{secret}", f"{secret:>8}", f"{[secret]}"] == [
        "***",
        "***",
        "***",
        "***",
        "[***]",
    ]
    assert secret.reveal() == "hunter2"
    assert secret == Secret("hunter2")
    for write in (pickle.dumps, copy.copy):
        with pytest.raises(TypeError, match="not written anywhere"):
            write(secret)


def test_an_environment_variable_is_looked_up(tmp_path: Path) -> None:
    assert resolve("env:SWITCH_PASSWORD", tmp_path, {"SWITCH_PASSWORD": "s3cret"}).reveal() == "s3cret"
    with pytest.raises(FabricAutoError, match="the environment has no `SWITCH_PASSWORD`"):
        resolve("env:SWITCH_PASSWORD", tmp_path, {})


def test_a_file_inside_the_project_is_read_without_its_newline(tmp_path: Path) -> None:
    (tmp_path / "password").write_text("s3cret \n")
    assert resolve("file:password", tmp_path, {}).reveal() == "s3cret "


def test_a_file_in_the_folder_of_secrets_is_read(tmp_path: Path) -> None:
    project, vault = tmp_path / "project", tmp_path / "vault"
    project.mkdir()
    vault.mkdir()
    (vault / "password").write_text("s3cret")
    with pytest.raises(FabricAutoError, match="is not a file inside the project folder"):
        resolve(f"file:{vault}/password", project, {})
    assert resolve(f"file:{vault}/password", project, {"FABRIC_AUTO_SECRETS": str(vault)}).reveal() == "s3cret"
    assert resolve("file:password", project, {"FABRIC_AUTO_SECRETS": str(vault)}).reveal() == "s3cret"


@pytest.mark.parametrize("name", ["../outside", "link", "/etc/passwd", "absent", "."])
def test_no_path_leads_out_of_the_project(tmp_path: Path, name: str) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (tmp_path / "outside").write_text("s3cret")
    (project / "link").symlink_to(tmp_path / "outside")
    with pytest.raises(FabricAutoError, match="is not a file inside the project folder") as caught:
        resolve(f"file:{name}", project, {})
    assert "s3cret" not in str(caught.value)


def test_a_keyring_that_is_not_installed_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "keyring", None)
    with pytest.raises(FabricAutoError, match="needs the Python package `keyring`"):
        resolve("keyring:switches", tmp_path, {})


def test_what_is_no_reference_is_not_repeated_in_the_message(tmp_path: Path) -> None:
    for reference in ("hunter2", "env:", "file:", "vault:hunter2"):
        with pytest.raises(FabricAutoError) as caught:
            resolve(reference, tmp_path, {})
        assert "hunter2" not in caught.value.message


def test_a_key_file_is_inside_the_project_or_where_a_variable_says(tmp_path: Path) -> None:
    project, key = tmp_path / "project", tmp_path / "id_ed25519"
    (project / "keys").mkdir(parents=True)
    (project / "keys/id").write_text("key")
    key.write_text("key")
    assert key_file("file:keys/id", project, {}) == project / "keys/id"
    assert key_file("env:SWITCH_KEY", project, {"SWITCH_KEY": str(key)}) == key
    with pytest.raises(FabricAutoError, match="is not a file inside"):
        key_file(f"file:{key}", project, {})
    with pytest.raises(FabricAutoError, match="does not hold the path of a file"):
        key_file("env:SWITCH_KEY", project, {"SWITCH_KEY": str(tmp_path / "absent")})
