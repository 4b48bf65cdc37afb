"""SONiC's CONFIG_DB against SONiC's YANG, translated and parsed as the box does it."""

import json
from collections.abc import Mapping
from pathlib import Path

from fabric_auto.yang.context import Context, Encoding, Module
from fabric_auto.yang.library import closure, read_folder, without_prose
from fabric_auto.yang.sonic_instance import Translation, config_db_path
from fabric_auto.yang.sonic_tables import read_tables
from fabric_auto.yang.statements import Statement, render
from fabric_auto.yang.violation import Violation


class SonicSchema:
    """The models of one SONiC release, loaded once.

    Args:
        models: the folder of ``sonic-*.yang`` and the two IETF type modules of that release (sonic-buildimage,
            src/sonic-yang-models, rendered for the host).

    Raises:
        FabricAutoError: libyang is not installed, or the models cannot be read.
    """

    def __init__(self, models: Path) -> None:
        texts = read_folder(models)
        modules = closure(texts, sorted(texts))
        self._tables = read_tables(modules)
        pinned = _ietf_revisions(modules)
        self._context = Context(
            Module(name, render(_pin(without_prose(module), pinned))) for name, module in modules.items()
        )

    def tables(self) -> frozenset[str]:
        """The names of the tables that have a model."""
        return frozenset(self._tables)

    def validate(self, config: Mapping[str, object]) -> tuple[Violation, ...]:
        """Everything in a CONFIG_DB document that this release's models forbid.

        Args:
            config: table → key → field → value, as in ``config_db.json``; what is not of that shape is a violation.
        """
        violations: list[Violation] = []
        instance: dict[str, dict[str, object]] = {}
        for name, rows in config.items():
            table = self._tables.get(name)
            if table is None:
                violations.append(Violation(name, "the models have no such table"))
            elif not isinstance(rows, Mapping):
                violations.append(Violation(name, "a table is a JSON object of rows"))
            else:
                translation = Translation(name)
                body = translation.body(table.body, rows, name, name)
                violations += translation.violations
                instance.setdefault(f"{table.module}:{table.module}", {})[f"{table.module}:{name}"] = body
        found = self._context.validate(json.dumps(instance), Encoding.JSON_STRINGS)
        violations += (Violation(config_db_path(v.path, self._tables), v.message) for v in found)
        return tuple(dict.fromkeys(violations))


def _ietf_revisions(modules: Mapping[str, Statement]) -> dict[str, str]:
    revisions = {name: module.value("revision") for name, module in modules.items() if name.startswith("ietf-")}
    return {name: revision for name, revision in revisions.items() if revision}


def _pin(module: Statement, revisions: Mapping[str, str]) -> Statement:
    # libyang 4 carries the type modules of RFC 9911 and prefers them for an import without a date. They are stricter
    # than those of RFC 6991 that SONiC runs with (no underscore in inet:host), so each import names its date.
    children = []
    for child in module.children:
        date = revisions.get(child.argument or "") if child.keyword == "import" else None
        if date and child.value("revision-date") is None:
            pin = Statement("revision-date", date)
            children.append(Statement(child.keyword, child.argument, (*child.children, pin)))
        else:
            children.append(child)
    return Statement(module.keyword, module.argument, tuple(children))
