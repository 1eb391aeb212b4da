"""What is to run, and how."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from state.tables import TABLES
from streaming.flow.run_spec import RunSpec
from streaming.flow.source import MAX_EVENTS
from streaming.jobs.memory_needs import NOTHING, Needs
from streaming.jobs.sinks import KafkaOutput
from streaming.kafka.intake.kafka_source import KafkaInput

FOREVER = "3650d"  # how long the scenario of a job without an end is taken to be


@dataclass(frozen=True)
class Run:
    """One run of a job. `spec`: what the source and the operator rebuild it from; `about`: for run.json.

    `steps` of the source and `cells`; `settings` as the user gave them, to say what differs.
    """

    spec: RunSpec
    digest: str
    settings: Mapping[str, Any]
    steps: int
    cells: int
    duration_us: int
    about: Mapping[str, Any]
    needs: Needs = NOTHING


@dataclass(frozen=True)
class Job:
    """Runs that go through one query, known by their names, and the tables that they put out.

    `kafka`: the topics that their events come from; without it they are made.
    """

    runs: tuple[Run, ...]
    tables: tuple[str, ...] = tuple(TABLES)
    kafka: KafkaInput | None = None

    @property
    def run(self) -> Run:
        """The run of a job that has one only."""
        (only,) = self.runs
        return only

    @property
    def specs(self) -> tuple[RunSpec, ...]:
        """What rebuilds the runs."""
        return tuple(run.spec for run in self.runs)

    @property
    def steps(self) -> int:
        """Steps of the longest run."""
        return max(run.steps for run in self.runs)

    @property
    def cells(self) -> int:
        """Cells of all runs."""
        return sum(run.cells for run in self.runs)

    @property
    def needs(self) -> Needs:
        """Memory that the runs need together."""
        return sum((run.needs for run in self.runs), NOTHING)

    @property
    def duration_us(self) -> int:
        """Virtual time of the longest run."""
        return max(run.duration_us for run in self.runs)


@dataclass(frozen=True)
class Options:
    """How it is to run. `speed`: virtual seconds a real second, 0 = as fast as it can; `memory`: the JVM's heap.

    `checkpoint_url`: a place in an object store for Spark's part of the checkpoint.
    `kafka`, `objects`, `otlp`: where the sinks of those names write.
    `forever`: it has no end, and its pace follows the wall clock. `restarts`: of a query or JVM that failed, in a row.
    `keep_us`: of virtual time, what is older is removed from the tables of a job without an end, 0 = nothing.
    """

    out: Path
    checkpoint: Path | None = None
    checkpoint_url: str | None = None
    sinks: tuple[str, ...] = ("parquet",)
    speed: float = 0.0
    master: str | None = None
    partitions: int | None = None
    memory: str | None = None
    max_events: int = MAX_EVENTS
    fresh: bool = False
    kafka: KafkaOutput | None = None
    objects: str | None = None
    otlp: str | None = None
    forever: bool = False
    restarts: int = 0
    keep_us: int = 0

    @property
    def sink(self) -> str:
        """The names of the sinks."""
        return " and ".join(self.sinks)

    @property
    def checkpoint_folder(self) -> Path:
        """The checkpoint's folder, by default in the output folder where no reader looks."""
        return self.checkpoint or self.out / "_checkpoint"
