"""The metrics of a job on a port of this machine, for as long as it runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pyarrow as pa
from prometheus_client import CollectorRegistry, make_wsgi_app
from rich.console import Console

from streaming.errors import InputError
from streaming.live.job_metrics import JobMetrics
from streaming.live.loopback_server import LOOPBACK, LoopbackServer
from streaming.live.query_watch import QueryWatch
from streaming.texts.job_texts import JobTexts

if TYPE_CHECKING:
    from pyspark.sql.streaming.query import StreamingQuery

    from streaming.jobs.claim import Claim
    from streaming.jobs.run_job import Onlooker


class MetricsServer:
    """Looks on while a job runs. Raises EnvironmentProblem if the port cannot be had."""

    def __init__(self, port: int, console: Console) -> None:
        self._console = console
        self._misses_rows = False
        self._registry = CollectorRegistry()
        self._watch = QueryWatch()
        self._metrics: JobMetrics | None = None
        self._server = LoopbackServer(make_wsgi_app(self._registry), port)
        self.port = self._server.port

    def begin(self, claim: Claim) -> None:
        """Put the job's metrics on the page."""
        due_since_s = getattr(claim.source, "due_since_s", None)  # of a source that follows the wall clock
        about = claim.job.run.about
        self._metrics = JobMetrics(claim.options.out, about, self._watch, claim.options.speed, due_since_s)
        self._registry.register(self._metrics)
        claim.progress.subscribe(self._metrics.note)

    def look(self, query: StreamingQuery) -> None:
        """Take what Spark says of the query."""
        self._watch.look(query)

    def again(self) -> None:
        """Count a start after a failure."""
        self._watch.restarts += 1

    def before_merge(self) -> None:
        """Read what no scrape has read yet; the job goes on where that fails."""
        if self._metrics is None:
            return
        try:
            self._metrics.catch_up()
        except (pa.ArrowException, OSError, InputError) as error:
            if not self._misses_rows:
                text = JobTexts.METRICS_MISS_ROWS(why=error)
                self._console.print(text, style="yellow", markup=False, highlight=False, soft_wrap=True)
            self._misses_rows = True

    def close(self) -> None:
        """Stop listening."""
        self._server.close()


@contextmanager
def served_metrics(port: int | None, console: Console) -> Iterator[Sequence[Onlooker]]:
    """Who is to look on at a job: whoever serves its metrics, nobody if no port is given."""
    if port is None:
        yield ()
        return
    server = MetricsServer(port, console)
    try:
        text = JobTexts.METRICS_ON(url=f"http://{LOOPBACK}:{server.port}/metrics")
        console.print(text, style="dim", highlight=False)
        yield (server,)
    finally:
        server.close()
