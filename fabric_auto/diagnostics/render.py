"""Findings as people and machines read them: full (with the source line and a caret), concise, JSON."""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from fabric_auto.diagnostics.model import Diagnostic, Note, Severity, Span

FORMAT_VERSION: Final = "1.0"
_COLOURS: Final = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.INFO: "36"}

Lines = Callable[[str], Sequence[str]]
"""The lines of a file by its name; an empty sequence when it is not at hand."""


def printable(text: str) -> str:
    """Return a text with what a terminal would obey instead of show written out: files and devices are not ours."""
    return "".join(each if each.isprintable() else f"\\u{ord(each):04x}" for each in text)


def ordered(findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the findings in their total order, each once."""
    return sorted(dict.fromkeys(findings), key=lambda each: each.sort_key)


def full(findings: Sequence[Diagnostic], lines: Lines, *, colour: bool = False) -> str:
    """Return every finding with its source line, a caret, notes and help, and a closing count."""
    blocks = [_block(each, lines, colour=colour) for each in findings]
    return "\n\n".join([*blocks, summary(findings)]) + "\n"


def concise(findings: Sequence[Diagnostic]) -> str:
    """Return one line a finding: ``file:line:column: error[FAB102] message``."""
    return "".join(
        printable(f"{_where(each)}: {each.severity.label}[{each.code}] {each.message}") + "\n" for each in findings
    )


def to_json(findings: Sequence[Diagnostic]) -> str:
    """Return the findings as JSON; minor format versions only add."""
    errors = sum(each.severity is Severity.ERROR for each in findings)
    warnings = sum(each.severity is Severity.WARNING for each in findings)
    document = {
        "format_version": FORMAT_VERSION,
        "valid": errors == 0,
        "error_count": errors,
        "warning_count": warnings,
        "diagnostics": [_as_json(each) for each in findings],
    }
    return json.dumps(document, indent=2) + "\n"


def summary(findings: Sequence[Diagnostic]) -> str:
    """Return the closing line: ``2 errors, 1 warning``."""
    counts = []
    for severity in sorted(Severity, reverse=True):
        number = sum(each.severity is severity for each in findings)
        if number:
            counts.append(f"{number} {severity.label}{'s' if number > 1 else ''}")
    return ", ".join(counts) if counts else "no findings"


def _where(finding: Diagnostic) -> str:
    return str(finding.span) if finding.span else (finding.subject or "-")


def _block(finding: Diagnostic, lines: Lines, *, colour: bool) -> str:
    head = f"{finding.severity.label}[{finding.code}]"
    if colour:
        head = f"\x1b[1;{_COLOURS[finding.severity]}m{head}\x1b[0m"
    out = [f"{head}: {printable(finding.message)}"]
    if finding.span is None:
        if finding.subject:
            out.append(f"  --> {printable(finding.subject)}")
        gutter = "   "
    else:
        gutter = " " * (len(str(finding.span.line)) + 2)
        out.extend(_excerpt(finding.span, lines, gutter))
    out.extend(f"{gutter}= note: {printable(_note(note))}" for note in finding.notes)
    if finding.help:
        out.append(f"{gutter}= help: {printable(finding.help)}")
    return "\n".join(out)


def _excerpt(span: Span, lines: Lines, gutter: str) -> list[str]:
    out = [f"{gutter[1:]}--> {printable(str(span))}"]
    source = lines(span.file)
    if not 0 < span.line <= len(source):
        return out
    text = "".join(each if each.isprintable() else " " for each in source[span.line - 1])
    end = span.end_column if span.end_line == span.line else len(text) + 1
    carets = "^" * max(1, min(end, len(text) + 1) - span.column)
    return [*out, f"{gutter}|", f" {span.line} | {text}", f"{gutter}| {' ' * (span.column - 1)}{carets}"]


def _note(note: Note) -> str:
    return f"{note.message} ({note.span})" if note.span else note.message


def _as_json(finding: Diagnostic) -> dict[str, object]:
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity.label,
        "summary": finding.message,
        "subject": finding.subject,
        "range": _range(finding.span),
        "notes": [{"message": note.message, "range": _range(note.span)} for note in finding.notes],
        "help": finding.help,
    }


def _range(span: Span | None) -> dict[str, object] | None:
    if span is None:
        return None
    return {
        "filename": span.file,
        "start": {"line": span.line, "column": span.column},
        "end": {"line": span.end_line, "column": span.end_column},
    }
