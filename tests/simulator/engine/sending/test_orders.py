"""The order in which the messages of one thread and key are stored is checked, and what overtakes is counted."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.simulator.small import fault, ran, rows

TOPICS = {"orders": {"queues": 2, "keys": {"count": 5}, "check_order": True}}


def out_of_order(run):
    return sum(window["out_of_order"] for window in rows(run, "windows"))


@pytest.mark.parametrize("mode", ["sync", "async", "oneway"])
def test_a_broker_that_stores_one_after_the_other_keeps_the_order(mode):
    brokers = {"a": {"latency": {"constant": "20ms"}, "send_threads": 1}}
    producers = {"mode": mode, "selector": "hash", "rate": "100/s"}
    assert out_of_order(ran(producers=producers, topics=TOPICS, brokers=brokers)) == 0


def test_retries_are_overtaken_and_counted_exactly():
    """One broker refuses in turns; a message that is stored on its retry may be overtaken by the next."""
    topics = {"orders": {"queues": 2, "keys": {"count": 1}, "check_order": True}}
    run = ran(
        producers={"mode": "async", "rate": "1900/s"}, topics=topics, duration="1s",
        client={"send_latency_fault_enable": False}, faults=[fault("refuse", "200ms", "600ms")],
    )  # fmt: skip
    stored = sorted((a["end_us"], a["send_seq"]) for a in rows(run, "attempts", outcome="SEND_OK"))
    latest, overtaken = -1, 0
    for _, number in stored:
        overtaken += number < latest
        latest = max(latest, number)
    assert out_of_order(run) == overtaken > 100


def test_without_the_check_nothing_is_counted():
    topics = {"orders": {"queues": 2, "keys": {"count": 1}}}
    run = ran(producers={"mode": "async", "rate": "500/s"}, topics=topics, faults=[fault("refuse", "0s", "2s")])
    assert out_of_order(run) == 0
    assert Counter(s["message_key"] for s in rows(run, "sends")) == {0: 1000}
