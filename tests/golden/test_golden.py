"""Golden trees: a project's intents and the exact bytes it compiles to. ``make golden`` rewrites them; read the diff."""

from pathlib import Path

import pytest

from fabric_auto.compiler.compile import compile_to
from fabric_auto.compiler.program import check
from fabric_auto.compiler.project import load

HERE = Path(__file__).parent
SCENARIOS = sorted(path.parent.name for path in HERE.glob("*/fabric-auto.yaml"))
FILES = sorted(
    (path.parts[0], "/".join(path.parts[2:]))
    for path in (each.relative_to(HERE) for each in HERE.glob("*/expected/**/*"))
    if (HERE / path).is_file()
)


def is_golden(name: str) -> bool:
    return name != "manifest.json"  # it carries digests of the inputs: every file it lists is pinned itself


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> dict[str, Path]:
    folders = {}
    for scenario in SCENARIOS:
        program = check(load(HERE / scenario))
        assert program.findings == ()
        folders[scenario] = tmp_path_factory.mktemp(scenario) / "build"
        assert compile_to(program, folders[scenario]) == []
        if request.config.getoption("--update-golden"):
            update(folders[scenario], HERE / scenario / "expected")
    return folders


def update(built: Path, expected: Path) -> None:
    for old in [path for path in expected.rglob("*") if path.is_file()]:
        old.unlink()
    for name in files_of(built):
        (expected / name).parent.mkdir(parents=True, exist_ok=True)
        (expected / name).write_bytes((built / name).read_bytes())


def files_of(folder: Path) -> set[str]:
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    return {name for name in names if is_golden(name)}


@pytest.mark.parametrize(("scenario", "name"), FILES, ids=lambda value: value)
def test_a_file_is_byte_for_byte_what_it_was(compiled: dict[str, Path], scenario: str, name: str) -> None:
    assert (compiled[scenario] / name).read_text() == (HERE / scenario / "expected" / name).read_text()


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_nothing_else_is_written_and_nothing_is_missing(compiled: dict[str, Path], scenario: str) -> None:
    assert files_of(compiled[scenario]) == files_of(HERE / scenario / "expected")


def test_there_are_scenarios() -> None:
    assert len(SCENARIOS) >= 2
    assert len(FILES) >= 2 * len(SCENARIOS)
