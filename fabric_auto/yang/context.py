"""libyang behind one small class: modules in, violations out. The only module that imports the binding."""

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from types import ModuleType
from typing import Any

from fabric_auto.errors import FabricAutoError
from fabric_auto.yang.violation import Violation


class Encoding(Enum):
    """How an instance is written, and what its JSON strings may stand for."""

    XML = "xml"
    JSON = "json"
    JSON_STRINGS = "json with every value as a string"
    """CONFIG_DB: ``"9100"`` is good for a ``uint16``, which RFC 7951 does not allow."""


@dataclass(frozen=True, slots=True)
class Module:
    """A YANG module to load.

    Attributes:
        name: its name.
        text: its YANG.
        features: the features of this module that are switched on.
    """

    name: str
    text: str
    features: tuple[str, ...] = ()


class Context:
    """A loaded, compiled schema; validates any number of instances, one at a time across threads.

    Args:
        modules: every module needed, imports before the modules that import them. All of them are implemented.

    Raises:
        FabricAutoError: libyang is not installed, or it refuses a module.
    """

    def __init__(self, modules: Iterable[Module]) -> None:
        self._libyang = _binding()
        self._lock = threading.Lock()
        options = self._libyang.ContextOptions
        # Modules come from memory alone, so libyang has no folder to search.
        self._context = self._libyang.Context(
            None, options.NoYangLibrary | options.DisableSearchCwd | options.DisableSearchDirs
        )
        for module in modules:
            self._load(module)

    def _load(self, module: Module) -> None:
        try:
            self._context.parse_module(module.text, self._libyang.SchemaFormat.YANG, list(module.features))
        except self._libyang.Error as error:
            reasons = "; ".join(violation.message for violation in self._stored()) or str(error)
            raise FabricAutoError(
                f"libyang refuses the YANG module {module.name}: {reasons}",
                help="check that the models folder is complete and unmodified",
            ) from error
        finally:
            # Warnings of one module must not be read as errors of the next.
            self._context.clean_all_errors()

    def validate(self, text: str, encoding: Encoding) -> tuple[Violation, ...]:
        """Everything in ``text`` that the schema forbids, in libyang's order, each once; paths are libyang data paths.

        State nodes count as unknown: the text is configuration.
        """
        parse, check = self._libyang.ParseOptions, self._libyang.ValidationOptions
        parse_options = parse.Strict | parse.NoState
        if encoding is Encoding.JSON_STRINGS:
            parse_options |= parse.JsonStringDataTypes
        data_format = self._libyang.DataFormat.XML if encoding is Encoding.XML else self._libyang.DataFormat.JSON
        with self._lock:
            self._context.clean_all_errors()
            try:
                self._context.parse_data(text, data_format, parse_options, check.NoState | check.MultiError)
            except self._libyang.Error as error:
                return self._stored() or (Violation("", str(error)),)
            finally:
                self._context.clean_all_errors()
        return ()

    def _stored(self) -> tuple[Violation, ...]:
        found = (
            Violation(error.data_path or error.schema_path or "", error.message)
            for error in self._context.errors()
            if error.level == self._libyang.LogLevel.Error
        )
        return tuple(dict.fromkeys(found))


def _binding() -> Any:
    try:
        import oopt_gnpy_libyang  # noqa: PLC0415 -- an optional extra
    except ImportError as error:
        raise FabricAutoError("YANG validation needs libyang", help="pip install 'fabric-auto[yang]'") from error
    binding: ModuleType = oopt_gnpy_libyang
    binding.set_log_options(binding.LogOptions.Store)
    return binding
