"""Processes of this machine that work for one command, and end with it."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context


@contextmanager
def worker_pool(count: int) -> Iterator[ProcessPoolExecutor]:
    """So many processes. Ctrl-C is for the process that asked, and they never hear of it."""
    pool = ProcessPoolExecutor(count, mp_context=get_context("spawn"))
    try:
        # What is blocked stays so in a process that is spawned, from its first import on.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            for _ in range(count):
                pool.submit(int)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        yield pool
    finally:
        running = list((pool._processes or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        for process in running:
            process.terminate()
