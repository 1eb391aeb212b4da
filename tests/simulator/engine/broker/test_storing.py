"""The commit log, its flush and its slaves: when a message is appended, and when it is answered with what."""

from __future__ import annotations

import pytest

from simulator.engine.memory.periods_table import SLAVE, SLAVE_AWAY, SLAVE_LAG
from tests.simulator.small import fault, ran, ran_with, rows

OFF = {"send_latency_fault_enable": False, "retry_times_when_send_failed": 0}
AWAY, LAG = [(0, 9_000, SLAVE, SLAVE_AWAY)], [(0, 9_000, SLAVE, SLAVE_LAG)]


def broker_ran(broker, periods=(), **changes):
    changes.setdefault("producers", {"rate": "10/s"})
    brokers = {"b": {"latency": {"constant": "2ms"}} | broker}
    return ran_with(list(periods), brokers=brokers, client=OFF, **changes)


def burst(broker, **changes):
    """Microseconds after a hang at which the first four requests that came in it end."""
    brokers = {"b": {"latency": {"constant": "1ms"}, "fast_failure": False} | broker}
    hang = [fault("hang", "500ms", "500ms")]
    run = ran(brokers=brokers, client=OFF, producers={"rate": "20/s", "threads": 16}, faults=hang, **changes)
    return [a["end_us"] - 1_000_000 for a in rows(run, "attempts") if 500_000 < a["begin_us"] < 1_000_000][:4]


def answers(run):
    return {(a["outcome"], a["response_code"], a["end_us"] - a["begin_us"]) for a in rows(run, "attempts")}


def test_one_put_at_a_time_is_appended():
    assert burst({}) == [1_000] * 4
    assert burst({"latency": {"constant": "5ms"}, "append": {"base": "5ms"}}) == [5_000, 10_000, 15_000, 20_000]


def test_only_the_append_is_serial_not_the_rest_of_the_service():
    assert burst({"latency": {"constant": "5ms"}, "append": {"base": "1ms"}}) == [5_000, 6_000, 7_000, 8_000]


def test_an_append_costs_by_the_kibibyte():
    topics = {"orders": {"queues": 2, "message_bytes": "1536B"}}
    assert burst({"append": {"base": "1ms", "per_kib": "2ms"}}, topics=topics) == [4_000, 8_000, 12_000, 16_000]


def test_a_flush_covers_all_that_was_appended_when_it_begins():
    broker = {"flush": "sync", "flush_latency": {"constant": "10ms"}, "append": {"base": "1ms"}}
    assert burst(broker) == [11_000, 21_000, 21_000, 21_000]


def test_up_to_4_6_1_a_send_thread_waits_for_the_flush():
    broker = {"flush": "sync", "flush_latency": {"constant": "10ms"}, "send_threads": 1}
    assert burst(broker | {"release": "4.6.1"}) == [11_000, 22_000, 33_000, 44_000]
    assert burst(broker | {"release": "4.7.0"}) == [11_000, 21_000, 21_000, 21_000]


def test_a_flush_that_takes_too_long_is_reported_and_the_message_stored():
    run = broker_ran({"flush": "sync", "flush_latency": {"constant": "200ms"}, "sync_flush_timeout": "100ms"})
    assert answers(run) >= {("FLUSH_DISK_TIMEOUT", 10, 102_000)}
    assert {(s["copies_stored"], s["acknowledged"], s["lost"]) for s in rows(run, "sends")} == {(1, True, False)}


MASTER = {"role": "sync_master", "slaves": 1, "slave_latency": {"constant": "5ms"}}


@pytest.mark.parametrize(
    ("broker", "periods", "answer"),
    [
        ({"release": "4.9.8"}, [], ("SEND_OK", 0, 7_000)),
        ({"release": "4.9.8", "slaves": 0}, [], ("SLAVE_NOT_AVAILABLE", 11, 2_000)),
        ({"release": "4.9.8"}, AWAY, ("SLAVE_NOT_AVAILABLE", 11, 2_000)),
        ({"release": "4.9.8", "slave_timeout": "300ms"}, LAG, ("FLUSH_SLAVE_TIMEOUT", 12, 302_000)),
        ({"release": "4.9.2", "sync_flush_timeout": "400ms"}, LAG, ("FLUSH_SLAVE_TIMEOUT", 12, 402_000)),
        ({}, AWAY, ("SEND_OK", 0, 2_000)),
        ({"in_sync_replicas": 2}, [], ("SEND_OK", 0, 7_000)),
        ({"in_sync_replicas": 2, "slave_timeout": "300ms"}, AWAY, ("FLUSH_SLAVE_TIMEOUT", 12, 302_000)),
        ({"in_sync_replicas": 3, "slave_timeout": "300ms"}, [], ("FLUSH_SLAVE_TIMEOUT", 12, 302_000)),
        ({"in_sync_replicas": 2, "slave_acting_master": True}, AWAY, ("MQBrokerException", 1, 2_000)),
    ],
)
def test_a_sync_master_waits_for_its_slaves_as_its_release_does(broker, periods, answer):
    assert answers(broker_ran(MASTER | broker, periods)) == {answer}


def test_a_message_that_too_few_replicas_refuse_is_not_stored():
    run = broker_ran(MASTER | {"in_sync_replicas": 2, "slave_acting_master": True}, AWAY)
    assert {(s["copies_stored"], s["copies_kept"], s["lost"]) for s in rows(run, "sends")} == {(0, 0, False)}


def test_a_slave_has_a_larger_message_later():
    broker = MASTER | {"in_sync_replicas": 2, "slave_latency_per_kib": "100us"}
    run = broker_ran(broker, topics={"orders": {"message_bytes": "3KiB"}})
    assert answers(run) == {("SEND_OK", 0, 2_000 + 5_000 + 300)}


def test_the_status_of_the_slaves_overrides_that_of_the_disk():
    disk = {"flush": "sync", "flush_latency": {"constant": "200ms"}, "sync_flush_timeout": "100ms"}
    run = broker_ran(MASTER | disk | {"release": "4.9.8"}, AWAY)
    assert {a[:2] for a in answers(run)} == {("SLAVE_NOT_AVAILABLE", 11)}


def test_a_slave_that_is_256_mib_behind_is_not_waited_for():
    topics = {"orders": {"queues": 2, "message_bytes": "4MiB"}}
    producers = {"rate": "100/s", "threads": 64}
    broker = MASTER | {"release": "4.9.8", "slave_timeout": "50ms"}
    run = broker_ran(broker, LAG, topics=topics, producers=producers, duration="1s")
    found = [a["outcome"] for a in sorted(rows(run, "attempts"), key=lambda a: a["begin_us"])]
    assert set(found[:63]) == {"FLUSH_SLAVE_TIMEOUT"}
    assert set(found[63:]) == {"SLAVE_NOT_AVAILABLE"}
