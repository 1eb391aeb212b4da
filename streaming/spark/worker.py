"""What every Python worker of Spark does once, and how to have it done early."""

from __future__ import annotations

import ctypes
import gc
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, wraps
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import SparkSession

LOOSE_MAX = 20_000  # objects that a collection may walk
FREEZES_MAX = 8  # in a process: what is frozen in a ring of references is never freed
_freezes = 0


def settle() -> None:
    """Take what is loaded by now out of the garbage collector's sight, again where a process has loaded much since.

    pyspark collects after each task of a reused worker, and walking numba's and pandas' objects then takes longer
    than many a task. A worker takes any part of a micro-batch: the model may come long after the first task.
    """
    global _freezes
    if _freezes == 0 or (_freezes < FREEZES_MAX and len(gc.get_objects(generation=2)) > LOOSE_MAX):
        _freezes += 1
        gc.collect()
        gc.freeze()


def giving_back(task: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
    """A generator that, once it has given everything, returns to the system what it no longer needs.

    Workers take turns at the parts of a micro-batch; each would otherwise keep the most that any part has needed.
    """

    @wraps(task)
    def run(*arguments: Any) -> Iterator[Any]:
        yield from task(*arguments)
        give_back()

    return run


def give_back() -> None:
    """Return memory that is free to the system."""
    import pyarrow as pa

    pa.default_memory_pool().release_unused()
    trim = _malloc_trim()
    if trim is not None:
        trim(0)


@cache
def _malloc_trim() -> Callable[[int], int] | None:
    try:
        trim: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError):  # not glibc
        return None
    return trim


def warm_workers(spark: SparkSession, load: Callable[[], None]) -> None:
    """Have Python workers call `load` while Spark is still planning the query; returns at once."""

    def loaded(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        load()
        settle()
        yield from batches

    def run() -> None:
        # Only a head start: what goes wrong here goes wrong again, and is reported, in the query itself.
        with suppress(Exception):
            tasks = spark.sparkContext.defaultParallelism
            spark.range(0, tasks, 1, tasks).mapInArrow(loaded, "id long").count()

    threading.Thread(target=run, name="warm-workers", daemon=True).start()
