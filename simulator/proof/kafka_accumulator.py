"""The batches of a Kafka producer: what is appended where, which brokers are ready, and how loaded queues look.

Source: kafka-clients 3.9.2 and 4.2.0, RecordAccumulator and DefaultRecord (no compression, no idempotence, no key).
A partition that is left out for its slow broker leaves its size behind: the next one inherits it if its own queue is
empty.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Cells, Directory, Ms, Record, Region, Within
from simulator.policies.choose.kafka_sticky import (
    NO_PARTITION,
    Sticky,
    build_table,
    next_by_table,
    next_without_table,
    stick_to,
    wants_switch,
)

BATCH_HEADER_BYTES = 61
RECORD_OVERHEAD_BYTES = 21  # of the upper bound of a record
FIXED_BYTES = 3  # of a record: its attributes, no key, no headers
NO_BATCH = -1
NO_LEADER = -1


class Batch(Record):
    """A batch of records of one partition."""

    size_bytes: int
    limit_bytes: int
    records: int
    created_ms: Ms
    is_closed: int
    next_batch: int


class PartitionQueue(Record):
    """The batches of a partition, oldest first."""

    is_used: int  # 1 once a record was put here
    batches: int
    first: int
    last: int


class NodeTimes(Record):
    """A broker: when it last had something to send, and when its connection could last take it."""

    is_known: int
    ready_ms: Ms
    drain_ms: Ms


class Accumulator(Directory):
    """All queues of a topic, and the random numbers that may be drawn."""

    batch_bytes: int
    linger_ms: int
    is_adaptive: int
    availability_ms: int  # 0: off
    partition_count: int
    available_count: int
    used_count: int
    table_length: int
    draw_count: int
    drawn: int
    free_batch: int
    appended_bytes: int  # by the last append
    made_batch: int  # 1: the last append began a batch
    sticky: Within[Sticky]
    queues: Region[PartitionQueue]
    batches: Region[Batch]
    nodes: Region[NodeTimes]
    leaders: Cells
    available: Cells  # partitions with a leader, in the order of the cluster's list
    sizes: Cells
    partitions: Cells
    draws: Cells


@rule()
def varint_bytes(number: int) -> int:
    """Bytes of a number, zero or more, as a zigzag varint."""
    left, found = number << 1, 1
    while left >= 128:
        left >>= 7
        found += 1
    return found


@rule()
def record_bytes(offset: int, after_ms: Ms, value_bytes: int) -> int:
    """Bytes of a record without key, so many records and milliseconds after the batch's first."""
    body = FIXED_BYTES + varint_bytes(after_ms) + varint_bytes(offset) + varint_bytes(value_bytes) + value_bytes
    return varint_bytes(body) + body


@rule()
def is_full(batch: Batch) -> bool:
    """Whether nothing more goes into it."""
    return batch.is_closed == 1 or batch.limit_bytes <= batch.size_bytes


@rule()
def is_all_full(accumulator: Accumulator, queue: PartitionQueue) -> bool:
    """Whether the queue is empty or its last batch is full."""
    return queue.batches == 0 or is_full(accumulator.batches[queue.last])


@rule()
def choose_next(accumulator: Accumulator) -> None:
    """Draw a number and stick to the partition that it chooses."""
    draw = 0
    if accumulator.drawn < accumulator.draw_count:
        draw = accumulator.draws[accumulator.drawn]
    accumulator.drawn += 1
    length = accumulator.table_length
    if length:
        partition = next_by_table(accumulator.sizes, accumulator.partitions, length, draw)
    else:
        available, count = accumulator.available, accumulator.available_count
        partition = next_without_table(available, count, accumulator.partition_count, draw)
    stick_to(accumulator.sticky, partition)


@rule()
def note_appended(accumulator: Accumulator, appended_bytes: int, may_switch: bool) -> bool:
    """Count bytes of the sticky partition; whether it was changed."""
    if not wants_switch(accumulator.sticky, appended_bytes, 1 if may_switch else 0):
        return False
    choose_next(accumulator)
    return True


@rule()
def try_append(accumulator: Accumulator, queue: PartitionQueue, value_bytes: int, now_ms: Ms) -> bool:
    """Append to the last batch if the record fits; a refusal closes it."""
    if queue.batches == 0:
        return False
    batch = accumulator.batches[queue.last]
    size = record_bytes(batch.records, now_ms - batch.created_ms, value_bytes)
    if is_full(batch) or batch.limit_bytes < batch.size_bytes + size:
        batch.is_closed = 1
        return False
    batch.records += 1
    batch.size_bytes += size
    accumulator.appended_bytes, accumulator.made_batch = size, 0
    return True


