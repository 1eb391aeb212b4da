"""Figures of consumer groups: from runs whose answer is known."""

from __future__ import annotations

import math

import numpy as np
import pytest

from simulator.proof.incidents import group_measures
from simulator.proof.incidents.handled_measures import longest_until_handled
from tests.simulator.small import ran_tables

ONE_BROKER = {"a": {"latency": {"constant": "1ms"}}}


@pytest.fixture(scope="module")
def run():
    group = {"topic": "orders", "count": 3, "threads": 2, "service": "5ms", "release": "5.3.3"}
    return ran_tables(
        duration="20s", producers={"count": 2, "rate": "10/s"}, brokers=ONE_BROKER, consumers={"billing": group}
    )


def test_of_three_instances_on_two_queues_one_is_idle_and_the_others_share_alike(run):
    assert group_measures.idle_instances(run) == 1
    assert group_measures.share_of_busiest_instance(run) == pytest.approx(50, abs=1)


def test_where_nothing_happens_every_queue_has_an_owner(run):
    assert group_measures.unowned(run) < 0.1


def test_where_nothing_comes_again_there_is_no_time_until_then(run):
    assert math.isnan(group_measures.longest_until_again(run))


def test_where_nothing_happens_queues_are_taken_once_and_messages_consumed_once(run):
    assert group_measures.times_taken(run) == 1
    assert group_measures.consumed_again(run) == 0
    assert group_measures.unread_share(run) < 1


class Deliveries:
    """Rows of `consumed`: two of queue 0 of each broker, in another order than that of their begins."""

    def column(self, table, name):
        columns = {
            "topic": ["orders"] * 4, "broker": ["a", "b", "a", "b"], "queue_id": [0] * 4,
            "begin_us": [9_000_000, 1_000_000, 4_000_000, 3_500_000],
        }  # fmt: skip
        return np.array(columns[name])


def test_a_silence_lies_between_two_deliveries_of_one_queue():
    assert group_measures.longest_silence(Deliveries()) == 5.0


def test_what_runs_from_the_start_reads_next_to_nothing_from_before(run):
    assert 1 <= group_measures.read_from_before(run) <= 2  # the first message, and perhaps the next


def test_a_message_is_handled_a_service_time_after_it_was_wished_where_nothing_happens(run):
    assert 0.006 <= longest_until_handled(run) < 1
