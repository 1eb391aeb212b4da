"""Each format of a log: what becomes a row of the trace, and what is rejected where."""

from __future__ import annotations

import gzip

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from streaming.errors import InputError
from streaming.importing import log_part
from streaming.importing.csv_log.csv_shape import CsvChoices, shapes_of
from streaming.importing.hosts import broker_of, read_hosts
from streaming.importing.import_job import import_part
from streaming.importing.log import Log
from streaming.importing.log_part import LogPart, parquet_parts, text_blocks, text_parts
from streaming.importing.message_trace_format import RECORD, delay_ms, producer_of, stored_at
from streaming.texts.import_texts import ImportTexts
from tests.says import Says, raises
from tests.streaming.importing.message_trace import HOSTS, message_id, pub

BEGIN_MS = 1_795_241_400_000
HEADER = "time,producer,topic,broker,latency_ms,outcome"


def imported(kind, text, tmp_path, hosts=HOSTS, name="log.txt"):
    """LogRows and rejects of a text, read as one part."""
    file = tmp_path / name
    file.write_text(text)
    for table in ("attempts", "rejects"):
        (tmp_path / table).mkdir(exist_ok=True)
    separator = RECORD if kind == "message-trace" else b"\n"
    (part,) = text_parts([file], separator)
    shapes = shapes_of([file], CsvChoices()) if kind == "csv" else {}
    summary = import_part(Log(kind, [part], hosts, shapes), part, tmp_path)
    found = [tmp_path / table / "part-00000.parquet" for table in ("attempts", "rejects")]
    return summary, *(pq.read_table(path).to_pylist() if path.exists() else [] for path in found)


def csv_rows(lines, tmp_path):
    text = "\n".join((HEADER, *lines)) + "\n"
    return imported("csv", text, tmp_path, hosts={})[1:]


def test_a_pub_record_is_an_attempt(tmp_path):
    text = pub(BEGIN_MS, 12, "shop", "orders", "broker-b", message_id(BEGIN_MS - 40, 7))
    _, (row,), rejects = imported("message-trace", text, tmp_path)
    assert rejects == []
    assert (row["begin_us"], row["latency_us"], row["broker"]) == (BEGIN_MS * 1000, 12_000, "broker-b")
    assert (row["producer"], row["topic"], row["outcome"]) == ("shop@127.0.0.1#8000", "orders", "SEND_OK")
    assert (row["send_begin_us"], row["body_bytes"]) == ((BEGIN_MS - 40) * 1000, 128)


def test_records_of_other_kinds_are_passed_over(tmp_path):
    text = "SubBefore\x011\x01r\x01g\x01id\x01m\x010\x01k\x02" + pub(BEGIN_MS, 1, "g", "t", "broker-a", "m")
    summary, rows, _ = imported("message-trace", text, tmp_path)
    assert (summary.rows, summary.rejects, rows[0]["line"]) == (1, 0, 2)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("Pub", "Pob"), ImportTexts.PUB_EXPECTED()),
        ((str(BEGIN_MS), "today"), ImportTexts.PUB_NOT_WHOLE()),
        (("true", "maybe"), ImportTexts.PUB_SUCCESS()),
        (("\x01orders\x01", "\x01"), None),
    ],
)
def test_a_bad_record_is_rejected_with_its_place(tmp_path, change, reason):
    good = pub(BEGIN_MS, 1, "shop", "orders", "broker-a", "m")
    _, rows, rejects = imported("message-trace", good + good.replace(*change), tmp_path)
    assert len(rows) + len(rejects) == 2
    if reason:
        assert rejects[0]["position"].endswith("log.txt, record 2")
        assert rejects[0]["reason"] == reason


def test_a_record_of_an_old_release_has_no_offset_id(tmp_path):
    fields = pub(BEGIN_MS, 1, "shop", "orders", "broker-a", "m").split("\x01")
    _, rows, _ = imported("message-trace", "\x01".join(fields[:12] + fields[13:]), tmp_path)
    assert rows[0]["broker"] == "broker-a"


def test_the_fifteenth_field_of_new_readers_is_no_harm(tmp_path):
    text = pub(BEGIN_MS, 1, "shop", "orders", "broker-a", "m").replace("\x02", "\x01192.168.0.7\x02")
    assert imported("message-trace", text, tmp_path)[0].rows == 1


def test_an_asynchronous_retry_is_stored_where_the_offset_id_says(tmp_path):
    first, retried = (pub(BEGIN_MS, 1, "shop", "orders", name, "m").split("\x01") for name in ("broker-a", "broker-b"))
    text = "\x01".join([*first[:12], *retried[12:]])
    named = imported("message-trace", text, tmp_path, hosts={"127.0.0.1:20921": "broker-b"})[1]
    assert named[0]["broker"] == "broker-b"


def test_a_time_zone_does_not_delay_a_send():
    late = message_id(BEGIN_MS - 700, 0)
    assert delay_ms(BEGIN_MS, late) == 700
    assert delay_ms(BEGIN_MS + 8 * 3_600_000, late) == 700


def test_an_id_of_another_make_says_nothing():
    assert (delay_ms(BEGIN_MS, "order-17"), producer_of("shop", "order-17"), stored_at("?")) == (0, "shop", "")


def test_bodies_of_a_parquet_file_are_read(tmp_path):
    body = pub(BEGIN_MS, 1, "shop", "orders", "broker-a", "m") * 3
    pq.write_table(pa.table({"body": [body.encode(), body.encode()]}), tmp_path / "topic.parquet")
    (part,) = parquet_parts([tmp_path / "topic.parquet"])
    for table in ("attempts", "rejects"):
        (tmp_path / table).mkdir()
    assert import_part(Log("message-trace", [part], HOSTS), part, tmp_path).rows == 6


