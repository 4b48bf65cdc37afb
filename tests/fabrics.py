"""Build fabrics from intent text, without files."""

from fabric_auto.diagnostics import Diagnostic
from fabric_auto.fabric.build import Surroundings, build
from fabric_auto.fabric.model import Fabric
from fabric_auto.intent.parse import parse
from fabric_auto.intent.project import Releases
from fabric_auto.platforms import catalogue
from fabric_auto.source import load_text

CATALOGUE = catalogue.load(None)


def fabrics_of(text: str) -> tuple[list[Fabric], list[Diagnostic]]:
    """Return the fabrics of an intent text and every finding."""
    documents, found = load_text(text, "intents/fabric.yaml")
    intents, parse_findings = parse(documents)
    fabrics, build_findings = build(intents, Surroundings(CATALOGUE, {}, Releases()))
    return fabrics, [*found, *parse_findings, *build_findings]


def fabric_of(text: str) -> Fabric:
    """Return the one fabric of a valid intent text."""
    fabrics, findings = fabrics_of(text)
    assert findings == []
    return fabrics[0]
