"""Documents to intents: strict, and all findings at once."""

from dataclasses import dataclass
from typing import Final

from pydantic import ValidationError

from fabric_auto.core.names import near_miss
from fabric_auto.diagnostics import Diagnostic, Note, Span
from fabric_auto.intent import later, rules
from fabric_auto.intent.base import findings_of
from fabric_auto.intent.fabric import FabricSpec
from fabric_auto.source import Document, Key

KINDS: Final = ("Fabric",)
_TOP: Final = ("apiVersion", "kind", "metadata", "spec")
API_VERSION: Final = "v1"


@dataclass(frozen=True, slots=True)
class FabricIntent:
    """A Fabric as written, with the place of everything in it."""

    name: str
    spec: FabricSpec
    document: Document

    def at(self, *path: Key, key: bool = False) -> Span:
        """Return the place of something below ``spec``."""
        return self.document.at(("spec", *path), key=key)


def parse(documents: list[Document]) -> tuple[list[FabricIntent], list[Diagnostic]]:
    """Parse all intent documents.

    Returns:
        The fabrics that are well formed, in name order, and the findings (FAB1xx).
    """
    findings: list[Diagnostic] = []
    fabrics: dict[str, FabricIntent] = {}
    for document in documents:
        intent = _parse_one(document, findings)
        if intent is None:
            continue
        first = fabrics.get(intent.name)
        if first is not None:
            findings.append(
                rules.DUPLICATE_NAME.at(
                    document.at(("metadata", "name")),
                    f"a Fabric named `{intent.name}` is already there",
                    notes=(Note("the first one", first.document.at(("metadata", "name"))),),
                    help="give one of them another name",
                )
            )
            continue
        fabrics[intent.name] = intent
    return [fabrics[name] for name in sorted(fabrics)], findings


def _parse_one(document: Document, findings: list[Diagnostic]) -> FabricIntent | None:
    top = document.value
    if not isinstance(top, dict) or "kind" not in top:
        findings.append(
            rules.NOT_AN_INTENT.at(
                document.at(()), "this document is not an intent: it has no `kind`", help="start it with `kind: Fabric`"
            )
        )
        return None
    before = len(findings)
    _check_top(document, findings)
    name = _name(document, findings)
    kind = top["kind"]
    if kind not in KINDS:
        findings.append(_unknown_kind(document, str(kind)))
        return None
    if "spec" not in top:
        findings.append(rules.MISSING_KEY.at(document.at(()), "key `spec` is missing", help="add `spec:`"))
        return None
    try:
        spec = FabricSpec.model_validate(top["spec"])
    except ValidationError as error:
        findings.extend(findings_of(error, document, ("spec",), FabricSpec))
        return None
    if name is None or len(findings) > before:
        return None
    intent = FabricIntent(name, spec, document)
    findings.extend(_later(intent))
    return intent if len(findings) == before else None


def _check_top(document: Document, findings: list[Diagnostic]) -> None:
    assert isinstance(document.value, dict)  # noqa: S101  (the caller looked)
    for key, value in document.value.items():
        if key not in _TOP:
            near = near_miss(key, _TOP)
            hint = f"a key with a similar name exists: `{near}`" if near else "keys here: `kind`, `metadata`, `spec`"
            findings.append(rules.UNKNOWN_KEY.at(document.at((key,), key=True), f"unknown key `{key}`", help=hint))
        elif key == "apiVersion" and value != API_VERSION:
            findings.append(
                rules.OLDER_API.at(
                    document.at((key,)),
                    f"apiVersion `{value}` is not read by this version",
                    help=f"this version reads `{API_VERSION}`",
                )
            )


def _name(document: Document, findings: list[Diagnostic]) -> str | None:
    assert isinstance(document.value, dict)  # noqa: S101  (the caller looked)
    metadata = document.value.get("metadata")
    if not isinstance(metadata, dict) or "name" not in metadata:
        span = document.at(("metadata",)) if "metadata" in document.value else document.at(())
        findings.append(rules.MISSING_KEY.at(span, "key `metadata.name` is missing", help="add `metadata: {name: …}`"))
        return None
    findings.extend(
        rules.UNKNOWN_KEY.at(
            document.at(("metadata", key), key=True), f"unknown key `{key}`", help="`metadata` has `name` alone"
        )
        for key in metadata
        if key != "name"
    )
    name = metadata["name"]
    if not isinstance(name, str) or not is_name(name):
        findings.append(
            rules.BAD_NAME.at(
                document.at(("metadata", "name")),
                f"{'empty' if name is None else f'`{name}`'} is not a name",
                help="use lower case letters, digits and hyphens, starting with a letter, at most 40 characters",
            )
        )
        return None
    return name


def is_name(name: str) -> bool:
    """Return True when a fabric may have this name: it begins host names (RFC 1123)."""
    plain = name.replace("-", "")
    return (
        0 < len(name) <= 40  # noqa: PLR2004  (leaves room for tier and number in a 63-character host name)
        and name.isascii()
        and plain.isalnum()
        and name == name.lower()
        and name[0].isalpha()
        and name[-1] != "-"
    )


def _unknown_kind(document: Document, kind: str) -> Diagnostic:
    span = document.at(("kind",))
    if kind in later.KINDS:
        return rules.NOT_YET.at(span, f"kind `{kind}` is not supported by this version", help="remove the document")
    near = near_miss(kind, (*KINDS, *later.KINDS))
    return rules.UNKNOWN_KIND.at(
        span,
        f"no kind named `{kind}`",
        help=f"a kind with a similar name exists: `{near}`" if near else "kinds: `Fabric`",
    )


def _later(intent: FabricIntent) -> list[Diagnostic]:
    spec = intent.spec
    asked = [
        (spec.profile in later.PROFILES, ("profile",), f"profile `{spec.profile}`", "use `profile: ip`"),
        (
            spec.underlay.routing in later.ROUTING,
            ("underlay", "routing"),
            f"routing `{spec.underlay.routing}`",
            "use `routing: ebgp`",
        ),
        (
            spec.underlay.links in later.LINKS,
            ("underlay", "links"),
            f"`{spec.underlay.links}` links",
            "use `links: numbered`",
        ),
        *(
            (
                group.attach in later.ATTACH,
                ("hosts", index, "attach"),
                f"attach `{group.attach}`",
                "use `attach: block`",
            )
            for index, group in enumerate(spec.hosts)
        ),
    ]
    return [
        rules.NOT_YET.at(intent.at(*path), f"{what} is not supported by this version", help=hint)
        for hit, path, what, hint in asked
        if hit
    ]
