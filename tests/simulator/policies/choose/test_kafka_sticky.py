"""The sticky partition of Kafka's producer, and the next one by queue lengths."""

import numpy as np
import pytest

from simulator.compiled.records import Cells
from simulator.policies.choose.kafka_sticky import Sticky, build_table, next_by_table, next_without_table, wants_switch
from tests.simulator.policies.made import made


def table(*sizes, queues=None):
    """The running sums of the weights, empty where there is no table."""
    cells = np.array(sizes, np.int64)
    length = build_table(Cells.of(cells), len(sizes), len(sizes) if queues is None else queues)
    return cells[:length].tolist()


def test_a_longer_queue_weighs_less():
    assert table(0, 3, 1) == [4, 5, 8]


def test_equal_queues_need_no_table():
    assert table(2, 2, 2) == []


def test_equal_queues_need_one_if_a_queue_was_left_out():
    assert table(2, 2, queues=3) == [1, 2]


def test_a_number_chooses_the_first_sum_above_it():
    sums, ids = Cells.of(np.array([4, 5, 8])), Cells.of(np.array([7, 8, 9]))
    assert [next_by_table(sums, ids, 3, drawn) for drawn in (3, 4, 5, 8)] == [7, 8, 9, 7]


def test_without_a_leader_anywhere_the_number_itself_is_the_partition():
    none = Cells.of(np.zeros(1, np.int64))
    assert next_without_table(none, 0, 5, 13) == 3


@pytest.mark.parametrize(
    ("produced", "may_switch", "switches"), [(99, 1, False), (100, 1, True), (100, 0, False), (200, 0, True)]
)
def test_it_switches_after_a_batch_or_after_two(produced, may_switch, switches):
    assert wants_switch(made(Sticky, batch_bytes=100), produced, may_switch) == switches
