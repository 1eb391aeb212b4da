"""What Spark says of a running query: how long micro-batches take, what its state holds, how often it began again."""

from __future__ import annotations

import bisect
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql.streaming.query import StreamingQuery

LOOK_EVERY_S = 1.0
# Upper bounds of the histogram of micro-batches, s.
BATCH_BOUNDS_S = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0, 60.0)


class QueryWatch:
    """The query's own figures. batches: one count a bound and one above; state_*: None before a micro-batch."""

    def __init__(self) -> None:
        self.batches = [0] * (len(BATCH_BOUNDS_S) + 1)
        self.batch_s = 0.0
        self.restarts = 0
        self.state_rows: int | None = None
        self.state_bytes: int | None = None
        self._seen = -1
        self._looked = 0.0

    def look(self, query: StreamingQuery) -> None:
        """Take what is new, once a second at most."""
        if time.monotonic() - self._looked < LOOK_EVERY_S:
            return
        self._looked = time.monotonic()
        for progress in query.recentProgress:
            if progress["batchId"] > self._seen and "addBatch" in progress["durationMs"]:
                self._seen = int(progress["batchId"])
                self.add_batch(progress["durationMs"]["triggerExecution"] / 1000)
                for state in progress["stateOperators"][:1]:
                    self.state_rows, self.state_bytes = int(state["numRowsTotal"]), int(state["memoryUsedBytes"])

    def add_batch(self, seconds: float) -> None:
        """Count one micro-batch."""
        self.batches[bisect.bisect_left(BATCH_BOUNDS_S, seconds)] += 1
        self.batch_s += seconds
