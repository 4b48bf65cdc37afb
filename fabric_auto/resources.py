"""Where the files that travel with the package are: templates and platform data."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def templates_dir() -> Path:
    """Return the shipped ``templates/`` folder.

    A wheel carries it as ``fabric_auto/_templates`` (hatchling force-include); an editable install or a checkout
    has it beside the package.
    """
    packaged = _PACKAGE / "_templates"
    return packaged if packaged.is_dir() else _PACKAGE.parent / "templates"


def platforms_dir() -> Path:
    """Return the shipped platform catalogue (``fabric_auto/platforms/data``)."""
    return _PACKAGE / "platforms" / "data"
