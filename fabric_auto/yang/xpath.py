"""XPath 1.0 expressions as YANG uses them: text to tree and back (W3C XPath 1.0 section 3, RFC 7950 section 6.4).

The tree exists so that an expression can be rewritten by its structure; nothing here evaluates it.
"""

import re
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<literal>"[^"]*"|'[^']*')
       |(?P<number>\d+(?:\.\d*)?|\.\d+)
       |(?P<mark>//|::|!=|<=|>=|\.\.|[()\[\],|+\-=<>/@.*$])
       |(?P<name>[A-Za-z_][\w.\-]*(?::[A-Za-z_][\w.\-]*)?(?::\*)?)
    )""",
    re.VERBOSE,
)
_BINDING = (("or",), ("and",), ("=", "!="), ("<", "<=", ">", ">="), ("+", "-"), ("*", "div", "mod"), ("|",))
_NODE_TYPES = frozenset({"node", "text", "comment", "processing-instruction"})


class XPathSyntaxError(ValueError):
    """The text is not an XPath 1.0 expression."""


@dataclass(frozen=True, slots=True)
class Atom:
    """A literal with its quotes, or a number."""

    text: str


@dataclass(frozen=True, slots=True)
class Binary:
    """Two operands of one operator: comparison, arithmetic, ``and``, ``or``, ``|``."""

    operator: str
    left: "Expression"
    right: "Expression"


@dataclass(frozen=True, slots=True)
class Negative:
    """Unary minus."""

    operand: "Expression"


@dataclass(frozen=True, slots=True)
class Call:
    """A function call."""

    name: str
    arguments: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One location step.

    Attributes:
        separator: what stands before it: ``/``, ``//`` or nothing.
        axis: ``child::`` and so on, ``@``, or nothing.
        test: a name, ``*``, ``node()``, ``.`` or ``..``.
        predicates: the expressions between brackets.
    """

    separator: str
    axis: str
    test: str
    predicates: tuple["Expression", ...] = ()


@dataclass(frozen=True, slots=True)
class Path:
    """A location path.

    Attributes:
        start: the expression whose nodes it starts from (``current()``), ``None`` for the context node or the root.
        predicates: those on ``start``.
        steps: the first step's separator tells an absolute path from a relative one when there is no ``start``.
    """

    start: "Expression | None"
    predicates: tuple["Expression", ...]
    steps: tuple[Step, ...]


Expression = Atom | Binary | Negative | Call | Path


def parse(text: str) -> Expression:
    """The expression's tree.

    Raises:
        XPathSyntaxError: it is not an XPath 1.0 expression.
    """
    reader = _Reader(_tokens(text))
    expression = reader.binary(0)
    if reader.peek() is not None:
        raise XPathSyntaxError(f"unexpected {reader.peek()!r} in {text!r}")
    return expression


def _tokens(text: str) -> list[str]:
    tokens = []
    position, end = 0, len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None:
            raise XPathSyntaxError(f"no XPath token at character {position} of {text!r}")
        tokens.append(match[str(match.lastgroup)])
        position = match.end()
    return tokens


class _Reader:
    """A cursor over the tokens of one expression."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._next = 0

    def peek(self, ahead: int = 0) -> str | None:
        index = self._next + ahead
        return self._tokens[index] if index < len(self._tokens) else None

    def take(self, *expected: str) -> str:
        token = self.peek()
        if token is None or (expected and token not in expected):
            raise XPathSyntaxError(f"expected {' or '.join(expected) or 'more'}, found {token!r}")
        self._next += 1
        return token

    def binary(self, level: int) -> Expression:
        if level == len(_BINDING) - 1 and self.peek() == "-":
            self.take()
            return Negative(self.binary(level))
        operand = self.binary(level + 1) if level + 1 < len(_BINDING) else self._path()
        while self.peek() in _BINDING[level]:
            operator = self.take()
            right = self.binary(level + 1) if level + 1 < len(_BINDING) else self._path()
            operand = Binary(operator, operand, right)
        return operand

    def _path(self) -> Expression:
        start = self._primary()
        if start is None:
            return Path(None, (), self._steps(first=True))
        predicates = self._predicates()
        steps = self._steps(first=False)
        return Path(start, predicates, steps) if predicates or steps else start

    def _primary(self) -> Expression | None:
        ahead = self.peek()
        if ahead is None:
            raise XPathSyntaxError("the expression ends too soon")
        if ahead[0] in "\"'" or ahead[0].isdigit() or (ahead[0] == "." and ahead[1:].isdigit()):
            return Atom(self.take())
        if ahead == "(":
            self.take()
            inner = self.binary(0)
            self.take(")")
            return inner
        if self.peek(1) == "(" and ahead not in _NODE_TYPES and (ahead[0].isalpha() or ahead[0] == "_"):
            return self._call()
        return None

    def _call(self) -> Call:
        name = self.take()
        self.take("(")
        arguments: list[Expression] = []
        while self.peek() != ")":
            if arguments:
                self.take(",")
            arguments.append(self.binary(0))
        self.take(")")
        return Call(name, tuple(arguments))

    def _predicates(self) -> tuple[Expression, ...]:
        predicates = []
        while self.peek() == "[":
            self.take()
            predicates.append(self.binary(0))
            self.take("]")
        return tuple(predicates)

    def _steps(self, *, first: bool) -> tuple[Step, ...]:
        steps: list[Step] = []
        while self.peek() in {"/", "//"} or (first and not steps):
            separator = self.take() if self.peek() in {"/", "//"} else ""
            if separator == "/" and not steps and first and not self._at_step():
                return (Step("/", "", ""),)
            steps.append(self._step(separator))
        return tuple(steps)

    def _at_step(self) -> bool:
        token = self.peek()
        return token is not None and (token in {".", "..", "*", "@"} or token[0].isalpha() or token[0] == "_")

    def _step(self, separator: str) -> Step:
        if not self._at_step():
            raise XPathSyntaxError(f"expected a location step, found {self.peek()!r}")
        if self.peek() in {".", ".."}:
            return Step(separator, "", self.take(), self._predicates())
        axis = ""
        if self.peek() == "@":
            axis = self.take()
        elif self.peek(1) == "::":
            axis = self.take() + self.take("::")
        test = self.take()
        if test in _NODE_TYPES and self.peek() == "(":
            test += self.take("(") + self.take(")")
        return Step(separator, axis, test, self._predicates())


def render(expression: Expression) -> str:
    """The expression as text; an operator's operands that are themselves operations stand in parentheses."""
    match expression:
        case Atom(text):
            return text
        case Binary(operator, left, right):
            return f"{_operand(left)} {operator} {_operand(right)}"
        case Negative(operand):
            return f"-{_operand(operand)}"
        case Call(name, arguments):
            return f"{name}({', '.join(map(render, arguments))})"
        case Path(start, predicates, steps):
            head = "" if start is None else _operand(start) + _brackets(predicates)
            return head + "".join(f"{s.separator}{s.axis}{s.test}{_brackets(s.predicates)}" for s in steps)


def _operand(expression: Expression) -> str:
    text = render(expression)
    return f"({text})" if isinstance(expression, Binary | Negative) else text


def _brackets(predicates: tuple[Expression, ...]) -> str:
    return "".join(f"[{render(predicate)}]" for predicate in predicates)
