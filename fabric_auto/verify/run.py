"""Is what should be true on the live network true? One cause, one finding: what follows from another fault is left out."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from fabric_auto.device.observed import Observed
from fabric_auto.diagnostics import Diagnostic, Severity
from fabric_auto.diagnostics.render import ordered, summary
from fabric_auto.fabric.model import Fabric
from fabric_auto.verify import bgp, cabling, ports
from fabric_auto.verify.expected import FAMILIES, Expected, expected, expected_routes
from fabric_auto.verify.routes import routes
from fabric_auto.verify.software import software

_FIRST_PAUSE_S: Final = 0.2
_LONGEST_PAUSE_S: Final = 2.0


def verify(fabric: Fabric, observed: Mapping[str, Observed]) -> tuple[Diagnostic, ...]:
    """Compare a fabric with what its devices say of themselves.

    Args:
        fabric: the fabric.
        observed: by device name. A device that is not among them is not judged itself, its neighbours are; names that the
            fabric does not know are left out.

    Returns:
        The findings (FAB901 to FAB908), in their total order.
    """
    return _verify(fabric, expected(fabric), observed)


def verify_until(
    observe: Callable[[], Mapping[str, Observed]],
    fabrics: Sequence[Fabric],
    *,
    timeout_s: float,
    steady_s: float = 0,
    sleep: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
    progress: Callable[[str], None] = lambda _: None,
    stop: Callable[[], bool] = lambda: False,
) -> tuple[Diagnostic, ...]:
    """Verify again and again while the network converges, until there is no error and none for a while, or the time is over.

    Warnings are not waited for: a host that is off stays off.

    Args:
        observe: asks all devices; called at least once, then after pauses that grow from 0.2 s to 2 s.
        fabrics: each device is compared with the fabric that it belongs to.
        timeout_s: seconds after which an error is not waited for any more. A zero waits for none.
        steady_s: seconds that must lie between the first and the last of the looks without an error at the end: what is about
            to break looks whole until a timer is over. They may go beyond ``timeout_s``.
        sleep, clock: seconds.
        progress: is told what is waited for, before each pause.
        stop: says whether the user wants to stop: then nothing is waited for any more.

    Returns:
        The findings of the last observation.
    """
    deadline = clock() + timeout_s
    wanted = [expected(fabric) for fabric in fabrics]
    pause, well_since = _FIRST_PAUSE_S, None
    while True:
        observed = observe()
        each = (_verify(fabric, of_it, observed) for fabric, of_it in zip(fabrics, wanted, strict=True))
        findings = tuple(ordered(finding for found in each for finding in found))
        now = clock()
        if any(finding.severity is Severity.ERROR for finding in findings):
            well_since, left = None, deadline - now
            waiting = f"waiting for the network to converge: {summary(findings)}"
        else:
            well_since = now if well_since is None else well_since
            left = well_since + steady_s - now
            waiting = f"waiting to see whether it stays so: {left:.0f} s more"
        if left <= 0 or stop():
            return findings
        progress(waiting)
        sleep(min(pause, left))
        pause = min(2 * pause, _LONGEST_PAUSE_S)


def _verify(fabric: Fabric, wanted: Mapping[str, Expected], observed: Mapping[str, Observed]) -> tuple[Diagnostic, ...]:
    observed = {name: state for name, state in observed.items() if name in fabric.devices}
    findings = [*software(fabric, observed), *ports.host_ports(fabric, observed), *_shut(fabric, observed)]

    plugged = cabling.misplugged(fabric, observed)
    links = tuple(link for link in fabric.links if link.enabled and link.name not in plugged.links)
    down = ports.links_down(observed, links)
    failed = {link.name for link, _ in down}
    links = tuple(link for link in links if link.name not in failed)
    silent = cabling.silent(fabric, observed, links)
    sessions = bgp.sessions(fabric, observed, links, silent.unproven)
    findings += [
        *plugged.findings,
        *ports.together(fabric, down),
        *silent.findings,
        *sessions.findings,
    ]

    working = {
        version: tuple(link for link in links if (link.name, version) not in sessions.broken) for version in FAMILIES
    }
    whole = not (plugged.links or failed or sessions.broken)
    reachable = {name: each.routes for name, each in wanted.items()} if whole else expected_routes(fabric, working)
    return tuple(ordered([*findings, *routes(fabric, reachable, observed, working)]))


def _shut(fabric: Fabric, observed: Mapping[str, Observed]) -> list[Diagnostic]:
    """Return the findings about links that the intent shuts: a port that is up explains a session that is."""
    links = tuple(link for link in fabric.links if not link.enabled)
    up = ports.links_up(observed, links)
    told = {link.name for link, _ in up}
    quiet = tuple(link for link in links if link.name not in told)
    return [*(finding for _, finding in up), *bgp.uninvited(observed, quiet)]
