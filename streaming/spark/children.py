"""Processes that are started: none is left behind if a start is broken off, or its parent killed."""

from __future__ import annotations

import ctypes
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

PARENT_DIED = 1  # PR_SET_PDEATHSIG


def die_with_parent() -> None:
    """In a child before its program begins: have it killed when this process ends, however that ends."""
    with suppress(OSError, AttributeError):  # Linux alone has it
        ctypes.CDLL(None).prctl(PARENT_DIED, signal.SIGKILL)


@contextmanager
def no_child_left() -> Iterator[None]:
    """If what is done in here fails or is interrupted, kill the processes that it began.

    pyspark starts its JVM by a shell that ignores Ctrl-C, and a JVM that finds nobody waiting for it does not end.
    SIGTERM counts as an interruption, too, unless somebody else listens for it.
    """
    import psutil

    me = psutil.Process()
    before = {child.pid for child in me.children(recursive=True)}
    try:
        with _terminated_is_interrupted():
            yield
    except BaseException:
        for child in me.children(recursive=True):
            if child.pid not in before:
                with suppress(psutil.NoSuchProcess):
                    child.kill()
        raise


@contextmanager
def _terminated_is_interrupted() -> Iterator[None]:
    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
