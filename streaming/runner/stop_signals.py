"""Ctrl-C and SIGTERM as a request that is met at the next moment at which everything fits together."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

SIGNALS = (signal.SIGINT, signal.SIGTERM)


@dataclass
class StopSignals:
    """Set by Ctrl-C and SIGTERM: a query ends after the micro-batch that is running. `on_ask` is called then.

    `twice_ends`: the second signal ends at once, with KeyboardInterrupt.
    """

    on_ask: Callable[[], None] = lambda: None
    twice_ends: bool = False
    asked: threading.Event = field(default_factory=threading.Event)

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Take the signals over; put back what was there at the end. Only in the main thread."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.getsignal(number) for number in SIGNALS}
        self.listen()
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def listen(self) -> None:
        """Take the signals over, again after a session has begun: pyspark puts a handler of its own there."""
        if threading.current_thread() is threading.main_thread():
            for number in SIGNALS:
                signal.signal(number, self._ask)

    def _ask(self, _number: int, _frame: object) -> None:
        if self.twice_ends and self.asked.is_set():
            raise KeyboardInterrupt
        self.asked.set()
        self.on_ask()
