"""`sendlab replay`: a recording through the job."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa

from state.tables import DECISIONS
from streaming.clock import virtual_time
from streaming.flow.recording_feed import Replay
from streaming.jobs.job import Job
from streaming.jobs.replay_job import Replayed, replay_asked, run_replay
from streaming.terminal.output_console import OutputConsole as Console
from streaming.texts.command_result_texts import CommandResultTexts

SHOWN_REJECTS = 5


def replayed(trace: Path, *, out: Path | None, fresh: bool = False) -> Replayed:
    """Replay a recording, resuming in the folder `out`. Raises as `replay_command` does."""
    job, replay = replay_asked(trace)
    return run_replay(job, replay, out, fresh=fresh, console=Console(quiet=True))


def replay_command(trace: Path, *, out: Path | None, as_json: bool, console: Console, fresh: bool = False) -> int:
    """Replay a recording; 0. Resumes in the folder `out`.

    Raises InputError for a recording that cannot be read, EnvironmentProblem, Interrupted.
    """
    job, replay = replay_asked(trace)
    quiet = Console(quiet=True) if as_json else console
    print_recording(job, replay, quiet)
    done = run_replay(job, replay, out, fresh=fresh, console=quiet)
    if as_json:
        print(json.dumps(replay_document(replay, done, out), indent=1, default=str))
        return 0
    print_events(done, console)
    print_place(out, console)
    if out is None:
        console.print(CommandResultTexts.DECISIONS_NOT_STORED(), highlight=False)
    return 0


def print_recording(job: Job, replay: Replay, console: Console) -> None:
    """What is replayed."""
    text = CommandResultTexts.REPLAYED(
        release=replay.plan.settings.release, producers=len(replay.plan.senders.producers),
        length=virtual_time(job.duration_us), events=replay.events.num_rows,
    )  # fmt: skip
    console.print(text.at(f"[bold]{replay.recording.name}[/bold]"), highlight=False)


def print_events(done: Replayed, console: Console) -> None:
    """What became of the events, and the first that could not be used."""
    events = done.events
    text = CommandResultTexts.REPLAYED_EVENTS(
        generated=events["generated"], handled=events["handled"], rejected=events["rejected"],
        decisions=done.decisions.num_rows,
    )  # fmt: skip
    console.print(text, highlight=False)
    _print_rejects(done.rejects, console)


def print_place(out: Path | None, console: Console) -> None:
    """Where the decisions are, if they are kept."""
    if out is not None:
        console.print(CommandResultTexts.DECISIONS_IN(folder=out / DECISIONS.name), highlight=False)


def replay_document(replay: Replay, done: Replayed, out: Path | None) -> dict[str, Any]:
    """What --json prints of a replay."""
    return {
        "recording": replay.recording.name,
        "release": replay.plan.settings.release,
        "events": done.events,
        "decisions": done.decisions.num_rows,
        "out": None if out is None else str(out),
    }


def _print_rejects(rejects: pa.Table, console: Console) -> None:
    if not rejects.num_rows:
        return
    console.print(CommandResultTexts.ROWS_NOT_USED(count=rejects.num_rows), style="yellow", highlight=False)
    for row in rejects.slice(0, SHOWN_REJECTS).to_pylist():
        console.print(f"  {row['position']}: {row['reason']}", markup=False, highlight=False)
