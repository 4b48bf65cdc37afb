"""The design itself: layers hold, rules are documented and unique, modules stay small."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from fabric_auto.cli.rules import all_rules, page
from fabric_auto.diagnostics import Rule

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "fabric_auto").rglob("*.py"))


def test_imports_point_down() -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_no_module_is_longer_than_400_lines() -> None:
    long = {
        str(path.relative_to(ROOT)): lines for path in MODULES if (lines := len(path.read_text().splitlines())) > 400
    }
    assert long == {}


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert [path for path in MODULES if path.stem in {"utils", "helpers", "common", "misc", "manager"}] == []


@pytest.mark.parametrize("code", sorted(all_rules()))
def test_every_rule_has_a_page(code: str) -> None:
    assert re.fullmatch(r"FAB\d{3}", code)
    rule = all_rules()[code]
    assert isinstance(rule, Rule)
    assert len(rule.page) > 60
    assert page(code.lower()).startswith(f"{code} {rule.name} (")


def test_no_code_is_declared_twice() -> None:
    declared = [code for path in MODULES for code in re.findall(r"Rule\(\s*\"(FAB\d{3})\"", path.read_text())]
    assert sorted(declared) == sorted(set(declared))
    assert set(declared) == set(all_rules())


def test_every_rule_of_the_intent_stages_has_a_marked_case() -> None:
    cases = "".join(path.read_text() for path in (ROOT / "tests/intent/cases").glob("*.yaml"))
    elsewhere = {
        "FAB001",
        "FAB005",
        "FAB006",
        "FAB009",
        "FAB010",
        "FAB011",
        "FAB109",
        "FAB112",
        "FAB114",
        "FAB115",
        "FAB703",
        "FAB704",
        "FAB705",
        "FAB710",
    }
    missing = {code for code in all_rules() if code[3] in "012347" and code not in cases} - elsewhere
    assert missing == set()


def test_starting_up_imports_nothing_heavy() -> None:
    heavy = ("pydantic", "jinja2", "yaml", "nornir", "netmiko", "ncclient", "asyncssh", "lxml", "paramiko")
    script = f"import sys; import fabric_auto.cli.main; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
