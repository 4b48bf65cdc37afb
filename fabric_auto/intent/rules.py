"""FAB1xx: what can be wrong with an intent's shape."""

from typing import Final

from fabric_auto.diagnostics import Rule, Severity

NOT_AN_INTENT: Final = Rule(
    "FAB101",
    "not-an-intent",
    "Every document of the intents folder is a mapping with `kind`, `metadata` and `spec`. "
    "This one is something else, so nobody can tell what it means.",
)
UNKNOWN_KEY: Final = Rule(
    "FAB102",
    "unknown-key",
    "A key that this kind does not have. Nothing unknown is ignored: a misspelled key would do nothing, silently.",
)
MISSING_KEY: Final = Rule(
    "FAB103",
    "missing-key",
    "A key that has no default is not there. What it stands for cannot be guessed; the manual of the kind lists its keys.",
)
WRONG_TYPE: Final = Rule(
    "FAB104", "wrong-type", "A value of another type is wanted: text, a whole number, a list, a mapping."
)
BAD_VALUE: Final = Rule(
    "FAB105",
    "bad-value",
    "The value is of the right type, but not one that can be used: out of range, without its unit, or malformed.",
)
UNKNOWN_KIND: Final = Rule(
    "FAB106",
    "unknown-kind",
    "`kind` names no kind of intent. A misspelled kind would leave its whole document out, so it is an error.",
)
DUPLICATE_NAME: Final = Rule(
    "FAB107", "duplicate-name", "Two documents of one kind, or two parts of one document, have the same name."
)
BAD_NAME: Final = Rule(
    "FAB108", "bad-name", "Names become host names (RFC 1123): letters, digits and hyphens, at most 63 characters."
)
NO_INTENTS: Final = Rule(
    "FAB109",
    "no-intents",
    "The project has no document of `kind: Fabric` below `intents/`, so there is nothing to compile or deploy.",
)
OLDER_API: Final = Rule(
    "FAB110", "unknown-api-version", "`apiVersion` names a version of the language that this tool does not read."
)
UNKNOWN_REFERENCE: Final = Rule(
    "FAB111",
    "unknown-reference",
    "A name refers to a tier, a device, a link or a group that is not there; the help names the one that is spelled most like it.",
)
PLAIN_SECRET: Final = Rule(
    "FAB112",
    "secret-in-file",
    "Secrets are references (`env:NAME`, `file:PATH`, `keyring:NAME`), resolved when devices are reached. "
    "A secret in a file would be in git.",
)
NOT_YET: Final = Rule(
    "FAB113",
    "not-supported",
    "The language has this word, this version of the tool does not do it yet. It is an error so that nothing is left out silently.",
)
UNUSED: Final = Rule(
    "FAB114",
    "unused-inventory-host",
    "An inventory host is a device of no fabric; it will never be reached.",
    severity=Severity.WARNING,
)

RULES: Final = (
    NOT_AN_INTENT,
    UNKNOWN_KEY,
    MISSING_KEY,
    WRONG_TYPE,
    BAD_VALUE,
    UNKNOWN_KIND,
    DUPLICATE_NAME,
    BAD_NAME,
    NO_INTENTS,
    OLDER_API,
    UNKNOWN_REFERENCE,
    PLAIN_SECRET,
    NOT_YET,
    UNUSED,
)
