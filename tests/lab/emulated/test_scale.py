"""How long the control plane takes for the largest lab; printed, as machines differ (run pytest with -s)."""

import time

from fabric_auto.lab.emulated.control_plane import ControlPlane
from tests.lab.emulated.clos import clos


def test_200_devices_reach_every_leaf_over_every_spine() -> None:
    leaves, spines = 168, 32  # 64-port leaves: half of the ports face hosts
    views, cables = clos(leaves, spines)
    control_plane = ControlPlane()
    started = time.perf_counter()
    states = control_plane.compute(views, cables)
    first = time.perf_counter()
    again = control_plane.compute(views, cables[1:])
    print(  # noqa: T201 - the measurement is the point
        f"{leaves}+{spines} devices, {len(cables)} cables: {first - started:.2f} s, "
        f"{time.perf_counter() - first:.2f} s after one cable is cut"
    )
    # Each leaf: its own two VLAN prefixes, loopback and links; the other leaves' three each; the spines' loopbacks.
    assert {len(states[f"leaf-{leaf}"].routes) for leaf in range(leaves)} == {
        3 + 2 * spines + 3 * (leaves - 1) + spines
    }
    assert sum(len(each.sessions) for each in states.values()) == 4 * leaves * spines
    assert {s.state for each in states.values() for s in each.sessions.values()} == {"Established"}
    assert sum(s.state != "Established" for each in again.values() for s in each.sessions.values()) == 4
