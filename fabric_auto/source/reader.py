"""YAML text to documents, event by event: nothing is constructed that the text does not plainly say.

PyYAML's events carry the place of every node; building from events (not PyYAML's loaders) keeps the places, finds every
duplicate key, and never meets a constructor.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Protocol

import yaml

from fabric_auto.diagnostics import Diagnostic, Note, Span
from fabric_auto.source import rules
from fabric_auto.source.document import Data, Document, Path, Place
from fabric_auto.source.scalars import LEADING_ZERO, resolve

_Loader: Final[type] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_DEEPEST: Final = 32


class _Mark(Protocol):
    """A place in the text, 0-based; PyYAML and libyaml have a class of their own each."""

    line: int
    column: int


def _marks(event: yaml.Event) -> tuple[_Mark, _Mark]:
    start, end = event.start_mark, event.end_mark
    assert start is not None  # noqa: S101  (only events made by hand have no marks)
    assert end is not None  # noqa: S101
    return start, end


class _Stop(Exception):  # noqa: N818
    """The rest of the file cannot be read; the finding is already recorded."""


def load_text(text: str, file: str) -> tuple[list[Document], list[Diagnostic]]:
    """Read all documents of a text.

    Args:
        text: YAML 1.2; any number of documents.
        file: the name that spans carry.

    Returns:
        The documents that could be read, and the findings (FAB0xx).
    """
    builder = _Builder(file)
    try:
        for event in yaml.parse(text, Loader=_Loader):
            builder.take(event)
    except yaml.YAMLError as error:
        builder.findings.append(_syntax(error, file, text))
    except _Stop:
        pass
    return builder.documents, builder.findings


@dataclass(slots=True)
class _Open:
    """A collection being read."""

    value: list[Data] | dict[str, Data]
    path: Path
    start: _Mark
    key_span: Span | None
    key: str | None = None
    pending_key_span: Span | None = None
    skip_value: bool = False


@dataclass(slots=True)
class _Builder:
    file: str
    documents: list[Document] = field(default_factory=list)
    findings: list[Diagnostic] = field(default_factory=list)
    places: dict[Path, Place] = field(default_factory=dict)
    stack: list[_Open] = field(default_factory=list)
    root: Data = None

    def take(self, event: yaml.Event) -> None:
        start, end = _marks(event)
        match event:
            case yaml.DocumentStartEvent():
                self.places, self.stack, self.root = {}, [], None
            case yaml.DocumentEndEvent():
                self._end_document()
            case yaml.AliasEvent():
                self.findings.append(
                    rules.ANCHOR.at(
                        self._span(start, end),
                        f"alias `*{event.anchor}` is not read",
                        help="write the value out where it is used",
                    )
                )
                self._add(None, start, end)
            case yaml.ScalarEvent():
                self._check_node(event, start)
                self._add(self._scalar(event, start, end), start, end, is_text=not event.implicit[0])
            case yaml.MappingStartEvent():
                self._check_node(event, start)
                self._open({}, start)
            case yaml.SequenceStartEvent():
                self._check_node(event, start)
                self._open([], start)
            case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                self._close(end)
            case _:
                pass

    def _check_node(self, event: "yaml.ScalarEvent | yaml.CollectionStartEvent", start: _Mark) -> None:
        span = self._span(start, start)
        if event.anchor is not None:
            self.findings.append(
                rules.ANCHOR.at(
                    span,
                    f"anchor `&{event.anchor}` is not read",
                    help="remove it, and write its value out where it is used",
                )
            )
        if event.tag is not None and event.tag != "tag:yaml.org,2002:str":
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")
            self.findings.append(
                rules.TAG.at(span, f"tag `{tag}` is not read", help="remove the tag; intents are plain data")
            )

    def _scalar(self, event: yaml.ScalarEvent, start: _Mark, end: _Mark) -> Data:
        text: str = event.value
        if not event.implicit[0]:
            return text
        if LEADING_ZERO.fullmatch(text):
            self.findings.append(
                rules.AMBIGUOUS_NUMBER.at(
                    self._span(start, end),
                    f"`{text}` has a leading zero",
                    help=f"write `{text.lstrip('0') or '0'}`, or `'{text}'` if it is a name",
                )
            )
        return resolve(text)

    def _open(self, value: "list[Data] | dict[str, Data]", start: _Mark) -> None:
        if len(self.stack) >= _DEEPEST:
            span = self._span(start, start)
            self.findings.append(rules.TOO_DEEP.at(span, f"nested more than {_DEEPEST} levels deep"))
            raise _Stop
        path, key_span = self._next_path(start)
        self.stack.append(_Open(value, path, start, key_span))

    def _close(self, end: _Mark) -> None:
        done = self.stack.pop()
        self.places[done.path] = Place(done.key_span, self._span(done.start, _trim(done.start, end)))
        self._attach(done.value)

    def _add(self, value: Data, start: _Mark, end: _Mark, *, is_text: bool = False) -> None:
        parent = self.stack[-1] if self.stack else None
        span = self._span(start, end)
        if parent is not None and isinstance(parent.value, dict) and parent.key is None:
            self._take_key(parent, value, span, is_text=is_text)
            return
        path, key_span = self._next_path(start)
        self.places[path] = Place(key_span, span)
        self._attach(value)

    def _take_key(self, parent: _Open, value: Data, span: Span, *, is_text: bool) -> None:
        assert isinstance(parent.value, dict)  # noqa: S101  (the caller looked)
        if value is None or isinstance(value, bool | float):
            shown = "empty" if value is None else str(value).lower()
            self.findings.append(
                rules.KEY_NOT_TEXT.at(
                    span, f"a key must be a word, not `{shown}`", help="put it in quotes if it is one"
                )
            )
        key = str(value)
        if key == "<<" and not is_text:
            self.findings.append(
                rules.ANCHOR.at(
                    span, "merge key `<<` is not read", help="write the merged keys out where they are used"
                )
            )
            parent.skip_value = True
        elif key in parent.value:
            first = self.places[(*parent.path, key)].key
            self.findings.append(
                rules.DUPLICATE_KEY.at(
                    span,
                    f"key `{key}` is already set in this mapping",
                    notes=(Note(f"first `{key}` is here", first),),
                    help="remove one of them",
                )
            )
            parent.skip_value = True
        parent.key, parent.pending_key_span = key, span

    def _next_path(self, start: _Mark) -> tuple[Path, Span | None]:
        if not self.stack:
            return (), None
        parent = self.stack[-1]
        if isinstance(parent.value, list):
            return (*parent.path, len(parent.value)), None
        if parent.key is None:
            self.findings.append(
                rules.KEY_NOT_TEXT.at(self._span(start, start), "a key must be a word, not a list or a mapping")
            )
            raise _Stop
        if parent.skip_value:
            return (*parent.path, parent.key, "(dropped)"), parent.pending_key_span
        return (*parent.path, parent.key), parent.pending_key_span

    def _attach(self, value: Data) -> None:
        if not self.stack:
            self.root = value
            return
        parent = self.stack[-1]
        if isinstance(parent.value, list):
            parent.value.append(value)
            return
        if not parent.skip_value and parent.key is not None:
            parent.value[parent.key] = value
        parent.key, parent.skip_value = None, False

    def _end_document(self) -> None:
        if self.root is None:
            place = self.places.get(())
            if place is not None:
                self.findings.append(
                    rules.EMPTY.at(place.value, "the document is empty", help="remove it, or fill it in")
                )
            return
        self.documents.append(Document(self.file, self.root, self.places))

    def _span(self, start: _Mark, end: _Mark) -> Span:
        if (end.line, end.column) <= (start.line, start.column):
            return Span(self.file, start.line + 1, start.column + 1, start.line + 1, start.column + 2)
        return Span(self.file, start.line + 1, start.column + 1, end.line + 1, end.column + 1)


def _trim(start: _Mark, end: _Mark) -> _Mark:
    """Return where a collection's first line ends at the latest: a block collection's end mark is on the next one."""
    return end if end.line == start.line else start


def _syntax(error: yaml.YAMLError, file: str, text: str) -> Diagnostic:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    problem = str(getattr(error, "problem", None) or getattr(error, "reason", None) or error).splitlines()[0]
    line, column = (mark.line + 1, mark.column + 1) if mark is not None else _place_of_bad_character(error, text)
    notes = tuple(_context(error, file))
    hint = "indent with spaces; YAML does not allow tabs" if _is_tab(text, line, column) else None
    return rules.SYNTAX.at(
        Span(file, line, column, line, column + 1), f"not valid YAML: {problem}", notes=notes, help=hint
    )


def _context(error: yaml.YAMLError, file: str) -> Iterator[Note]:
    context, mark = getattr(error, "context", None), getattr(error, "context_mark", None)
    if context and mark is not None:
        yield Note(str(context), Span(file, mark.line + 1, mark.column + 1, mark.line + 1, mark.column + 2))


def _place_of_bad_character(error: yaml.YAMLError, text: str) -> tuple[int, int]:
    position = getattr(error, "position", 0) or 0
    before = text[:position]
    return before.count("\n") + 1, position - (before.rfind("\n") + 1) + 1


def _is_tab(text: str, line: int, column: int) -> bool:
    lines = text.splitlines()
    return line <= len(lines) and "\t" in lines[line - 1][: column + 1]
