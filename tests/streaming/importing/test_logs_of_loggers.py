"""Logs as programs write them: what comes out is right, or the question is clear."""

from __future__ import annotations

import gzip
import json

import pyarrow.dataset as ds
import pytest

from streaming.texts.command_result_texts import CommandResultTexts
from streaming.texts.import_note_texts import ImportNoteTexts
from streaming.texts.import_texts import ImportTexts
from tests.says import Says, prints
from tests.streaming.asked import ask

AT_MS = 1_795_241_403_000
HEADER = "time,producer,topic,broker,latency_ms,outcome"
TIMEOUT = "RemotingTimeoutException"
TWO = [(0, "broker-b", 3_000_000, TIMEOUT), (1_000, "broker-a", 1_250, "SEND_OK")]
ROWS = ((AT_MS, "broker-b", 3_000, TIMEOUT), (AT_MS + 1, "broker-a", 1.25, "SEND_OK"))
CHINESE = {"SEND_OK": "成功", TIMEOUT: "超时"}
OBJECTS = [json.dumps({"time": at, "broker": b, "latency_ms": ms, "outcome": o}) for at, b, ms, o in ROWS]
NESTED = [
    json.dumps({"@timestamp": at, "mq": {"broker": {"name": b}, "cost_us": ms * 1000}, "result": o})
    for at, b, ms, o in ROWS
]
UNIT_IN_BRACKETS = """time,producer,broker,latency (us),outcome
1795241403000,p1,b,3000000,RemotingTimeoutException
1795241403001,p1,a,1000,SEND_OK
"""
TWICE = """time,producer,broker,message,attempt,latency_ms,outcome
1795241403000,p1,b,m1,1,1.5,SEND_OK
1795241403000,p1,b,m1,1,1.5,SEND_OK
"""
FINISHED_AT = """finished_at,producer,broker,latency_ms,outcome
2026-11-21T06:10:03.000Z,p1,b,3000,RemotingTimeoutException
"""


A_ROW = "1795241403,a,3,SEND_OK\n"


@pytest.fixture
def imported(monkeypatch, capsys, tmp_path):
    """Exit code, words and attempts (begin since the first, broker, latency in us, outcome) of an import."""

    def run(*logs, options=(), kind="csv", encoding="utf-8"):
        files = []
        for number, log in enumerate(logs):
            files.append(tmp_path / f"log{number}.txt")
            files[-1].write_bytes(log if isinstance(log, bytes) else log.encode(encoding))
        out = tmp_path / "t"
        code, said = ask(monkeypatch, capsys, "import", kind, *files, "-o", out, "--fresh", *options)
        found = ds.dataset(out / "attempts").to_table().to_pylist() if code == 0 else []
        rows = [(row["begin_us"] - 1000 * AT_MS, row["broker"], row["latency_us"], row["outcome"]) for row in found]
        return code, said, sorted(rows)

    return run


def lines(header, form, end="\n"):
    return header + end + "".join(form(*row) + end for row in ROWS)


def test_a_unit_in_brackets_is_read(imported):
    code, said, rows = imported(UNIT_IN_BRACKETS)
    assert (code, [row[2] for row in rows], "latency: microseconds" in said) == (0, [3_000_000, 1_000], True)


def test_a_row_that_is_there_twice_is_dropped_and_counted(imported):
    code, said, rows = imported(TWICE)
    assert (code, len(rows)) == (0, 1)
    dropped = CommandResultTexts.DROPPED_TWICE(count=1)
    assert prints(said, CommandResultTexts.IMPORTED, attempts=1, seconds=0, rejects=0, dropped=dropped)
    assert prints(said, ImportNoteTexts.DUPLICATES_DROPPED, count=1, repeats="line 2")
    assert "log0.txt, line 3 repeats line 2" in said


def test_an_end_is_offered_as_an_end(imported):
    code, said, _ = imported(FINISHED_AT)
    assert (code, said.endswith("use --map end_time=finished_at")) == (2, True)
    _, _, rows = imported(FINISHED_AT, options=("--map", "end_time=finished_at"))
    assert rows == [(-3_000_000, "b", 3_000_000, TIMEOUT)]


