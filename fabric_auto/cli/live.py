"""What commands that reach devices share: a sound program, the devices in scope, open sessions."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from fabric_auto.cli.console import say, sound_program
from fabric_auto.cli.exits import Exit
from fabric_auto.compiler.program import Program
from fabric_auto.core.units import parse_duration
from fabric_auto.deploy import gate, pending
from fabric_auto.deploy.prepare import Scope, hosts_of, plan_all, read_running, scope
from fabric_auto.deploy.state import StateStore
from fabric_auto.diagnostics import Diagnostic
from fabric_auto.diagnostics.render import ordered
from fabric_auto.errors import FabricAutoError
from fabric_auto.plan.model import Plan
from fabric_auto.plan.state import DeviceState
from fabric_auto.transport.fleet import NornirFleet


@dataclass(frozen=True, slots=True)
class Live:
    """A program, its devices in scope, what was deployed on them last, and sessions with them."""

    program: Program
    scope: Scope
    states: dict[str, DeviceState]
    fleet: NornirFleet
    forks: int

    def plan(self) -> Plan:
        """Read every device and compare."""
        running = read_running(self.fleet, self.scope.nos, forks=self.forks)
        return plan_all(self.program, self.scope, running, self.states)

    def waiting(self) -> dict[str, str]:
        """Return the devices with a change that will revert by itself."""
        return pending.waiting(self.fleet, self.scope.nos, forks=self.forks)

    def look(self, timeout_s: float) -> tuple[Diagnostic, ...]:
        """Return what is not as intended: drift, changes that will revert, the live network."""
        found = gate.look(
            self.program, self.fleet, self.scope, self.states, timeout_s=timeout_s, forks=self.forks, progress=_waiting
        )
        return tuple(ordered([*pending.findings(self.waiting()), *found]))

    def gate(self, timeout_s: float, stop: Callable[[], bool]) -> tuple[Diagnostic, ...]:
        """Return what keeps a deployment from being confirmed."""
        return gate.gate(
            self.program,
            self.fleet,
            self.scope,
            timeout_s=timeout_s,
            steady_s=self.steady_s,
            forks=self.forks,
            progress=_waiting,
            stop=stop,
        )

    @property
    def steady_s(self) -> int:
        """How long the network must stay well before a deployment is confirmed, seconds."""
        return duration(self.program.project.settings.deploy.steady)

    def say_waiting(self) -> None:
        """Say it loudly when what is running will not stay."""
        for name, words in self.waiting().items():
            say(f"UNCONFIRMED: {name} runs a change that will revert by itself: {words}")

    def say_partial(self) -> None:
        """Say it loudly when a limit leaves devices out."""
        if self.scope.partial:
            say(f"PARTIAL: --limit leaves devices out; this is about {len(self.scope.nos)} of them alone")


@contextmanager
def open_live(root: Path, limit: str | None, forks: int | None) -> Iterator[Live]:
    """Read the project and prepare to reach its devices.

    Raises:
        FabricAutoError: a device is not in the inventory, a secret is missing, or no device matches the limit.
    """
    program = sound_program(root)
    project = program.project
    states = StateStore(project.state / "state").load_all()
    chosen = scope(program, states, limit)
    with NornirFleet(hosts_of(program, list(chosen.nos)), project.root, nos_of=chosen.nos) as fleet:
        yield Live(program, chosen, states, fleet, forks or project.settings.deploy.forks)


def duration(text: str) -> int:
    """Return a duration option in seconds.

    Raises:
        FabricAutoError: it is none (exit code 64).
    """
    try:
        return parse_duration(text)
    except ValueError as error:
        raise FabricAutoError(str(error), exit_code=Exit.USAGE) from None


def _waiting(words: str) -> None:
    say(f"network: {words}")
