"""The job from Python: `streaming.run(scenario, out=...)` gives Spark's StreamingQuery."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from simulator.scenario import Scenario, load_scenario
from state.tables import TABLES
from streaming.flow.source import MAX_EVENTS
from streaming.job.checkpoint import Checkpoint, manifest_of
from streaming.job.job import Options, start_query
from streaming.job.output_folder import prepare_output
from streaming.job.progress import Record, Tally
from streaming.job.scenario_job import scenario_job
from streaming.spark.session import open_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.streaming.query import StreamingQuery


def run(
    scenario: Scenario | str | Path,
    out: str | Path,
    *,
    spark: SparkSession | None = None,
    checkpoint: str | Path | None = None,
    tables: tuple[str, ...] = tuple(TABLES),
    sink: str = "parquet",
    speed: float = 0.0,
    max_events: int = MAX_EVENTS,
) -> StreamingQuery:
    """Start a scenario as a streaming query and return it at once; `awaitTermination()` waits for the end.

    `speed` is virtual seconds a real second, 0 = as fast as it can. Without `spark` a local session is opened. The
    query resumes from its checkpoint (default OUT/_checkpoint); that no other process uses it is the caller's care.
    Raises ScenarioError, InputError (folders that do not fit) and EnvironmentProblem (no Java, cannot write).
    """
    if not isinstance(scenario, Scenario):
        scenario = load_scenario(scenario)
    job = scenario_job(scenario, tables)
    folder = Path(checkpoint) if checkpoint is not None else None
    options = Options(out=Path(out), checkpoint=folder, sink=sink, speed=speed, max_events=max_events)
    owned = Checkpoint(options.checkpoint_folder)
    partitions = options.partitions_for(job.cells)
    manifest = manifest_of(job.kind, job.digest, job.settings, partitions, list(job.tables), options.sink)
    prepare_output(options.out, owned, job.about["run"], job.digest, fresh=False)
    owned.check_fits(manifest)
    owned.folder.mkdir(parents=True, exist_ok=True)
    owned.begin(manifest)
    if spark is None:
        spark = open_session(owned.folder, partitions=partitions)
    tally = Tally()
    belongs = {"checkpoint": owned.identity, "sink": options.sink, "tables": list(job.tables)}
    record = Record(options.out, {**job.about, **belongs})

    def on_batch(written: list[tuple[str, int, bytes]]) -> None:
        tally.add(written)
        record.update(tally, finished=tally.next_step >= job.steps)

    return start_query(spark, job, options, on_batch)