@rule()
def begin_batch(accumulator: Accumulator, queue: PartitionQueue, value_bytes: int, now_ms: Ms) -> None:
    """Append to a new batch, which carries the header, too."""
    place = accumulator.free_batch
    batch = accumulator.batches[place]
    accumulator.free_batch = batch.next_batch
    longest = BATCH_HEADER_BYTES + RECORD_OVERHEAD_BYTES + 2 + varint_bytes(value_bytes) + value_bytes
    batch.limit_bytes = max(accumulator.batch_bytes, longest)
    batch.size_bytes = BATCH_HEADER_BYTES + record_bytes(0, 0, value_bytes)
    batch.records, batch.created_ms, batch.is_closed, batch.next_batch = 1, now_ms, 0, NO_BATCH
    if queue.batches:
        accumulator.batches[queue.last].next_batch = place
    else:
        queue.first = place
    queue.last = place
    queue.batches += 1
    accumulator.appended_bytes, accumulator.made_batch = batch.size_bytes, 1


@rule()
def append(accumulator: Accumulator, partition: int, value_bytes: int, now_ms: Ms) -> int:
    """Append a record to that partition, or to the sticky one (NO_PARTITION); the partition that was used.

    A switch that was held back by a batch that was not full happens here, as soon as all are.
    """
    is_sticky = partition == NO_PARTITION
    while True:
        if is_sticky and accumulator.sticky.partition == NO_PARTITION:
            choose_next(accumulator)
        chosen = accumulator.sticky.partition if is_sticky else partition
        queue = accumulator.queues[chosen]
        if queue.is_used == 0:
            queue.is_used = 1
            accumulator.used_count += 1
        if is_sticky and is_all_full(accumulator, queue) and note_appended(accumulator, 0, True):
            continue
        if not try_append(accumulator, queue, value_bytes, now_ms):
            if is_sticky and is_all_full(accumulator, queue) and note_appended(accumulator, 0, True):
                continue
            begin_batch(accumulator, queue, value_bytes, now_ms)
        if is_sticky:
            note_appended(accumulator, accumulator.appended_bytes, is_all_full(accumulator, queue))
        return chosen


@rule()
def is_slow(accumulator: Accumulator, leader: int) -> bool:
    """Whether the broker has had something to send for too long without its connection taking it."""
    node = accumulator.nodes[leader]
    return accumulator.availability_ms > 0 and node.ready_ms - node.drain_ms > accumulator.availability_ms


@rule()
def is_sendable(accumulator: Accumulator, queue: PartitionQueue, now_ms: Ms) -> bool:
    """Whether the queue's oldest batch may go: there is another, it is full, or it waited long enough."""
    batch = accumulator.batches[queue.first]
    return queue.batches > 1 or is_full(batch) or now_ms - batch.created_ms >= accumulator.linger_ms


@rule()
def find_ready(accumulator: Accumulator, now_ms: Ms, ready: Cells) -> None:
    """A pass of the sender: 1 in `ready` for each broker that has something to send; the load table is made again."""
    has_sizes = accumulator.is_adaptive == 1 and accumulator.used_count >= accumulator.partition_count
    sizes, place = accumulator.sizes, -1
    for index in range(accumulator.partition_count):
        sizes[index] = 0
    for partition in range(accumulator.partition_count):
        queue, leader = accumulator.queues[partition], accumulator.leaders[partition]
        if queue.is_used == 0 or leader == NO_LEADER:
            continue
        place += 1
        accumulator.partitions[place] = partition
        if queue.batches == 0:
            continue
        sizes[place] = queue.batches
        if is_slow(accumulator, leader):
            place -= 1
        if is_sendable(accumulator, queue, now_ms):
            ready[leader] = 1
    accumulator.table_length = build_table(sizes, place + 1, accumulator.used_count) if has_sizes else 0


@rule()
def note_pass(node: NodeTimes, now_ms: Ms, can_drain: int) -> None:
    """The broker had something to send, and its connection could take it or not."""
    if can_drain or not node.is_known:
        node.drain_ms = now_ms
    node.ready_ms, node.is_known = now_ms, 1


@rule()
def take_batch(accumulator: Accumulator, queue: PartitionQueue) -> int:
    """Send the queue's oldest batch; how many records it has, 0: there is none."""
    if queue.batches == 0:
        return 0
    place = queue.first
    batch = accumulator.batches[place]
    queue.first = batch.next_batch
    queue.batches -= 1
    batch.next_batch, accumulator.free_batch = accumulator.free_batch, place
    return batch.records
