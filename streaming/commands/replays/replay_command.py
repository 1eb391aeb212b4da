"""`sendlab replay`: a recording through the job, and whether the model decides as the recorded producers did."""

from __future__ import annotations

import json
import re
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from rich.table import Table

from simulator.replay.replay_codes import KINDS
from state.tables import DECISIONS, REJECTS, REPLAY_TABLES
from streaming.clock import virtual_time
from streaming.errors import InputError, Interrupted
from streaming.flow.recording_feed import RecordingFeed, Replay, replay_of
from streaming.flow.run_spec import RunSpec
from streaming.jobs.folders.output_folder import note_of
from streaming.jobs.job import Job, Options, Run
from streaming.jobs.run_job import run_job
from streaming.output_console import OutputConsole as Console
from streaming.own_version import sendlab_version
from streaming.recording.verify import SHOWN_DIFFERENCES, Agreement, Difference, compare
from streaming.spark.java import require_spark

ROW_OF_POSITION = re.compile(r", row (\d+)$")
SHOWN_REJECTS = 5


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


def read_table(out: Path, name: str, run: str) -> pa.Table:
    """A table that a replay wrote, empty if it has no rows."""
    files = sorted((out / name / f"run={run}").glob("*.parquet"))
    tables = [pq.read_table(file, partitioning=None) for file in files]
    return pa.concat_tables(tables) if tables else REPLAY_TABLES[name].schema.empty_table()


@dataclass(frozen=True)
class Replayed:
    """What a replay left in its folder: events by what became of them, and its two tables.

    agreement: the comparison with what was recorded, None if it was not asked for.
    """

    events: dict[str, int]
    decisions: pa.Table
    rejects: pa.Table
    agreement: Agreement | None = None

    def __repr__(self) -> str:
        return f"<Replayed: {self.decisions.num_rows:,} decisions, {self.rejects.num_rows:,} rejects>"

    @classmethod
    def read(cls, folder: Path, run: str) -> Replayed:
        """What lies in a folder."""
        events = (note_of(folder) or {}).get("events", {})
        return cls(events, read_table(folder, DECISIONS.name, run), read_table(folder, REJECTS.name, run))


def _refused_rows(rejects: pa.Table) -> list[int]:
    found = (ROW_OF_POSITION.search(position) for position in rejects.column("position").to_pylist())
    return [int(match[1]) for match in found if match]


def _percent(agree: int, determined: int) -> str:
    if not determined:
        return "-"
    # Never rounded up to 100.
    return "100 %" if agree == determined else f"{int(agree / determined * 1e4) / 100:.2f} %"


def _agreement_table(agreement: Agreement) -> Table:
    table = Table(title="agreement: decisions that the recording determines", title_justify="left")
    for heading in ("producer", "kind", "determined", "agree", "%", "undetermined"):
        table.add_column(heading, justify="left" if heading == "kind" else "right")
    for line in agreement.lines:
        counts = (f"{line.determined:,}", f"{line.agree:,}", _percent(line.agree, line.determined), f"{line.open:,}")
        table.add_row(str(line.producer), line.kind, *counts)
    table.add_section()
    for kind in KINDS:
        determined, agree = agreement.total("determined", kind), agreement.total("agree", kind)
        counts = (f"{determined:,}", f"{agree:,}", _percent(agree, determined), f"{agreement.total('open', kind):,}")
        table.add_row("all", kind, *counts)
    return table


def _print_difference(difference: Difference, console: Console) -> None:
    console.print(f"row {difference.row}, {difference.kind}", style="bold red", highlight=False)
    said = "  ".join(f"{name}={value}" for name, value in difference.recorded.items())
    console.print(f"  recorded row: {said}", markup=False, highlight=False)
    for name, (expected, got) in difference.fields.items():
        console.print(f"  {name}: expected {expected}, got {got}", markup=False, highlight=False)


def _print_rejects(rejects: pa.Table, console: Console) -> None:
    if not rejects.num_rows:
        return
    console.print(f"{rejects.num_rows:,} rows could not be used; the first:", style="yellow", highlight=False)
    for row in rejects.slice(0, SHOWN_REJECTS).to_pylist():
        console.print(f"  {row['position']}: {row['reason']}", markup=False, highlight=False)