FORMS = {
    "begin and end in Chinese, in GBK": (
        lines("开始时间,结束时间,broker名称,结果", lambda at, b, ms, o: f"{at},{at + ms},{b},{CHINESE[o]}"),
        "gbk",
        ("--encoding", "gbk", "--map", "time=开始时间,end_time=结束时间,broker=broker名称,outcome=结果"),
    ),
    "semicolons, decimal commas and a Greek micro": (
        lines('time;"broker";"Latency / μs";outcome', lambda at, b, ms, o: f'{at};{b};"{ms * 1000:.0f}";{o}', "\r\n"),
        "utf-8-sig",
        (),
    ),
    "tabs in UTF-16": (
        lines("time\tbroker\tlatency (s)\toutcome", lambda at, b, ms, o: f"{at * 1000}\t{b}\t{ms / 1000}\t{o}"),
        "utf-16",
        (),
    ),
    "values with units": (
        lines("time,broker,latency,outcome", lambda at, b, ms, o: f"{at},{b},{ms}ms,{o}"),
        "utf-8",
        ("--map", "latency_ms=latency"),
    ),
    "nanoseconds": (
        lines("ts,broker,cost_ns,result", lambda at, b, ms, o: f"{at}000000,{b},{ms * 1e6:.0f},{o}"),
        "utf-8",
        ("--map", "time=ts,latency_ms=cost_ns,outcome=result"),
    ),
    "JSON lines": (
        "\n".join(OBJECTS),
        "utf-8",
        (),
    ),
    "a list of JSON, an object a line": (
        "[\n" + ",\n".join(OBJECTS) + "\n]",
        "utf-8",
        (),
    ),
    "nested JSON": (
        "\n".join(NESTED),
        "utf-8",
        ("--map", "time=@timestamp,broker=mq.broker.name,latency_ms=mq.cost_us,outcome=result"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_two_attempts_are_the_same_however_they_are_written(imported, form):
    text, encoding, options = FORMS[form]
    code, said, rows = imported(text, options=options, encoding=encoding)
    assert (code, rows) == (0, TWO), said


def test_json_lines_are_unpacked_and_bad_ones_rejected(imported):
    row = {"time": AT_MS, "broker": "broker-b", "latency_ms": 3_000, "outcome": TIMEOUT}
    many = [json.dumps(row | {"message": f"m{n}"}) for n in range(20)]
    text = "\n".join([*many, "oops"]) + "\n"
    code, said, rows = imported(gzip.compress(text.encode()), kind="jsonl")
    assert (code, len(rows), prints(said, ImportNoteTexts.REJECTED, count=1)) == (0, 20, True)
    assert ImportTexts.NOT_JSON() in said


MAPPED = ("--map", "latency_ms=cost")


@pytest.mark.parametrize(
    ("log", "encoding", "options", "why"),
    [
        (f"time,broker,cost,outcome\n{A_ROW}", "utf-8", MAPPED, Says("import.latency-without-unit", name="cost")),
        (f"time,broker,latency,outcome\n{A_ROW}", "utf-8", (), ImportTexts.IF_NO_UNIT(name="latency")),
        (f"时间,broker,latency_ms,outcome\n{A_ROW}", "gbk", (), "is it GBK? Name its encoding: --encoding gbk"),
        ("time,broker,latency_ms,outcome\n", "utf-16-le", (), "--encoding utf-16-le"),
        ("time broker latency_ms outcome\n1795241403 a 3 SEND_OK\n", "utf-8", (), "got blanks"),
        ('[{"time": 1}, {"time": 2}]', "utf-8", (), ImportTexts.JQ_WRITES_LINES()),
        ("a,b\n", "utf-8", ("--encoding", "gbkk"), "--encoding gbkk: no such encoding"),
    ],
)  # fmt: skip
def test_what_cannot_be_known_is_asked(imported, log, encoding, options, why):
    code, said, _ = imported(log, encoding=encoding, options=options)
    assert (code, why in said) == (2, True), said


@pytest.mark.parametrize(
    ("value", "would"),
    [
        (3_000_000, Says("import-note.latency-in-minutes", minutes=50)),
        (4_000_000, Says("import-note.latency-more-than-an-hour")),
    ],
)
def test_a_latency_of_fifty_minutes_asks_for_its_unit(imported, value, would):
    asks = {"column": "latency_ms", "smaller": "us", "unit": "ms"}
    log = f"{HEADER}\n{AT_MS},p1,orders,b,{value},{TIMEOUT}\n{AT_MS + 1},p1,orders,a,1250,SEND_OK\n"
    code, said, _ = imported(log)
    assert (code, would in said, prints(said, ImportNoteTexts.LONGEST_LATENCY, **asks)) == (2, True, True)
    _, _, rows = imported(log, options=("--latency-unit", "us"))
    assert [row[2] for row in rows] == [value, 1_250]


def test_a_table_is_not_read_as_json_lines(imported):
    assert imported(UNIT_IN_BRACKETS, kind="jsonl")[0] == 2


def test_rows_of_two_files_that_overlap_are_there_once(imported):
    rows = [f"{AT_MS + 7 * n},p{n % 3},orders,broker-a,{1 + n % 9},SEND_OK" for n in range(60)]
    code, said, found = imported("\n".join([HEADER, *rows]), "\n".join([HEADER, *rows[40:]]))
    assert (code, len(found), prints(said, ImportNoteTexts.DUPLICATES_DROPPED, count=20)) == (0, 60, True)
    assert "log1.txt, line 2 repeats " in said
    assert "log0.txt, line 42" in said


def test_threads_that_send_alike_in_one_millisecond_are_kept(imported):
    rows = [f"{AT_MS + n // 8},p1,orders,broker-{'ab'[n * 7 % 5 % 2]},{1 + n % 3},SEND_OK" for n in range(800)]
    code, said, found = imported("\n".join([HEADER, *rows]))
    assert (code, len(found), "twice" in said) == (0, 800, False)


def test_a_message_with_its_number_is_never_there_twice(imported):
    rows = [f"{AT_MS + n // 8},p1,orders,broker-a,1,SEND_OK,m{n}" for n in range(80)]
    code, _, found = imported("\n".join([f"{HEADER},message", *rows, rows[5]]))
    assert (code, len(found)) == (0, 80)
