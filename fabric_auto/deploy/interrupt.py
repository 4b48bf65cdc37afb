"""Ctrl-C, SIGTERM and SIGHUP as a wish to stop, not as an exception in the middle of a change."""

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Final

_SIGNALS: Final = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""A terminal that closes (SIGHUP, not on every system) is a wish to stop like any other."""


@contextlib.contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Give a function that says whether the user wants to stop. The second Ctrl-C is a KeyboardInterrupt again.

    Outside the main thread signals cannot be caught, and the answer is always False.
    """
    wish = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield wish.is_set
        return
    before = {number: signal.getsignal(number) for number in _SIGNALS}

    def caught(_number: int, _frame: FrameType | None) -> None:
        if wish.is_set():
            raise KeyboardInterrupt
        wish.set()

    for number in _SIGNALS:
        signal.signal(number, caught)
    try:
        yield wish.is_set
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
