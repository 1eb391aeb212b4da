"""What the figures measure, on runs small enough to count by hand."""

from __future__ import annotations

import math

import pytest

from simulator.proof.incidents.measures import MEASURES, Measured
from tests.simulator.small import fault, ran


@pytest.fixture(scope="module")
def refused():
    """20 messages of one thread at 10/s, in turn to a0 a1 b0 b1 c0 c1; b refuses, one retry, strategy off."""
    client = {"send_latency_fault_enable": False, "send_which_queue_start": -1, "retry_times_when_send_failed": 0}
    return ran(client=client, faults=[fault("refuse", "0s", "1s")])


def figure(result, name, *, broker="b", topic=None, from_us=0, until_us=None):
    return MEASURES[name].of(Measured(result, broker=broker, topic=topic, from_us=from_us, until_us=until_us))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("attempts_to_broker", 6),  # messages 2 3 8 9 14 15
        ("failed_messages", 4),  # 2 3 8 9
        ("failed_share", 20),
        ("first_messages_failed", 0),
        ("producers_with_failures", 100),
        ("failures_of_a_producer", 4),
        ("messages_not_stored", 4),
        ("delivered_messages", 16),
        ("queues_used", 6),
        ("share_of_busiest_queue", 25),  # a0 has 0 6 12 18 of 16
        ("share_of_broker", 30),
        ("rescued", 0),
        ("most_attempts_of_a_failed_message", 1),
        ("most_copies_of_a_failed_message", 0),
        ("extra_copies", 0),
        ("picks_after_an_exception", 0),
    ],
)
def test_a_figure_counts_what_it_says(refused, name, value):
    assert figure(refused, name) == value


def test_a_stretch_begins_with_its_from_and_ends_before_its_until(refused):
    second = int(refused.column("attempts", "begin_us")[1])
    assert figure(refused, "attempts_to_broker", from_us=1_000_000) == 2
    assert figure(refused, "delivered_messages", from_us=second, until_us=second + 1) == 1


def test_the_time_until_a_broker_is_back_counts_from_the_stretch(refused):
    begin = refused.column("attempts", "begin_us")
    assert figure(refused, "back_after", from_us=1_000_000) == (begin[14] - 1_000_000) / 1e6
    assert math.isinf(figure(refused, "back_after", from_us=int(begin[15]) + 1))


def test_retries_are_held_against_the_attempt_before():
    client = {"release": "4.2.0", "retry_another_broker_when_not_store_ok": True}
    status = fault("status", "0s", "2s", send_status="SLAVE_NOT_AVAILABLE")
    result = ran(client=client, faults=[status])
    assert (figure(result, "retries_on_same_broker"), figure(result, "rescued")) == (100, 0)


def test_a_stored_failure_and_its_longest_wait_are_found():
    client = {"send_latency_fault_enable": False, "send_msg_timeout": "500ms", "send_which_queue_start": 1}
    result = ran(client=client, producers={"rate": "1/s"}, faults=[fault("hang", "0s", "1s")], duration="1s")
    assert (figure(result, "failed_though_stored"), figure(result, "failed_messages")) == (100, 1)
    assert 0.5 <= figure(result, "longest_send") < 0.503


def test_busy_answers_are_timed_and_others_are_not():
    codes = [fault("code", "0s", "1s", response_code="SYSTEM_BUSY"), fault("hang", "0s", "30ms", "a")]
    assert figure(ran(faults=codes), "busy_answers_after") == 2
    assert math.isnan(figure(ran(), "busy_answers_after"))
