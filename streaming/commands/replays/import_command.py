"""`sendlab import`: a log of real clients to a trace."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from rich.progress import Progress

from simulator.scenario.reading.scenario_error import did_you_mean
from state.texts import at
from streaming.commands.kafka.kafka_options import KafkaOptions
from streaming.commands.replays.import_metrics import import_metrics
from streaming.commands.replays.import_notes import (
    MOST_SHARE,
    are_too_many,
    failure_notes,
    how_read,
    latency_trouble,
    reject_notes,
    span_trouble,
    to_know,
)
from streaming.errors import InputError
from streaming.importing import tables_format
from streaming.importing.checks.repeated_rows import RepeatedRows, drop_repeated
from streaming.importing.csv_log.csv_shape import CsvChoices
from streaming.importing.hosts import read_hosts
from streaming.importing.import_job import PartSummary, import_log
from streaming.importing.log import CLIENT_LOG, Log, log_in, log_of_topic
from streaming.importing.recording_format import rejected_share, rejects_of_recording, trace_of_recording
from streaming.importing.texts.times import TimeRule
from streaming.importing.trace import ATTEMPTS, REJECTS, TRACE_FILE, About, Trace, is_trace, write_about
from streaming.importing.trace_metrics import METRICS
from streaming.problems import room_needed
from streaming.terminal.output_console import OutputConsole as Console
from streaming.texts.command_result_texts import CommandResultTexts
from streaming.texts.command_texts import CommandTexts

JSON_LINES, NONE_TWICE = "jsonl", RepeatedRows()
SAME_AS = {"json": JSON_LINES, "ndjson": JSON_LINES}
TABULAR = ("csv", JSON_LINES)
FORMATS = {
    "message-trace": "records of RocketMQ's message trace: text dumps, Parquet or a Kafka topic with its messages",
    "csv": "one attempt per line: time, producer, topic, broker, latency_ms, outcome; --map renames columns",
    JSON_LINES: "the same as one JSON object per line, nested keys with dots: --map broker=mq.broker",
    CLIENT_LOG: "RocketMQ's own rocketmq_client.log: failed attempts only",
    "recording": "a recording such as those of conf/traces",
    "tables": "the output folder of sendlab run",
    METRICS: "metrics of a RocketMQ exporter for Prometheus, added to an existing trace",
}


def import_command(
    kind: str, files: Sequence[Path], out: Path, *, hosts: Path | None, changes: Sequence[str], as_json: bool,
    fresh: bool, master: str | None, kafka: KafkaOptions, console: Console, choices: CsvChoices | None = None,
    allow_rejects: bool = False,
) -> int:  # fmt: skip
    """Write the trace to `out`; 0, or 1 if more than a tenth of the log was rejected and `allow_rejects` is not set.

    Raises InputError, EnvironmentProblem.
    """
    kind = SAME_AS.get(kind, kind)
    if kind not in FORMATS:
        known = "; ".join(f"{name} ({what})" for name, what in FORMATS.items())
        raise InputError(CommandTexts.NO_FORMAT(near=did_you_mean(kind, FORMATS), known=known).at(kind))
    known_hosts = read_hosts(hosts) if hosts is not None else {}
    client, mode = _client(changes)
    _check_files(kind, files, kafka)
    zone_only = CsvChoices(times=TimeRule(zone=choices.times.zone)) if choices else None
    if kind not in TABULAR and choices not in (None, CsvChoices(), zone_only if kind == CLIENT_LOG else None):
        raise InputError(CommandTexts.NOT_OF_THIS_FORMAT(jsonl=JSON_LINES, log=CLIENT_LOG).at(kind))
    if kind == METRICS:
        return import_metrics(files, out, known_hosts, as_json=as_json, fresh=fresh, console=console)
    _check_out(out, fresh)
    quiet = Console(quiet=True) if as_json else console
    if kind == "recording":
        with room_needed(out):
            about, too_many = _recordings(files, out)
    elif kafka.topics:
        (topic,) = kafka.topics
        about, too_many = _log(log_of_topic(kafka.connection, topic, known_hosts), [topic], out, master, quiet)
    else:
        log = log_in("csv" if kind in TABULAR else kind, files, known_hosts, choices)
        if kind == JSON_LINES and (tables := [file for file, shape in log.shapes.items() if not shape.is_json]):
            raise InputError(CommandTexts.OBJECT_A_LINE().at(f"{tables[0]}, line 1"))
        about, too_many = _log(log, [str(file) for file in files], out, master, quiet)
    if kind == "tables":
        own, own_mode = tables_format.client_of(files[0])
        client, mode = own | client, mode or own_mode
    said = {"client": about.client | client, "mode": mode or about.mode}
    about = About(**(vars(about) | said))
    refused = too_many and not allow_rejects
    if not refused:
        write_about(out, about)
    if as_json:
        print(json.dumps(vars(about) | {"out": None if refused else str(out)}, indent=1, sort_keys=True))
        return int(refused)
    dropped = CommandResultTexts.DROPPED_TWICE(count=about.repeated) if about.repeated else ""
    done = CommandResultTexts.READ_ONLY if refused else CommandResultTexts.IMPORTED
    text = done(attempts=about.rows, seconds=about.duration_us / 1e6, rejects=about.rejects, dropped=dropped)
    console.print(text, highlight=False)
    for sentence in about.read:
        console.print(sentence, highlight=False, markup=False, soft_wrap=True)
    if about.failed_only:
        for sentence in failure_notes(out):
            console.print(sentence, highlight=False, markup=False, soft_wrap=True)
    for sentence in about.notes:
        console.print(sentence, style="yellow", highlight=False, markup=False, soft_wrap=True)
    if refused:
        why = CommandTexts.TOO_MANY_REJECTED(most=MOST_SHARE, rejects=out / REJECTS)
        console.print(CommandResultTexts.ALLOW_REJECTS(why=why), style="red", highlight=False, soft_wrap=True)
        return 1
    console.print(CommandResultTexts.TRACE_IN(out=out), highlight=False)
    return 0


def _check_files(kind: str, files: Sequence[Path], kafka: KafkaOptions) -> None:
    if kafka.topics or kafka.bootstrap is not None:
        if kind != "message-trace" or files or len(kafka.topics) != 1 or kafka.bootstrap is None:
            raise InputError(CommandTexts.READ_A_TOPIC())
        return
    if not files:
        raise InputError(CommandTexts.NO_FILE_GIVEN())
    if len({file.resolve() for file in files}) < len(files):
        raise InputError(CommandTexts.FILE_TWICE())
    for file in files:
        if not file.exists() and kind != "recording":
            raise InputError(CommandTexts.NO_SUCH_FILE().at(file))
        if file.is_dir() and kind != "tables":
            raise InputError(CommandTexts.A_FOLDER().at(file))


def _client(changes: Sequence[str]) -> tuple[dict[str, Any], str | None]:
    from streaming.commands.replays.calibrate_command import checked_client

    return checked_client({}, changes, "--set")


def _check_out(out: Path, fresh: bool) -> None:
    """Only a trace, or nothing, may be in the way of a new one."""
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return
    if is_trace(out):
        if not fresh:
            raise InputError(CommandTexts.A_TRACE_ALREADY().at(out))
    # An import that failed leaves these two.
    elif not out.is_dir() or {one.name for one in out.iterdir()} - {ATTEMPTS, REJECTS}:
        raise InputError(CommandTexts.NOT_A_TRACE().at(out))


def _clear(out: Path) -> None:
    """Remove the trace that is written over, now that the log can be read."""
    (out / TRACE_FILE).unlink(missing_ok=True)
    for table in (ATTEMPTS, REJECTS, METRICS):
        shutil.rmtree(out / table, ignore_errors=True)


def _recordings(files: Sequence[Path], out: Path) -> tuple[About, bool]:
    if len(files) != 1:
        raise InputError(CommandTexts.ONE_RECORDING(got=len(files)))
    trace: Trace = trace_of_recording(files[0])
    _clear(out)
    for name, table in ((ATTEMPTS, trace.table), (REJECTS, rejects_of_recording(files[0]))):
        (out / name).mkdir(parents=True, exist_ok=True)
        if len(table) or name == ATTEMPTS:
            pq.write_table(table, out / name / "part-00000.parquet", compression="zstd")
    return trace.about, rejected_share(files[0]) > MOST_SHARE


def _log(log: Log, sources: Sequence[str], out: Path, master: str | None, console: Console) -> tuple[About, bool]:
    """What is known of the trace, and whether too many rows were rejected for it to be one. Raises InputError."""
    _clear(out)
    with Progress(console=console, transient=True) as bar:
        total = len(log.parts) if len(log.parts) > 1 else None
        task = bar.add_task(CommandResultTexts.PARTS_OF_LOG(), total=total)
        with room_needed(out):
            found = import_log(log, out, master=master, tell=lambda done: bar.update(task, completed=done))
    if question := latency_trouble(log, found):
        raise InputError(question)
    with room_needed(out):
        is_log = log.kind != "tables"
        repeated = drop_repeated(out / ATTEMPTS, has_producers=log.names_producers) if is_log else NONE_TWICE
    found = [replace(part, rows=part.rows - repeated.by_part.get(part.part, 0)) for part in found]
    about = _about(log, sources, found, repeated)
    if not about.rows:
        why = [part.trouble for part in found if part.trouble][:1]
        if about.rejects:
            why.append(CommandResultTexts.ALL_REJECTED(rejects=about.rejects, table=out / REJECTS))
        why += [one for one in reject_notes(found) if one.startswith("rejected")]
        nothing = CommandTexts.NO_ATTEMPT_FOUND().at(f"{sources[0]}")
        raise InputError(nothing.followed_by("".join(f"; {one}" for one in why)))
    if trouble := span_trouble(out, log, found):
        raise InputError(at(sources[0], trouble))
    return about, are_too_many(found)


def _about(log: Log, sources: Sequence[str], found: Sequence[PartSummary], repeated: RepeatedRows) -> About:
    used = [part for part in found if part.rows]
    end_us = max((part.end_us for part in used), default=0)
    begin_us = min((part.begin_us for part in used), default=0)
    files = {part.number: part.file for part in log.parts}
    zero_us = 0 if log.kind == "tables" else begin_us // 1_000_000 * 1_000_000
    return About(
        name=Path(sources[0]).name, formats=[log.kind], zero_us=zero_us, duration_us=end_us - zero_us,
        answered_only=log.kind == "message-trace", failed_only=log.kind == CLIENT_LOG,
        rows=sum(part.rows for part in found),
        rejects=sum(part.rejects for part in found), files=list(sources),
        notes=[*repeated.notes(files), *to_know(log, found), *reject_notes(found)],
        read=how_read(log, found), repeated=repeated.count,
    )  # fmt: skip
