"""Collecting what goes wrong while a fabric is built: one cause, one finding, however many devices it hits."""

from dataclasses import dataclass, field, replace

from fabric_auto.core.addresses import PoolExhaustedError
from fabric_auto.diagnostics import Diagnostic, Span
from fabric_auto.fabric import rules
from fabric_auto.fabric.model import Pools
from fabric_auto.intent.parse import FabricIntent
from fabric_auto.source import Key


@dataclass(slots=True)
class Problems:
    """Findings so far; the same finding about many devices is kept once and says how many."""

    _found: dict[tuple[str, Span | None, str], list[tuple[Diagnostic, str]]] = field(default_factory=dict)

    def add(self, finding: Diagnostic, device: str = "", group: str = "") -> None:
        """Record a finding; with ``device``, findings of one rule, place and ``group`` become one."""
        key = (finding.code, finding.span, group if device else finding.message)
        self._found.setdefault(key, []).append((finding, device))

    def any(self) -> bool:
        """Return True when something was found."""
        return bool(self._found)

    def exhausted(self, intent: FabricIntent, message: str, error: PoolExhaustedError) -> None:
        """Record that a pool is too small, at the pool."""
        pools = intent.spec.underlay.pools
        name = next(
            (
                each
                for each in type(pools).model_fields
                if getattr(pools, each).version == error.pool.version and getattr(pools, each).overlaps(error.pool)
            ),
            None,
        )
        path = ("underlay", "pools", *([name] if name else []))
        pool = f"pool `{name}` {getattr(pools, name)}" if name else f"pool {error.pool}"
        self.add(
            rules.POOL_EXHAUSTED.at(
                intent.at(*path),
                f"{pool} cannot {message}: entry {error.needed} is needed, the part for this role has {error.available}",
                help="use a larger pool (a shorter prefix); it is split by 4 (leaf, spine, border, super-spine)",
            )
        )

    def findings(self) -> list[Diagnostic]:
        """Return one finding a cause."""
        return [_summarise(each) for each in self._found.values()]


def _summarise(found: list[tuple[Diagnostic, str]]) -> Diagnostic:
    finding, first = found[0]
    devices = sorted({device for _, device in found if device})
    if len(devices) <= 1:
        return replace(finding, subject=first or finding.subject)
    return replace(
        finding, message=f"{finding.message} (on {len(devices)} devices, first `{devices[0]}`)", subject=devices[0]
    )


@dataclass(frozen=True, slots=True)
class Draft:
    """A fabric being built: what it is built from, and what is wrong so far."""

    intent: FabricIntent
    pools: Pools
    problems: Problems

    def at(self, *path: Key, key: bool = False) -> Span:
        """Return the place of something below the intent's ``spec``."""
        return self.intent.at(*path, key=key)
