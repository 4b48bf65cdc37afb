"""YANG feature expressions (RFC 7950 section 7.20.2)."""

import re


def holds(condition: str, features: frozenset[str]) -> bool:
    """Whether a feature expression is true; prefixes do not matter.

    Raises:
        ValueError: it is not a feature expression.
    """
    words = re.findall(r"[()]|[^\s()]+", condition)
    value = _any_of(words, features)
    if words:
        raise ValueError(f"not a feature expression: {condition!r}")
    return value


def _any_of(words: list[str], features: frozenset[str]) -> bool:
    value = _all_of(words, features)
    while words[:1] == ["or"]:
        words.pop(0)
        right = _all_of(words, features)
        value = value or right
    return value


def _all_of(words: list[str], features: frozenset[str]) -> bool:
    value = _single(words, features)
    while words[:1] == ["and"]:
        words.pop(0)
        right = _single(words, features)
        value = value and right
    return value


def _single(words: list[str], features: frozenset[str]) -> bool:
    if not words:
        raise ValueError("a feature expression ends too soon")
    word = words.pop(0)
    if word == "not":
        return not _single(words, features)
    if word != "(":
        return word.rpartition(":")[2] in features
    value = _any_of(words, features)
    if not words or words.pop(0) != ")":
        raise ValueError("a feature expression lacks a closing parenthesis")
    return value
