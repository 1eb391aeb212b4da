"""The sender threads of all producers, in order, as arrays."""

from __future__ import annotations

import numpy as np

from simulator.plan.thread_list import counted, sender_threads
from tests.simulator.small import scenario_of

GROUPS = [
    {"group": "a", "count": 2, "threads": 3, "rate": "1/s"},
    {"group": "b", "count": 1, "threads": 1, "rate": "1/s"},
]
THREADS = sender_threads(scenario_of(producers=GROUPS))


def test_threads_are_numbered_through_the_run_and_within_their_producer():
    assert THREADS.stream.tolist() == [0, 1, 2, 3, 4, 5, 6]
    assert THREADS.producer.tolist() == [0, 0, 0, 1, 1, 1, 2]
    assert THREADS.number.tolist() == [0, 1, 2, 0, 1, 2, 0]
    assert THREADS.group.tolist() == [0, 0, 0, 0, 0, 0, 1]


def test_a_cell_takes_all_threads_of_its_producers():
    own = THREADS.of_producers(1, 3)
    assert own.stream.tolist() == [3, 4, 5, 6]
    assert len(THREADS.of_producers(0, 1).and_those(own)) == 7


def test_counting_begins_anew_for_each_and_skips_those_of_none():
    assert counted(np.array([2, 0, 3])).tolist() == [0, 1, 0, 1, 2]
