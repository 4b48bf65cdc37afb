"""YANG's own syntax, by the rules and examples of RFC 7950."""

import pytest

from fabric_auto.yang.feature_expression import holds
from fabric_auto.yang.statements import Statement, YangSyntaxError, parse, render


def test_a_module_is_a_tree_of_keywords_arguments_and_substatements() -> None:
    module = parse("module m { // comment\n prefix m; /* one { two */ leaf a { type string; mandatory true; } }")
    assert module == Statement(
        "module",
        "m",
        (
            Statement("prefix", "m"),
            Statement("leaf", "a", (Statement("type", "string"), Statement("mandatory", "true"))),
        ),
    )
    assert module.value("prefix") == "m"
    assert [statement.keyword for statement in module.walk()] == ["module", "prefix", "leaf", "type", "mandatory"]


@pytest.mark.parametrize(
    ("written", "argument"),
    [
        ("hello", "hello"),
        ('"hello"', "hello"),
        ("'hello'", "hello"),
        ('"hel" + "lo"', "hello"),
        ("'hel'\n + \"lo\"", "hello"),
        (r'"a\tb\"c\\d"', 'a\tb"c\\d'),
        (r"'a\tb'", r"a\tb"),
        (r'"\d+"', r"\d+"),
        ('"/* no comment */ // none"', "/* no comment */ // none"),
        ("/a/b:c", "/a/b:c"),
        ('"here is a\n      text"', "here is a\ntext"),
    ],
)
def test_an_argument_reads_as_rfc_7950_section_6_1_3_says(written: str, argument: str) -> None:
    assert parse(f"module m {{ description {written}; }}").value("description") == argument


@pytest.mark.parametrize(
    "text", ["", "module m {", "module m { } }", "module m { leaf }", 'module m { a "b" "c"; }', "m;;", 'a "b']
)
def test_what_is_no_module_is_refused(text: str) -> None:
    with pytest.raises(YangSyntaxError):
        parse(text)


def test_rendered_yang_reads_back_the_same() -> None:
    module = parse(r"""module m { pattern '[a-z"\\]+\d'; must "a = 'b'" { error-message "no \"x\""; } ext:flag; }""")
    assert parse(render(module)) == module


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("a", True),
        ("f:a", True),
        ("b", False),
        ("not b", True),
        ("a and b", False),
        ("a or b", True),
        ("not a or b", False),
        ("not (b or c)", True),
        ("b and c or a", True),
        ("b and (c or a)", False),
    ],
)
def test_a_feature_expression_binds_not_then_and_then_or(expression: str, expected: bool) -> None:
    assert holds(expression, frozenset({"a"})) is expected


@pytest.mark.parametrize("expression", ["", "a b", "(a", "a and"])
def test_what_is_no_feature_expression_is_refused(expression: str) -> None:
    with pytest.raises(ValueError, match="feature expression"):
        holds(expression, frozenset())
