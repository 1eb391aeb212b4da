"""Runs that are known from beginning to end as a source: blocks by step, replayable by offset, in bounded batches.

Options of the streaming data source `sendlab`:

runs       `run_spec.spelled`
maxevents  events a micro-batch, default 100000
shape      `Shape.option`; without it the source works it out from the runs
speed      virtual seconds a real second, 0 = as fast as it can
duesince   when step 0 was due, seconds since 1970: the pace follows the wall clock; without it the pace begins with
           the first question
stopfile   while it exists the source has nothing more to give
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from pyspark.sql.datasource import DataSource, DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import ReadAllAvailable, ReadLimit, ReadMaxRows, SupportsTriggerAvailableNow

from streaming.flow.blocks import IN_SCHEMA, batches_of
from streaming.flow.source import MAX_EVENTS, Reached

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

    from streaming.flow.run_spec import RunSpec
    from streaming.flow.scenario_feed import Feed

FIRST_BATCH_EVENTS = 20_000


class Shape(NamedTuple):
    """What admission control needs to know of the runs: steps of the longest, cells of each, virtual time and
    expected events of a step of all.
    """

    steps: int
    cells: tuple[int, ...]
    window_us: int
    events_per_step: float

    @classmethod
    def of(cls, feeds: Sequence[Feed]) -> Shape:
        """The shape of feeds."""
        events = sum(feed.events_per_step() for feed in feeds)
        cells = tuple(feed.cells for feed in feeds)
        return cls(max(feed.steps for feed in feeds), cells, min(feed.window_us for feed in feeds), events)

    @property
    def option(self) -> str:
        """The text that `shape_of` reads back."""
        return json.dumps(self)


def shape_of(option: str) -> Shape:
    """The shape that an option spells."""
    steps, cells, window_us, events = json.loads(option)
    return Shape(steps, tuple(cells), window_us, events)


class StepRange(InputPartition):
    """Steps [first, last) of one cell of a run, by its place among the runs."""

    def __init__(self, run: int, cell: int, first: int, last: int) -> None:
        super().__init__((run, cell, first, last))
        self.run, self.cell, self.first, self.last = run, cell, first, last


class SendlabReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """Offsets are {"step": n}: the next step to give."""

    def __init__(self, options: dict[str, str]) -> None:
        self.runs = options["runs"]
        self.max_events = int(options.get("maxevents", str(MAX_EVENTS)))
        self.speed = float(options.get("speed", "0"))
        self.due_since_s = float(options["duesince"]) if "duesince" in options else None
        self.stop_file = options.get("stopfile")
        self._shape = shape_of(options["shape"]) if "shape" in options else None
        self._target: int | None = None
        self._began: tuple[float, int] | None = None

    def _feeds(self) -> list[Feed]:
        from streaming.flow.feeds import feed_of
        from streaming.flow.run_spec import runs_of

        return [feed_of(run) for run in runs_of(self.runs)]

    @property
    def shape(self) -> Shape:
        """How long the runs are; known from the options it spares the planner loading the model."""
        if self._shape is None:
            self._shape = Shape.of(self._feeds())
        return self._shape

    def initialOffset(self) -> dict[str, int]:
        """The first step."""
        return {"step": 0}

    def getDefaultReadLimit(self) -> ReadLimit:
        """Events a micro-batch."""
        return ReadMaxRows(self.max_events)

    def prepareForTriggerAvailableNow(self) -> None:
        """Everything that the run has is available."""
        self._target = self.shape.steps

    def reportLatestOffset(self) -> dict[str, int]:
        """The end of the run."""
        return {"step": self.shape.steps}

    def latestOffset(self, start: dict[str, int], limit: ReadLimit) -> dict[str, int]:
        """The step after the last one of the next micro-batch; `start` itself if there is nothing to give now."""
        step = int(start["step"])
        shape = self.shape
        last = shape.steps if self._target is None else self._target
        if step >= last or (self.stop_file and Path(self.stop_file).exists()):
            return start
        if isinstance(limit, ReadAllAvailable):
            steps = last - step
        else:
            events = limit.max_rows if isinstance(limit, ReadMaxRows) else self.max_events
            # A small first batch: something to see within seconds.
            events = min(events, FIRST_BATCH_EVENTS) if step == 0 else events
            steps = max(int(events / max(shape.events_per_step, 1e-9)), 1)
        if self.speed > 0:
            steps = min(steps, self._due(step) - step)
        return {"step": min(step + max(steps, 0), last)}

    def _due(self, step: int) -> int:
        """The step that the pace has come to: by the wall clock, or since the first question, which was for `step`."""
        if self.due_since_s is not None:
            return int((time.time() - self.due_since_s) * self.speed * 1e6 / self.shape.window_us)
        if self._began is None:
            self._began = (time.monotonic(), step)
        since, from_step = self._began
        return from_step + int((time.monotonic() - since) * self.speed * 1e6 / self.shape.window_us)

    def partitions(self, start: dict[str, int], end: dict[str, int]) -> Sequence[InputPartition]:
        """A partition for each cell, in two halves where there is one cell only, so that both cores generate."""
        first, last = int(start["step"]), int(end["step"])
        places = [(run, cell) for run, cells in enumerate(self.shape.cells) for cell in range(cells)]
        middle = (first + last) // 2 if len(places) == 1 else first
        ranges = [(first, middle), (middle, last)]
        return [StepRange(run, cell, a, b) for run, cell in places for a, b in ranges if a < b]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:  # type: ignore[override]
        """The blocks of a partition as record batches."""
        assert isinstance(partition, StepRange)
        from streaming.flow.feeds import feed_of
        from streaming.flow.run_spec import runs_of
        from streaming.spark.worker import settle

        feed = feed_of(runs_of(self.runs)[partition.run])
        settle()
        return batches_of(feed.blocks(partition.cell, partition.first, partition.last))


class SendlabSource(DataSource):
    """`spark.readStream.format("sendlab")`."""

    @classmethod
    def name(cls) -> str:
        """Name of the format."""
        return "sendlab"

    def schema(self) -> str:
        """Columns of a block."""
        return IN_SCHEMA

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:
        """The reader of these options."""
        return SendlabReader(dict(self.options))


@dataclass(frozen=True)
class StepSource:
    """The source of runs that have feeds: scenarios and recordings.

    `speed`: virtual seconds a real second, 0 = any; `due_since_s`: when step 0 was due, if the wall clock is followed.
    """

    runs: tuple[RunSpec, ...]
    stop_file: Path
    max_events: int = MAX_EVENTS
    speed: float = 0.0
    due_since_s: float | None = None

    spark_settings: ClassVar[Mapping[str, str]] = MappingProxyType({})

    @property
    def is_polled(self) -> bool:
        """Only a paced one."""
        return self.speed > 0

    @cached_property
    def shape(self) -> Shape:
        """How long the runs are."""
        from streaming.flow.feeds import feed_of

        return Shape.of([feed_of(run) for run in self.runs])

    def blocks(self, spark: SparkSession) -> DataFrame:
        """The blocks of every run, step by step."""
        from streaming.flow.run_spec import spelled

        spark.dataSource.register(SendlabSource)
        options = {
            "runs": spelled(self.runs),
            "shape": self.shape.option,
            "maxevents": str(self.max_events),
            "speed": str(self.speed),
            "stopfile": str(self.stop_file),
        }
        if self.due_since_s is not None:
            options["duesince"] = repr(self.due_since_s)
        return spark.readStream.format(SendlabSource.name()).options(**options).load()

    def reached(self, offsets: Sequence[str]) -> Reached:
        """The step that comes next."""
        step = int(json.loads(offsets[0])["step"]) if offsets else 0
        return Reached(step * self.shape.window_us, step >= self.shape.steps)
