"""One-way sends, selectors, batches and what the client refuses: sends of at most one attempt."""

from __future__ import annotations

from collections import Counter

import pytest

from simulator.client.java_int import INT_MIN
from simulator.client.selection.selectors import NO_PLACE, decimal_hash, hash_place_4_2_0, hash_place_4_8_0
from simulator.engine.senders.batches import BATCH_OVERHEAD_BYTES
from tests.simulator.small import fault, ran, rows

KEYED = {"orders": {"queues": 2, "keys": {"count": 50}}}


def test_a_one_way_send_knows_nothing_of_a_slow_broker_that_stores_it_late():
    run = ran(producers={"mode": "oneway"}, brokers={"b": {"latency": {"constant": "1s"}, "send_threads": 64}})
    sends = rows(run, "sends")
    assert {(s["result"], s["latency_us"], s["copies_stored"]) for s in sends} == {("SENT_ONEWAY", 0, 1)}
    assert sum(w["successes"] for w in rows(run, "windows")) == 20


def test_a_one_way_send_that_an_error_code_answers_is_lost_without_a_word():
    run = ran(producers={"mode": "oneway"}, faults=[fault("code", "0s", "2s", "all", response_code="SYSTEM_ERROR")])
    assert {(s["result"], s["copies_kept"] == 0) for s in rows(run, "sends")} == {("SENT_ONEWAY", True)}


def test_a_refused_one_way_send_is_tried_once_and_isolates():
    run = ran(producers={"mode": "oneway"}, faults=[fault("refuse", "0s", "2s")])
    failed = [s for s in rows(run, "sends") if s["result"] != "SENT_ONEWAY"]
    assert {(s["result"], s["response_code"], s["attempts"]) for s in failed} == {("MQClientException", 10001, 1)}
    assert len(failed) == 1  # the strategy keeps away


def test_since_5_3_0_a_refused_one_way_send_is_lost_without_a_word():
    run = ran(producers={"mode": "oneway"}, client={"release": "5.3.0"}, faults=[fault("refuse", "0s", "2s")])
    found = {(s["broker"], s["result"], s["latency_us"], s["copies_kept"] == 0) for s in rows(run, "sends")}
    assert {row for row in found if row[0] == "b"} == {("b", "SENT_ONEWAY", 0, True)}
    assert {row[3] for row in found if row[0] != "b"} == {False}


def test_a_selector_chooses_one_queue_for_a_key_and_ignores_the_fault_table():
    run = ran(
        producers={"selector": "hash", "rate": "100/s"}, topics=KEYED, client={"retry_times_when_send_failed": 2},
        faults=[fault("refuse", "0s", "2s")],
    )  # fmt: skip
    sends = rows(run, "sends")
    assert {s["attempts"] for s in sends} == {1}
    chosen = {(s["message_key"], s["broker"], s["queue_id"]) for s in sends}
    assert len(chosen) == len({key for key, _, _ in chosen})
    assert {s["result"] for s in sends if s["broker"] == "b"} == {"RemotingConnectException"}
    assert not rows(run, "fault_items")


def test_the_hash_of_a_key_is_that_of_its_decimal_text():
    assert [decimal_hash(n) for n in (0, 7, 42, 1_000_000)] == [48, 55, 1662, 1_958_013_297]


@pytest.mark.parametrize(("rule", "place"), [(hash_place_4_2_0, NO_PLACE), (hash_place_4_8_0, 2)])
def test_the_smallest_hash_throws_in_older_clients(rule, place):
    assert rule(INT_MIN, 3) == place
    assert rule(-7, 3) == rule(7, 3) == 1


