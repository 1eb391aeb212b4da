"""`sendlab import`: a log of real clients to a trace."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from rich.console import Console

from simulator.scenario.reading.scenario_error import did_you_mean
from streaming.errors import InputError
from streaming.importing import csv_format, message_trace_format, tables_format
from streaming.importing.clock_jumps import SHOWN, ClockWatch
from streaming.importing.hosts import read_hosts
from streaming.importing.import_job import PartSummary, import_parts
from streaming.importing.log_part import LogPart, parquet_parts, text_parts
from streaming.importing.recording_format import trace_of_recording
from streaming.importing.trace import ATTEMPTS, REJECTS, TRACE_FILE, About, Trace, is_trace, write_about
from streaming.spark.java import require_java

FORMATS = {
    "message-trace": "records of RocketMQ's message trace: text dumps, or Parquet with the messages of its topic",
    "csv": "one attempt a line: time, producer, topic, broker, latency_ms, outcome",
    "recording": "a recording such as those of conf/traces",
    "tables": "the output folder of sendlab run",
}
NAMES_SHOWN = 5


def import_command(
    kind: str, files: Sequence[Path], out: Path, *, hosts: Path | None, changes: Sequence[str], as_json: bool,
    fresh: bool, master: str | None, console: Console,
) -> int:  # fmt: skip
    """Write the trace to `out`; 0. Raises InputError, EnvironmentProblem."""
    if kind not in FORMATS:
        known = "; ".join(f"{name} ({what})" for name, what in FORMATS.items())
        raise InputError(f"{kind}: no such format{did_you_mean(kind, FORMATS)}; known: {known}")
    known_hosts = read_hosts(hosts) if hosts is not None else {}
    client, mode = _client(changes)
    for file in files:
        if not file.exists() and kind != "recording":
            raise InputError(f"{file}: no such file")
    _check_out(out, fresh)
    if kind == "recording":
        about = _recordings(files, out, client, mode)
    else:
        about = _log(kind, files, out, known_hosts, (client, mode), master)
    if as_json:
        print(json.dumps(vars(about) | {"out": str(out)}, indent=1, sort_keys=True))
        return 0
    seconds = about.duration_us / 1e6
    console.print(f"{about.rows:,} attempts of {seconds:,.1f} s imported, {about.rejects:,} rejected", highlight=False)
    for sentence in about.told:
        console.print(sentence, style="yellow", highlight=False, markup=False, soft_wrap=True)
    console.print(f"trace in {out}", highlight=False)
    return 0


def _client(changes: Sequence[str]) -> tuple[dict[str, Any], str | None]:
    from streaming.commands.replays.calibrate_command import checked_client

    return checked_client({}, changes, "--set")


def _check_out(out: Path, fresh: bool) -> None:
    """Only a trace, or nothing, may be in the way of a new one."""
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return
    if not is_trace(out):
        raise InputError(f"{out}: is there already and no trace; choose another name")
    if not fresh:
        raise InputError(f"{out}: has a trace already; choose another name, or --fresh to write over it")
    (out / TRACE_FILE).unlink()
    for table in (ATTEMPTS, REJECTS):
        shutil.rmtree(out / table, ignore_errors=True)


def _recordings(files: Sequence[Path], out: Path, client: dict[str, Any], mode: str | None) -> About:
    if len(files) != 1:
        raise InputError(f"expected one recording, got {len(files)}: each has a client and a clock of its own")
    trace: Trace = trace_of_recording(files[0])
    (out / ATTEMPTS).mkdir(parents=True, exist_ok=True)
    pq.write_table(trace.table, out / ATTEMPTS / "part-00000.parquet", compression="zstd")
    said = {"client": trace.about.client | client, "mode": mode or trace.about.mode}
    about = About(**(vars(trace.about) | said))
    write_about(out, about)
    return about


def _log(
    kind: str, files: Sequence[Path], out: Path, hosts: dict[str, str], said: tuple[dict[str, Any], str | None],
    master: str | None,
) -> About:  # fmt: skip
    require_java()
    (client, mode), header = said, list[str]()
    if kind == "tables":
        if len(files) != 1:
            raise InputError(f"expected one output folder, got {len(files)}")
        own, own_mode = tables_format.client_of(files[0])
        client, mode = own | client, mode or own_mode
        parts = parquet_parts(tables_format.files_of(files[0]))
    elif kind == "csv":
        header, parts = _csv_parts(files)
    else:
        parts = _message_trace_parts(files)
    if not parts:
        raise InputError(f"{files[0]}: is empty")
    found = import_parts(kind, parts, hosts, header, out, master)
    about = _about(kind, files, parts, found, hosts)
    if not about.rows:
        first = "" if not about.rejects else f"; all {about.rejects:,} rows were rejected, see {out / REJECTS}"
        raise InputError(f"{files[0]}: no attempt was found in it{first}")
    about = About(**(vars(about) | {"client": client, "mode": mode}))
    write_about(out, about)
    return about


def _csv_parts(files: Sequence[Path]) -> tuple[list[str], list[LogPart]]:
    headers = []
    for file in files:
        try:
            with gzip.open(file, "rt") if file.suffix == ".gz" else file.open() as opened:
                headers.append(csv_format.header_of(str(file), opened.readline()))
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{file}: cannot be read: {error}") from error
        if headers[-1] != headers[0]:
            raise InputError(f"{file}, line 1: has other columns than {files[0]}; import it into a trace of its own")
    return headers[0], text_parts(list(files), csv_format.LINE)


def _message_trace_parts(files: Sequence[Path]) -> list[LogPart]:
    tabular = [file for file in files if file.suffix == ".parquet"]
    if tabular and len(tabular) != len(files):
        raise InputError("text dumps and Parquet files go into traces of their own")
    if not tabular:
        return text_parts(list(files), message_trace_format.RECORD)
    for file in tabular:
        message_trace_format.body_column(str(file), pq.read_schema(file).names)
    return parquet_parts(tabular)


def _about(
    kind: str, files: Sequence[Path], parts: Sequence[LogPart], found: Sequence[PartSummary], hosts: dict[str, str]
) -> About:
    used = [part for part in found if part.rows]
    end_us = max((part.end_us for part in used), default=0)
    begin_us = min((part.begin_us for part in used), default=0)
    zero_us = 0 if kind == "tables" else begin_us // 1_000_000 * 1_000_000
    rejects = sum(part.rejects for part in found)
    told = list(_hosts_told({name for part in used for name in part.brokers}, hosts))
    told += _clocks_told(parts, found)
    if rejects:
        told.append(f"{rejects:,} rows could not be used: the table rejects of the trace says why, with file and line")
    if kind == "message-trace":
        told.append("a message trace has no record of attempts that got no answer: what failed is missing")
        if not_ok := sum(part.not_ok for part in found):
            told.append(
                f"{not_ok:,} records say success false: taken as FLUSH_DISK_TIMEOUT, the trace does not say which"
            )
    return About(
        name=files[0].name, formats=[kind], zero_us=zero_us, duration_us=end_us - zero_us,
        answered_only=kind == "message-trace", rows=sum(part.rows for part in found), rejects=rejects,
        files=[str(file) for file in files], told=told,
    )  # fmt: skip


def _hosts_told(brokers: set[str], hosts: dict[str, str]) -> list[str]:
    unmapped = sorted(name for name in brokers if hosts and name not in hosts.values())
    if not unmapped:
        return []
    shown = ", ".join(unmapped[:NAMES_SHOWN]) + (" and more" if len(unmapped) > NAMES_SHOWN else "")
    return [f"{len(unmapped)} hosts are not in the map and keep their address as the name: {shown}"]


def _clocks_told(parts: Sequence[LogPart], found: Sequence[PartSummary]) -> list[str]:
    whole: dict[str, ClockWatch] = {}
    for part, summary in zip(parts, found, strict=True):
        watch = whole.setdefault(part.file, ClockWatch())
        watch.follow(ClockWatch(**summary.clocks), f"{part.file}, {part.first}")
    jumps = [jump for watch in whole.values() for jump in watch.jumps][:SHOWN]
    count = sum(watch.count for watch in whole.values())
    return jumps + ([f"and {count - len(jumps)} more jumps of clocks"] if count > len(jumps) else [])
