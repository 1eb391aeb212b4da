"""`sendlab import csv`: what it prints of a log, and which logs it refuses."""

from __future__ import annotations

import json

import pytest

from tests.streaming.asked import ask

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
    assert (code, "time: epoch microseconds" in said) == (0, True)


def test_reasons_are_counted_with_an_example_each(imported):
    bad = [line(outcome="SENT_OK"), line(outcome="LOST"), line(time=200), line(time=201)]
    code, said = imported([*map(line, range(96)), *bad])
    assert code == 0
    assert "warning: 4 of 100 rows rejected (4 %), they are in the table rejects" in said
    assert "rejected 2: unknown outcome; for example 'SENT_OK; did you mean SEND_OK?' in " in said
    assert "rejected 2: time is a number outside the years" in said


def test_a_few_rejects_are_no_warning(imported):
    code, said = imported([*map(line, range(199)), line(time=200)])
    assert (code, "rejected 1: time is a number outside the years" in said, "warning" in said) == (0, True, False)


def test_a_log_of_which_a_tenth_is_rejected_is_no_trace(imported, tmp_path):
    lines = [*map(line, range(80)), *[line(outcome="LOST")] * 20]
    code, said = imported(lines)
    assert (code, "no trace written: more than 10% of the rows were rejected" in said) == (1, True)
    assert not (tmp_path / "t" / "trace.json").exists()
    code, said = imported(lines, "--allow-rejects")
    assert (code, "warning: 20 of 100 rows rejected (20 %)" in said) == (0, True)


def test_a_log_that_lost_its_failures_is_said_to_mislead(imported, tmp_path):
    code, said = imported([*map(line, range(400)), *[line(outcome="example.SocketException")] * 3])
    warning = "3 of the 3 rejected rows look like failures, and 0 of the 400 imported ones are"
    assert (code, warning in said) == (0, True)
    assert any(warning in found for found in json.loads((tmp_path / "t" / "trace.json").read_text())["notes"])


def test_attempts_of_many_years_are_refused_with_their_places(imported, tmp_path):
    code, said = imported([line(), line(time=1_600_000_000)])
    assert code == 2
    assert f"2020-09-13 12:26:40 UTC ({tmp_path}/log.csv, 3) to 2026-11-21 06:10:00 UTC" in said
    assert "expected at most a year" in said
    assert "see --time-unit" in said


def test_a_trace_of_a_wrong_unit_is_refused_by_calibrate(imported, sendlab, tmp_path):
    imported([line(number) for number in range(3)])
    about = tmp_path / "t" / "trace.json"
    about.write_text(json.dumps(json.loads(about.read_text()) | {"zero_us": 1795241400 * 10**9, "duration_us": 10**15}))
    code, said = sendlab("calibrate", tmp_path / "t", "-o", tmp_path / "s.yaml")
    assert (code, "in another unit: import the log again" in " ".join(said.split())) == (2, True)


def test_other_columns_are_named_and_those_not_used_are_reported(imported):
    header = "ts,client,topic,brokerName,cost_us,result,host"
    code, said = imported([line() + ",web-1"], header=header)
    assert (code, "looks like time is in 'ts'" in said) == (2, True)
    mapped = ("--map", "time=ts,producer=client,broker=brokerName", "--map", "latency_ms=cost_us,outcome=result")
    code, said = imported([line() + ",web-1"], *mapped, header=header)
    assert (code, "latency: microseconds" in said, "columns not used: host" in said) == (0, True, True)


def test_rows_that_are_not_in_order_are_said_to_be(imported):
    code, said = imported([line(number * 100_003_000 % 997_000_000) for number in range(50)])
    assert (code, "the rows are not in time order" in said) == (0, True)


@pytest.mark.parametrize(
    ("lines", "options", "expected"),
    [
        ([line(n, time=1_795_241_400_000_000 + 999_000 * n) for n in range(12)], (), "all times are whole seconds"),
        ([line(), line(time=1_795_241_400)], (), "times have several forms"),
        (
            [line(), line(outcome=TIMEOUT)],
            (),
            "no time-out lasts longer than 1.5 ms: is the latency in seconds (--latency-unit s)",
        ),
        ([line(), HEADER, line()], (), "1 repeated header lines passed over"),
        ([line(time=1000), line(time=1005)], ("--time-unit", "s"), "time: s as --time-unit says"),
    ],
)
def test_what_makes_a_log_say_less_is_reported(imported, lines, options, expected):
    code, said = imported(lines, *options)
    assert (code, expected in said) == (0, True)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--timezone", "Asia/Shangai"), "--timezone Asia/Shangai: no such zone; did you mean Asia/Shanghai"),
        (("--time-unit", "min"), "--time-unit min: expected s, ms, us, ns"),
        (("--decimal", "dot"), "--decimal dot: expected point, comma"),
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
    assert (
        "broker-b, RemotingTimeoutException: 5 attempts of 1 producers, from 2026-11-21 06:09:57.123 to "
        "2026-11-21 06:10:00.123 UTC, each of 3,000 to 3,000 ms"
    ) in " ".join(said.split())
    assert "a client log has only attempts that failed" in " ".join(said.split())
    code, said = sendlab("calibrate", tmp_path / "t", "-o", tmp_path / "s.yaml")
    assert (code, "has only attempts that failed" in " ".join(said.split())) == (2, True)
