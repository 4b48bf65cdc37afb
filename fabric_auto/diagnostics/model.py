"""The shape of a finding. Findings are collected and returned, never raised."""

from dataclasses import dataclass, field
from enum import IntEnum


class Severity(IntEnum):
    """How bad a finding is; larger is worse."""

    INFO = 1
    WARNING = 2
    ERROR = 3

    @property
    def label(self) -> str:
        """The word shown to people and written to JSON."""
        return self.name.lower()


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A piece of a source file: 1-based lines and columns, the end column exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Note:
    """Context for a finding, with its own place when it has one."""

    message: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing the user should know, complete enough to print, sort, filter and export.

    Attributes:
        code: ``FAB`` and three digits; the first digit is the stage.
        name: the rule's name, lower case with hyphens.
        severity: info, warning or error.
        message: the fact, one clause, no full stop, no remedy; values in backticks, numbers with units.
        span: where in the user's files; None when the finding has no line of its own.
        subject: the device or object a finding without a line is about ("leaf-03 Ethernet0").
        notes: context, each with its own optional place.
        help: the remedy, imperative.
    """

    code: str
    name: str
    severity: Severity
    message: str
    span: Span | None = None
    subject: str | None = None
    notes: tuple[Note, ...] = ()
    help: str | None = None

    @property
    def sort_key(self) -> tuple[str, int, int, str, str, str]:
        """Total, stable order: file, line, column, code, subject, message."""
        where = self.span
        place = (where.file, where.line, where.column) if where else ("", 0, 0)
        return (*place, self.code, self.subject or "", self.message)


@dataclass(frozen=True, slots=True)
class Rule:
    """A kind of finding: its code, name and default severity. Each is declared once, by the module that reports it.

    Attributes:
        code: ``FAB`` and three digits, never reused.
        name: reads well as "allow NAME".
        page: the manual page shown by ``fabric-auto explain CODE`` (Markdown).
        severity: what findings of this rule are unless told otherwise.
    """

    code: str
    name: str
    page: str = field(compare=False)
    severity: Severity = Severity.ERROR

    def at(
        self,
        span: Span | None,
        message: str,
        *,
        subject: str | None = None,
        notes: tuple[Note, ...] = (),
        help: str | None = None,  # noqa: A002
    ) -> Diagnostic:
        """Return a finding of this rule."""
        return Diagnostic(self.code, self.name, self.severity, message, span, subject, notes, help)
