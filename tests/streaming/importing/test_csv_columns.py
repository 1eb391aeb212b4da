"""A block of a CSV read at once says the same as line by line."""

from __future__ import annotations

import random

import pyarrow as pa
import pytest

from streaming.importing import csv_format
from streaming.importing.log_part import text_parts

HEADER = [*csv_format.NEEDED, "queue_id", "message", "send_time"]
VALUES = {
    "time": ("1795241400", "1795241400.25", "1795241400123", "2026-11-21T06:10:00Z", "2026-11-21T14:10:00.5+08:00"),
    "producer": ("shop-1", '"shop, two"'),
    "topic": ("orders", "tages-topic"),
    "broker": ("broker-a", "10.0.0.1:10911"),
    "latency_ms": ("1.5", "0", "3000.0015"),
    "outcome": ("SEND_OK", "ok", "timeout", "FLUSH_DISK_TIMEOUT"),
    "queue_id": ("3", "", "-1"),
    "message": ("m1", ""),
    "send_time": ("1795241399.5", ""),
}
ODD = {
    "time": ("noon", "2026-11-21T06:10:00", "1e9", "0", ""),
    "producer": ("",),
    "topic": ("",),
    "broker": ("",),
    "latency_ms": ("fast", "-1", "nan", "3600001"),
    "outcome": ("SENT_OK", ""),
    "queue_id": ("x", "4294967296", "1.5"),
    "send_time": ("soon",),
}


def both(tmp_path, monkeypatch, lines, last="\n"):
    """Rows and rejects at once, and line by line."""
    file = tmp_path / "log.csv"
    file.write_text("\n".join([",".join(HEADER), *lines]) + last)
    (part,) = text_parts([file], b"\n")
    hosts = {"10.0.0.1:10911": "broker-b"}
    fast, fast_rejects = map(pa.concat_tables, zip(*csv_format.read_csv(part, hosts, HEADER), strict=True))
    with monkeypatch.context() as patched:
        patched.setattr(csv_format, "_at_once", lambda *_: None)
        slow, slow_rejects = map(pa.concat_tables, zip(*csv_format.read_csv(part, hosts, HEADER), strict=True))
    assert fast.to_pylist() == slow.to_pylist()
    assert fast_rejects.to_pylist() == slow_rejects.to_pylist()
    return fast, fast_rejects


@pytest.mark.parametrize("last", ["", "\n", "\r\n"])
def test_sound_and_odd_lines_come_out_alike(tmp_path, monkeypatch, last):
    draw, lines = random.Random(3), []
    for number in range(600):
        said = {name: draw.choice(values) for name, values in VALUES.items()}
        if number % 5 == 0:
            name = draw.choice(list(ODD))
            said[name] = draw.choice(ODD[name])
        lines.append(",".join(said.values()))
    rows, rejects = both(tmp_path, monkeypatch, lines, last)
    assert len(rows) + len(rejects) == 600
    assert len(rejects) > 60


@pytest.mark.parametrize("odd", ["", "1,2,3", '1795241400,"p', "2026-13-41T06:10:00Z,p,t,b,1,SEND_OK,,,", "\xff"])
def test_a_block_that_is_no_plain_table_is_read_line_by_line(tmp_path, monkeypatch, odd):
    good = "1795241400,p,t,b,1,SEND_OK,,,"
    rows, _ = both(tmp_path, monkeypatch, [good, odd, good])
    assert rows.column("line").to_pylist()[:2] in ([2, 4], [2])
