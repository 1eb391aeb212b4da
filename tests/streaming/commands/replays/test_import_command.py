"""`sendlab import csv`: what it prints of a log, and which logs it refuses."""

from __future__ import annotations

import errno
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from streaming.texts.command_texts import CommandTexts
from streaming.texts.fit_texts import FitTexts
from streaming.texts.import_note_texts import ImportNoteTexts
from streaming.texts.import_texts import ImportTexts
from streaming.texts.job_texts import JobTexts
from tests.says import prints
from tests.streaming.asked import ask, picture_of
from tests.streaming.recordings import TRACES

HEADER = "time,producer,topic,broker,latency_ms,outcome"
TIMEOUT = "RemotingTimeoutException"


def line(number=0, outcome="SEND_OK", time=1_795_241_400_000_123):
    return f"{time + number * 1_000},shop,orders,broker-a,1.5,{outcome}"


@pytest.fixture
def sendlab(monkeypatch, capsys):
    return lambda *arguments: ask(monkeypatch, capsys, *arguments)


@pytest.fixture
def imported(sendlab, tmp_path):
    def run(lines, *options, header=HEADER):
        (tmp_path / "log.csv").write_text("\n".join([header, *lines]) + "\n")
        code, said = sendlab("import", "csv", tmp_path / "log.csv", "-o", tmp_path / "t", *options)
        return code, " ".join(said.split())

    return run


def test_the_unit_of_the_times_is_reported(imported):
    code, said = imported([line(number) for number in range(3)])
    assert (code, ImportNoteTexts.TIMES(forms="epoch microseconds") in said) == (0, True)


def test_reasons_are_counted_with_an_example_each(imported):
    bad = [line(outcome="SENT_OK"), line(outcome="LOST"), line(time=200), line(time=201)]
    code, said = imported([*map(line, range(96)), *bad])
    assert code == 0
    rejects = ImportNoteTexts.REJECTS(rejects=4, rows=100, percent=4, table="rejects")
    assert rejects.at("warning") in said
    assert prints(said, ImportNoteTexts.REJECTED, count=2, reason="unknown outcome")
    assert "'SENT_OK; did you mean SEND_OK?' in " in said
    assert prints(said, ImportTexts.NO_UNIT_FITS)


def test_a_few_rejects_are_no_warning(imported):
    code, said = imported([*map(line, range(199)), line(time=200)])
    assert (code, prints(said, ImportNoteTexts.REJECTED, count=1), "warning" in said) == (0, True, False)
    assert prints(said, ImportTexts.NO_UNIT_FITS)


def test_a_log_of_which_a_tenth_is_rejected_is_no_trace(imported, tmp_path):
    lines = [*map(line, range(80)), *[line(outcome="LOST")] * 20]
    code, said = imported(lines)
    assert (code, prints(said, CommandTexts.TOO_MANY_REJECTED, most=0.1)) == (1, True)
    assert not (tmp_path / "t" / "trace.json").exists()
    code, said = imported(lines, "--allow-rejects")
    rejects = ImportNoteTexts.REJECTS(rejects=20, rows=100, percent=20, table="rejects")
    assert (code, rejects.at("warning") in said) == (0, True)


def test_a_log_that_lost_its_failures_is_said_to_mislead(imported, tmp_path):
    code, said = imported([*map(line, range(400)), *[line(outcome="example.SocketException")] * 3])
    warning = ImportNoteTexts.FAILURES_REJECTED(failures=3, rejects=3, failed=0, rows=400)
    assert (code, warning in said) == (0, True)
    assert any(warning in found for found in json.loads((tmp_path / "t" / "trace.json").read_text())["notes"])


def test_attempts_of_many_years_are_refused_with_their_places(imported, tmp_path):
    code, said = imported([line(), line(time=1_600_000_000)])
    assert code == 2
    first, last = f"2020-09-13 12:26:40 UTC ({tmp_path}/log.csv, 3)", f"2026-11-21 06:10:00 UTC ({tmp_path}/log.csv, 2)"
    assert prints(said, ImportNoteTexts.SPAN, first=first, last=last)
    assert prints(said, ImportNoteTexts.SPAN_FORMS)


def test_a_trace_of_a_wrong_unit_is_refused_by_calibrate(imported, sendlab, tmp_path):
    imported([line(number) for number in range(3)])
    about = tmp_path / "t" / "trace.json"
    about.write_text(json.dumps(json.loads(about.read_text()) | {"zero_us": 1795241400 * 10**9, "duration_us": 10**15}))
    code, said = sendlab("calibrate", tmp_path / "t", "-o", tmp_path / "s.yaml")
    assert (code, prints(said, ImportTexts.SPAN_TOO_LONG)) == (2, True)


def test_other_columns_are_named_and_those_not_used_are_reported(imported):
    header = "ts,client,topic,brokerName,cost_us,result,host"
    code, said = imported([line() + ",web-1"], header=header)
    assert (code, "looks like time is in 'ts'" in said) == (2, True)
    mapped = ("--map", "time=ts,producer=client,broker=brokerName", "--map", "latency_ms=cost_us,outcome=result")
    code, said = imported([line() + ",web-1"], *mapped, header=header)
    unused = prints(said, ImportNoteTexts.COLUMNS_NOT_USED, columns="host")
    assert (code, "latency: microseconds" in said, unused) == (0, True, True)


