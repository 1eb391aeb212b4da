"""Fuzzed logs of real clients, imported without Spark."""

from __future__ import annotations

import random
from pathlib import Path

import pyarrow.parquet as pq

from streaming.importing.csv_log.csv_format import CONTINUED, EMPTY, REPEATED
from streaming.importing.csv_log.csv_shape import LINE, CsvChoices, shapes_of
from streaming.importing.import_job import import_part
from streaming.importing.log import Log
from streaming.importing.log_part import text_parts
from streaming.importing.message_trace_format import OTHER_KINDS, RECORD
from streaming.importing.trace import ATTEMPTS, REJECTS
from tests.endurance.fuzzing.drawing import EVIL, check_sentence, spoiled

HEADER = ["time", "producer", "topic", "broker", "latency_ms", "outcome", "queue_id", "message", "send_time"]
ID = "C0A8010A0000" + "18B4AAC2" + "0A1B2C3D" + "0001"


def csv_line(draw: random.Random) -> bytes:
    """A line, half of them sound."""
    time = draw.choice(("1795291200.5", "1795291200123", "2026-11-21T20:15:00.123Z"))
    fields = [time, "shop@1", "orders", "broker-a", f"{draw.random() * 9:.3f}", "SEND_OK", "3", "m1", time]
    if draw.random() < 0.3:
        fields[draw.randrange(len(fields))] = draw.choice(EVIL)
    line = ",".join(fields).encode("utf-8", "surrogatepass")
    return spoiled(line, draw) if draw.random() < 0.3 else line


def trace_record(draw: random.Random) -> bytes:
    """A record of the message trace, half of them sound."""
    fields = [
        draw.choice(("Pub", "Pub", "Pub", *OTHER_KINDS)), "1795291200123", "DefaultRegion", "shop", "orders", ID, "tag",
        "key", "10.0.0.1:10911", "1024", "3", "0", "0A00000100002A9F0000000000000001", "true",
    ]  # fmt: skip
    if draw.random() < 0.3:
        fields[draw.randrange(len(fields))] = draw.choice(EVIL)
    record = "\x01".join(fields).encode("utf-8", "surrogatepass")
    return spoiled(record, draw) if draw.random() < 0.3 else record


def imported(kind: str, file: Path, separator: bytes, out: Path) -> tuple[int, int, int]:
    """Rows, rejects and further lines of a log; every reject has a reason and a place."""
    for table in (ATTEMPTS, REJECTS):
        (out / table).mkdir(parents=True, exist_ok=True)
    rows = rejects = further = 0
    shapes = shapes_of([file], CsvChoices()) if kind == "csv" else {}
    log = Log(kind, text_parts([file], separator), shapes=shapes)
    for part in log.parts:
        found = import_part(log, part, out)
        rows, rejects = rows + found.rows, rejects + found.rejects
        further += sum(found.passed.get(name, 0) for name in (CONTINUED, EMPTY, REPEATED))
        if found.rejects:
            for row in pq.read_table(out / REJECTS / f"part-{part.number:05d}.parquet").to_pylist():
                check_sentence(row["reason"], row["record"])
                assert row["position"].startswith(f"{file}, ")
    return rows, rejects, further


def fuzz_csv(seed: int, count: int, folder: Path) -> str:
    """Import a CSV of that many lines: each that is not blank is a row, a part of one, or a reject."""
    draw, file = random.Random(f"csv {seed}"), folder / "fuzzed.csv"
    content = LINE.join([",".join(HEADER).encode(), *(csv_line(draw) for _ in range(count))]) + LINE
    file.write_bytes(content)
    lines = [line for line in content.split(LINE)[1:] if line.decode(errors="replace").strip()]
    rows, rejects, further = imported("csv", file, LINE, folder / "csv")
    assert rows + rejects + further == len(lines), f"{len(lines)} lines, {rows} rows and {rejects} rejects"
    return f"{len(lines):,} = {rows:,} rows + {rejects:,} rejects"


def fuzz_message_trace(seed: int, count: int, folder: Path) -> str:
    """Import that many records: each is a row, a reject, or of a kind that is not of senders."""
    draw, file = random.Random(f"trace {seed}"), folder / "fuzzed.txt"
    content = RECORD.join(trace_record(draw) for _ in range(count)) + RECORD
    file.write_bytes(content)
    texts = [record.decode(errors="replace") for record in content.split(RECORD)]
    records = [text for text in texts if text.strip()]
    others = sum(text.lstrip("\r\n").split("\x01")[0] in OTHER_KINDS for text in records)
    rows, rejects, _ = imported("message-trace", file, RECORD, folder / "trace")
    assert rows + rejects + others == len(records), f"{len(records)} records, {rows} rows and {rejects} rejects"
    return f"{len(records):,} = {rows:,} rows + {rejects:,} rejects + {others:,} of other kinds"
