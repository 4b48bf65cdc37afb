"""What all tests share: where the repository and the shared folder are, and how to make a project."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"

settings.register_profile("ci", derandomize=True, print_blob=True)
if os.environ.get("CI"):
    settings.load_profile("ci")

ProjectFactory = Callable[..., Path]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite the expected files of tests/golden")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of vendor models, vectors and judges beside the repository."""
    if not SHARED.is_dir():
        pytest.skip("the shared folder (vendor models, judges) is not beside the repository")
    return SHARED


@pytest.fixture(scope="session")
def yang_models(shared: Path) -> Path:
    """Vendor YANG models, with libyang to read them."""
    pytest.importorskip("oopt_gnpy_libyang", reason="libyang (extra `yang`) is not installed")
    return shared / "yang"


@pytest.fixture
def make_project(tmp_path: Path) -> ProjectFactory:
    """Return a function that writes a project: its intents, and other files by name."""

    def make(intents: str, folder: str = "project", **files: str) -> Path:
        root = tmp_path / folder
        texts = {"fabric-auto.yaml": "apiVersion: v1\n", "intents/fabric.yaml": intents, **files}
        for name, text in texts.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return root

    return make
