"""Batches that a client makes by itself: when they are sent, who sends them, and what every caller gets."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.simulator.small import fault, ran, rows

BATCHING = {"release": "5.3.3", "auto_batch": True, "send_latency_fault_enable": False}


def sent(client: dict[str, Any] | None = None, **changes: Any) -> tuple[list[dict], list[dict]]:
    """Messages and attempts of a client that makes batches."""
    run = ran(client=BATCHING | (client or {}), **changes)
    return rows(run, "sends"), rows(run, "attempts")


@pytest.mark.parametrize("release", ["5.1.4", "5.3.3"])
def test_a_message_alone_waits_until_the_guard_finds_it_old_enough(release):
    sends, attempts = sent({"release": release}, duration="20s", producers={"rate": "7/s"})
    waits = [s["begin_us"] - s["arrival_us"] for s in sends]
    assert len(attempts) == len(sends) == 140
    assert 9_000 < min(waits) < 10_500
    assert 14_500 < max(waits) <= 15_100


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_what_comes_within_ten_milliseconds_is_sent_as_one(mode):
    sends, attempts = sent(producers={"threads": 40, "rate": "1000/s", "mode": mode})
    assert 10 < len(sends) / len(attempts) < 14
    assert sum(s["attempts"] for s in sends) == len(attempts)
    assert {s["copies_stored"] for s in sends} == {1}
    assert {s["wire_bytes"] - s["body_bytes"] for s in sends} == {74}
    assert all(s["end_us"] - s["begin_us"] == 2_000 for s in sends)


def test_a_batch_is_full_above_its_bytes():
    sends, attempts = sent({"batch_max_bytes": "4KiB", "batch_max_delay": "1s"}, producers={"mode": "async"})
    assert len(sends) == 20
    assert len(attempts) == 4
    assert [s["attempts"] for s in sends] == [1, 0, 0, 0, 0] * 4


def test_above_the_total_messages_are_sent_by_themselves():
    client = {"total_batch_max_bytes": "2KiB", "batch_max_delay": "30s"}
    sends, attempts = sent(client, producers={"mode": "async"})
    assert len(attempts) == 1 + 18
    assert max(s["latency_us"] for s in sends) > 28_000_000


def test_topics_and_chosen_queues_have_batches_of_their_own():
    topics = {"clicks": {"queues": 1}, "orders": {"queues": 1}}
    _, attempts = sent(producers={"threads": 40, "rate": "1000/s"}, topics=topics)
    assert Counter(a["topic"] for a in attempts)["clicks"] == pytest.approx(len(attempts) / 2, rel=0.05)
    sends, attempts = sent(producers={"threads": 20, "rate": "500/s", "selector": "random"})
    assert 1.2 < len(sends) / len(attempts) < 3  # of 6 queues
    assert {a["pick_reason"] for a in attempts} == {"selector"}


@pytest.mark.parametrize(
    ("mode", "others"), [("sync", "NullPointerException"), ("async", "RemotingTooMuchRequestException")]
)
def test_who_did_not_send_the_failed_batch_is_answered_otherwise(mode, others):
    hang = [fault("hang", "100ms", "9s", broker) for broker in "abc"]
    client = {"release": "5.1.4", "send_msg_timeout": "1s"}
    sends, _ = sent(client, duration="9s", producers={"threads": 10, "rate": "100/s", "mode": mode}, faults=hang)
    failed = [s for s in sends if not s["acknowledged"]]
    assert {s["result"] for s in failed if s["attempts"] == 0} == {others}
    assert all(s["result"] != "NullPointerException" for s in failed if s["attempts"] > 0)
    assert all(s["copies_stored"] >= 1 for s in failed)


def test_a_batch_that_hangs_holds_the_guard_and_with_it_other_topics():
    topics = {"clicks": {"queues": 1, "brokers": ["a"]}, "orders": {"queues": 1, "brokers": ["b"]}}
    groups = [
        {"group": "all", "count": 1, "threads": 2, "rate": "20/s", "arrivals": "steady", "topics": ["clicks", "orders"]}
    ]
    sends, _ = sent(duration="4s", producers=groups, topics=topics, faults=[fault("hang", "2s", "1s", "b")])
    clicks = [s for s in sends if s["topic"] == "clicks" and s["end_us"] - s["begin_us"] < 10_000]
    assert any(s["begin_us"] - s["arrival_us"] > 500_000 for s in clicks)


def test_a_batch_larger_than_a_message_may_be_is_refused_whole():
    topics = {"orders": {"queues": 1, "message_bytes": "2KiB"}}
    sends, attempts = sent(
        {"max_message_size": "4KiB", "batch_max_bytes": "3KiB", "batch_max_delay": "30s"},
        producers={"mode": "async"}, topics=topics,
    )  # fmt: skip
    assert attempts == []
    assert {(s["result"], s["response_code"]) for s in sends} == {("MQClientException", 13)}


def test_one_way_messages_and_batches_of_the_application_are_sent_as_ever():
    assert len(sent(producers={"mode": "oneway"})[1]) == 20
    assert len(sent(producers={"batch": 2})[1]) == 10
