"""Marked intents: every file of cases/ says in comments which findings it must give (``# E: CODE@column``), and no others."""

import re
from pathlib import Path

import pytest

from fabric_auto.compiler.program import check
from fabric_auto.compiler.project import load

CASES = sorted((Path(__file__).parent / "cases").glob("*.yaml"))
MARK = re.compile(r"#\s*E:((?:\s*FAB\d{3}@\d+)+)\s*$")


def expected(text: str) -> set[tuple[str, int, int]]:
    marks = set()
    for number, line in enumerate(text.splitlines(), start=1):
        match = MARK.search(line)
        for mark in match[1].split() if match else ():
            code, _, column = mark.partition("@")
            marks.add((code, number, int(column)))
    return marks


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_bad_intent_gives_exactly_its_findings(path: Path, make_project) -> None:
    text = path.read_text()
    program = check(load(make_project(text)))
    found = {(each.code, each.span.line, each.span.column) for each in program.findings if each.span}
    assert found == expected(text), [f"{each.span}: {each.code} {each.message}" for each in program.findings]
    assert all(each.span and each.span.file == "intents/fabric.yaml" for each in program.findings)


def test_there_are_cases_for_every_stage() -> None:
    marked = {code[:4] for path in CASES for code, _, _ in expected(path.read_text())}
    assert marked == {"FAB0", "FAB1", "FAB2", "FAB3", "FAB4", "FAB7"}
