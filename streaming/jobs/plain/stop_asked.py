"""Ctrl-C and SIGTERM as a request that is kept at the next moment at which everything fits together."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class StopAsked:
    """Whether somebody asked to stop. The second time ends at once, with KeyboardInterrupt."""

    def __init__(self) -> None:
        self.is_asked = False

    def __call__(self) -> bool:
        """Whether somebody did."""
        return self.is_asked

    def ask(self, _number: int, _frame: FrameType | None) -> None:
        """Take a signal."""
        if self.is_asked:
            raise KeyboardInterrupt
        self.is_asked = True


@contextmanager
def stop_asked() -> Iterator[StopAsked]:
    """Listen for both signals, in the main thread; elsewhere nobody asks."""
    found = StopAsked()
    if threading.current_thread() is not threading.main_thread():
        yield found
        return
    before = {number: signal.signal(number, found.ask) for number in SIGNALS}
    try:
        yield found
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
