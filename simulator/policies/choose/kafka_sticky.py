"""The sticky partition of a Kafka producer, and the next one by the lengths of the queues.

Source: kafka-clients 3.9.2 and 4.2.0, BuiltInPartitioner (KIP-480, KIP-794; batch.size 16384, adaptive on).
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Cells, Record

BATCH_BYTES = 16_384
NO_PARTITION = -1


class Sticky(Record):
    """The partition in use and the bytes that were put into it."""

    partition: int  # NO_PARTITION before the first record
    produced_bytes: int
    batch_bytes: int


@rule()
def build_table(sizes: Cells, length: int, queues: int) -> int:
    """Turn queue sizes into running sums of weights in place; the length of the table, 0 where there is none.

    `length` of the `queues` that were ever used are listed. The longest queue weighs 1, an empty one the most. Equal
    sizes need no table, unless a queue was left out.
    """
    if length < 1 or queues < 2:
        return 0
    longest, alike = sizes[0], True
    for place in range(1, length):
        alike = alike and sizes[place] == sizes[0]
        longest = max(longest, sizes[place])
    if alike and length == queues:
        return 0
    weights = 0
    for place in range(length):
        weights += longest + 1 - sizes[place]
        sizes[place] = weights
    return length


@rule()
def next_by_table(sums: Cells, partitions: Cells, length: int, drawn: int) -> int:
    """The partition that a 31-bit random number chooses by a table of that length."""
    wanted = drawn % sums[length - 1]
    place = 0
    while sums[place] <= wanted:
        place += 1
    return partitions[place]


@rule()
def next_without_table(available: Cells, available_count: int, partition_count: int, drawn: int) -> int:
    """The partition that a 31-bit random number chooses of those with a leader, else of all."""
    return available[drawn % available_count] if available_count else drawn % partition_count


@rule()
def wants_switch(sticky: Sticky, appended_bytes: int, may_switch: int) -> bool:
    """Count the bytes; whether the next record goes to another partition. Twice a batch always suffices."""
    sticky.produced_bytes += appended_bytes
    produced = sticky.produced_bytes
    return (produced >= sticky.batch_bytes and may_switch == 1) or produced >= 2 * sticky.batch_bytes


@rule()
def stick_to(sticky: Sticky, partition: int) -> None:
    """Use that partition from now on."""
    sticky.partition, sticky.produced_bytes = partition, 0
