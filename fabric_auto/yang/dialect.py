"""SR Linux's reading of YANG conditions, turned into standard XPath that libyang evaluates to the same answer.

The vendor's models are written for an evaluator that differs from XPath 1.0 and RFC 7950 in five ways (inferred from
the published models and from configuration that devices run; not documented by the vendor):

1. A ``must`` with the extension ``if-feature`` below it counts only on platforms where the feature expression is true.
2. A leaf that is absent is unequal to anything: ``a != 'x'`` is true without ``a``; XPath 1.0 says false.
3. A boolean leaf has a truth value: ``a = true()`` and ``not(a)`` ask for it; XPath 1.0 asks whether ``a`` exists.
4. An identity may be written without its module: ``type = 'bridged'``.
5. A name without a prefix matches a node of any module.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from fabric_auto.yang.feature_expression import holds
from fabric_auto.yang.library import prefixes
from fabric_auto.yang.statements import Statement
from fabric_auto.yang.xpath import Atom, Binary, Call, Expression, Negative, Path, Step, XPathSyntaxError, parse, render

VERSION = 1
"""Raised whenever the output changes, so that what an older version wrote is not read."""

_NODES = frozenset({"container", "list", "leaf", "leaf-list"})
_TRUTHS = (Call("true", ()), Call("false", ()))
_OTHER, _BOOLEAN, _IDENTITY = "other", "boolean", "identityref"


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What the names in a set of modules stand for.

    Attributes:
        kinds: data node name → which of boolean leaf, identityref leaf and other node it names, anywhere.
        identities: the name of every identity.
        nodes: module → the data node names written in it.
    """

    kinds: dict[str, frozenset[str]]
    identities: frozenset[str]
    nodes: dict[str, frozenset[str]]

    @classmethod
    def of(cls, modules: Iterable[Statement]) -> "Vocabulary":
        """Everything that the modules define."""
        kinds: dict[str, set[str]] = {}
        identities: set[str] = set()
        nodes: dict[str, frozenset[str]] = {}
        for module in modules:
            named = [(s.argument or "", s) for s in module.walk() if s.keyword in _NODES or s.keyword == "identity"]
            identities.update(name for name, statement in named if statement.keyword == "identity")
            own = [(name, statement) for name, statement in named if statement.keyword != "identity"]
            nodes[module.argument or ""] = frozenset(name for name, _ in own)
            for name, statement in own:
                kinds.setdefault(name, set()).add(_kind(statement))
        return cls({name: frozenset(found) for name, found in kinds.items()}, frozenset(identities), nodes)


def _kind(node: Statement) -> str:
    leaf_type = node.value("type")
    if leaf_type == "boolean" and node.keyword == "leaf":
        return _BOOLEAN
    return _IDENTITY if leaf_type == "identityref" else _OTHER


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a condition stands.

    Attributes:
        module: the module it is written in.
        prefix: that module's own prefix.
        kinds: what its context node may be; empty when unknown.
    """

    module: str
    prefix: str
    kinds: frozenset[str] = frozenset()

    def below(self, node: Statement) -> "_Place":
        return replace(self, kinds=frozenset({_kind(node)})) if node.keyword in _NODES else self


def standardise(module: Statement, vocabulary: Vocabulary, features: frozenset[str]) -> Statement:
    """The module with each condition in standard XPath, and without those that the platform's features switch off."""
    own = next((prefix for prefix, name in prefixes(module).items() if name == module.argument), "")
    return _standardise(module, _Place(module.argument or "", own), vocabulary, features)


def _standardise(statement: Statement, place: _Place, vocabulary: Vocabulary, features: frozenset[str]) -> Statement:
    children = []
    inside = place.below(statement)
    for child in statement.children:
        if child.keyword not in {"must", "when"}:
            children.append(_standardise(child, inside, vocabulary, features))
        elif all(holds(condition.argument or "", features) for condition in _conditions(child)):
            argument = _condition(child, inside, vocabulary)
            kept = tuple(c for c in child.children if c.keyword == "error-message")
            children.append(Statement(child.keyword, argument, kept))
    return replace(statement, children=tuple(children))


def _conditions(statement: Statement) -> Iterable[Statement]:
    return (child for child in statement.children if child.keyword.endswith(":if-feature"))


def _condition(statement: Statement, place: _Place, vocabulary: Vocabulary) -> str:
    text = statement.argument or ""
    try:
        tree = parse(text)
    except XPathSyntaxError:
        return text
    return render(_Rewriter(place, vocabulary).truth(tree))


