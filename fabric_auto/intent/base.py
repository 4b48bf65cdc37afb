"""The border: strict frozen models, quantities with units, and pydantic's errors in our words and places."""

from collections.abc import Callable, Iterable
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Annotated, Any, Final, TypeVar, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, PlainSerializer, StringConstraints, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from fabric_auto.core.names import near_miss
from fabric_auto.core.units import parse_length, parse_speed
from fabric_auto.diagnostics import Diagnostic
from fabric_auto.intent import later, rules
from fabric_auto.source import Document, Key


class Model(BaseModel):
    """Base of everything a user may write: nothing unknown, nothing coerced, nothing changed afterwards."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, validate_default=False)


T = TypeVar("T")


def _text(what: str, parse: Callable[[str], T]) -> BeforeValidator:
    def convert(value: Any) -> T:
        if not isinstance(value, str):
            raise PydanticCustomError(
                "unit", "{shown} has no unit; write it like {what}", {"shown": f"`{value}`", "what": what}
            )
        try:
            return parse(value)
        except ValueError as error:
            raise PydanticCustomError("quantity", "{reason}", {"reason": str(error)}) from None

    return BeforeValidator(convert)


def _network(kind: type[IPv4Network] | type[IPv6Network]) -> BeforeValidator:
    example = "10.10.0.0/16" if kind is IPv4Network else "fd00:10::/64"
    family = "IPv4" if kind is IPv4Network else "IPv6"

    def convert(value: Any) -> IPv4Network | IPv6Network:
        if not isinstance(value, str) or "/" not in value:
            raise PydanticCustomError(
                "network",
                "{shown} is not an {family} prefix; write it like {example}",
                {"shown": f"`{value}`", "family": family, "example": f"`{example}`"},
            )
        try:
            network = ip_network(value)
        except ValueError as error:
            reason = (
                str(error).replace(repr(value), f"`{value}`").replace(value, f"{value}")
                if "host bits" not in str(error)
                else f"`{value}` has host bits set"
            )
            raise PydanticCustomError("network", "{reason}", {"reason": reason}) from None
        if not isinstance(network, kind):
            raise PydanticCustomError(
                "network", "{shown} is not an {family} prefix", {"shown": f"`{value}`", "family": family}
            )
        return network

    return BeforeValidator(convert)


def _length_of_prefix(longest: int) -> BeforeValidator:
    def convert(value: Any) -> int:
        text = value.removeprefix("/") if isinstance(value, str) else str(value)
        if isinstance(value, bool) or not text.isdigit() or not 1 <= int(text) <= longest:
            raise PydanticCustomError(
                "prefix_length",
                "{shown} is not a prefix length from 1 to {longest}",
                {"shown": f"`{value}`", "longest": str(longest)},
            )
        return int(text)

    return BeforeValidator(convert)


_as_text: Final = PlainSerializer(str, return_type=str, when_used="json")

Speed = Annotated[int, _text("`400G`", parse_speed)]
"""A link speed in Mb/s, written ``400G``."""
Length = Annotated[int, _text("`30m`", parse_length)]
"""A cable length in metres, written ``30m``."""
Network4 = Annotated[IPv4Network, _network(IPv4Network), _as_text]
Network6 = Annotated[IPv6Network, _network(IPv6Network), _as_text]
PrefixLength4 = Annotated[int, _length_of_prefix(30)]
PrefixLength6 = Annotated[int, _length_of_prefix(126)]
Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$")]
"""A name that becomes part of host names: lower case letters, digits and hyphens."""

_TYPES: Final = {
    "string_type": "text",
    "int_type": "a whole number",
    "bool_type": "`true` or `false`",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "float_type": "a number",
}


def findings_of(
    error: ValidationError, document: Document, root: tuple[Key, ...], model: type[BaseModel]
) -> Iterable[Diagnostic]:
    """Turn pydantic's errors into findings at the keys and values of the document.

    Args:
        root: where in the document the model's mapping stands.
    """
    errors = error.errors(include_url=False)
    misspelled = {
        (details["loc"][:-1], near_miss(str(details["loc"][-1]), _keys_at(model, details["loc"][:-1])))
        for details in errors
        if details["type"] == "extra_forbidden"
    }
    for details in errors:
        loc = details["loc"]
        if details["type"] == "missing" and (loc[:-1], loc[-1]) in misspelled:
            continue  # one cause, one finding: the key is there, misspelled
        yield _finding(details, document, (*root, *loc), model)


def _finding(details: ErrorDetails, document: Document, path: tuple[Key, ...], model: type[BaseModel]) -> Diagnostic:
    kind, leaf = details["type"], str(details["loc"][-1]) if details["loc"] else ""
    if kind == "extra_forbidden" and leaf in later.KEYS:
        return rules.NOT_YET.at(
            document.at(path, key=True), f"`{leaf}` is not supported by this version", help="remove it"
        )
    if kind == "extra_forbidden":
        near = near_miss(leaf, _keys_at(model, details["loc"][:-1]))
        known = ", ".join(f"`{key}`" for key in _keys_at(model, details["loc"][:-1]))
        hint = f"a key with a similar name exists: `{near}`" if near else f"keys here: {known}"
        return rules.UNKNOWN_KEY.at(document.at(path, key=True), f"unknown key `{leaf}`", help=hint)
    if kind == "missing":
        return rules.MISSING_KEY.at(document.at(path[:-1]), f"key `{leaf}` is missing", help=f"add `{leaf}:`")
    span = document.at(path)
    wanted = _TYPES.get(kind)
    if wanted is not None:
        shown = _shown(details["input"])
        return rules.WRONG_TYPE.at(
            span, f"`{leaf}` must be {wanted}, not {shown}", help=_quotes(kind, details["input"])
        )
    return rules.BAD_VALUE.at(span, _words(details, leaf), help=_remedy(details))


def _quotes(kind: str, value: object) -> str | None:
    if kind == "string_type" and isinstance(value, int | float) and not isinstance(value, bool):
        return f"put it in quotes: `'{value}'`"
    if kind == "int_type" and isinstance(value, str) and value.isdigit():
        return "remove the quotes"
    return None


def _shown(value: object) -> str:
    if value is None:
        return "empty"
    if isinstance(value, dict):
        return "a mapping"
    return "a list" if isinstance(value, list) else f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _words(details: ErrorDetails, leaf: str) -> str:
    context, value = details.get("ctx", {}), _shown(details["input"])
    match details["type"]:
        case "literal_error":
            return f"{value} is not a value of `{leaf}`"
        case "greater_than_equal" | "less_than_equal":
            word = "at least" if details["type"].startswith("greater") else "at most"
            return f"`{leaf}` must be {word} {context.get('ge', context.get('le'))}, not {value}"
        case "string_pattern_mismatch":
            return f"{value} is not a name: lower case letters, digits and hyphens, starting and ending with a letter or digit"
        case "too_short" | "too_long":
            return f"`{leaf}` has {context.get('actual_length')} items, wants {context.get('min_length', context.get('max_length'))}"
        case _:
            message = details["msg"]
            return message[:1].lower() + message[1:] if not message.startswith("`") else message


def _remedy(details: ErrorDetails) -> str | None:
    if details["type"] != "literal_error":
        return None
    expected = str(details.get("ctx", {}).get("expected", "")).replace("'", "`")
    return f"use {expected}"


def _keys_at(model: type[BaseModel], path: tuple[Key, ...]) -> list[str]:
    """Return the keys of the model reached from ``model`` by a pydantic location; list indexes and tags are stepped over."""
    current: list[type[BaseModel]] = [model]
    for step in path:
        fields = [
            each.model_fields[step].annotation
            for each in current
            if isinstance(step, str) and step in each.model_fields
        ]
        if fields:
            current = [found for annotation in fields for found in _models_in(annotation)]
        elif isinstance(step, str):
            current = [each for each in current if each.__name__ == step] or current
    return sorted({_alias(each, name) for each in current for name in each.model_fields})


def _alias(model: type[BaseModel], name: str) -> str:
    return model.model_fields[name].alias or name


def _models_in(annotation: object) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [found for argument in get_args(annotation) for found in _models_in(argument)]
