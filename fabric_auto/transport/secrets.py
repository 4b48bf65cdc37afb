"""Secrets by reference: the inventory says where a secret is, never what it is."""

import importlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from fabric_auto.errors import FabricAutoError

SECRETS_FOLDER: Final = "FABRIC_AUTO_SECRETS"
"""The environment variable that names a second folder ``file:`` may read from."""

_SERVICE: Final = "fabric-auto"
_LARGEST: Final = 64 * 1024


class Secret:
    """A secret that does not show itself: ``str``, ``repr`` and formatting give ``***``."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """Return the secret, for the one call that needs it."""
        return self._text

    def __repr__(self) -> str:
        return "***"

    def __format__(self, spec: str) -> str:
        return "***"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._text == self._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> str:
        # Pickled or copied into a report it would be plain text.
        raise TypeError("a secret is not written anywhere")


def resolve(reference: str, project: Path, environment: Mapping[str, str] = os.environ) -> Secret:
    """Return the secret that a reference names.

    Args:
        reference: ``env:NAME``, ``file:PATH`` (inside the project or ``$FABRIC_AUTO_SECRETS``; one trailing newline is not
            part of it) or ``keyring:NAME`` (service ``fabric-auto``).
        project: the project's folder.
        environment: the process environment.

    Raises:
        FabricAutoError: the reference has another form, or nothing is there. The message names the reference only.
    """
    kind, _, name = reference.partition(":")
    if kind == "env" and name:
        return _from_environment(name, environment)
    if kind == "file" and name:
        return _from_file(name, project, environment)
    if kind == "keyring" and name:
        return _from_keyring(name)
    raise FabricAutoError(
        "a secret in the inventory is not a reference", help="write `env:NAME`, `file:PATH` or `keyring:NAME`"
    )


def key_file(reference: str, project: Path, environment: Mapping[str, str] = os.environ) -> Path:
    """Return the private key file that an ``ssh_key`` reference names.

    ``file:PATH`` is a file inside the project or ``$FABRIC_AUTO_SECRETS``; ``env:NAME`` holds a path, anywhere.

    Raises:
        FabricAutoError: the reference has another form, or no such file is there.
    """
    kind, _, name = reference.partition(":")
    if kind == "file" and name:
        return _inside(name, project, environment)
    if kind == "env" and name:
        path = Path(_from_environment(name, environment).reveal()).expanduser()
        if path.is_file():
            return path
        raise FabricAutoError(f"`ssh_key: env:{name}` does not hold the path of a file")
    raise FabricAutoError(
        "`ssh_key` does not name a file", help="write `file:PATH`, or `env:NAME` for a variable that holds a path"
    )


def _from_environment(name: str, environment: Mapping[str, str]) -> Secret:
    text = environment.get(name)
    if not text:
        raise FabricAutoError(f"the environment has no `{name}`, which the inventory refers to", help=f"set {name}")
    return Secret(text)


def _from_file(name: str, project: Path, environment: Mapping[str, str]) -> Secret:
    path = _inside(name, project, environment)
    try:
        with path.open("rb") as stream:
            content = stream.read(_LARGEST + 1)
        text = content.decode()
    except (OSError, UnicodeDecodeError):
        raise FabricAutoError(f"the secret `file:{name}` cannot be read as text") from None
    if len(content) > _LARGEST:
        raise FabricAutoError(f"the secret `file:{name}` is larger than 64 KiB")
    return Secret(text.removesuffix("\n").removesuffix("\r"))


def _inside(name: str, project: Path, environment: Mapping[str, str]) -> Path:
    roots = [project.resolve()]
    if environment.get(SECRETS_FOLDER):
        roots.append(Path(environment[SECRETS_FOLDER]).expanduser().resolve())
    for root in roots:
        # Resolved first: a link or `..` that leads out of the folder is outside.
        path = (root / Path(name).expanduser()).resolve()
        if path.is_file() and path.is_relative_to(root):
            return path
    raise FabricAutoError(
        f"the secret `file:{name}` is not a file inside the project folder or ${SECRETS_FOLDER}",
        help=f"put it there, or point {SECRETS_FOLDER} at its folder",
    )


def _from_keyring(name: str) -> Secret:
    try:
        keyring = importlib.import_module("keyring")
    except ImportError:
        raise FabricAutoError(
            f"`keyring:{name}` needs the Python package `keyring`, which is not installed",
            help="pip install keyring, or use `env:` or `file:`",
        ) from None
    text = keyring.get_password(_SERVICE, name)
    if not text:
        raise FabricAutoError(
            f"the keyring has no `{name}` under the service `{_SERVICE}`", help=f"keyring set {_SERVICE} {name}"
        )
    return Secret(str(text))
