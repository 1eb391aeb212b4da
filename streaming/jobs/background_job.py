"""The job from Python: `streaming.run(scenario, out=...)` gives Spark's StreamingQuery."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from simulator.scenario import Scenario, load_scenario
from streaming.flow.source import MAX_EVENTS
from streaming.jobs.asked import checkpoint_asked, folder_asked, most_asked, sinks_asked, speed_asked, tables_asked
from streaming.jobs.claim import claimed
from streaming.jobs.job import Options
from streaming.jobs.memory_needs import memory_asked
from streaming.jobs.progress import Progress
from streaming.jobs.query import start
from streaming.jobs.scenario_job import scenario_job
from streaming.jobs.sinks import KafkaOutput
from streaming.kafka.intake.kafka_source import KafkaInput
from streaming.objects.place import place_asked
from streaming.otlp.collector import collector_asked
from streaming.spark.session import open_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

GIVEN_BACK_WITHIN_S = 30.0


def run(
    scenario: Scenario | str | Path,
    out: str | Path,
    *,
    spark: SparkSession | None = None,
    checkpoint: str | Path | None = None,
    tables: Iterable[str] | None = None,
    sink: str | Iterable[str] = "parquet",
    speed: float = 0.0,
    memory: str | None = None,
    max_events: int = MAX_EVENTS,
    fresh: bool = False,
    on_progress: Callable[[Progress], None] | None = None,
    source: KafkaInput | None = None,
    output: KafkaOutput | None = None,
    objects: str | None = None,
    otlp: str | None = None,
) -> StreamingQuery:
    """Start a scenario as a streaming query and return it at once; `awaitTermination()` waits for the end.

    `speed` is virtual seconds a real second, 0 = as fast as it can; `on_progress` is called after each micro-batch,
    in a thread of Spark's. `tables`: by default those that `simulate` gives, and rejects. `source`: Kafka topics that
    the events come from, which do not end the query, `stop()` does; `output`: where the sink kafka writes, `objects`:
    where the sink objects does (s3://BUCKET/PLACE); `otlp`: the collector of the sink otlp. Without
    `spark` a local session is opened, its heap `memory` (such as 2g, default by scenario). The query resumes from
    its checkpoint (default OUT/_checkpoint), or starts over if `fresh`, and holds both folders until it ends.
    Raises ScenarioError, InputError (an argument, or folders that do not fit or are in use) and EnvironmentProblem
    (no Java, cannot write).
    """
    if not isinstance(scenario, Scenario):
        scenario = load_scenario(scenario)
    job = scenario_job(scenario, None if tables is None else tables_asked(tables, "tables"), source)
    options = Options(
        out=folder_asked(out, "out"),
        **checkpoint_asked(checkpoint, "checkpoint"),
        sinks=sinks_asked(sink, "sink"),
        speed=speed_asked(speed, "speed"),
        memory=None if memory is None else memory_asked(memory, "memory"),
        max_events=most_asked(max_events, "max_events"),
        fresh=fresh,
        kafka=output,
        objects=None if objects is None else place_asked(objects, "objects"),
        otlp=None if otlp is None else collector_asked(otlp, "otlp"),
    )
    _await_given_back()
    with ExitStack() as stack:
        claim = stack.enter_context(claimed(job, options))
        if on_progress is not None:
            claim.progress.subscribe(on_progress)
        if spark is None:
            spark = open_session(
                claim.checkpoint.folder, partitions=claim.partitions, memory=claim.memory, more=claim.spark_settings
            )
        query = start(claim, spark)
        held = stack.pop_all()
    thread = threading.Thread(target=_give_back, args=(query, held), name="sendlab-folders", daemon=True)
    _holders.append((query, thread))
    thread.start()
    return query


_holders: list[tuple[StreamingQuery, threading.Thread]] = []  # queries of this process and who holds their folders


def _await_given_back() -> None:
    """A query that has ended gives its folders back in a thread of its own: wait for those that are about to."""
    for query, thread in list(_holders):
        if not query.isActive:
            thread.join(GIVEN_BACK_WITHIN_S)
            _holders.remove((query, thread))


def _give_back(query: StreamingQuery, held: ExitStack) -> None:
    """Hold the folders until the query has ended, however it ends: the query itself reports it to the caller."""
    with held, suppress(Exception):
        query.awaitTermination()
