"""What the tests of both kinds of switch need."""

import time
from collections.abc import Callable

import pytest


@pytest.fixture
def wait() -> Callable[[Callable[[], bool]], None]:
    """Wait for a condition, at most ten seconds."""

    def until(condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 10
        while not condition():
            assert time.monotonic() < deadline, "the condition did not come true in 10 s"
            time.sleep(0.01)

    return until
