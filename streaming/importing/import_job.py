"""The import as a Spark job: every part of a log is read, written as Parquet and summed up by one task."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from streaming.importing import csv_format, message_trace_format, tables_format
from streaming.importing.clock_jumps import ClockWatch
from streaming.importing.log_part import LogPart
from streaming.importing.trace import ATTEMPTS, COLUMNS, REJECT_COLUMNS, REJECTS
from streaming.spark.session import some_session

NAMES_SHOWN = 1_000
SUMMARY = "part int, summary string"


@dataclass(frozen=True)
class PartSummary:
    """What one part held. begin_us, end_us: of its attempts, 0 without any. brokers: names, as they were found."""

    part: int
    rows: int
    rejects: int
    begin_us: int
    end_us: int
    brokers: list[str]
    not_ok: int
    clocks: dict[str, Any]


def tables_in(
    kind: str, part: LogPart, hosts: Mapping[str, str], header: Sequence[str]
) -> Iterator[tuple[pa.Table, pa.Table]]:
    """Sound rows and rejects of a part, block by block."""
    if kind == "csv":
        return csv_format.read_csv(part, hosts, list(header))
    if kind == "tables":
        return tables_format.read_tables(part, hosts)
    if part.file.endswith(".parquet"):
        return message_trace_format.read_parquet(part, hosts)
    return message_trace_format.read_text(part, hosts)


def import_part(kind: str, part: LogPart, hosts: Mapping[str, str], header: Sequence[str], out: Path) -> PartSummary:
    """Read a part and write its Parquet files under names of its own, so that a task may be tried again."""
    rows = rejects = end_us = not_ok = 0
    begin_us, brokers, clocks = 2**63 - 1, set[str](), ClockWatch()
    paths = [out / table / f"part-{part.number:05d}.parquet" for table in (ATTEMPTS, REJECTS)]
    files = [path.with_name(f".{path.name}.{os.getpid()}") for path in paths]
    with (
        pq.ParquetWriter(files[0], COLUMNS, compression="zstd") as sound,
        pq.ParquetWriter(files[1], REJECT_COLUMNS, compression="zstd") as bad,
    ):
        for table, rejected in tables_in(kind, part, hosts, header):
            if len(table):
                sound.write_table(table)
                rows += len(table)
                begin_us = min(begin_us, pc.min(table.column("begin_us")).as_py())
                end_us = max(end_us, pc.max(pc.add(table.column("begin_us"), table.column("latency_us"))).as_py())
                brokers.update(pc.unique(table.column("broker")).to_pylist())
                not_ok += pc.sum(pc.not_equal(table.column("outcome"), "SEND_OK")).as_py()
                clocks.add(table, part.file)
            if len(rejected):
                bad.write_table(rejected)
                rejects += len(rejected)
    for file, path, count in zip(files, paths, (rows, rejects), strict=True):
        os.replace(file, path) if count else file.unlink()
    found = sorted(name for name in brokers if name is not None)[:NAMES_SHOWN]
    return PartSummary(part.number, rows, rejects, begin_us if rows else 0, end_us, found, not_ok, asdict(clocks))


def import_parts(
    kind: str, parts: Sequence[LogPart], hosts: Mapping[str, str], header: Sequence[str], out: Path,
    master: str | None = None,
) -> list[PartSummary]:  # fmt: skip
    """Import every part, one Spark task each, into the folder `out`; what each held, in order.

    Raises EnvironmentProblem where Spark does not start.
    """
    for table in (ATTEMPTS, REJECTS):
        (out / table).mkdir(parents=True, exist_ok=True)
    told = [asdict(part) for part in parts]
    known, columns, folder = dict(hosts), list(header), str(out)

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for text in batch.column(0).to_pylist():
                summary = import_part(kind, LogPart(**json.loads(text)), known, columns, Path(folder))
                line = [pa.array([summary.part], pa.int32()), pa.array([json.dumps(asdict(summary))])]
                yield pa.RecordBatch.from_arrays(line, names=["part", "summary"])

    with some_session(master) as spark:
        lines = spark.sparkContext.parallelize([(json.dumps(part),) for part in told], max(len(told), 1))
        frame = spark.createDataFrame(lines, "part string").mapInArrow(work, SUMMARY)
        found = {row.part: json.loads(row.summary) for row in frame.collect()}
    return [PartSummary(**found[number]) for number in sorted(found)]
