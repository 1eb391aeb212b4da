"""The process that Spark forks its Python workers from, with the model loaded before the first fork.

A worker then begins with what each would otherwise import by itself, and shares those pages with the others. Spark
runs this in the place of its own daemon (`spark.python.daemon.module`), which does all the rest.
Source: pyspark 4.3, daemon.py; PythonWorkerFactory.startDaemon, which waits for the daemon as long as it takes.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import redirect_stdout, suppress

# Name, and what breaks without it.
LEANS_ON: Mapping[str, str] = {
    "pyspark.daemon:manager": "no Python worker starts",
    "pyspark.worker:main": "every worker loads the model by itself",
}
MODEL_DAEMON = {"spark.python.daemon.module": "streaming.spark.model_daemon"}
# For sessions whose workers never ask for the model.
USUAL_DAEMON = {"spark.python.daemon.module": "pyspark.daemon"}
# A thread of the daemon's would be missing in each worker: libraries start none at their import under these settings.
# Arrow takes its memory from mimalloc where nothing else is set, so jemalloc has nothing to give back.
WITHOUT_THREADS = {"OPENBLAS_NUM_THREADS": "1", "JE_ARROW_MALLOC_CONF": "background_thread:false"}


def load() -> None:
    """Load what the first micro-batch of a job, an experiment or a hunt needs, and hide it from garbage collections.

    Code that is not on the disk yet is left to the workers, which can be stopped while they compile.
    """
    import pandas  # noqa: F401
    import pyarrow.parquet  # noqa: F401
    import pyspark.worker  # noqa: F401

    import simulator.experiments.experiment_runner  # noqa: F401
    from simulator.compiled.jit import is_on_disk, ready
    from simulator.engine.loop import run_until
    from streaming.spark.worker import settle

    if is_on_disk(run_until):
        ready(run_until)
    settle()


def main() -> None:
    """Load the model, and serve Spark until it ends; of its workers only those that run tasks are forked here."""
    os.environ.update({name: value for name, value in WITHOUT_THREADS.items() if name not in os.environ})
    # Spark reads the standard output. What fails here fails in each worker again, whose task says it.
    with suppress(Exception), redirect_stdout(sys.stderr):
        load()
    from pyspark.daemon import manager

    manager()


if __name__ == "__main__":
    main()
