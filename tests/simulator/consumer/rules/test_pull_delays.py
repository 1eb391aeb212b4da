"""What holds a queue back, at the limits of every test."""

import numpy as np
import pytest

from simulator.compiled.records import Cells, size_of
from simulator.consumer.rules import pull_delays as rules
from simulator.consumer.rules.process_queue import CachedMessage, ProcessQueue, put_message
from simulator.consumer.rules.pull_delays import MIB, PullSettings, pull_in_order
from simulator.consumer.rules.reconsume import (
    MAX_CONCURRENTLY,
    MAX_ORDERLY,
    failed_from,
    max_reconsume_times,
    suspend_ms,
)
from simulator.consumer.rules.tags import passes, subscription, tag_code


@pytest.fixture
def queue():
    found = ProcessQueue.at(np.zeros(size_of(ProcessQueue) + 4 * size_of(CachedMessage), np.int64))
    found.room = 4
    return found


@pytest.fixture
def limits():
    found = PullSettings.at(np.zeros(size_of(PullSettings), np.int64))
    found.pull_threshold_for_queue, found.pull_threshold_size_for_queue_mib = 1000, 100
    found.consume_concurrently_max_span = 2000
    found.when_exception_ms, found.when_flow_control_ms, found.when_suspended_ms = 3000, 50, 1000
    return found


@pytest.mark.parametrize(
    ("count", "size", "flow"),
    [
        (1000, 0, rules.FLOWS),
        (1001, 0, rules.TOO_MANY),
        (1, 101 * MIB - 1, rules.FLOWS),
        (1, 101 * MIB, rules.TOO_LARGE),
    ],
)
def test_a_limit_is_passed_by_what_is_equal_and_100_mib_until_101(queue, limits, count, size, flow):
    queue.msg_count, queue.msg_size = count, size
    assert rules.flow_control(queue, limits) == flow


def test_the_span_holds_back_only_a_concurrent_consumer(queue, limits):
    put_message(queue, 0, 1, 0)
    put_message(queue, 2001, 1, 0)
    assert rules.flow_control(queue, limits) == rules.TOO_WIDE
    pull_in_order(limits)
    assert rules.flow_control(queue, limits) == rules.FLOWS


def test_the_delay_is_that_of_the_first_reason(queue, limits):
    assert rules.pull_delay(queue, limits, 7, 1, 0, 1) == rules.PULL
    assert queue.last_pull_ms == 7
    assert rules.pull_delay(queue, limits, 8, 1, 1, 1) == 1000
    assert rules.pull_delay(queue, limits, 8, 0, 1, 1) == 3000
    pull_in_order(limits)
    assert rules.pull_delay(queue, limits, 8, 1, 0, 1) == 3000
    queue.dropped = 1
    assert rules.pull_delay(queue, limits, 9, 1, 0, 1) == rules.FORGET
    assert queue.last_pull_ms == 8


def test_sixteen_tries_concurrently_and_no_end_in_order():
    assert [max_reconsume_times(-1, MAX_CONCURRENTLY), max_reconsume_times(-1, MAX_ORDERLY)] == [16, 2**31 - 1]


def test_a_limit_that_is_set_counts_for_every_kind():
    assert [max_reconsume_times(0, MAX_CONCURRENTLY), max_reconsume_times(3, MAX_ORDERLY)] == [0, 3]


@pytest.mark.parametrize(("context", "expected"), [(-1, 1000), (-2, 10), (3, 10), (30_001, 30_000), (5000, 5000)])
def test_an_orderly_queue_stands_still_for_10_ms_to_30_s(context, expected):
    assert suspend_ms(1000, context) == expected


@pytest.mark.parametrize(("ack_index", "is_success", "first"), [(2**31 - 1, 1, 4), (1, 1, 2), (-1, 1, 0), (1, 0, 0)])
def test_messages_behind_the_ack_index_are_consumed_again(ack_index, is_success, first):
    assert failed_from(ack_index, 4, is_success) == first


def test_a_broker_passes_tags_by_their_code_and_the_client_drops_the_wrong_ones():
    found = subscription("Aa || TagB")
    codes = np.array(sorted(found.codes), np.int64)
    assert [passes(0, Cells.of(codes), 2, tag_code(tag)) for tag in ("Aa", "BB", "TagB", "x")] == [1, 1, 1, 0]
    assert [found.keeps(tag) for tag in ("Aa", "BB")] == [True, False]


def test_separators_alone_are_refused_and_blanks_match_nothing_at_the_broker():
    with pytest.raises(ValueError, match="subString split error"):
        subscription("||||")
    blank = subscription(" || ")
    assert (blank.is_all, blank.codes, blank.keeps("any")) == (False, frozenset(), True)
