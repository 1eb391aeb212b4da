"""Batches of a Kafka producer: sizes, readiness, and how a slow broker distorts the table."""

import numpy as np
import pytest

from simulator.compiled.records import Cells, Region, size_of
from simulator.proof import kafka_accumulator as kafka
from tests.simulator.policies.made import made

PARTITIONS, BATCHES = 3, 20


@pytest.fixture
def accumulator():
    state = made(kafka.Accumulator, batch_bytes=100, is_adaptive=1, partition_count=PARTITIONS, linger_ms=10**6)
    state.sticky.partition, state.sticky.batch_bytes = kafka.NO_PARTITION, 100
    for name, record, count in (
        ("queues", kafka.PartitionQueue, PARTITIONS),
        ("batches", kafka.Batch, BATCHES),
        ("nodes", kafka.NodeTimes, PARTITIONS),
    ):
        setattr(state, name, Region.of(record, np.zeros(count * size_of(record), np.int64)))
    cells = {name: np.arange(PARTITIONS) for name in ("leaders", "available", "sizes", "partitions", "draws")}
    for name, numbers in cells.items():
        setattr(state, name, Cells.of(numbers))
    for place in range(BATCHES - 1):
        state.batches[place].next_batch = place + 1
    return state


def appended(accumulator, *sizes):
    """Append values of those sizes to the partitions 0, 1, ... one after another."""
    for partition, count in enumerate(sizes):
        for _ in range(count):
            kafka.append(accumulator, partition, 100, 0)


def passed(accumulator, now_ms=0):
    """The brokers that are ready after a pass of the sender."""
    ready = np.zeros(PARTITIONS, np.int64)
    kafka.find_ready(accumulator, now_ms, Cells.of(ready))
    return np.flatnonzero(ready).tolist()


def test_the_first_record_of_a_batch_carries_its_header(accumulator):
    kafka.append(accumulator, 0, 44, 0)
    assert (accumulator.appended_bytes, accumulator.made_batch) == (112, 1)


def test_a_record_that_does_not_fit_begins_another_batch(accumulator):
    appended(accumulator, 2)
    assert accumulator.queues[0].batches == 2


def test_a_second_batch_makes_its_broker_ready(accumulator):
    appended(accumulator, 1, 2)
    assert passed(accumulator) == [1]


def test_a_batch_that_is_not_full_waits_for_the_linger(accumulator):
    accumulator.batch_bytes = 1_000
    kafka.append(accumulator, 1, 10, 0)
    assert (passed(accumulator, 999_999), passed(accumulator, 1_000_000)) == ([], [1])


def test_there_is_no_table_until_every_partition_was_used(accumulator):
    appended(accumulator, 3, 1)
    passed(accumulator)
    assert accumulator.table_length == 0


def test_a_partition_left_out_leaves_its_size_to_the_next_that_is_empty(accumulator):
    appended(accumulator, 1, 3, 1)
    kafka.take_batch(accumulator, accumulator.queues[2])
    accumulator.availability_ms, accumulator.nodes[1].ready_ms = 5, 6
    passed(accumulator)
    assert (accumulator.sizes.array[:2].tolist(), accumulator.partitions.array[:2].tolist()) == ([3, 4], [0, 2])


def test_a_batch_is_sent_with_all_its_records(accumulator):
    accumulator.batch_bytes = 1_000
    appended(accumulator, 3)
    assert kafka.take_batch(accumulator, accumulator.queues[0]) == 3
