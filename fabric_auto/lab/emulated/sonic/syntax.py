"""The little of the shell's grammar that the emulated device reads: words, quotes, lists, pipelines and redirections.

POSIX.1-2017, Shell Command Language, sections 2.2, 2.7 and 2.9. What is not read (compound commands, substitutions,
here-documents, background jobs) is refused, never skipped.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final, TypeAlias

Expand: TypeAlias = Callable[[str], str]

_TOKEN: Final = re.compile(
    r"""
      (?P<space>[ \t]+)
    | (?P<redirect>\d?>&\d | &>>? | \d?>>? | <)
    | (?P<operator>&&|\|\||[;|&()])
    | (?P<single>'[^']*')
    | (?P<double>"(?:\\.|[^"\\])*")
    | (?P<escape>\\.)
    | (?P<plain>[^\s;&|<>'"\\()]+)
    """,
    re.VERBOSE | re.DOTALL,
)
_VARIABLE: Final = re.compile(r"\$(\?|[A-Za-z_][A-Za-z0-9_]*|\{[A-Za-z_][A-Za-z0-9_]*\})")
_COMPOUND: Final = frozenset({"if", "then", "else", "fi", "for", "while", "until", "do", "done", "case", "{", "}"})
_FD: Final = re.compile(r"(?P<fd>\d?)(?P<kind>>&|>>|>)(?P<to>\d?)")


class SyntaxRefusedError(Exception):
    """The line is wrong, or uses what the emulated shell does not have; the text says which."""


@dataclass(slots=True)
class Redirect:
    """Where a stream goes.

    Attributes:
        streams: file descriptors, 1 and 2.
        to: a path, or "&1" and "&2" for another stream.
    """

    streams: tuple[int, ...]
    to: str
    append: bool = False


@dataclass(slots=True)
class Simple:
    """A simple command."""

    words: list[str] = field(default_factory=list)
    redirects: list[Redirect] = field(default_factory=list)
    source: str = ""


@dataclass(slots=True)
class Pipeline:
    """Commands joined by ``|``.

    Attributes:
        negated: it began with ``!``.
        then: the operator after it, ``&&``, ``||`` or ``;``.
    """

    commands: list[Simple]
    negated: bool = False
    then: str = ";"


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str


def parse(line: str, expand: Expand) -> Iterator[Pipeline]:
    """Yield the pipelines of a line; words are expanded one pipeline at a time, so an assignment shows in the next.

    Args:
        line: one logical line.
        expand: gives the value of a variable or of ``?``.

    Raises:
        SyntaxRefusedError: the line cannot be read.
    """
    pipelines: list[tuple[list[list[_Token]], str]] = [([[]], ";")]
    for token in _tokens(line):
        commands, _ = pipelines[-1]
        if token.kind != "operator":
            commands[-1].append(token)
        elif token.text == "|":
            commands.append([])
        elif token.text in {"&&", "||", ";"}:
            pipelines[-1] = (commands, token.text)
            pipelines.append(([[]], ";"))
        else:
            raise SyntaxRefusedError(f"syntax error near unexpected token `{token.text}'")
    _refuse_gaps(pipelines)
    for commands, then in pipelines:
        if commands != [[]]:
            yield _pipeline(commands, then, expand)


def _refuse_gaps(pipelines: list[tuple[list[list[_Token]], str]]) -> None:
    last = len(pipelines) - 1
    for number, (commands, then) in enumerate(pipelines):
        gap = any(all(token.kind == "space" for token in command) for command in commands)
        wanted = len(commands) > 1 or then != ";" or number < last or (number > 0 and pipelines[number - 1][1] != ";")
        if gap and wanted:
            raise SyntaxRefusedError(f"syntax error near unexpected token `{then if number < last else 'newline'}'")


def _tokens(line: str) -> Iterator[_Token]:
    position, in_word = 0, False
    while position < len(line):
        if line[position] == "#" and not in_word:
            return
        found = _TOKEN.match(line, position)
        if found is None or found.lastgroup is None:
            raise SyntaxRefusedError(f"unexpected EOF while looking for matching `{line[position]}'")
        yield _Token(found.lastgroup, found.group())
        in_word = found.lastgroup in {"single", "double", "escape", "plain"}
        position = found.end()


def _pipeline(commands: list[list[_Token]], then: str, expand: Expand) -> Pipeline:
    result = Pipeline([_simple(command, expand) for command in commands], then=then)
    first = result.commands[0]
    if first.words[:1] == ["!"]:
        result.negated = True
        del first.words[0]
    return result


def _simple(tokens: list[_Token], expand: Expand) -> Simple:
    command = Simple(source="".join(token.text for token in tokens).strip())
    pending: Redirect | None = None
    for kind, text in _words(tokens, expand):
        if kind == "redirect":
            pending = _redirect(text)
            command.redirects.append(pending)
            pending = None if pending.to else pending
        elif pending is not None:
            pending.to, pending = text, None
        else:
            command.words.append(text)
    if pending is not None:
        raise SyntaxRefusedError("syntax error near unexpected token `newline'")
    if command.words and command.words[0] in _COMPOUND:
        raise SyntaxRefusedError(f"the emulated shell has no compound commands: `{command.words[0]}'")
    return command


def _words(tokens: list[_Token], expand: Expand) -> Iterator[tuple[str, str]]:
    word: str | None = None
    for token in tokens:
        if token.kind in {"space", "redirect"}:
            if word is not None:
                yield "word", word
            word = None
            if token.kind == "redirect":
                yield "redirect", token.text
        else:
            word = (word or "") + _value(token, expand, first=word is None)
    if word is not None:
        yield "word", word


def _value(token: _Token, expand: Expand, *, first: bool) -> str:
    if token.kind == "single":
        return token.text[1:-1]
    if token.kind == "escape":
        return token.text[1:]
    text = token.text
    if "`" in text or "$(" in text:
        raise SyntaxRefusedError("the emulated shell has no command substitution")
    if token.kind == "double":
        return re.sub(r'\\([$`"\\])', r"\1", _substituted(text[1:-1], expand))
    home = first and (text == "~" or text.startswith("~/"))
    return _substituted(expand("HOME") + text[1:] if home else text, expand)


def _substituted(text: str, expand: Expand) -> str:
    return _VARIABLE.sub(lambda found: expand(found[1].strip("{}")), text)


def _redirect(text: str) -> Redirect:
    if text == "<":
        raise SyntaxRefusedError("the emulated shell does not redirect input")
    if text.startswith("&>"):
        return Redirect((1, 2), "", append=text == "&>>")
    found = _FD.fullmatch(text)
    if found is None:
        raise SyntaxRefusedError(f"syntax error near unexpected token `{text}'")
    stream = int(found["fd"] or "1")
    if stream not in {1, 2}:
        raise SyntaxRefusedError(f"{stream}: Bad file descriptor")
    return Redirect((stream,), f"&{found['to']}" if found["to"] else "", append=found["kind"] == ">>")
