"""A broker judges queue ids by its own topic configuration; producers learn of it at their next poll."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.simulator.small import fault, ran, rows

POLL_US = 30_010_000


def fewer(broker_release="5.3.0", more_faults=(), **changes):
    """Attempts of 40 s in which broker b loses two of its four queues at 20 s; the poll is at 30.01 s."""
    result = ran(
        duration="40s", producers={"rate": "40/s"}, topics={"orders": {"queues": 4}},
        brokers={name: {"latency": {"constant": "2ms"}, "release": broker_release} for name in "ab"},
        client={"send_latency_fault_enable": False, "poll_phase": "aligned"} | changes,
        faults=[fault("queues", "20s", "900s", topic="orders", queues=2), *more_faults],
    )  # fmt: skip
    return rows(result, "attempts"), rows(result, "sends")


def ids_by_outcome(attempts, from_us, until_us):
    """(outcome, code) -> queue ids on broker b."""
    found = {}
    for a in attempts:
        if a["broker"] == "b" and from_us <= a["begin_us"] < until_us:
            found.setdefault((a["outcome"], a["response_code"]), set()).add(a["queue_id"])
    return found


@pytest.mark.parametrize(("release", "code"), [("4.9.8", 1), ("5.3.1", 1), ("5.3.2", 29)])
def test_a_queue_that_is_gone_is_refused_until_the_next_poll(release, code):
    attempts, _ = fewer(release)
    assert ids_by_outcome(attempts, 0, 20e6) == {("SEND_OK", 0): {0, 1, 2, 3}}
    stale = ids_by_outcome(attempts, 20e6, POLL_US)
    # A retry moves the one counter on, past the other queue that is gone.
    gone = {2, 3} if code == 29 else {2}
    assert stale == {("SEND_OK", 0): {0, 1}, ("MQBrokerException", code): gone}
    assert ids_by_outcome(attempts, POLL_US, 40e6) == {("SEND_OK", 0): {0, 1}}


def test_a_system_error_is_retried_and_an_invalid_parameter_fails_the_message():
    results = [Counter(send["result"] for send in fewer(release)[1]) for release in ("5.3.1", "5.3.2")]
    assert set(results[0]) == {"SEND_OK"}
    assert results[1]["MQBrokerException"] == pytest.approx(40 * 10 / 4, abs=5)


def test_queues_are_there_again_when_the_number_is_raised():
    again = fault("queues", "25s", "900s", topic="orders", queues=6)
    attempts, _ = fewer(more_faults=[again])
    assert ids_by_outcome(attempts, 25e6, POLL_US) == {("SEND_OK", 0): {0, 1, 2, 3}}
    assert ids_by_outcome(attempts, POLL_US, 40e6) == {("SEND_OK", 0): {0, 1, 2, 3, 4, 5}}


def test_an_order_configuration_that_names_too_many_queues_is_refused():
    topics = {"orders": {"queues": 2, "order_topic_conf": "a:3"}}
    attempts = rows(ran(topics=topics, client={"retry_times_when_send_failed": 0}), "attempts")
    assert {a["queue_id"]: a["outcome"] for a in attempts} == {0: "SEND_OK", 1: "SEND_OK", 2: "MQBrokerException"}
