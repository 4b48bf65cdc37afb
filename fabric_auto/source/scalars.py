"""Plain scalars by the YAML 1.2 core schema (YAML 1.2.2 §10.3.2): `NO`, `on` and `65000:10` stay text."""

import re
from typing import Final

from fabric_auto.source.document import Scalar

_NULL: Final = re.compile(r"~|null|Null|NULL|")
_BOOL: Final = re.compile(r"true|True|TRUE|false|False|FALSE")
_INT: Final = re.compile(r"[-+]?[0-9]+")
_OTHER_INT: Final = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT: Final = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_SPECIAL: Final = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
LEADING_ZERO: Final = re.compile(r"[-+]?0[0-9]+")
_LONGEST_NUMBER: Final = 40


def resolve(text: str) -> Scalar:
    """Return the value of a plain (unquoted) scalar.

    >>> resolve("65000:10"), resolve("NO"), resolve("0x10"), resolve("9100")
    ('65000:10', 'NO', 16, 9100)
    """
    if _NULL.fullmatch(text):
        return None
    if _BOOL.fullmatch(text):
        return text[0] in "tT"
    if len(text) > _LONGEST_NUMBER:
        return text
    if _INT.fullmatch(text):
        return int(text)
    if _OTHER_INT.fullmatch(text):
        return int(text[2:], 8 if text[1] == "o" else 16)
    if _FLOAT.fullmatch(text) or _SPECIAL.fullmatch(text):
        return float(
            text.replace(".inf", "inf")
            .replace(".Inf", "inf")
            .replace(".INF", "inf")
            .replace(".n", "n")
            .replace(".N", "N")
        )
    return text
