"""Documents as people may see them: a reload carries the whole CONFIG_DB, other people's secrets included."""

import json
import re
from typing import Final

from fabric_auto.plan.model import Step

HIDDEN: Final = "***"
_SECRET_FIELD: Final = re.compile(r"pass(?:word|wd|key|phrase)?$|secret|_cak$", re.IGNORECASE)
_SECRET_ROWS: Final = frozenset({"SNMP_COMMUNITY"})
"""Tables whose row key is the secret itself (sonic-snmp.yang)."""
_SECRET_VALUES: Final = frozenset({("NTP_KEY", "value")})
_SECRET_ELEMENT: Final = re.compile(
    r"(<(?:[\w.-]*(?:password|secret|passphrase)|authentication-key|community)>)[^<]*(</)"
)


def redacted(step: Step) -> str:
    """Return a step's document with every value that is or may be a secret replaced by ``***``."""
    text = step.content.decode()
    if step.kind == "edit-config":
        return _SECRET_ELEMENT.sub(rf"\1{HIDDEN}\2", text)
    document = json.loads(text)
    if not isinstance(document, dict):
        return text  # a patch holds what is ours alone
    return json.dumps({table: _rows(table, rows) for table, rows in document.items()}, indent=2) + "\n"


def _rows(table: str, rows: dict[str, dict[str, object]]) -> dict[str, object]:
    if table in _SECRET_ROWS:
        return {f"{HIDDEN} ({number})": fields for number, fields in enumerate(rows.values(), 1)}
    return {key: {name: _value(table, name, value) for name, value in fields.items()} for key, fields in rows.items()}


def _value(table: str, name: str, value: object) -> object:
    return HIDDEN if _SECRET_FIELD.search(name) or (table, name) in _SECRET_VALUES else value