def _print_agreement(agreement: Agreement, console: Console) -> None:
    console.print(_agreement_table(agreement))
    if timeouts := agreement.total("determined", "timeout"):
        console.print(
            f"timeout: {agreement.exact_timeouts:,} of {timeouts:,} known exactly, the rest within clock readings",
            style="dim",
            highlight=False,
        )
    if agreement.total("open"):
        console.print(
            "undetermined: the clock was read between two recorded values, and the decision depends on which",
            style="dim",
        )
    if agreement.different:
        shown = min(agreement.different, SHOWN_DIFFERENCES)
        console.print(f"\n{agreement.different:,} decisions differ; the first {shown}:", highlight=False)
        for difference in agreement.differences:
            _print_difference(difference, console)


def _document(replay: Replay, done: Replayed, agreement: Agreement | None, out: Path | None) -> dict[str, Any]:
    said: dict[str, Any] = {
        "recording": replay.recording.name,
        "release": replay.plan.settings.release,
        "events": done.events,
        "decisions": done.decisions.num_rows,
        "out": None if out is None else str(out),
    }
    if agreement is not None:
        said |= {
            "agrees": agreement.is_full,
            "agreement": [vars(line) for line in agreement.lines],
            "exact_timeouts": agreement.exact_timeouts,
            "different": agreement.different,
            "differences": [vars(difference) for difference in agreement.differences],
        }
    return said


def _run(job: Job, options: Options, is_kept: bool, console: Console) -> None:
    try:
        run_job(job, options, console)
    except Interrupted as stopped:
        if is_kept:
            raise
        raise Interrupted("stopped; nothing is kept without --out") from stopped


def replayed(trace: Path, *, verify: bool, out: Path | None, fresh: bool = False) -> Replayed:
    """Replay a recording, resuming in the folder `out`. Raises as `replay_command` does."""
    job, replay = _asked(trace)
    return _replayed(job, replay, out, fresh=fresh, verify=verify, console=Console(quiet=True))


def _asked(trace: Path) -> tuple[Job, Replay]:
    if trace.is_dir():
        raise InputError(f"{trace}: expected a recording, got a folder; a trace is replayed with --arm KEY=VALUE")
    spec = str(trace.resolve())
    job = replay_job(spec)
    require_spark()
    return job, replay_of(spec)


def _replayed(job: Job, replay: Replay, out: Path | None, *, fresh: bool, verify: bool, console: Console) -> Replayed:
    with ExitStack() as stack:
        folder = out or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sendlab-replay-"))) / "out"
        _run(job, Options(out=folder, fresh=fresh), out is not None, console)
        done = Replayed.read(folder, replay.plan.run)
    if not verify:
        return done
    return replace(done, agreement=compare(replay.recording, done.decisions, _refused_rows(done.rejects)))


def replay_command(
    trace: Path, *, verify: bool, out: Path | None, as_json: bool, console: Console, fresh: bool = False
) -> int:
    """Replay a recording; 1 if it was to be verified and not everything agrees, else 0. Resumes in the folder `out`.

    Raises InputError for a recording that cannot be read, EnvironmentProblem, Interrupted.
    """
    job, replay = _asked(trace)
    quiet = Console(quiet=True) if as_json else console
    quiet.print(
        f"[bold]{replay.recording.name}[/bold]: release {replay.plan.settings.release}, "
        f"{len(replay.plan.senders.producers)} producers, {virtual_time(job.duration_us)}, "
        f"{replay.events.num_rows:,} recorded events",
        highlight=False,
    )
    done = _replayed(job, replay, out, fresh=fresh, verify=verify, console=quiet)
    agreement = done.agreement
    if as_json:
        print(json.dumps(_document(replay, done, agreement, out), indent=1, default=str))
    else:
        _tell(replay, done, agreement, out, console)
    return 0 if agreement is None or agreement.is_full else 1


def _tell(replay: Replay, done: Replayed, agreement: Agreement | None, out: Path | None, console: Console) -> None:
    events = done.events
    console.print(
        f"events: {events['generated']:,} in = {events['handled']:,} handled + {events['rejected']:,} rejected; "
        f"{done.decisions.num_rows:,} decisions",
        highlight=False,
    )
    _print_rejects(done.rejects, console)
    if agreement is not None:
        _print_agreement(agreement, console)
        determined, agree = agreement.total("determined"), agreement.total("agree")
        name, percent = replay.recording.name, _percent(agree, determined)
        verdict = f"{name}: {agree:,} of {determined:,} decisions agree ({percent})"
        console.print(verdict, style="bold green" if agreement.is_full else "bold red", highlight=False)
    if out is not None:
        console.print(f"decisions in {out / DECISIONS.name}", highlight=False)
    elif agreement is None:
        console.print("the decisions were not stored: name a folder with --out", highlight=False)
