"""YAML 1.2 (core schema) with places; what a parser would do silently is a finding."""

import pytest

from fabric_auto.source import load_text


def codes(text: str) -> list[tuple[str, int, int]]:
    _, findings = load_text(text, "f.yaml")
    return [(each.code, each.span.line, each.span.column) for each in findings if each.span]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("65000:10", "65000:10"),  # YAML 1.1 reads a sexagesimal number
        ("NO", "NO"),  # and a false
        ("on", "on"),
        ("12:34:56", "12:34:56"),
        ("1_000", "1_000"),
        ("2026-12-01", "2026-12-01"),
        ("true", True),
        ("~", None),
        ("0x10", 16),
        ("0o17", 15),
        ("-7", -7),
        ("1.5", 1.5),
        ("'9100'", "9100"),
        ('"true"', "true"),
    ],
)
def test_scalars_follow_the_core_schema(text: str, value: object) -> None:
    documents, findings = load_text(f"key: {text}\n", "f.yaml")
    assert findings == []
    assert documents[0].value == {"key": value}


def test_every_node_knows_its_place() -> None:
    documents, _ = load_text("a:\n  - {name: leaf,  count: 4}\n", "f.yaml")
    count = documents[0].places["a", 0, "count"]
    assert str(count.key) == "f.yaml:2:19"
    assert str(count.value) == "f.yaml:2:26"
    assert (count.value.end_line, count.value.end_column) == (2, 27)


def test_a_path_that_is_not_there_falls_back_to_its_nearest_ancestor() -> None:
    documents, _ = load_text("a: {b: {c: 1}}\n", "f.yaml")
    assert str(documents[0].at(("a", "b", "missing"))) == "f.yaml:1:8"


def test_every_duplicate_key_is_found_at_the_second_one() -> None:
    assert codes("a: 1\nb: 2\na: 3\nc: {d: 1, d: 2}\nb: 4\n") == [("FAB002", 3, 1), ("FAB002", 4, 11), ("FAB002", 5, 1)]


def test_a_duplicate_mapping_does_not_disturb_what_follows() -> None:
    documents, findings = load_text("a: {x: 1}\na: {y: {z: [1, 2]}}\nb: 2\n", "f.yaml")
    assert [each.code for each in findings] == ["FAB002"]
    assert documents[0].value == {"a": {"x": 1}, "b": 2}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: &x 1\nb: 2\n", [("FAB003", 1, 4)]),
        ("a: &x {b: 1}\nc: *x\n", [("FAB003", 1, 4), ("FAB003", 2, 4)]),
        ("<<: {a: 1}\nb: 1\n", [("FAB003", 1, 1)]),
        ("a: !!python/object/apply:os.system [id]\n", [("FAB004", 1, 4)]),
        ("a: !secret x\n", [("FAB004", 1, 4)]),
        ("? [a, b]\n: 1\n", [("FAB005", 1, 3)]),
        ("~: 1\n", [("FAB005", 1, 1)]),
        ("a:\n\tb: 1\n", [("FAB001", 2, 1)]),
        ("a: [1, 2\n", [("FAB001", 2, 1)]),
        ("a: 'open\n", [("FAB001", 2, 1)]),
        ("a: 0100\n", [("FAB011", 1, 4)]),
        ("---\n---\na: 1\n", [("FAB010", 2, 1)]),
    ],
)
def test_what_is_not_plain_data_is_a_finding_at_its_place(text: str, expected: list[tuple[str, int, int]]) -> None:
    assert codes(text) == expected


def test_a_yaml_bomb_is_refused_without_being_expanded() -> None:
    levels = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"] + [
        f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)
    ]
    documents, findings = load_text("\n".join(levels), "f.yaml")
    assert {each.code for each in findings} == {"FAB003"}
    assert len(documents) == 1


def test_nesting_has_a_bound() -> None:
    assert codes("a: " + "[" * 100 + "]" * 100) == [("FAB009", 1, 35)]


def test_an_empty_file_has_no_documents_and_no_findings() -> None:
    assert load_text("", "f.yaml") == ([], [])
    assert load_text("# only a comment\n", "f.yaml") == ([], [])


def test_a_tab_is_named_in_the_help() -> None:
    _, findings = load_text("a:\n\tb: 1\n", "f.yaml")
    assert findings[0].help == "indent with spaces; YAML does not allow tabs"


def test_documents_before_a_syntax_error_are_kept() -> None:
    documents, findings = load_text("a: 1\n---\nb: [\n", "f.yaml")
    assert [each.value for each in documents] == [{"a": 1}]
    assert [each.code for each in findings] == ["FAB001"]
