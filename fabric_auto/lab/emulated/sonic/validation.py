"""A whole configuration judged as the box does: tables without a model, the models, and what no model checks."""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Final, Protocol

from fabric_auto.lab.emulated.sonic.database import Json, stored
from fabric_auto.lab.emulated.sonic.releases import tables_with_yang
from fabric_auto.lab.emulated.sonic.rules import lane_error, model_error
from fabric_auto.yang.violation import Violation

_LOADING: Final = "Data Loading Failed\n"


class Schema(Protocol):
    """A release's YANG models (:class:`fabric_auto.yang.sonic.SonicSchema`)."""

    def validate(self, config: Mapping[str, object]) -> tuple[Violation, ...]:
        """Return everything that the models forbid in a CONFIG_DB document."""
        ...


@dataclass(slots=True)
class Judge:
    """Validates CONFIG_DB documents of one release; the answer for the last one is kept.

    Attributes:
        release: decides which tables have a model.
        schema: the models, None to go by the built-in rules alone.
    """

    release: str
    schema: Schema | None = None
    _last: tuple[dict[str, Json], str | None] | None = field(default=None, repr=False)

    def without_yang(self, config: Mapping[str, Json]) -> list[str]:
        """Return the tables that have no model, ``bgpraw`` apart."""
        known = tables_with_yang(self.release)
        return [table for table in config if table not in known and table != "bgpraw"]

    def model_error(self, config: Mapping[str, Json]) -> str | None:
        """Return the words of the exception with which the box refuses to load ``config``, or None.

        Tables without a model are left out, as the box leaves them out.
        """
        known = tables_with_yang(self.release)
        cropped = {table: rows for table, rows in config.items() if table in known}
        if self._last is not None and self._last[0] == cropped:
            return self._last[1]
        error = _shape_error(cropped) or model_error(stored(cropped)) or self._schema_error(cropped)
        answer = _LOADING + error if error else None
        self._last = (deepcopy(cropped), answer)
        return answer

    def patch_error(self, config: Mapping[str, Json]) -> str | None:
        """As :meth:`model_error`, with the lanes that only the patch tool checks."""
        return self.model_error(config) or lane_error(stored(config))

    def _schema_error(self, cropped: Mapping[str, Json]) -> str | None:
        violations = self.schema.validate(cropped) if self.schema is not None else ()
        if not violations:
            return None
        first = violations[0]
        return f"failed to parse data tree: {first.message}: Data path: {first.path} (line 1)"


def _shape_error(config: Mapping[str, Json]) -> str | None:
    for table, rows in config.items():
        if not isinstance(rows, dict):
            return f"'{type(rows).__name__}' object has no attribute 'keys'"
        for key, row in rows.items():
            if not isinstance(row, dict):
                return f"All Keys are not parsed in {table}\ndict_keys(['{key}'])"
    return None
