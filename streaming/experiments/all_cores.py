"""Runs of the model on all cores of this machine, without Spark: for arms that begin with what is in memory here."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

Asked = TypeVar("Asked")
Given = TypeVar("Given")


def alone_then_together(
    pool: ThreadPoolExecutor, do: Callable[[Asked], Given], asked: Sequence[Asked]
) -> Iterator[Given]:
    """What `do` gives for each, in order: the first alone, as it may have to compile."""
    if asked:
        yield do(asked[0])
        yield from pool.map(do, asked[1:])


@contextmanager
def all_cores() -> Iterator[Callable[[Callable[[Asked], Given], Sequence[Asked]], Iterator[Given]]]:
    """A `map` that uses all cores: the compiled loop lets go of Python's lock, so threads are enough.

    What has not begun when the block ends is not done.
    """
    pool = ThreadPoolExecutor(os.cpu_count(), thread_name_prefix="runs")
    try:
        yield lambda do, asked: alone_then_together(pool, do, asked)
    finally:
        pool.shutdown(cancel_futures=True)
