"""What is measured of consumers: on small recordings made by hand, and on the real ones what was read off them."""

import gzip
import json
import math

import pytest

from streaming.errors import InputError
from streaming.proof.commands.consumers_command import measured
from streaming.proof.consumers.compact import compact
from streaming.proof.consumers.consumer_recording import COLUMNS, is_consumer_recording, load_consumer_recording
from tests.says import Says, raises

CLIENTS = {
    "c1": {"release": "5.3.3", "program": "Cons", "topic": "T", "group": "g"},
    "c2": {"release": "5.3.3", "program": "Cons", "topic": "T", "group": "g"},
    "p": {"release": "5.3.3", "program": "Prod", "topic": "T"},
}


@pytest.fixture
def record(tmp_path):
    """Write a recording of lines "time event who queue offset stored" and load it."""

    def write(*lines, end_ms=10_000, clients=CLIENTS):
        rows = [",".join(COLUMNS)]
        for line in lines:
            time, event, who, queue, *rest = line.split()
            offset, stored = (*rest, "", "")[:2]
            status = "SEND_OK" if event == "send" else ""
            rows.append(f"{time},{event},{who},{queue},{offset},,,{stored},{status},")
        header = {"clients": clients, "brokers": {}, "actions": [{"time_ms": end_ms, "action": "end", "who": ""}]}
        (tmp_path / "r1.json").write_text(json.dumps(header))
        (tmp_path / "r1.csv.gz").write_bytes(gzip.compress("\n".join(rows).encode() + b"\n"))
        return load_consumer_recording(tmp_path / "r1")

    return write


def values(recording, group="g"):
    return {figure.name: figure.value for figure in measured(recording)[group]}


def test_lag_rises_with_what_is_stored_and_falls_with_first_consumptions(record):
    found = values(
        record(
            "0 own c1 a:0",
            *(f"{1000 * n} send p a:0 {n} 100" for n in range(1, 5)),
            *(f"{5000 + 100 * n} consume c1 a:0 {n} {1000 * n + 100}" for n in range(1, 4)),
            "5350 consume c1 a:0 3 3100",
        )
    )
    assert (found["lag, maximum"], found["lag, maximum at"], found["drained at"]) == (4, 4.1, math.inf)
    assert (found["consumed twice"], found["not consumed by the end"]) == (1, 1)
    assert found["stored until consumed, p50"] == 3.1


def test_a_killed_instance_is_taken_over_and_its_next_message_comes_later(record):
    found = values(
        record(
            "0 own c1 a:0",
            "0 own c2 a:1",
            "500 consume c1 a:0 0 400",
            "600 consume c2 a:1 0 500",
            "1000 kill9 script c1",
            "1250 own c2 a:0",
            "3000 consume c2 a:0 1 900",
        )
    )
    assert found["c1 kill9: another owner after, median"] == 0.25
    assert found["c1 kill9: next message after, longest"] == 2.0
    assert found["queues without an owner, sum"] == 0.25


def test_a_broker_that_was_gone_is_silent_until_its_first_message(record):
    found = values(
        record(
            "0 own c1 b:0",
            "900 consume c1 b:0 0 800",
            "1000 sigstop script b",
            "4000 sigcont script b",
            "4500 consume c1 b:0 1 800",
        )
    )
    assert found["b sigstop: silence of its queues, median"] == 3.6
    assert found["b sigstop: first message after sigcont, median"] == 0.5


def test_a_queue_that_two_held_was_passed_on_in_less_than_no_time(record):
    found = values(
        record(
            "0 own c1 a:0",
            "100 consume c1 a:0 0 90",
            "2000 start_begin c2 x",
            "2100 own c2 a:0",
            "2400 release c1 a:0",
            "2500 consume c2 a:0 1 2000",
        )
    )
    assert found["c2 joins: queue passed on in, median"] == -0.3
    assert found["queues with two owners, sum"] == 0.3


def test_a_broadcasting_group_is_not_measured(record):
    clients = CLIENTS | {"c1": CLIENTS["c1"] | {"model": "broadcast"}}
    assert measured(record("0 own c1 a:0", clients=clients)) == {}


@pytest.mark.parametrize(
    ("name", "group", "expected"),
    [
        ("backlog-plain533-r2", "g533", {"consumed twice": 9, "lag, maximum": 7535, "drained at": 153.1}),
        ("backlog-kill533-r2", "g533", {"consumed twice": 16, "c2-533 kill9: next message after, longest": 36.9}),
        ("brokerkill-r1", "g498", {"broker-b kill9: first message after port_open, median": 27.3}),
        ("brokerstop-r1", "g498", {"not consumed by the end": 44, "queues without an owner, sum": 65.6}),
        ("flow-r1", "g533", {"consumed twice": 3499}),
        ("pop-r1", "g533", {"come again": 2, "come again after, longest": 62.8, "consumed by c2-533": 474}),
        ("pop-notimer", "g533", {"not consumed by the end": 4480}),
        ("ordered-r1", "g498", {"c2-498 kill9: another owner after, median": 60.2}),
    ],
)
def test_real_recordings_measure_as_they_were_read(root, name, group, expected):
    found = values(load_consumer_recording(root / "conf/traces/consumers" / name), group)
    assert {key: round(found[key], 1) for key in expected} == expected


def test_a_compacted_recording_measures_the_same(root, tmp_path):
    source = root / "conf/traces/consumers/brokerkill-r1"
    again = load_consumer_recording(compact(source, tmp_path))
    assert measured(again) == measured(load_consumer_recording(source))


def test_a_recording_of_consumers_is_known_by_its_header(root):
    traces = root / "conf/traces"
    assert is_consumer_recording(traces / "consumers/flow-r1.csv.gz")
    assert not is_consumer_recording(traces / "live-4.9.8-s2")


def test_a_header_without_its_events_is_one_sentence(root, tmp_path):
    header = (root / "conf/traces/consumers/flow-r1.json").read_text()
    (tmp_path / "flow-r1.json").write_text(header)
    with raises(InputError, Says("proof.events-unreadable", ".../flow-r1.csv.gz")):
        load_consumer_recording(tmp_path / "flow-r1")
    (tmp_path / "flow-r1.json").write_text("{}")
    with raises(InputError, Says("proof.header-lacks", ".../flow-r1.json", key="clients")):
        load_consumer_recording(tmp_path / "flow-r1")
