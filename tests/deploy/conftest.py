"""A way to deploy on switches made of dictionaries."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from fabric_auto.deploy.journal import Journal, events
from fabric_auto.deploy.model import Options, Outcome
from fabric_auto.deploy.run import deploy
from fabric_auto.deploy.state import StateStore
from fabric_auto.diagnostics import Diagnostic
from fabric_auto.plan.model import DevicePlan
from tests.deploy.world import BASE, RUN, SRL_BASE, VENDORS, BoxFleet, Sonic, Srlinux, World, plan_of


@dataclass
class Bench:
    """A world, and deployments in it."""

    project: Path
    world: World = field(default_factory=World)
    said: list[str] = field(default_factory=list)

    def leaf(self, name: str = "leaf-1") -> Sonic:
        return self.world.sonic(name, BASE)

    def spine(self, name: str = "spine-1") -> Srlinux:
        return self.world.srlinux(name, SRL_BASE)

    def deploy(
        self,
        *plans: DevicePlan,
        verify: Callable[[], Sequence[Diagnostic]] = tuple,
        stop: Callable[[], bool] = lambda: False,
        discard_candidate: bool = False,
        releases: dict[str, str] | None = None,
    ) -> Outcome:
        options = Options(
            RUN,
            "ann@desk",
            discard_candidate=discard_candidate,
            releases=releases or {},
            progress=lambda device, words: self.said.append(f"{device}: {words}"),
            clock=self.world.clock,
        )
        with Journal(self.project, RUN, now=self.world.clock.now) as journal:
            return deploy(
                plan_of(*plans),
                BoxFleet(self.world),
                options,
                verify,
                journal,
                vendors=VENDORS,
                states=self.states,
                stop=stop,
            )

    @property
    def states(self) -> StateStore:
        return StateStore(self.project / ".fabric-auto/state")

    @property
    def events(self) -> list[dict[str, object]]:
        return list(events(self.project / f".fabric-auto/journal/{RUN}.jsonl"))


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def clean(box: Sonic) -> bool:
    """Nothing of a deployment is left on a switch."""
    return not (box.timers or box.files or box.checkpoints or box.folders - {"/home/admin/.fabric-auto"})


def as_before(box: Sonic) -> bool:
    """The switch runs, and would boot with, what it ran at the start."""
    return box.tables == BASE and json.loads(box.startup) == BASE
