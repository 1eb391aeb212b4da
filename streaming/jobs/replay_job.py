"""A recording through the job: its run, and what it left."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from state.tables import DECISIONS, REJECTS, REPLAY_TABLES
from streaming.errors import InputError, Interrupted
from streaming.flow.recording_feed import RecordingFeed, Replay, replay_of
from streaming.flow.run_spec import RunSpec
from streaming.installation.own_version import sendlab_version
from streaming.jobs.folders.output_folder import note_of
from streaming.jobs.job import Job, Options, Run
from streaming.jobs.run_job import run_job
from streaming.spark.java import require_spark
from streaming.spark.local_folder import local_folder
from streaming.terminal.output_console import OutputConsole as Console
from streaming.texts.job_texts import JobTexts


def about_replay(replay: Replay) -> dict[str, Any]:
    """What run.json says of a replay."""
    about, plan = replay.recording.about, replay.plan
    feed = RecordingFeed(replay)
    return {
        "sendlab": sendlab_version(),
        "run": plan.run,
        "kind": "recording",
        "digest": plan.digest,
        "scenario_name": replay.recording.name,
        "description": about.get("description", ""),
        "release": plan.settings.release,
        "strategy": plan.settings.strategy_on,
        "seed": None,
        "duration_us": feed.duration_us,
        "window_us": feed.window_us,
        "cells": feed.cells,
        "brokers": list(plan.senders.brokers),
        "topics": list(plan.senders.topics),
        "recording": replay.recording.path.name,
    }


def replay_job(spec: str) -> Job:
    """The job of a recording; `spec`: its path, or a Variation's JSON. Raises InputError."""
    replay = replay_of(spec)
    feed = RecordingFeed(replay)
    run = Run(
        spec=RunSpec(replay.plan.run, "recording", spec),
        digest=replay.plan.digest,
        settings={"recording": replay.recording.name, "release": replay.plan.settings.release},
        steps=feed.steps,
        cells=feed.cells,
        duration_us=feed.duration_us,
        about=about_replay(replay),
    )
    return Job((run,), tuple(REPLAY_TABLES))


@dataclass(frozen=True)
class Replayed:
    """What a replay left in its folder: events by what became of them, and its two tables."""

    events: dict[str, int]
    decisions: pa.Table
    rejects: pa.Table

    def __repr__(self) -> str:
        return f"<Replayed: {self.decisions.num_rows:,} decisions, {self.rejects.num_rows:,} rejects>"


def replay_asked(trace: Path) -> tuple[Job, Replay]:
    """The job of a recording, and how it is read. Raises InputError, and EnvironmentProblem without Spark."""
    if trace.is_dir():
        raise InputError(JobTexts.A_TRACE_NEEDS_ARMS().at(trace))
    spec = str(trace.resolve())
    job = replay_job(spec)
    require_spark()
    return job, replay_of(spec)


def run_replay(job: Job, replay: Replay, out: Path | None, *, fresh: bool, console: Console) -> Replayed:
    """Replay a recording to its end, resuming in the folder `out`; without one nothing is kept.

    Raises InputError, EnvironmentProblem and Interrupted.
    """
    with ExitStack() as stack:
        folder = out or Path(stack.enter_context(tempfile.TemporaryDirectory(dir=local_folder()))) / "out"
        try:
            run_job(job, Options(out=folder, fresh=fresh), console)
        except Interrupted as stopped:
            if out is not None:
                raise
            raise Interrupted(JobTexts.REPLAY_STOPPED()) from stopped
        events = (note_of(folder) or {}).get("events", {})
        decisions, rejects = (_table(folder, name, replay.plan.run) for name in (DECISIONS.name, REJECTS.name))
        return Replayed(events, decisions, rejects)


def _table(out: Path, name: str, run: str) -> pa.Table:
    """A table that a replay wrote, empty if it has no rows."""
    files = sorted((out / name / f"run={run}").glob("*.parquet"))
    tables = [pq.read_table(file, partitioning=None) for file in files]
    return pa.concat_tables(tables) if tables else REPLAY_TABLES[name].schema.empty_table()
