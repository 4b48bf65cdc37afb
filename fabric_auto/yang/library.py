"""A folder of YANG files: which modules it holds, and the order in which to load some of them."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from fabric_auto.errors import FabricAutoError
from fabric_auto.yang.statements import Statement, YangSyntaxError, parse

_PROSE = frozenset({"description", "reference", "contact", "organization"})


def read_folder(folder: Path) -> dict[str, bytes]:
    """Every ``*.yang`` file by module name; of several revisions the last one.

    Raises:
        FabricAutoError: there is no such folder, or it holds no YANG.
    """
    try:
        files = sorted(folder.glob("*.yang"))
        texts = {file.stem.partition("@")[0]: file.read_bytes() for file in files}
    except OSError as error:
        raise FabricAutoError(f"cannot read the YANG models in {folder}: {error.strerror}") from error
    if not texts:
        raise FabricAutoError(f"no YANG models in {folder}", help="name a folder that holds the vendor's .yang files")
    return texts


def parse_module(name: str, text: bytes) -> Statement:
    """The module's statements.

    Raises:
        FabricAutoError: the file is not YANG.
    """
    try:
        return parse(text.decode())
    except (YangSyntaxError, UnicodeDecodeError) as error:
        raise FabricAutoError(f"the YANG module {name} cannot be read: {error}") from error


def closure(texts: Mapping[str, bytes], roots: Iterable[str]) -> dict[str, Statement]:
    """The roots that the folder has, and what they import, imports first.

    An import that the folder lacks is left to libyang, which brings the IETF's own type modules.
    """
    ordered: dict[str, Statement] = {}
    visited: set[str] = set()

    def visit(name: str) -> None:
        if name in visited or name not in texts:
            return
        visited.add(name)
        module = parse_module(name, texts[name])
        for imported in module.all("import"):
            visit(imported.argument or "")
        ordered[name] = module

    for root in roots:
        visit(root)
    return ordered


def prefixes(module: Statement) -> dict[str, str]:
    """Prefix to module name, the module's own prefix included (RFC 7950 sections 7.1.4 and 7.1.5)."""
    imports = {imported.value("prefix") or "": imported.argument or "" for imported in module.all("import")}
    return {module.value("prefix") or "": module.argument or ""} | imports


def without_prose(statement: Statement) -> Statement:
    """The statement without what only people read; libyang loads it faster."""
    kept = (without_prose(child) for child in statement.children if child.keyword not in _PROSE)
    return Statement(statement.keyword, statement.argument, tuple(kept))
