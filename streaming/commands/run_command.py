"""`sendlab run`: check what was asked, run the job, tell what happened."""

from __future__ import annotations

import difflib
import re
from pathlib import Path

from rich.console import Console

from simulator.scenario import load_scenario
from state.tables import TABLES
from streaming.commands.changes import overrides_of
from streaming.errors import InputError
from streaming.flow.sinks import SINKS
from streaming.job.checkpoint import read_json
from streaming.job.job import Job, Options, run_job
from streaming.job.progress import Tally, virtual_time
from streaming.job.scenario_job import scenario_job
from streaming.spark.java import require_java

PLAIN = "plain"
ENGINES = ("spark", PLAIN)


def speed_of(pace: str) -> float:
    """Virtual seconds a real second; 0 for `max`. Raises InputError."""
    if pace == "max":
        return 0.0
    matched = re.fullmatch(r"(\d+(?:\.\d+)?)x", pace)
    if matched is None or float(matched[1]) <= 0:
        raise InputError(f"--pace {pace}: expected max or a factor such as 1x or 10x")
    return float(matched[1])


def tables_of(names: str | None) -> tuple[str, ...]:
    """Names of tables, the rejects always among them. Raises InputError for an unknown one."""
    if names is None:
        return tuple(TABLES)
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    for name in wanted:
        if name not in TABLES:
            near = difflib.get_close_matches(name, TABLES, n=1, cutoff=0.0)[0]
            raise InputError(f"--tables {name}: no such table; known: {', '.join(TABLES)}; did you mean {near}?")
    return tuple(name for name in TABLES if name in wanted or name == "rejects")


def _check_plain(options: Options) -> None:
    """Raise InputError for what only the streaming job has."""
    given = {
        "--checkpoint": options.checkpoint is not None,
        "--sink console": options.sink != "parquet",
        "--pace": options.speed > 0,
        "--master": options.master is not None,
        "--partitions": options.partitions is not None,
    }
    for option in (name for name, is_given in given.items() if is_given):
        raise InputError(f"{option} goes with the streaming job alone; leave it out, or leave --engine plain out")


def _is_finished(job: Job, options: Options) -> bool:
    note = options.out / "run.json"
    if options.fresh or options.sink != "parquet" or not note.exists():
        return False
    stored = read_json(note, "output folder's description")
    wanted = {"digest": job.digest, "run": job.about["run"], "sink": "parquet", "tables": list(job.tables)}
    return bool(stored.get("finished")) and all(stored.get(key) == value for key, value in wanted.items())


def _tell(tally: Tally, options: Options, console: Console) -> None:
    events = tally.events()
    if tally.first_rows_s is not None:
        console.print(f"first decisions after {tally.first_rows_s:.1f} s", style="dim", highlight=False)
    if options.sink == "parquet":
        from streaming.results.summary import print_summary, summarise

        print_summary(summarise(options.out), console)
    elif events:
        console.print(
            f"{tally.sends:,} messages, {tally.failures:,} failed, {tally.retries:,} retries; "
            f"events: {events['generated']:,} in, {events['handled']:,} handled, {events['rejected']:,} rejected",
            highlight=False,
        )


def run_command(
    scenario_file: Path,
    out: Path,
    *,
    changes: list[str],
    checkpoint: Path | None,
    sink: str,
    pace: str,
    tables: str | None,
    master: str | None,
    partitions: int | None,
    max_events: int,
    fresh: bool,
    engine: str,
    console: Console,
) -> None:
    """Run a scenario. Raises ScenarioError, InputError, EnvironmentProblem, Interrupted."""
    if engine not in ENGINES:
        raise InputError(f"--engine {engine}: expected {' or '.join(ENGINES)}")
    if sink not in SINKS:
        raise InputError(f"--sink {sink}: expected {' or '.join(SINKS)}")
    options = Options(
        out=out, checkpoint=checkpoint, sink=sink, speed=speed_of(pace), master=master, partitions=partitions,
        max_events=max_events, fresh=fresh,
    )  # fmt: skip
    scenario = load_scenario(scenario_file, overrides_of(changes))
    wanted = tables_of(tables)
    plain = engine == PLAIN
    if plain:
        _check_plain(options)
    else:
        require_java()
    job = scenario_job(scenario, wanted)
    console.print(
        f"[bold]{scenario.name}[/bold]: release {scenario.client.release}, strategy "
        f"{'on' if scenario.client.send_latency_fault_enable else 'off'}, {scenario.producer_count} producers, "
        f"{len(scenario.brokers)} brokers, {virtual_time(scenario.duration_us)} of virtual time, "
        f"{'up to about' if any(group.arrivals == 'closed' for group in scenario.producers) else 'about'} "
        f"{scenario.expected_messages:,.0f} messages",
        highlight=False,
    )
    if _is_finished(job, options):
        console.print(f"{out}: this run is finished; here is what it found (--fresh starts over)", style="dim")
        tally = Tally()
    elif plain:
        from streaming.job.plain_run import run_plain

        tally = run_plain(job, out, console, fresh=fresh)
    else:
        tally = run_job(job, options, console)
    _tell(tally, options, console)
    if options.sink == "parquet":
        console.print(f"tables in {out}; a picture: sendlab report {out}", highlight=False)
