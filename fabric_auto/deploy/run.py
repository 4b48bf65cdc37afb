"""A deployment: look, lock, apply everywhere, hold, verify, confirm everywhere; or roll everything back.

Every device that was touched ends confirmed, or rolled back and read back, or it is named with what it will do by itself.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from fabric_auto.deploy.driver import Driver, Phase, step_of
from fabric_auto.deploy.journal import Journal
from fabric_auto.deploy.model import DeviceOutcome, Options, Outcome, StalePlanError, Status
from fabric_auto.deploy.sonic import SonicDriver
from fabric_auto.deploy.srlinux import SrlinuxDriver
from fabric_auto.deploy.state import StateStore
from fabric_auto.diagnostics import Diagnostic, Severity
from fabric_auto.errors import FabricAutoError
from fabric_auto.plan.model import DevicePlan, Plan
from fabric_auto.plan.state import state_after
from fabric_auto.transport.connection import Connection, Fleet, Result
from fabric_auto.vendors.base import Vendor

Failures = dict[str, Result[None]]


def deploy(
    plan: Plan,
    fleet: Fleet,
    options: Options,
    verify: Callable[[], Sequence[Diagnostic]],
    journal: Journal,
    *,
    vendors: Mapping[str, Vendor],
    states: StateStore,
    stop: Callable[[], bool] = lambda: False,
) -> Outcome:
    """Carry a plan out.

    Args:
        plan: what to do; a plan without changes opens no session.
        fleet: the devices.
        options: how.
        verify: the gate, asked once every device has its change; a finding that is an error rolls everything back.
        journal: of this run.
        vendors: NOSes by name.
        states: where the state of confirmed devices is kept.
        stop: says whether the user wants to stop.

    Returns:
        What came of it. Only a bug, or a fleet without one of the plan's devices, is an exception.
    """
    changed = plan.changed
    waves = max(1, math.ceil(sum(each.nos == "sonic" for each in changed) / max(1, options.forks)))
    drivers = {each.device: _driver(each, vendors[each.nos], options, waves) for each in changed}
    run = _Run(plan, drivers, fleet, options, journal, states, stop)
    journal.write("started", plan=plan.digest, devices=list(drivers), owner=options.owner)
    try:
        outcome = run.carry_out(verify)
    except KeyboardInterrupt:
        outcome = run.interrupted()
    for each in outcome.devices:
        if each.device in drivers:
            until = each.reverts_at.isoformat() if each.reverts_at is not None else None
            journal.write("left", each.device, status=each.status.value, reason=each.reason, reverts_at=until)
    journal.write("finished", exit_code=outcome.exit_code, message=outcome.message)
    return outcome


def _driver(plan: DevicePlan, vendor: Vendor, options: Options, waves: int) -> Driver:
    return SonicDriver(plan, vendor, options, waves) if plan.nos == "sonic" else SrlinuxDriver(plan, vendor, options)


@dataclass(slots=True)
class _Run:
    """The state of one deployment: which devices have been brought how far."""

    plan: Plan
    drivers: dict[str, Driver]
    fleet: Fleet
    options: Options
    journal: Journal
    states: StateStore
    stop: Callable[[], bool]
    settled: dict[str, DeviceOutcome] = field(default_factory=dict)

    def carry_out(self, verify: Callable[[], Sequence[Diagnostic]]) -> Outcome:
        if not self.drivers:
            return self._outcome("nothing to do", 0)
        for phase in (Phase.PREFLIGHT, Phase.LOCK):
            failed = self._phase(phase, self.drivers)
            if failed or self.stop():
                return self._back_out(failed)
        failed = self._apply()
        if self.stop():
            return self.interrupted()
        if failed:
            return self._roll_back(_told(failed, "could not be changed"), ())
        findings, trouble = self._verify(verify)
        if self.stop():
            return self.interrupted(findings)
        if trouble:
            return self._roll_back(trouble, findings)
        return self._confirm(findings)

    def interrupted(self, findings: Sequence[Diagnostic] = ()) -> Outcome:
        """Say how far every device is; nothing more is done to any of them."""
        for name, driver in self.drivers.items():
            if driver.confirmed:
                self.settled[name] = self._keep_state(driver.plan)
            elif not driver.touched:
                self.settled[name] = DeviceOutcome(name, Status.UNCHANGED, "interrupted before it was changed")
            else:
                self.settled[name] = self._left_alone(name, driver, "interrupted")
        untouched = [name for name, driver in self.drivers.items() if not driver.touched]
        self._phase(Phase.RELEASE, untouched, heed_stop=False)
        pending = sum(each.status is Status.PENDING for each in self.settled.values())
        return self._outcome(f"interrupted; {pending} pending", 130, findings)

    def _apply(self) -> Failures:
        # SONiC first: it is slow, and its guard waits until `hold`, whereas a confirmed commit's window runs at once.
        for nos in ("sonic", "srlinux"):
            names = [name for name, driver in self.drivers.items() if driver.plan.nos == nos]
            failed = self._phase(Phase.APPLY, names)
            if failed or self.stop():
                return failed
        return self._phase(Phase.HOLD, self.drivers)

    def _verify(self, verify: Callable[[], Sequence[Diagnostic]]) -> tuple[Sequence[Diagnostic], str]:
        try:
            findings = tuple(verify())
        except FabricAutoError as error:
            self.journal.write("verified", result=error.message)
            return (), f"the network could not be verified: {error.message}"
        errors = sum(each.severity is Severity.ERROR for each in findings)
        self.journal.write("verified", result=f"{errors} errors")
        return findings, f"verification found {errors} error{'s' if errors > 1 else ''}" if errors else ""

    def _confirm(self, findings: Sequence[Diagnostic]) -> Outcome:
        failed = self._phase(Phase.CONFIRM, self.drivers)
        for name, driver in self.drivers.items():
            if name not in failed:
                self.settled[name] = self._keep_state(driver.plan)
            elif failed[name].started:
                self.settled[name] = self._left_alone(name, driver, failed[name].words, failed[name])
        if self.stop() and any(not result.started for result in failed.values()):
            return self.interrupted(findings)
        unkept = [each for each in self.settled.values() if each.status is Status.CONFIRMED and each.reason]
        if failed:
            return self._outcome(_told(failed, "could not be confirmed"), 6, findings)
        if unkept:
            return self._outcome(unkept[0].reason, 6, findings)
        count = len(self.drivers)
        return self._outcome(f"{count} device{'s' if count > 1 else ''} changed and confirmed", 0, findings)

    def _keep_state(self, plan: DevicePlan) -> DeviceOutcome:
        try:
            self.states.save(state_after(plan, self.plan.digest, self.options.clock.now()))
        except OSError as error:
            reason = f"the state of {plan.device} could not be kept: {error.strerror or error}"
            remedy = "make room in .fabric-auto/state; until then the next plan takes what is on the device for foreign"
            return DeviceOutcome(plan.device, Status.CONFIRMED, reason, help=remedy)
        return DeviceOutcome(plan.device, Status.CONFIRMED)

    def _back_out(self, failed: Failures) -> Outcome:
        """Let go of every device; none was touched."""
        self._phase(Phase.RELEASE, self.drivers, heed_stop=False)
        for name in self.drivers:
            result = failed.get(name)
            error = result.error if result is not None else None
            remedy = error.help or "" if isinstance(error, FabricAutoError) else ""
            reason = result.words if result is not None and result.started else ""
            self.settled[name] = DeviceOutcome(name, Status.UNCHANGED, reason, help=remedy)
        errors = [each.error for each in failed.values() if each.started]
        if self.stop() and not errors:
            return self._outcome("interrupted; nothing was touched", 130)
        stale = all(isinstance(each, StalePlanError) for each in errors)
        return self._outcome(f"{_told(failed, 'cannot be deployed to')}; nothing was touched", 4 if stale else 1)

    def _roll_back(self, why: str, findings: Sequence[Diagnostic]) -> Outcome:
        touched = {name for name, driver in self.drivers.items() if driver.touched}
        failed = self._phase(Phase.ROLLBACK, self.drivers, heed_stop=False)
        for name, driver in self.drivers.items():
            if name not in touched:
                self.settled[name] = DeviceOutcome(name, Status.UNCHANGED)
            elif name in failed:
                self.settled[name] = self._left_alone(name, driver, failed[name].words, failed[name])
            else:
                self.settled[name] = DeviceOutcome(name, Status.ROLLED_BACK)
        lost = [name for name in failed if name in touched]
        if lost:
            return self._outcome(f"{why}; {_several(lost)} could not be rolled back", 6, findings)
        return self._outcome(f"{why}; everything was rolled back", 5, findings)

    def _left_alone(self, name: str, driver: Driver, reason: str, result: Result[None] | None = None) -> DeviceOutcome:
        error = result.error if result is not None else None
        remedy = (error.help or "") if isinstance(error, FabricAutoError) else ""
        if not driver.touched:
            return DeviceOutcome(name, Status.ROLLED_BACK, reason, help=remedy)
        if driver.reverts_at is not None and driver.reverts_at > self.options.clock.now():
            then = "it reverts by itself; look at it then: fabric-auto diff"
            return DeviceOutcome(name, Status.PENDING, reason, driver.reverts_at, remedy or then)
        return DeviceOutcome(name, Status.UNKNOWN, reason, help=remedy or "look at what it runs: fabric-auto diff")

    def _phase(self, phase: Phase, names: Iterable[str], *, heed_stop: bool = True) -> Failures:
        """Run a phase on devices; return those that failed, or that were not started because the user wants to stop."""
        chosen = list(names)
        if not chosen:
            return {}
        results = self.fleet.run(
            chosen,
            partial(self._step, phase),
            forks=self.options.forks,
            progress=self.options.progress,
            stop=self.stop if heed_stop else lambda: False,
        )
        return {name: result for name, result in results.items() if not result.ok}

    def _step(self, phase: Phase, connection: Connection) -> None:
        step = step_of(self.drivers[connection.name], phase)
        self.journal.write(phase, connection.name)
        try:
            step(connection)
        except FabricAutoError as error:
            self.journal.write(f"{phase} failed", connection.name, reason=error.message)
            raise
        self.journal.write(f"{phase} done", connection.name)

    def _outcome(self, message: str, exit_code: int, findings: Sequence[Diagnostic] = ()) -> Outcome:
        devices = tuple(
            self.settled.get(each.device, DeviceOutcome(each.device, Status.UNCHANGED)) for each in self.plan.devices
        )
        return Outcome(self.options.run, message, devices, tuple(findings), exit_code)


def _told(failed: Failures, what: str) -> str:
    started = [name for name, result in failed.items() if result.started]
    first = failed[started[0]].words if started else ""
    return f"{_several(started)} {what}: {first}"


def _several(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{len(names)} devices, first {names[0]}"