class _Rewriter:
    """Rewrites one condition; holds where it stands and what names mean."""

    def __init__(self, place: _Place, vocabulary: Vocabulary) -> None:
        self._place = place
        self._vocabulary = vocabulary

    def truth(self, expression: Expression) -> Expression:
        """An expression whose answer is true or false."""
        rewritten = self._any(expression)
        if _is_nodes(expression) and self._kinds(expression) == {_BOOLEAN}:
            return Binary("=", rewritten, Atom("'true'"))
        return rewritten

    def _any(self, expression: Expression, *, foreign: bool = False) -> Expression:
        match expression:
            case Binary("and" | "or" as operator, left, right) if not foreign:
                return Binary(operator, self.truth(left), self.truth(right))
            case Binary("=" | "!=", _, _):
                return self._comparison(expression, foreign=foreign)
            case Binary(operator, left, right):
                return Binary(operator, self._any(left, foreign=foreign), self._any(right, foreign=foreign))
            case Negative(operand):
                return Negative(self._any(operand, foreign=foreign))
            case Call("not" | "boolean" as name, (argument,)) if not foreign:
                return Call(name, (self.truth(argument),))
            case Call(name, arguments):
                return Call(name, tuple(self._any(argument, foreign=foreign) for argument in arguments))
            case Path():
                return self._path(expression, foreign=foreign)
            case _:
                return expression

    def _comparison(self, comparison: Binary, *, foreign: bool) -> Expression:
        left, right = comparison.left, comparison.right
        if left in _TRUTHS or (isinstance(left, Atom) and not isinstance(right, Atom)):
            left, right = right, left
        unequal = comparison.operator == "!="
        subject = self._any(left, foreign=foreign)
        if not _is_nodes(left) and not _is_nodes(right):
            return self._identity_text(comparison.operator, left, subject, right, foreign=foreign)
        if right in _TRUTHS:
            if self._kinds(left) == {_OTHER}:
                return Binary(comparison.operator, subject, right)
            is_true = Binary("=", subject, Atom("'true'"))
            return is_true if (right == _TRUTHS[0]) is not unequal else Call("not", (is_true,))
        if self._names_identity(right) and _IDENTITY in (self._kinds(left) or {_IDENTITY}):
            equal = _with_identity(subject, right)
        else:
            equal = Binary("=", subject, self._any(right, foreign=foreign))
        return Call("not", (equal,)) if unequal else equal

    def _identity_text(
        self, operator: str, left: Expression, subject: Expression, right: Expression, *, foreign: bool
    ) -> Expression:
        match left:
            case Call("string", (argument,)) if (
                self._names_identity(right) and _is_nodes(argument) and _IDENTITY in self._kinds(argument)
            ):
                equal = _either(subject, right)
                return Call("not", (equal,)) if operator == "!=" else equal
            case _:
                return Binary(operator, subject, self._any(right, foreign=foreign))

    def _names_identity(self, expression: Expression) -> bool:
        return isinstance(expression, Atom) and expression.text[1:-1] in self._vocabulary.identities

    def _kinds(self, nodes: Expression) -> frozenset[str]:
        if not isinstance(nodes, Path) or nodes.steps[-1:] == (Step("", "", "."),):
            return self._place.kinds
        if not nodes.steps:
            return frozenset()
        return self._vocabulary.kinds.get(nodes.steps[-1].test.rpartition(":")[2], frozenset())

    def _path(self, path: Path, *, foreign: bool) -> Path:
        start = None if path.start is None else self._any(path.start)
        absolute = path.start is None and path.steps[0].separator != ""
        # From current() a path leaves from the condition's own node again.
        outside = foreign if path.start is None and not absolute else False
        steps = []
        for step in path.steps:
            if step.test not in {".", "..", ""}:
                outside = self._is_foreign(step, outside=outside)
            steps.append(self._step(step, outside=outside))
        return Path(start, tuple(self._any(p, foreign=foreign) for p in path.predicates), tuple(steps))

    def _is_foreign(self, step: Step, *, outside: bool) -> bool:
        prefix, _, name = step.test.rpartition(":")
        if prefix:
            return prefix != self._place.prefix
        return outside or (name not in self._vocabulary.nodes[self._place.module] and name != "*" and "(" not in name)

    def _step(self, step: Step, *, outside: bool) -> Step:
        predicates = tuple(self._any(predicate, foreign=outside) for predicate in step.predicates)
        plain = re.fullmatch(r"[\w.\-]*\w[\w.\-]*", step.test) is not None
        if not plain or not outside or step.axis:
            return replace(step, predicates=predicates)
        same_name = Binary("=", Call("local-name", ()), Atom(f"'{step.test}'"))
        return Step(step.separator, "", "*", (same_name, *predicates))


def _is_nodes(expression: Expression) -> bool:
    return isinstance(expression, Path) or expression == Call("current", ())


def _with_identity(nodes: Expression, literal: Expression) -> Expression:
    here = Path(None, (), (Step("", "", "."),))
    if nodes in {here, Call("current", ())}:
        return _either(nodes, literal)
    if isinstance(nodes, Path) and nodes.steps and nodes.steps[-1].test not in {".", ".."}:
        last = nodes.steps[-1]
        chosen = replace(last, predicates=(*last.predicates, _either(here, literal)))
        return Call("boolean", (replace(nodes, steps=(*nodes.steps[:-1], chosen)),))
    return _either(nodes, literal)


def _either(value: Expression, literal: Expression) -> Binary:
    # libyang gives an identity as ``module:name`` unless the literal resolves in the condition's own module.
    text = value if isinstance(value, Call) and value.name == "string" else Call("string", (value,))
    bare = Call("substring-after", (text, Atom("':'")))
    return Binary("or", Binary("=", value, literal), Binary("=", bare, literal))