def test_the_machine_room_selector_sends_nothing():
    sends = rows(ran(producers={"selector": "machine_room"}), "sends")
    assert {(s["result"], s["attempts"], s["copies_kept"] == 0) for s in sends} == {("MQClientException", 0, True)}


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_a_batch_is_one_attempt_for_its_messages(mode):
    sends = rows(ran(producers={"batch": 5, "rate": "50/s", "mode": mode}), "sends")
    assert len(sends) == 20
    assert {(s["messages"], s["attempts"]) for s in sends} == {(5, 1)}
    assert {s["body_bytes"] for s in sends} == {5 * (1024 + BATCH_OVERHEAD_BYTES)}


def test_a_batch_above_the_size_limit_is_refused_and_never_compressed():
    topics = {"orders": {"message_bytes": "1KiB", "compress_ratio": 0.1}}
    sends = rows(ran(producers={"batch": 10}, topics=topics, client={"max_message_size": "10KiB"}), "sends")
    assert {(s["result"], s["response_code"], s["attempts"]) for s in sends} == {("MQClientException", 13, 0)}
    assert {s["wire_bytes"] for s in sends} == {10 * (1024 + BATCH_OVERHEAD_BYTES)}


def test_an_asynchronous_batch_is_retried_as_one():
    run = ran(producers={"batch": 5, "rate": "50/s", "mode": "async"}, faults=[fault("refuse", "0s", "2s")])
    retried = rows(run, "sends", attempts=2)
    assert {(s["messages"], s["result"], s["copies_stored"]) for s in retried} == {(5, "SEND_OK", 1)}


@pytest.mark.parametrize("mode", ["sync", "async", "oneway"])
def test_the_size_is_checked_before_and_the_wire_after_compression(mode):
    topics = {"orders": {"message_bytes": {"uniform": {"min": "1KiB", "max": "8KiB"}}, "compress_ratio": 0.25}}
    run = ran(producers={"mode": mode, "rate": "100/s"}, topics=topics, client={"max_message_size": "6KiB"})
    sends = rows(run, "sends")
    for low, high in ((0, 4096), (4096, 6145), (6145, 8193)):  # as it is, compressed, refused
        assert sum(low <= s["body_bytes"] < high for s in sends) > 20
    for s in sends:
        assert (s["attempts"] == 0) == (s["response_code"] == 13) == (s["body_bytes"] > 6144)
        assert s["wire_bytes"] == (s["body_bytes"] // 4 if s["body_bytes"] >= 4096 else s["body_bytes"])


@pytest.mark.parametrize(
    ("release", "topic", "refused"),
    [
        ("4.2.0", "TBW102", True),
        ("4.9.8", "TBW102", False),
        ("4.2.0", "SELF_TEST_TOPIC", False),
        ("5.3.3", "SELF_TEST_TOPIC", True),
        ("5.3.3", "RMQ_SYS_ROCKSDB_TRANS_HALF_TOPIC", False),
        ("5.4.0", "RMQ_SYS_ROCKSDB_TRANS_HALF_TOPIC", True),
        ("5.3.3", "RMQ_SYS_ROCKSDB_TRANS_OP_HALF_TOPIC", False),
        ("5.4.0", "RMQ_SYS_ROCKSDB_TRANS_OP_HALF_TOPIC", True),
        ("4.6.0", "t" * 128, False),
        ("4.6.1", "t" * 128, True),
        ("5.3.3", "orders.eu", True),
    ],
)
def test_names_of_topics_are_refused_by_release(release, topic, refused):
    sends = rows(ran(client={"release": release}, topics={topic: {"queues": 2}}), "sends")
    assert {s["attempts"] for s in sends} == {0 if refused else 1}


def test_a_skewed_key_is_drawn_as_often_as_its_weight():
    topics = {"orders": {"keys": {"count": 10, "skew": "zipf 1"}}}
    keys = Counter(s["message_key"] for s in rows(ran(topics=topics, producers={"rate": "2000/s"}), "sends"))
    total = sum(1 / k for k in range(1, 11))
    assert keys[0] / 4000 == pytest.approx(1 / total, abs=0.02)
    assert keys[9] / 4000 == pytest.approx(0.1 / total, abs=0.01)
