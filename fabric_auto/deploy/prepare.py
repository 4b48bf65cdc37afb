"""From a program and its live devices to a plan: read every running configuration, compare, decide."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TypeVar

from fabric_auto.compiler.program import Program
from fabric_auto.compiler.render import render
from fabric_auto.errors import FabricAutoError
from fabric_auto.intent.inventory import InventoryHost
from fabric_auto.plan.build import Running, plan_device, plan_fabric, read
from fabric_auto.plan.model import DevicePlan, Plan
from fabric_auto.plan.state import DeviceState
from fabric_auto.transport.base import UnreachableError
from fabric_auto.transport.connection import Fleet, Progress, Result, quietly

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Scope:
    """Which devices a command is about.

    Attributes:
        intended: devices of the fabrics, NOS by name, in fabric order.
        leaving: devices that no fabric has any more but that we configured, NOS by name.
        partial: True when a limit left devices out.
    """

    intended: dict[str, str]
    leaving: dict[str, str] = field(default_factory=dict)
    partial: bool = False

    @property
    def nos(self) -> dict[str, str]:
        """NOS by name of all of them."""
        return {**self.intended, **self.leaving}


def scope(program: Program, states: Mapping[str, DeviceState], limit: str | None = None) -> Scope:
    """Return the devices of a program, and those it has let go of.

    Args:
        limit: shell patterns joined by commas; only matching devices are in scope.

    Raises:
        FabricAutoError: no device matches.
    """
    intended = {device.name: device.nos for _, device in program.devices()}
    inventory = program.project.inventory
    leaving = {
        name: state.nos
        for name, state in sorted(states.items())
        if name not in intended and name in inventory and (state.ownership.entries or state.ownership.fields)
    }
    if limit is None:
        return Scope(intended, leaving)
    wanted = {name for name in {**intended, **leaving} if any(fnmatchcase(name, each) for each in limit.split(","))}
    if not wanted:
        raise FabricAutoError(
            f"no device matches `{limit}`",
            help="a limit is names or shell patterns: east-leaf-*,east-spine-01",
            exit_code=64,
        )
    partial = len(wanted) < len(intended) + len(leaving)
    return Scope(_only(intended, wanted), _only(leaving, wanted), partial)


def hosts_of(program: Program, names: Sequence[str]) -> list[InventoryHost]:
    """Return the inventory entries of devices.

    Raises:
        FabricAutoError: a device has none.
    """
    missing = [name for name in names if name not in program.project.inventory]
    if missing:
        more = f" (and {len(missing) - 1} more)" if len(missing) > 1 else ""
        raise FabricAutoError(f"`{missing[0]}`{more} is not in the inventory", help="add it to inventory/hosts.yaml")
    return [program.project.inventory[name] for name in names]


def read_running(
    fleet: Fleet, nos: Mapping[str, str], *, forks: int, progress: Progress = quietly
) -> dict[str, Running]:
    """Return the running configuration of every device.

    Raises:
        UnreachableError: one or more could not be read; each is named.
    """
    answers = fleet.run(
        nos,
        lambda connection: read(nos[connection.name], connection.session().running()),
        forks=forks,
        progress=progress,
    )
    return required(answers, "could not be read")


def required(answers: Mapping[str, Result[T]], what: str) -> dict[str, T]:
    """Return the values of all answers.

    Raises:
        UnreachableError: one or more have none; each is named.
    """
    failed = {name: answer for name, answer in answers.items() if not answer.ok}
    if not failed:
        return {name: answer.value for name, answer in answers.items() if answer.value is not None}
    lines = "".join(f"\n  {answer.words}" for answer in failed.values())
    first = next(iter(failed.values())).error
    remedy = first.help if isinstance(first, FabricAutoError) else None
    raise UnreachableError(f"{len(failed)} of {len(answers)} devices {what}; nothing was touched:{lines}", help=remedy)


def plan_all(
    program: Program,
    chosen: Scope,
    running: Mapping[str, Running],
    states: Mapping[str, DeviceState],
    *,
    done: Callable[[str], None] = lambda _: None,
) -> Plan:
    """Return the plan for the devices in scope."""
    plans: list[DevicePlan] = []
    for config, rendered in render(program, chosen.intended):
        name = config.name
        plans.append(plan_device(name, config.nos, running[name], rendered, states.get(name), release=config.release))
        done(name)
    for name, nos in chosen.leaving.items():
        plans.append(plan_device(name, nos, running[name], None, states[name]))
        done(name)
    return plan_fabric(program.project.digest(), plans)


def _only(devices: Mapping[str, str], wanted: set[str]) -> dict[str, str]:
    return {name: nos for name, nos in devices.items() if name in wanted}
