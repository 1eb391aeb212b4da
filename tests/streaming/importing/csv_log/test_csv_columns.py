"""A block of a CSV read at once says the same as line by line."""

from __future__ import annotations

import random

import pyarrow as pa
import pytest

from streaming.importing.csv_log import csv_format
from streaming.importing.csv_log.csv_columns import plain_lines
from streaming.importing.csv_log.csv_shape import CsvChoices, shape_of
from streaming.importing.log_part import text_parts
from streaming.importing.log_rows import LogNotes
from streaming.importing.texts.times import TimeRule

HEADER = ["time", "producer", "topic", "broker", "latency_ms", "outcome", "queue_id", "message", "send_time", "thread"]
VALUES = {
    "time": (
        *("1795241400", "1795241400.25", "1795241400123", "1795241400123456", "1795241400123456789", "1795241400123.4"),
        *("2026-11-21T06:10:00Z", "2026-11-21T14:10:00.5+08:00", "2026-11-21 14:10:00.123456789 +0800", " 1795241400"),
    ),
    "producer": ("shop-1", '"shop, two"'),
    "topic": ("orders", "tages-topic"),
    "broker": ("broker-a", "10.0.0.1:10911"),
    "latency_ms": ("1.5", "0", "3000.0015"),
    "outcome": (
        *("SEND_OK", "ok", "timeout", "FLUSH_DISK_TIMEOUT", "SYSTEM_BUSY"),
        "org.apache.rocketmq.remoting.exception.RemotingConnectException: connect to 10.0.0.1:10911 failed",
        '"MQClientException: Send [2] times, still failed, cost [9]ms; nested exception is RemotingTimeoutException"',
    ),
    "queue_id": ("3", "", "-1"),
    "message": ("m1", ""),
    "send_time": ("1795241399.5", ""),
    "thread": ("7", "", "pool-1-thread-3", "http-nio-8080-exec-1"),
}
ODD = {
    "time": ("noon", "2026-11-21T06:10:00", "1e9", "0", "", "20261121061000", "17952414001", "21/11/2026 06:10"),
    "producer": ("",),
    "topic": ("",),
    "broker": ("",),
    "latency_ms": ("fast", "-1", "nan", "3600001"),
    "outcome": ("SENT_OK", ""),
    "queue_id": ("x", "4294967296", "1.5"),
    "send_time": ("soon",),
}


def both(tmp_path, monkeypatch, lines, last="\n", zone=None):
    """Rows and rejects at once, and line by line."""
    file = tmp_path / "log.csv"
    file.write_text("\n".join([",".join(HEADER), *lines]) + last)
    (part,) = text_parts([file], b"\n")
    hosts, shape = {"10.0.0.1:10911": "broker-b"}, shape_of(file, CsvChoices(times=TimeRule(zone=zone)))
    fast_notes, slow_notes = LogNotes(), LogNotes()
    fast, fast_rejects = map(pa.concat_tables, zip(*csv_format.read_csv(part, hosts, shape, fast_notes), strict=True))
    with monkeypatch.context() as patched:
        patched.setattr(csv_format, "_at_once", lambda *_: None)
        slow, slow_rejects = map(
            pa.concat_tables, zip(*csv_format.read_csv(part, hosts, shape, slow_notes), strict=True)
        )
    assert +fast_notes.forms == +slow_notes.forms
    assert +fast_notes.passed == +slow_notes.passed
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


@pytest.mark.parametrize("odd", ["", "1,2,3", '1795241400,"p', "2026-13-41T06:10:00Z,p,t,b,1,SEND_OK,,,,", "\xff"])
def test_a_block_that_is_no_plain_table_is_read_line_by_line(tmp_path, monkeypatch, odd):
    good = "1795241400,p,t,b,1,SEND_OK,,,,"
    rows, _ = both(tmp_path, monkeypatch, [good, odd, good])
    assert rows.column("line").to_pylist()[:2] in ([2, 4], [2])


def test_local_times_come_out_alike_where_clocks_are_put_back(tmp_path, monkeypatch):
    lines = [f"2026-10-25 {hour:02}:{minute:02}:00,p,t,b,1,SEND_OK,,,," for hour in range(5) for minute in (0, 30)]
    rows, rejects = both(tmp_path, monkeypatch, lines, zone="Europe/Berlin")
    assert (len(rows), len(rejects)) == (8, 2)


@pytest.mark.parametrize("time", [*VALUES["time"], "200.5", "2026-11-21 14:10:00,123"])
@pytest.mark.parametrize("unit", [None, "ms"])
def test_a_plain_block_is_read_at_once(tmp_path, time, unit):
    (tmp_path / "log.csv").write_text(f'{",".join(HEADER)}\n"{time}",p,t,b,1,SEND_OK,,,,\n')
    shape = shape_of(tmp_path / "log.csv", CsvChoices(times=TimeRule(unit, "Asia/Shanghai")))
    _, sound, _ = plain_lines(f'"{time}",p,t,b,1,SEND_OK,,,,\n'.encode(), shape, {}, latency_max_ms=10)
    too_far = unit == "ms" and len(time) > 14 and time.isdigit()
    assert sound.to_pylist() == [not too_far and (unit == "ms" or time != "200.5")]
