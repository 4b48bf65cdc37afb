"""``init``: the smallest project worth having, written so that it compiles and deploys to the emulated lab as it is."""

from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from fabric_auto.errors import FabricAutoError
from fabric_auto.intent.parse import is_name
from fabric_auto.resources import templates_dir

FILES: Final = (
    "fabric-auto.yaml",
    "intents/fabric.yaml",
    "inventory/hosts.yaml",
    "inventory/groups.yaml",
    "inventory/defaults.yaml",
    ".gitignore",
)
_LEAVES: Final = 4
_SPINES: Final = 2


def write_starter(folder: Path, name: str) -> list[Path]:
    """Write the project and return its files.

    Raises:
        FabricAutoError: a file is already there, or the name is none.
    """
    if not is_name(name):
        raise FabricAutoError(
            f"`{name}` is not a fabric name", help="use lower case letters, digits and hyphens", exit_code=64
        )
    targets = [folder / file for file in FILES]
    taken = [target for target in targets if target.exists()]
    if taken:
        raise FabricAutoError(
            f"{taken[0]} is already there; nothing was written", help="name a new or empty folder: fabric-auto init DIR"
        )
    environment = Environment(  # noqa: S701  (YAML, not HTML; the one value is a checked name)
        loader=FileSystemLoader(templates_dir() / "starter"),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    devices = [("sonic", f"{name}-leaf-{n:02}") for n in range(1, _LEAVES + 1)] + [
        ("srlinux", f"{name}-spine-{n:02}") for n in range(1, _SPINES + 1)
    ]
    try:
        for file, target in zip(FILES, targets, strict=True):
            text = environment.get_template(f"{file.lstrip('.').replace('/', '-')}.j2").render(
                name=name, devices=devices, leaves=_LEAVES, spines=_SPINES
            )
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
    except OSError as error:
        raise FabricAutoError(f"{folder} cannot be written: {error.strerror or error}") from error
    return targets
