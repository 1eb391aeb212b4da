"""What every Python worker of Spark does once."""

from __future__ import annotations

import gc

_settled = False


def settle() -> None:
    """Take what is imported by now out of the garbage collector's sight, once a process.

    pyspark collects after each task of a reused worker, and walking numba's and pandas' objects then takes longer
    than many a task.
    """
    global _settled
    if not _settled:
        _settled = True
        gc.collect()
        gc.freeze()
