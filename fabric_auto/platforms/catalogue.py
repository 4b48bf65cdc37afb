"""Which platforms there are: the shipped ones and the project's own, each read when it is first asked for."""

from pathlib import Path

from pydantic import ValidationError

from fabric_auto import resources, source
from fabric_auto.errors import FabricAutoError
from fabric_auto.platforms.model import Platform
from fabric_auto.platforms.schema import PlatformFile, to_platform

_HELP = "correct the platform file, or remove it"


class Catalogue:
    """Platforms by name; a project's file comes before the shipped file of the same name."""

    def __init__(self, files: dict[str, Path]) -> None:
        self._files = files
        self._read: dict[str, Platform] = {}

    def names(self) -> tuple[str, ...]:
        """Return the names of all platforms in alphabetical order, without reading their files."""
        return tuple(sorted(self._files))

    def get(self, name: str) -> Platform | None:
        """Return a platform, or None when there is none of that name.

        Raises:
            FabricAutoError: its file cannot be read, or does not describe a platform.
        """
        if name not in self._read:
            path = self._files.get(name)
            if path is None:
                return None
            self._read[name] = _read(path)
        return self._read[name]


def load(project_platforms: Path | None) -> Catalogue:
    """List the platforms; no file is opened.

    Args:
        project_platforms: the project's ``platforms/`` folder, with one ``<name>.yaml`` a platform; it need not exist.
    """
    folders = [resources.platforms_dir(), *([project_platforms] if project_platforms is not None else [])]
    return Catalogue({path.stem: path for folder in folders for path in sorted(folder.glob("*.yaml"))})


def _read(path: Path) -> Platform:
    file, findings = source.read_source(path, path.parent)
    documents: list[source.Document] = []
    if file is not None:
        documents, findings = source.load_text(file.text, str(path))
    if findings:
        line = f":{findings[0].span.line}" if file is not None and findings[0].span else ""
        raise FabricAutoError(f"platform file {path}{line}: {findings[0].message}", help=findings[0].help or _HELP)
    if len(documents) != 1:
        raise FabricAutoError(f"platform file {path}: {len(documents)} documents instead of one", help=_HELP)
    platform = _validated(documents[0], path)
    if platform.name != path.stem:
        line = f":{documents[0].at(('name',)).line}"
        raise FabricAutoError(f"platform file {path}{line}: `name` is `{platform.name}`, not `{path.stem}`", help=_HELP)
    return platform


def _validated(document: source.Document, path: Path) -> Platform:
    try:
        return to_platform(PlatformFile.model_validate(document.value))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(step) for step in first["loc"])
        reason = (f"`{where}`: " if where else "") + first["msg"].removeprefix("Value error, ")
        line = f":{document.at(first['loc']).line}" if first["loc"] else ""
        raise FabricAutoError(f"platform file {path}{line}: {reason}", help=_HELP) from error
    except ValueError as error:
        raise FabricAutoError(f"platform file {path}: {error}", help=_HELP) from error
