"""Processes of this machine that work for one command or call, and end with it."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.connection import wait
from multiprocessing.synchronize import Barrier
from types import ModuleType

MAIN = "__main__"
END_S = 5.0
_alone = threading.Lock()  # two threads that take the main module away at once would not both bring it back


@contextmanager
def worker_pool(count: int) -> Iterator[ProcessPoolExecutor]:
    """So many processes. Ctrl-C is for the process that asked, and they never hear of it; a kill of it ends them."""
    spawn = get_context("spawn")
    # None takes work before all are there: what is started later would have neither the mask nor an empty main module.
    started = spawn.Barrier(count)
    pool = ProcessPoolExecutor(count, mp_context=spawn, initializer=_begin, initargs=(started,))
    others = active_children()
    try:
        # What is blocked stays so in a process that is spawned, from its first import on.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            with _no_main_module():
                for _ in range(count):
                    pool.submit(int)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        yield pool
    finally:
        running = [process for process in active_children() if process not in others]
        pool.shutdown(wait=False, cancel_futures=True)
        for process in running:
            process.terminate()
        left, until_s = [process.sentinel for process in running], time.monotonic() + END_S
        while left and (patience_s := until_s - time.monotonic()) > 0:
            ended = wait(left, patience_s)
            left = [sentinel for sentinel in left if sentinel not in ended]


@contextmanager
def _no_main_module() -> Iterator[None]:
    """A process that is spawned imports the script that asked, and would do all its lines again: it gets none."""
    with _alone:
        main = sys.modules[MAIN]
        sys.modules[MAIN] = ModuleType(MAIN)
        try:
            yield
        finally:
            sys.modules[MAIN] = main


def _begin(started: Barrier) -> None:
    _end_with_parent()
    started.wait()


def _end_with_parent() -> None:
    """Have this process end once the one that asked is gone: the pipe that it waits at has further writers."""
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_wait_for_end, args=(parent.sentinel,), daemon=True).start()


def _wait_for_end(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
