"""A project folder read whole: settings, intents, inventory, platforms, and the text that findings quote."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from fabric_auto.diagnostics import Diagnostic, Severity
from fabric_auto.errors import FabricAutoError
from fabric_auto.intent import inventory as inventory_room
from fabric_auto.intent import rules
from fabric_auto.intent.base import findings_of
from fabric_auto.intent.inventory import Inventory
from fabric_auto.intent.parse import FabricIntent, parse
from fabric_auto.intent.project import ProjectFile
from fabric_auto.source import Document, SourceFile, load_text, read_folder, read_source

PROJECT_FILE: Final = "fabric-auto.yaml"


@dataclass(frozen=True, slots=True)
class Project:
    """What the user wrote.

    Attributes:
        root: the project folder.
        findings: of reading and parsing; later stages do not run when one is an error.
        files: every file read, by name.
    """

    root: Path
    settings: ProjectFile
    intents: list[FabricIntent]
    inventory: Inventory
    findings: list[Diagnostic]
    files: dict[str, SourceFile] = field(repr=False)

    @property
    def is_sound(self) -> bool:
        """True when nothing read is in error."""
        return not any(finding.severity is Severity.ERROR for finding in self.findings)

    def lines(self, name: str) -> Sequence[str]:
        """Return the lines of a file that was read, for excerpts."""
        file = self.files.get(name)
        return file.text.splitlines() if file else ()

    def digest(self) -> str:
        """Return a digest of everything that was read."""
        digest = sha256()
        for name in sorted(self.files):
            digest.update(f"{name}\0{len(self.files[name].text)}\0{self.files[name].text}".encode())
        return digest.hexdigest()

    @property
    def templates(self) -> Path | None:
        """The project's own templates, when it has any; the shipped ones stand in the repository's own folder."""
        folder = self.root / "templates"
        return folder if folder.is_dir() else None

    @property
    def platforms(self) -> Path | None:
        """The project's own platforms, when it has any."""
        folder = self.root / "platforms"
        return folder if folder.is_dir() else None

    @property
    def state(self) -> Path:
        """Where deployments keep journal, state and locks; never in git."""
        return self.root / ".fabric-auto"


def load(root: Path) -> Project:
    """Read the project at ``root``.

    Raises:
        FabricAutoError: there is no project there.
    """
    if not (root / PROJECT_FILE).is_file():
        raise FabricAutoError(
            f"{root} is no fabric-auto project: it has no {PROJECT_FILE}",
            help="name a project with `-C DIR`, or make one: fabric-auto init DIR",
        )
    reader = _Reader(root)
    settings = reader.settings()
    intents, findings = parse(reader.folder("intents"))
    inventory, inventory_findings = inventory_room.parse(
        reader.document("inventory/hosts.yaml"),
        reader.document("inventory/groups.yaml"),
        reader.document("inventory/defaults.yaml"),
    )
    found = [*reader.findings, *findings, *inventory_findings]
    if not intents and not settings.allow_empty and not any(each.severity is Severity.ERROR for each in found):
        found.append(
            rules.NO_INTENTS.at(
                None,
                "the project has no fabric",
                subject="intents/",
                help="add a `kind: Fabric` below intents/; to let go of every device, say `allow_empty: true` in fabric-auto.yaml",
            )
        )
    return Project(root, settings, intents, inventory, found, reader.files)


@dataclass(slots=True)
class _Reader:
    root: Path
    files: dict[str, SourceFile] = field(default_factory=dict)
    findings: list[Diagnostic] = field(default_factory=list)

    def settings(self) -> ProjectFile:
        document = self.document(PROJECT_FILE)
        if document is None:
            return ProjectFile(apiVersion="v1")
        try:
            return ProjectFile.model_validate(document.value)
        except ValidationError as error:
            self.findings.extend(findings_of(error, document, (), ProjectFile))
            return ProjectFile(apiVersion="v1")

    def folder(self, name: str) -> list[Document]:
        files, findings = read_folder(self.root / name, self.root)
        self.findings.extend(findings)
        return [document for file in files for document in self._parse(file)]

    def document(self, name: str) -> Document | None:
        path = self.root / name
        if not path.exists() and not path.is_symlink():
            return None
        file, findings = read_source(path, self.root)
        self.findings.extend(findings)
        documents = self._parse(file) if file is not None else []
        return documents[0] if documents else None

    def _parse(self, file: SourceFile) -> list[Document]:
        self.files[file.name] = file
        documents, findings = load_text(file.text, file.name)
        self.findings.extend(findings)
        return documents
