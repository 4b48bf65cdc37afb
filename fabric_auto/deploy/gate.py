"""Is the live network as intended? Observe every device, compare, and say when a configuration drifted."""

from collections.abc import Callable, Mapping
from typing import Final

from fabric_auto.compiler.program import Program
from fabric_auto.deploy.prepare import Scope, plan_all, read_running, required
from fabric_auto.device.observed import Observed
from fabric_auto.diagnostics import Diagnostic
from fabric_auto.diagnostics.render import ordered
from fabric_auto.plan.model import Change, DevicePlan
from fabric_auto.plan.state import DeviceState
from fabric_auto.transport.base import DeviceRefusedError
from fabric_auto.transport.connection import Connection, Fleet
from fabric_auto.vendors.base import spell
from fabric_auto.vendors.registry import vendor
from fabric_auto.verify import rules
from fabric_auto.verify.run import verify_until

_ABSENT: Final = "absent"


def look(
    program: Program,
    fleet: Fleet,
    chosen: Scope,
    states: Mapping[str, DeviceState],
    *,
    timeout_s: float,
    forks: int,
    progress: Callable[[str], None] = lambda _: None,
) -> tuple[Diagnostic, ...]:
    """Return what is not as intended on the devices in scope.

    Args:
        timeout_s: how long the network may take to converge; drift is not waited for.

    Raises:
        FabricAutoError: a device cannot be reached or read.
    """
    running = read_running(fleet, chosen.intended, forks=forks)
    plan = plan_all(program, Scope(chosen.intended), running, states)
    drifted = [_drift(each) for each in plan.changed]
    live = verify_until(
        lambda: observe(fleet, chosen.intended, forks=forks),
        program.fabrics,
        timeout_s=timeout_s,
        progress=progress,
    )
    return tuple(ordered([*drifted, *live]))


def gate(
    program: Program,
    fleet: Fleet,
    chosen: Scope,
    *,
    timeout_s: float,
    forks: int,
    steady_s: float = 0,
    progress: Callable[[str], None] = lambda _: None,
    stop: Callable[[], bool] = lambda: False,
) -> tuple[Diagnostic, ...]:
    """Return what keeps a deployment from being confirmed.

    The configuration itself is read back by the deployment, so drift is not looked for here.

    Args:
        timeout_s: how long the network may take to converge.
        steady_s: how long it must then look well, beyond ``timeout_s`` if need be.
        stop: says whether the user wants to stop: then nothing is waited for any more.

    Raises:
        FabricAutoError: a device cannot be observed.
    """
    return verify_until(
        lambda: observe(fleet, chosen.intended, forks=forks),
        program.fabrics,
        timeout_s=timeout_s,
        steady_s=steady_s,
        progress=progress,
        stop=stop,
    )


def observe(fleet: Fleet, nos: Mapping[str, str], *, forks: int) -> dict[str, Observed]:
    """Ask every device what it sees.

    Raises:
        UnreachableError: one or more do not answer; each is named.
    """
    return required(
        fleet.run(nos, lambda connection: _observe(connection, nos[connection.name]), forks=forks),
        "could not be observed",
    )


def _observe(connection: Connection, nos: str) -> Observed:
    each = vendor(nos)
    session = connection.session()
    try:
        return each.observe({question: session.ask(question) for question in each.questions})
    except ValueError as error:
        raise DeviceRefusedError(f"{connection.name} answers what cannot be read: {error}") from None


def _drift(plan: DevicePlan) -> Diagnostic:
    first = plan.changes[0]
    number = len(plan.changes)
    settings = "1 setting differs" if number == 1 else f"{number} settings differ"
    return rules.DRIFT.at(
        first.origin,
        f"`{plan.device}`: {settings} from the intended configuration, first {_words(first)}",
        subject=plan.device,
        help="see all of them with `fabric-auto diff`; deploy to take them back",
    )


def _words(change: Change) -> str:
    shown = [
        f"`{value}`" if value else ("there" if value is not None else _ABSENT)
        for value in (change.before, change.after)
    ]
    return f"`{spell(change.path)}` is {shown[0]}, not {shown[1]}"
