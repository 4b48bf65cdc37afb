"""JSON Patch (RFC 6902) on CONFIG_DB: what a patch leads to, and what it may not do on the way."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Final, TypeAlias

import jsonpatch
import jsonpointer

from fabric_auto.lab.emulated.sonic.database import Json

Operation: TypeAlias = dict[str, Json]
Patch: TypeAlias = list[Operation]

_ILLEGAL_REMOVALS: Final = ("/PFC_WD/GLOBAL/POLL_INTERVAL", "/PFC_WD/GLOBAL", "/LOOPBACK_INTERFACE/Loopback0")
_NEVER: Final = "BUFFER_POOL"
_VERBS: Final = frozenset({"add", "remove", "replace", "move", "copy", "test"})


class PatchError(Exception):
    """A patch cannot be applied; the text is the library's, as the box shows it."""


class IllegalOperationError(Exception):
    """A patch does what the box's field validators forbid."""


def is_patch(value: Json) -> bool:
    """Return True when ``value`` has the structure of a JSON Patch."""
    return isinstance(value, list) and all(
        isinstance(each, dict) and "path" in each and each.get("op") in _VERBS for each in value
    )


def simulate(patch: Patch, config: Mapping[str, Json]) -> dict[str, Json]:
    """Return what ``config`` is after ``patch``; ``config`` stays as it is.

    Raises:
        PatchError: the patch is no patch, or reaches for what is not there.
    """
    try:
        result: dict[str, Json] = jsonpatch.apply_patch(deepcopy(dict(config)), patch, in_place=True)
    except (jsonpatch.JsonPatchException, jsonpointer.JsonPointerException) as error:
        raise PatchError(str(error)) from error
    except (TypeError, KeyError) as error:
        raise PatchError(repr(error)) from error
    return result


def difference(current: Mapping[str, Json], target: Mapping[str, Json]) -> Patch:
    """Return a patch from ``current`` to ``target``."""
    patch: Patch = jsonpatch.make_patch(dict(current), dict(target)).patch
    return patch


def with_absent_tables(patch: Patch, config: Mapping[str, Json]) -> Patch:
    """Return the patch with an empty table added before the first operation below each absent one."""
    result = deepcopy(patch)
    absent = dict.fromkeys(table for each in patch if (table := _table(each)) and table not in config)
    for table in absent:
        first = next(i for i, each in enumerate(result) if str(each["path"]).startswith(f"/{table}"))
        result.insert(first, {"op": "add", "path": f"/{table}", "value": {}})
    return result


def check_operations(current: Mapping[str, Json], target: Mapping[str, Json]) -> None:
    """Refuse transitions that the box does not make in a running system.

    The box compares the two configurations, not the patch: removing the whole table LOOPBACK_INTERFACE passes.
    Sources: sonic-utilities, ``gu_common.py`` and ``gcu_field_operation_validators.conf.json``. Of the validators by
    ASIC, BUFFER_POOL (no ASIC) is here; PFC_WD and BUFFER_PROFILE are not.

    Raises:
        IllegalOperationError: such a transition.
    """
    operations = difference(current, target)
    for each in operations:
        if each["op"] == "remove" and each["path"] in _ILLEGAL_REMOVALS:
            raise IllegalOperationError(
                f"Given patch operation is invalid. Operation: remove is illegal on field: {each['path']}"
            )
    if any(_table(each) == _NEVER for each in operations):
        validator = "generic_config_updater.field_operation_validators.rdma_config_update_validator"
        raise IllegalOperationError(
            f"Modification of {_NEVER} table is illegal- validating function {validator} returned False"
        )


def tables_of(patch: Patch) -> dict[str, Json]:
    """Return an empty table for each that the patch touches."""
    return {table: {} for each in patch if (table := _table(each))}


def empty_tables(config: Mapping[str, Json]) -> list[str]:
    """Return the tables without a row, which Redis cannot hold."""
    return [table for table, rows in config.items() if not rows]


def _table(operation: Operation) -> str:
    first = str(operation["path"]).split("/")[1:2]
    return first[0].replace("~1", "/").replace("~0", "~") if first else ""
