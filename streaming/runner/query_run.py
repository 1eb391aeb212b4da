"""A query from its start to its end: tried again where a worker was late, and what its failure means."""

from __future__ import annotations

from collections.abc import Callable

from streaming.problems import WORKER_DID_NOT_CONNECT
from streaming.spark.spark_internals import is_jvm_ending

START_TRIES = 8


def run_query(
    run: Callable[[], None], failed: Callable[[Exception], Exception], ended: Callable[[], Exception]
) -> None:
    """Run a query, which `run` starts and follows to its end.

    failed: what to raise for an exception of Spark. ended: the same if its JVM ended, or is about to.
    """
    from py4j.protocol import Py4JError, Py4JJavaError
    from pyspark.errors import PySparkException

    for attempt in range(1, START_TRIES + 1):
        try:
            run()
            return
        except (PySparkException, Py4JJavaError) as error:
            # A Python worker has ten seconds to start, which a busy machine may not give it.
            if WORKER_DID_NOT_CONNECT in str(error) and attempt < START_TRIES:
                continue
            if is_jvm_ending():
                raise ended() from error
            raise failed(error) from error
        except (Py4JError, ConnectionError) as error:
            raise ended() from error