def test_rows_that_are_not_in_order_are_said_to_be(imported):
    code, said = imported([line(number * 100_003_000 % 997_000_000) for number in range(50)])
    assert (code, ImportNoteTexts.NOT_IN_TIME_ORDER() in said) == (0, True)


@pytest.mark.parametrize(
    ("lines", "options", "expected"),
    [
        (
            [line(n, time=1_795_241_400_000_000 + 999_000 * n) for n in range(12)],
            (),
            ImportNoteTexts.WHOLE_SECONDS(),
        ),
        ([line(), line(time=1_795_241_400)], (), ImportNoteTexts.SEVERAL_FORMS()),
        ([line(), line(outcome=TIMEOUT)], (), ImportNoteTexts.SHORT_TIMEOUTS(longest_ms=1.5)),
        ([line(), HEADER, line()], (), ImportNoteTexts.PASSED_OVER(count=1, what="repeated header lines")),
        ([line(time=1000), line(time=1005)], ("--time-unit", "s"), ImportTexts.TIME_UNIT_GIVEN(unit="s").at("time")),
    ],
)
def test_what_makes_a_log_say_less_is_reported(imported, lines, options, expected):
    code, said = imported(lines, *options)
    assert (code, expected in said) == (0, True)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--timezone", "Asia/Shangai"), "; did you mean Asia/Shanghai"),
        (
            ("--time-unit", "min"),
            CommandTexts.CHOICE_EXPECTED(known=" or ".join(("s, ms, us", "ns"))).at("--time-unit min"),
        ),
        (("--decimal", "dot"), CommandTexts.CHOICE_EXPECTED(known="point or comma").at("--decimal dot")),
        (("--map", "tiem=ts"), "unknown meaning tiem"),
    ],
)
def test_options_that_cannot_be_are_refused(imported, options, why):
    code, said = imported([line()], *options)
    assert (code, why in said) == (2, True)


def test_a_client_log_shows_failures_and_is_not_taken_for_all_attempts(sendlab, tmp_path):
    warning = (
        "2026-11-21 14:10:00.123 WARN  [7] [t] [a#b:1] - sendKernelImpl exception, resend at once, InvokeID: 4{}, "
    )
    warning += "RT: 3000ms, Broker: MessageQueue [topic=orders, brokerName=broker-b, queueId=3]\n"
    text = "".join(f"{warning.format(n)}org.apache.rocketmq.remoting.exception.{TIMEOUT}: x\n" for n in range(5))
    (tmp_path / "rocketmq_client.log").write_text(text)
    code, said = sendlab("import", "client-log", tmp_path / "rocketmq_client.log", "-o", tmp_path / "t")
    assert code == 0
    failures = ImportNoteTexts.FAILURES(
        broker="broker-b", outcome=TIMEOUT, attempts=5, producers=1, first="2026-11-21 06:09:57.123",
        last="2026-11-21 06:10:00.123", took="3,000",
    )  # fmt: skip
    assert failures in " ".join(said.split())
    assert prints(said, ImportNoteTexts.FAILED_ONLY)
    code, said = sendlab("calibrate", tmp_path / "t", "-o", tmp_path / "s.yaml")
    assert (code, prints(said, FitTexts.FAILED_ONLY)) == (2, True)


def test_a_full_disk_is_no_fault_of_the_log_and_leaves_no_rows(imported, tmp_path, monkeypatch):
    def full(self, table):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(pq.ParquetWriter, "write_table", full)
    code, said = imported(map(line, range(9)))
    assert (code, JobTexts.DISK_FULL().at(tmp_path / "t") in said) == (3, True)
    assert not [path for path in (tmp_path / "t").rglob("*") if path.is_file()]
    monkeypatch.undo()
    assert imported(map(line, range(9)))[0] == 0


def test_rows_of_a_recording_that_cannot_be_used_are_kept_as_rejects_and_may_not_be_many(sendlab, tmp_path):
    table = pq.read_table(TRACES / "live-4.9.8-s3.parquet").slice(0, 2_000)
    place, events = table.column_names.index("event"), table.column("event").to_pylist()
    odd = pa.array(["odd"] * 300 + events[300:])
    pq.write_table(table.set_column(place, "event", odd), tmp_path / "odd.parquet")
    (tmp_path / "odd.json").write_text((TRACES / "live-4.9.8-s3.json").read_text())
    assert sendlab("import", "recording", tmp_path / "odd", "-o", tmp_path / "t")[0] == 1
    assert not (tmp_path / "t" / "trace.json").exists()
    code, said = sendlab("import", "recording", tmp_path / "odd", "-o", tmp_path / "t", "--allow-rejects")
    assert (code, pq.read_table(tmp_path / "t" / "rejects").num_rows) == (0, 300)
    assert prints(said, ImportNoteTexts.ROWS_UNUSABLE, rejects=300, rows=2_000)


def test_a_log_that_cannot_be_read_leaves_the_trace_that_it_was_to_replace(imported, sendlab, tmp_path):
    assert imported([line()])[0] == 0
    before = picture_of(tmp_path / "t")
    assert imported([line()], "--fresh", header="a,b,c")[0] == 2
    assert sendlab("import", "recording", tmp_path / "none", "-o", tmp_path / "t", "--fresh")[0] == 2
    assert picture_of(tmp_path / "t") == before
