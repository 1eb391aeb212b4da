"""How long `sendlab import csv` takes with ten million rows, and whether it needs more memory than with one."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv

from tests.bench.measure import Context, Entry
from tests.bench.processes import memory_of, said, sendlab

MILLION = 1_000_000
SHORT, LONG = 2 * MILLION, 10 * MILLION  # both have parts for two cores
CHUNK = 250_000
MIB = 2**20
POLL_S = 0.25
PATIENCE_S = 3_600.0
BAD_EVERY = 100_000  # a row that is none


def write_log(file: Path, rows: int) -> None:
    """A CSV of 200 producers on 6 brokers, 10,000 attempts a second, in the order of time."""
    draw = np.random.default_rng(5)
    names = [pa.array([f"{word}-{n:03d}" for n in range(count)]) for word, count in (("shop", 200), ("broker", 6))]
    header = pa.csv.WriteOptions(include_header=False, quoting_style="none")
    with file.open("wb") as out:
        out.write(b"time,producer,topic,broker,latency_ms,outcome,queue_id,message\n")
        for first in range(0, rows, CHUNK):
            number = np.arange(first, min(first + CHUNK, rows))
            producer, broker = (column.take(pa.array(draw.integers(0, len(column), len(number)))) for column in names)
            outcome = np.where(draw.random(len(number)) < 0.999, "SEND_OK", "RemotingTimeoutException")
            columns = {
                "time": 1_795_241_400_000 + number // 10,
                "producer": producer,
                "topic": np.full(len(number), "orders"),
                "broker": broker,
                "latency_ms": draw.lognormal(0, 1, len(number)).round(3),
                "outcome": np.where(number % BAD_EVERY == BAD_EVERY - 1, "SENT_OK", outcome),
                "queue_id": draw.integers(0, 8, len(number)),
                "message": number,
            }
            pa.csv.write_csv(pa.table(columns), out, header)


def imported(log: Path, out: Path, said_file: Path) -> tuple[float, dict[str, int]]:
    """Seconds, and the largest sum of bytes over the processes, with its parts at that moment."""
    most, began = {"jvm": 0, "python": 0}, time.perf_counter()
    with sendlab(["import", "csv", str(log), "--out", str(out)], said_file) as process:
        while process.poll() is None and time.perf_counter() - began < PATIENCE_S:
            most = max(most, memory_of(process.pid), key=lambda parts: sum(parts.values()))
            time.sleep(POLL_S)
        if process.poll() != 0:
            raise RuntimeError(f"sendlab import did not end well:\n{said(said_file)}")
    return time.perf_counter() - began, most


def measure(context: Context) -> Iterator[Entry]:
    """The time of the long log, and the ratio of the peaks."""
    folder = context.scratch / "importing"
    folder.mkdir()
    found: dict[int, tuple[float, dict[str, int]]] = {}
    for rows in (SHORT // 10, LONG // 10) if context.quick else (SHORT, LONG):
        log, out = folder / "log.csv", folder / "trace"
        context.tell(f"writing {rows:,} rows")
        write_log(log, rows)
        context.tell(f"{rows:,} rows of {log.stat().st_size / MIB:,.0f} MiB")
        found[rows] = imported(log, out, folder / "said")
        about = json.loads((out / "trace.json").read_text())
        if (about["rows"], about["rejects"]) != (rows - rows // BAD_EVERY, rows // BAD_EVERY):
            raise RuntimeError(f"of {rows:,} rows {about['rows']:,} and {about['rejects']:,} rejects came out")
        shutil.rmtree(out)
    short, long = found
    seconds = found[long][0]
    mib = {rows: {name: round(size / MIB) for name, size in parts.items()} for rows, (_, parts) in found.items()}
    yield Entry(
        "import_seconds", seconds, "s", ours=f"{long / MILLION:g} M rows, {long / seconds / 1e3:,.0f} k rows/s", more={
            "rows": long, "short_rows": short,
            "short_seconds": round(found[short][0], 1),
        },
    )  # fmt: skip
    totals = {rows: sum(parts.values()) for rows, parts in mib.items()}
    yield Entry(
        "import_memory_growth", totals[long] / totals[short], "x", ours=f"{totals[long]:,} MiB",
        peer=f"{totals[short]:,} MiB", more={"mib": mib[long], "short_mib": mib[short]},
    )  # fmt: skip
