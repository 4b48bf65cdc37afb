"""Waiting for the network to converge."""

from dataclasses import dataclass, field

import pytest

from fabric_auto.fabric.model import Fabric
from fabric_auto.verify.run import verify_until
from tests.fabrics import fabric_of
from tests.strategies import Shape
from tests.verify.live import Network, network, port_state


@dataclass
class Clock:
    """Time that passes by sleeping alone."""

    now: float = 100.0
    pauses: list[float] = field(default_factory=list)

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.pauses.append(round(seconds, 6))
        self.now += seconds


@pytest.fixture(scope="module")
def fabric() -> Fabric:
    return fabric_of(Shape(leaves=2, spines=2).intent)


def down(fabric: Fabric) -> Network:
    return network(fabric, dead=("east-leaf-01/east-spine-01/1",))


def test_a_healthy_network_is_asked_once(fabric: Fabric) -> None:
    clock = Clock()
    found = verify_until(lambda: network(fabric), [fabric], timeout_s=60, sleep=clock.sleep, clock=clock)
    assert (found, clock.pauses) == ((), [])


def test_it_asks_again_after_growing_pauses_until_nothing_is_wrong(fabric: Fabric) -> None:
    clock = Clock()
    said: list[str] = []
    answers = iter([*[down(fabric)] * 6, network(fabric)])
    found = verify_until(
        lambda: next(answers), [fabric], timeout_s=60, sleep=clock.sleep, clock=clock, progress=said.append
    )
    assert (found, clock.pauses) == ((), [0.2, 0.4, 0.8, 1.6, 2.0, 2.0])
    assert said == ["waiting for the network to converge: 1 error"] * 6


def test_when_the_time_is_over_the_last_findings_are_returned(fabric: Fabric) -> None:
    clock = Clock()
    found = verify_until(lambda: down(fabric), [fabric], timeout_s=2, sleep=clock.sleep, clock=clock)
    assert [finding.code for finding in found] == ["FAB905"]
    assert clock.pauses == [0.2, 0.4, 0.8, 0.6]  # the last pause ends with the time, and is followed by a last look


def without_a_host(fabric: Fabric) -> Network:
    net = network(fabric)
    port_state(net, "east-leaf-01", "Ethernet0", up=False)
    return net


def test_a_warning_is_not_waited_for(fabric: Fabric) -> None:
    clock = Clock()
    found = verify_until(lambda: without_a_host(fabric), [fabric], timeout_s=60, sleep=clock.sleep, clock=clock)
    assert ([finding.code for finding in found], clock.pauses) == (["FAB910"], [])


def test_the_network_must_stay_as_intended_for_as_long_as_asked(fabric: Fabric) -> None:
    clock = Clock()
    said: list[str] = []
    found = verify_until(
        lambda: network(fabric),
        [fabric],
        timeout_s=60,
        steady_s=3,
        sleep=clock.sleep,
        clock=clock,
        progress=said.append,
    )
    assert (found, clock.pauses) == ((), [0.2, 0.4, 0.8, 1.6])
    assert said[0] == "waiting to see whether it stays so: 3 s more"


def test_what_breaks_in_between_starts_the_steady_time_anew(fabric: Fabric) -> None:
    clock = Clock()
    answers = iter([network(fabric), network(fabric), down(fabric), *[network(fabric)] * 9])
    found = verify_until(lambda: next(answers), [fabric], timeout_s=60, steady_s=3, sleep=clock.sleep, clock=clock)
    # whole at 0 and 0.2 s, broken at 0.6 s, whole from 1.4 s to 4.4 s
    assert (found, clock.pauses) == ((), [0.2, 0.4, 0.8, 1.6, 1.4])


def test_what_breaks_for_good_after_a_clean_look_is_found(fabric: Fabric) -> None:
    clock = Clock()
    answers = iter([network(fabric), *[down(fabric)] * 9])
    found = verify_until(lambda: next(answers), [fabric], timeout_s=2, steady_s=14, sleep=clock.sleep, clock=clock)
    assert ([finding.code for finding in found], clock.now) == (["FAB905"], 102.0)


def test_the_steady_time_may_go_beyond_the_time_to_converge(fabric: Fabric) -> None:
    clock = Clock()
    found = verify_until(lambda: network(fabric), [fabric], timeout_s=1, steady_s=3, sleep=clock.sleep, clock=clock)
    assert (found, clock.now) == ((), pytest.approx(103.0))


def test_without_time_it_asks_once(fabric: Fabric) -> None:
    clock = Clock()
    found = verify_until(lambda: down(fabric), [fabric], timeout_s=0, sleep=clock.sleep, clock=clock)
    assert ([finding.code for finding in found], clock.pauses) == (["FAB905"], [])


def test_every_fabric_is_judged_by_its_own_devices(fabric: Fabric) -> None:
    clock = Clock()
    west = fabric_of(Shape(leaves=2, spines=2, name="west").intent)
    both = {**down(fabric), **network(west)}
    found = verify_until(lambda: both, [west, fabric], timeout_s=0, sleep=clock.sleep, clock=clock)
    assert [finding.subject for finding in found] == ["east-leaf-01 Ethernet504"]


def test_who_wants_to_stop_waits_for_nothing(fabric: Fabric) -> None:
    clock = Clock()
    found = verify_until(
        lambda: network(fabric), [fabric], timeout_s=60, steady_s=14, sleep=clock.sleep, clock=clock, stop=lambda: True
    )
    assert (found, clock.pauses) == ((), [])
