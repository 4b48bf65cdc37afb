"""Nothing is read from outside the project folder, and what cannot be read is a finding."""

from pathlib import Path

from fabric_auto.source import read_folder, read_source


def test_files_are_read_in_name_order_below_folders_but_not_below_examples(tmp_path: Path) -> None:
    for name in (
        "intents/b.yaml",
        "intents/a.yml",
        "intents/sub/c.yaml",
        "intents/examples/x/d.yaml",
        "intents/.hidden/e.yaml",
        "intents/note.txt",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("a: 1\n")
    files, findings = read_folder(tmp_path / "intents", tmp_path)
    assert [file.name for file in files] == ["intents/a.yml", "intents/b.yaml", "intents/sub/c.yaml"]
    assert findings == []


def test_a_link_that_leaves_the_project_is_not_read(tmp_path: Path) -> None:
    outside = tmp_path / "outside.yaml"
    outside.write_text("secret: 1\n")
    project = tmp_path / "project"
    project.mkdir()
    (project / "in.yaml").symlink_to(outside)
    file, findings = read_source(project / "in.yaml", project)
    assert file is None
    assert [(each.code, each.message) for each in findings] == [
        ("FAB006", "cannot be read: the link leaves the project folder")
    ]


def test_a_link_that_loops_is_a_finding(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").symlink_to(tmp_path / "b.yaml")
    (tmp_path / "b.yaml").symlink_to(tmp_path / "a.yaml")
    file, findings = read_source(tmp_path / "a.yaml", tmp_path)
    assert file is None
    assert findings[0].message == "cannot be read: the link is broken or loops"


def test_a_file_that_is_not_text_is_a_finding_with_the_byte(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_bytes(b"a: \xff\xfe\n")
    _, findings = read_source(tmp_path / "a.yaml", tmp_path)
    assert findings[0].message == "cannot be read: byte 3 is not UTF-8"


def test_a_byte_order_mark_is_not_part_of_the_text(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_bytes(b"\xef\xbb\xbfa: 1\n")
    file, _ = read_source(tmp_path / "a.yaml", tmp_path)
    assert file is not None
    assert file.text == "a: 1\n"
