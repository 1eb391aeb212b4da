"""One night as many programs would write it: every one of them is the same trace, and shows the same hang."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pyarrow as pa
import pytest

from simulator.calibrate.calibration import calibrate
from streaming.importing.csv_log.column_names import parse_map
from streaming.importing.csv_log.csv_format import read_csv
from streaming.importing.csv_log.csv_shape import LINE, CsvChoices, shape_of
from streaming.importing.log_part import text_parts
from streaming.importing.log_rows import LogNotes
from streaming.importing.texts.times import TimeRule
from streaming.importing.trace import About, Trace

ZERO_US, SECOND = 1_795_241_400_000_000, 1_000_000
HANG_US, END_US = 200 * SECOND, 211 * SECOND
HEADER = ("time", "producer", "topic", "broker", "latency_ms", "outcome")
FULL = "org.apache.rocketmq.remoting.exception.RemotingTimeoutException"
WRAPPED = (
    f'"MQClientException: Send [1] times, still failed, cost [3001]ms, Topic: orders, BrokersSent: [broker-b, null]\n'
    f'See https://rocketmq.apache.org for further details.; nested exception is {FULL}: wait response"'
)
SHANGHAI = CsvChoices(times=TimeRule(zone="Asia/Shanghai"))
FOREIGN = ("ts", "client", "destination", "brokerName", "cost", "result")


def night():
    """24 producers that send 1.5 messages a second each; broker-b hangs from 200.0 to 211.0 s."""
    draw, rows = random.Random(7), []
    for producer in range(24):
        at_us = draw.randrange(SECOND)
        while at_us < 300 * SECOND:
            broker, latency_us, outcome = draw.choice("abc"), 1000 * draw.randint(1, 9), "SEND_OK"
            if broker == "b" and HANG_US <= at_us < END_US:
                failed = END_US - at_us > 3 * SECOND
                latency_us = 3 * SECOND if failed else latency_us + (END_US - at_us) // 1000 * 1000
                outcome = "RemotingTimeoutException" if failed else outcome
            rows.append((at_us // 1000 * 1000, f"shop-{producer:02}", f"broker-{broker}", latency_us, outcome))
            at_us += max(latency_us, round(draw.expovariate(1.5) * SECOND))
    return sorted(rows)


NIGHT = night()


def local(zone, form):
    return lambda us: (
        (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=us)).astimezone(ZoneInfo(zone)).strftime(form)
    )


def written(*, time=str, delimiter=",", decimal=".", header=HEADER, failed=None, quoted=False, end="\n"):
    lines = [header]
    for at_us, producer, broker, latency_us, outcome in NIGHT:
        ending = outcome if outcome == "SEND_OK" or failed is None else failed
        latency = f"{latency_us / 1000}".replace(".", decimal)
        lines.append((time(ZERO_US + at_us), producer, "orders", broker, latency, ending))
    if quoted:
        lines = [tuple(f'"{text}"' for text in line) for line in lines]
    return "".join(delimiter.join(line) + end for line in lines)


BLANK_MS, COMMA_MS = "%Y-%m-%d %H:%M:%S.%f", "%Y-%m-%d %H:%M:%S,%f"
FLAVOURS = {
    "epoch seconds": (written(time=lambda us: f"{us / 1e6:.3f}"), CsvChoices()),
    "epoch milliseconds": (written(time=lambda us: str(us // 1000)), CsvChoices()),
    "epoch microseconds": (written(), CsvChoices()),
    "epoch nanoseconds": (written(time=lambda us: f"{us}000"), CsvChoices()),
    "blank and offset": (written(time=local("Asia/Shanghai", BLANK_MS + " +0800")), CsvChoices()),
    "no zone": (written(time=local("Asia/Shanghai", BLANK_MS)), SHANGHAI),
    "milliseconds behind a comma": (written(time=local("Asia/Shanghai", COMMA_MS), quoted=True), SHANGHAI),
    "byte order mark": ("\ufeff" + written(), CsvChoices()),
    "Excel in Germany": ("\ufeff" + written(delimiter=";", decimal=",", end="\r\n") + ";;;;;\r\n\r\n", CsvChoices()),
    "Excel that says so": ("sep=;\n" + written(delimiter=";", decimal=","), CsvChoices()),
    "a remark above": ("# exported on Sunday\n\n" + written(), CsvChoices()),
    "tabs": (written(delimiter="\t"), CsvChoices()),
    "quotes everywhere": (written(quoted=True), CsvChoices()),
    "full names": (written(failed=FULL), CsvChoices()),
    "names with a message": (written(failed=f'"{FULL}: wait response on the channel <10.0.0.2:10911>"'), CsvChoices()),
    "wrapped over two lines": (written(failed=WRAPPED), CsvChoices()),
    "two logs, one behind the other": (written().replace("\n", "\n" + ",".join(HEADER) + "\n", 1), CsvChoices()),
}  # fmt: skip


MAP = ("time=ts,producer=client,topic=destination", "broker=brokerName,latency_ms=cost,outcome=result")
FLAVOURS["other names"] = (written(header=FOREIGN), CsvChoices(parse_map(MAP), latency_unit="ms"))


def imported(tmp_path, text, choices, encoding="utf-8"):
    file = tmp_path / "log.csv"
    file.write_bytes(text.encode(encoding))
    blocks = [
        block for part in text_parts([file], LINE) for block in read_csv(part, {}, shape_of(file, choices), LogNotes())
    ]
    rows, rejects = map(pa.concat_tables, zip(*blocks, strict=True))
    assert len(rejects) == 0
    return rows.drop_columns("line").sort_by([("begin_us", "ascending"), ("producer", "ascending")])


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    return imported(tmp_path_factory.mktemp("plain"), written(), CsvChoices())


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_a_night_is_the_same_however_it_is_written(tmp_path, plain, flavour):
    assert imported(tmp_path, *FLAVOURS[flavour]).equals(plain)


def test_a_unicode_text_of_excel_is_the_same_night(tmp_path, plain):
    assert imported(tmp_path, written(delimiter="\t", end="\r\n"), CsvChoices(), "utf-16").equals(plain)


def test_a_log_that_has_the_time_of_the_end_is_the_same_night(tmp_path, plain):
    lines = [("end_time", *HEADER[1:])]
    for at_us, producer, broker, latency_us, outcome in NIGHT:
        lines.append((str(ZERO_US + at_us + latency_us), producer, "orders", broker, str(latency_us / 1000), outcome))
    assert imported(tmp_path, "\n".join(map(",".join, lines)), CsvChoices()).equals(plain)


def test_the_hang_is_found_where_it_was(plain):
    about = About(name="night", formats=["csv"], zero_us=ZERO_US, duration_us=300 * SECOND, rows=len(plain))
    (found,) = calibrate(Trace(about, plain).attempts(), {}, "sync", {}).findings
    assert (found.broker, found.kind) == ("broker-b", "hang")
    assert found.at_range_us[0] <= HANG_US <= found.at_range_us[1]
    assert abs(found.at_range_us[1] - HANG_US) < SECOND // 4