@pytest.mark.parametrize("time", ["2026-11-21T06:10:00Z", "2026-11-21T14:10:00+08:00", "1795241400", "1795241400000"])
def test_a_time_may_be_written_in_four_ways(tmp_path, time):
    (row,), _ = csv_rows([f"{time},shop,orders,broker-a,1.5,SEND_OK"], tmp_path)
    assert (row["begin_us"], row["latency_us"]) == (1_795_241_400_000_000, 1_500)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("noon,p,t,b,1,SEND_OK", ImportTexts.NO_KNOWN_TIME(known="")),
        ("2026-11-21T06:10:00,p,t,b,1,SEND_OK", ImportTexts.NO_ZONE()),
        ("1795241400,p,t,b,fast,SEND_OK", "latency is not a number"),
        ("1795241400,p,t,b,nan,SEND_OK", "latency is not a number"),
        ("1795241400,p,t,b,-1,SEND_OK", "latency is negative"),
        ("1795241400,p,t,b,3600001,SEND_OK", ImportTexts.LATENCY_TOO_LONG()),
        ("1795241400,p,t,b,1,SENT_OK", "unknown outcome"),
        ("1795241400,p,t,,1,SEND_OK", ImportTexts.BROKER_EMPTY()),
        ("1795241400,,t,b,1,SEND_OK", "producer is empty"),
        ("1795241400,p,t,b,1", ImportTexts.OTHER_FIELDS()),
    ],
)
def test_a_bad_line_is_rejected_with_its_number(tmp_path, line, reason):
    rows, (reject,) = csv_rows(["1795241400,p,t,b,1,SEND_OK", line], tmp_path)
    assert len(rows) == 1
    assert reject["position"].endswith("log.txt, line 3")
    assert reason in reject["reason"]


def test_parts_of_a_file_are_whole_lines_with_their_numbers(tmp_path, monkeypatch):
    monkeypatch.setattr(log_part, "PART_BYTES", 1_000)
    monkeypatch.setattr(log_part, "BLOCK_BYTES", 64)
    lines = [f"line {number} {'x' * (number % 90)}" for number in range(1, 300)]
    (tmp_path / "log").write_text("\n".join(lines))
    parts = text_parts([tmp_path / "log"], b"\n")
    assert len(parts) > 10
    read = {
        first + place: line
        for part in parts
        for block, first in text_blocks(part, b"\n")
        for place, line in enumerate(block.decode().splitlines())
    }
    assert read == dict(enumerate(lines, start=1))


def test_a_compressed_file_is_one_part(tmp_path):
    with gzip.open(tmp_path / "log.gz", "wt") as file:
        file.write("a\nb\n")
    (part,) = text_parts([tmp_path / "log.gz"], b"\n")
    assert list(text_blocks(part, b"\n")) == [(b"a\nb\n", 1)]
    assert part == LogPart(0, str(tmp_path / "log.gz"), 0, -1, 1)


def test_of_a_compressed_file_that_is_cut_off_what_is_there_is_kept(tmp_path):
    (tmp_path / "attempts").mkdir()
    (tmp_path / "rejects").mkdir()
    lines = [HEADER, *(f"{1795241400 + n},shop-{n * n},orders,broker-a,{n / 7},SEND_OK" for n in range(2000))]
    (tmp_path / "log.gz").write_bytes(gzip.compress("\n".join(lines).encode())[:-2000])
    (part,) = text_parts([tmp_path / "log.gz"], b"\n")
    found = import_part(Log("csv", [part], {}, shapes_of([tmp_path / "log.gz"], CsvChoices())), part, tmp_path)
    assert 1_000 < found.rows < 2_000
    assert found.trouble == Says("import-note.unreadable-beyond", file=tmp_path / "log.gz", rows=found.rows)
    assert "Compressed file ended" in found.trouble


def test_a_quote_that_nothing_closes_takes_no_other_line_with_it(tmp_path):
    sound = f"{BEGIN_MS},shop,orders,broker-a,1.5,SEND_OK"
    lines = [sound, sound.replace("shop", '"shop'), sound, sound.replace("shop", '"shop, west"')]
    rows, rejects = csv_rows(lines, tmp_path)
    assert [row["producer"] for row in rows] == ["shop", "shop", "shop, west"]
    reason = ImportTexts.NOT_CSV(why="unexpected end of data")
    assert [(row["position"][-6:], row["reason"]) for row in rejects] == [("line 3", reason)]


@pytest.mark.parametrize("time", ["inf", "1e300", "-5", "nan", "9" * 400])
def test_a_time_that_no_clock_shows_is_rejected(tmp_path, time):
    rows, (reject,) = csv_rows([f"{time},shop,orders,broker-a,1.5,SEND_OK"], tmp_path)
    assert (rows, reject["reason"][:5]) == ([], "time ")


def test_a_host_is_named_with_its_port_or_alone(tmp_path):
    (tmp_path / "hosts.yaml").write_text("10.0.0.1:10911: broker-a\n10.0.0.2: broker-b\n")
    hosts = read_hosts(tmp_path / "hosts.yaml")
    found = [broker_of(address, hosts) for address in ("10.0.0.1:10911", "10.0.0.2:10911", "10.0.0.3:10911")]
    assert found == ["broker-a", "broker-b", "10.0.0.3:10911"]


def test_a_hosts_map_that_is_none_is_refused(tmp_path):
    (tmp_path / "hosts.yaml").write_text("- broker-a\n")
    with raises(InputError, Says("import.hosts-expected")):
        read_hosts(tmp_path / "hosts.yaml")
