"""YANG text as a tree of statements, and back (RFC 7950 section 6).

Only the syntax: a statement is a keyword, perhaps an argument, perhaps statements below it. What a keyword means is for
the reader of the tree.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""(?P<gap>\s+|//[^\n]*|/\*.*?\*/)
      |"(?P<double>(?:[^"\\]|\\.)*)"
      |'(?P<single>[^']*)'
      |(?P<mark>[{};])
      |(?P<word>(?:[^\s{};"'/]|/(?![/*]))+)""",
    re.DOTALL | re.VERBOSE,
)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}
_LINE_BREAK = re.compile(r"[ \t]*\n[ \t]*")


class YangSyntaxError(ValueError):
    """The text is not YANG; the message says at which character."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One YANG statement.

    Attributes:
        keyword: as written, with its prefix when it is an extension.
        argument: unquoted and concatenated; ``None`` when the statement has none.
        children: the substatements, in order.
    """

    keyword: str
    argument: str | None
    children: tuple["Statement", ...] = ()

    def all(self, keyword: str) -> Iterator["Statement"]:
        """The substatements with this keyword, in order."""
        return (child for child in self.children if child.keyword == keyword)

    def value(self, keyword: str) -> str | None:
        """The argument of the first substatement with this keyword, ``None`` when there is none."""
        return next((child.argument for child in self.all(keyword)), None)

    def walk(self) -> Iterator["Statement"]:
        """This statement and every statement below it, depth first."""
        yield self
        for child in self.children:
            yield from child.walk()


def parse(text: str) -> Statement:
    """The module or submodule that the text holds.

    Raises:
        YangSyntaxError: the text is not one YANG module.
    """
    open_blocks: list[tuple[str, str | None, list[Statement]]] = [("", None, [])]
    pending: list[str] = []
    for kind, piece in _tokens(text):
        if kind != "mark":
            pending.append(piece)
        elif piece == "}":
            if pending or len(open_blocks) == 1:
                raise YangSyntaxError("a closing brace without its statement")
            keyword, argument, children = open_blocks.pop()
            open_blocks[-1][2].append(Statement(keyword, argument, tuple(children)))
        else:
            keyword, argument = _head(pending)
            pending = []
            if piece == "{":
                open_blocks.append((keyword, argument, []))
            else:
                open_blocks[-1][2].append(Statement(keyword, argument))
    top = open_blocks[-1][2]
    if pending or len(open_blocks) != 1 or len(top) != 1:
        raise YangSyntaxError("not exactly one complete module")
    return top[0]


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    position = 0
    for match in _TOKEN.finditer(text):
        if match.start() != position:
            break
        position = match.end()
        kind = str(match.lastgroup)
        if kind == "double":
            yield kind, _ESCAPE.sub(_unescaped, _LINE_BREAK.sub("\n", match["double"]))
        elif kind != "gap":
            yield kind, match[kind]
    if position != len(text):
        raise YangSyntaxError(f"no YANG token at character {position}: {text[position : position + 30]!r}")


def _unescaped(match: re.Match[str]) -> str:
    return _ESCAPED.get(match[1], match[0])


def _head(tokens: list[str]) -> tuple[str, str | None]:
    # The argument may be several strings joined by plus signs (RFC 7950 section 6.1.3).
    if not tokens:
        raise YangSyntaxError("a block without a keyword")
    keyword, *parts = tokens
    if any(plus != "+" for plus in parts[1::2]) or (parts and len(parts) % 2 == 0):
        raise YangSyntaxError(f"the argument of {keyword} is not one string")
    return keyword, "".join(parts[::2]) if parts else None


def render(statement: Statement) -> str:
    """The statement as YANG text, every argument in double quotes."""
    lines: list[str] = []
    _render(statement, lines.append)
    return "".join(lines)


def _render(statement: Statement, write: Callable[[str], object]) -> None:
    write(statement.keyword)
    if statement.argument is not None:
        quoted = statement.argument.replace("\\", "\\\\").replace('"', '\\"')
        write(f' "{quoted}"')
    if not statement.children:
        write(";\n")
        return
    write(" {\n")
    for child in statement.children:
        _render(child, write)
    write("}\n")
