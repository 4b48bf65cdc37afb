"""Every rule of the tool, for ``explain`` and for the test that each is documented."""

from types import ModuleType
from typing import Final

from fabric_auto.checks import addressing, capability, inventory, routing
from fabric_auto.compiler import validation
from fabric_auto.core.names import near_miss
from fabric_auto.diagnostics import Rule
from fabric_auto.errors import FabricAutoError
from fabric_auto.fabric import rules as fabric_rules
from fabric_auto.intent import rules as intent_rules
from fabric_auto.source import rules as source_rules
from fabric_auto.verify import rules as verify_rules

_MODULES: Final[tuple[ModuleType, ...]] = (
    source_rules,
    intent_rules,
    fabric_rules,
    addressing,
    routing,
    capability,
    inventory,
    validation,
    verify_rules,
)


def all_rules() -> dict[str, Rule]:
    """Return every rule by code, in order."""
    rules = {rule.code: rule for module in _MODULES for rule in vars(module).values() if isinstance(rule, Rule)}
    return dict(sorted(rules.items()))


def page(code: str) -> str:
    """Return the manual page of a rule.

    Raises:
        FabricAutoError: there is no such code.
    """
    rules = all_rules()
    rule = rules.get(code.upper())
    if rule is None:
        near = near_miss(code.upper(), rules)
        raise FabricAutoError(
            f"no finding has the code {code}",
            help=f"a similar one exists: {near}" if near else f"codes: {', '.join(rules)}",
            exit_code=64,
        )
    text = " ".join(line.strip() for line in rule.page.splitlines()).replace("  ", "\n\n")
    return f"{rule.code} {rule.name} ({rule.severity.label})\n\n{text}\n"
