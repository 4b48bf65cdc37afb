"""FAB0xx: what can be wrong with a file before anybody looks at its meaning."""

from typing import Final

from fabric_auto.diagnostics import Rule, Severity

SYNTAX: Final = Rule(
    "FAB001",
    "yaml-syntax",
    "The file is not YAML: the parser stopped at the place shown. Everything after it in the file was not read.",
)
DUPLICATE_KEY: Final = Rule(
    "FAB002",
    "duplicate-key",
    "A mapping has the same key twice. YAML parsers keep the last one silently; here it is an error, since one of the two "
    "lines would do nothing. Remove one of them.",
)
ANCHOR: Final = Rule(
    "FAB003",
    "anchor-or-alias",
    "Anchors (`&a`), aliases (`*a`) and merge keys (`<<`) are not read: a value must stand where it is used, so that every "
    "finding can name its line, and a small file cannot grow without bound.",
)
TAG: Final = Rule(
    "FAB004",
    "yaml-tag",
    "Tags (`!name`, `!!python/...`) ask a parser to build objects. Intents are plain data; a tag is always an error.",
)
KEY_NOT_TEXT: Final = Rule(
    "FAB005",
    "key-not-text",
    "A mapping key is not a plain word (it is a list, a mapping, or empty).",
)
UNREADABLE: Final = Rule(
    "FAB006",
    "unreadable-file",
    "The file cannot be read as UTF-8 text: it is a broken link, leaves the project folder, is not text, is larger than "
    "16 MiB, or its permissions forbid it.",
)
TOO_DEEP: Final = Rule(
    "FAB009",
    "nested-too-deep",
    "The document nests lists and mappings more than 32 levels deep. No intent needs that; a generated file may have gone wrong.",
)
EMPTY: Final = Rule(
    "FAB010",
    "empty-document",
    "A document between two `---` has no content. It is read as nothing.",
    severity=Severity.WARNING,
)
AMBIGUOUS_NUMBER: Final = Rule(
    "FAB011",
    "ambiguous-number",
    "A number is written with a leading zero (`0100`): YAML 1.1 tools read octal 64, YAML 1.2 reads 100. Write it without the "
    "zero, or in quotes if it is a name.",
    severity=Severity.WARNING,
)

RULES: Final = (
    SYNTAX,
    DUPLICATE_KEY,
    ANCHOR,
    TAG,
    KEY_NOT_TEXT,
    UNREADABLE,
    TOO_DEEP,
    EMPTY,
    AMBIGUOUS_NUMBER,
)
