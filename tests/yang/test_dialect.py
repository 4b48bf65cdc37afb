"""The five ways in which SR Linux reads a condition, each as standard XPath 1.0."""

import pytest

from fabric_auto.yang.dialect import Vocabulary, standardise
from fabric_auto.yang.statements import Statement, parse
from fabric_auto.yang.xpath import XPathSyntaxError, render
from fabric_auto.yang.xpath import parse as parse_xpath

OTHER = """module other { prefix o; identity bridged; container vlan-tagging { leaf enabled { type boolean; } } }"""
MODULE = """module own { prefix p; import other { prefix o; }
  leaf flag { type boolean; } leaf kind { type identityref; } leaf name { type string; }
  list port { leaf name { type string; } }
  leaf here { type string; must %s; } }"""


def condition(text: str) -> str:
    """The condition on ``here`` as it comes out."""
    quoted = '"' + text.replace('"', '\\"') + '"'
    module = parse(MODULE % quoted)
    result = standardise(module, Vocabulary.of([module, parse(OTHER)]), frozenset())
    here = next(leaf for leaf in result.all("leaf") if leaf.argument == "here")
    return here.value("must") or ""


@pytest.mark.parametrize(
    ("vendor", "standard"),
    [
        # A leaf that is absent is unequal to anything.
        ("../name != 'x'", "not(../name = 'x')"),
        ("'x' != ../name", "not(../name = 'x')"),
        ("string(../name) != ''", "string(../name) != ''"),
        # A boolean leaf has a truth value.
        ("../flag = true()", "../flag = 'true'"),
        ("false() = ../flag", "not(../flag = 'true')"),
        ("../flag != true()", "not(../flag = 'true')"),
        ("not(../flag)", "not(../flag = 'true')"),
        ("../flag and ../name", "(../flag = 'true') and ../name"),
        ("boolean(../flag) = false()", "boolean(../flag = 'true') = false()"),
        ("not(../name)", "not(../name)"),
        ("not(../name) = true()", "not(../name) = true()"),
        # An identity may be written without its module.
        ("../kind = 'bridged'", "boolean(../kind[(. = 'bridged') or (substring-after(string(.), ':') = 'bridged')])"),
        (
            "../kind != 'bridged'",
            "not(boolean(../kind[(. = 'bridged') or (substring-after(string(.), ':') = 'bridged')]))",
        ),
        ("../name = 'bridged'", "../name = 'bridged'"),
        ("../kind = 'o:bridged'", "../kind = 'o:bridged'"),
        # A name without prefix matches a node of any module, also below a node of another module.
        ("../vlan-tagging", "../*[local-name() = 'vlan-tagging']"),
        ("/o:vlan-tagging/name", "/o:vlan-tagging/*[local-name() = 'name']"),
        ("/p:port[name = current()]/name", "/p:port[name = current()]/name"),
        ("starts-with(../name, 'a')", "starts-with(../name, 'a')"),
    ],
)
def test_a_condition_comes_out_in_standard_xpath(vendor: str, standard: str) -> None:
    assert condition(vendor) == standard


def test_a_condition_of_another_platform_is_left_out() -> None:
    module = parse(
        """module own { prefix p; leaf a { type string;
        must ". = 'x'" { error-message "only x"; e:if-feature "not f:big"; }
        must ". = 'y'" { e:if-feature "f:big"; } } }"""
    )
    small = standardise(module, Vocabulary.of([module]), frozenset())
    (leaf,) = small.all("leaf")
    assert list(leaf.all("must")) == [Statement("must", ". = 'x'", (Statement("error-message", "only x"),))]
    big = standardise(module, Vocabulary.of([module]), frozenset({"big"}))
    assert [must.argument for leaf in big.all("leaf") for must in leaf.all("must")] == [". = 'y'"]


@pytest.mark.parametrize(
    ("text", "rendered"),
    [
        ("a or b and c", "a or (b and c)"),
        ("1 - 2 - 3", "(1 - 2) - 3"),
        ("-a * 2", "(-a) * 2"),
        ("a | b", "a | b"),
        ("//x/@y", "//x/@y"),
        ("/", "/"),
        ("child::a[1]/../b[. = 'c']", "child::a[1]/../b[. = 'c']"),
        ("current()/../a", "current()/../a"),
        ("(a | b)[1]/text()", "(a | b)[1]/text()"),
        ("a div 2 >= .5", "(a div 2) >= .5"),
        ("p:*/node()", "p:*/node()"),
    ],
)
def test_xpath_binds_as_xpath_1_0_section_3_says(text: str, rendered: str) -> None:
    assert render(parse_xpath(text)) == rendered


@pytest.mark.parametrize("text", ["", "a =", "f(", "a[1", "a b", "a ~ b", "/a/", "(a", "]"])
def test_what_is_no_xpath_is_refused(text: str) -> None:
    with pytest.raises(XPathSyntaxError):
        parse_xpath(text)
