"""Closing a window of the delay levels: what waits, what was delivered, how late."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.consumer.memory.consumer_output import copy_delay_counts, zero_delay_counts
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.delay_queue import DelayQueue
from simulator.kernel import histogram
from simulator.kernel.row_table import next_row


@rule()
def close_delays(world: ConsumerWorld) -> None:
    """Put out a row for each level and wheel of each broker that has been used, and open the next window."""
    for number in range(world.settings.delay_queues):
        queue = world.delay_queues[number]
        stored, waiting = _held(world, number) if queue.counted_at == number else (0, 0)
        if stored == 0:
            continue
        if world.output.delays.room > 0:
            _put(world, queue, number, waiting)
        if queue.delivered > 0:
            is_counted = world.clock.window * world.settings.window_us >= world.settings.counted_from_us
            histogram.move(world.late_histograms[number].counts, world.late_overall[queue.broker].counts, is_counted)
        zero_delay_counts(queue)


@rule()
def _held(world: ConsumerWorld, first: int) -> tuple[int, int]:
    """Messages that were stored in the queues that `first` counts for, and those of them that wait."""
    stored, waiting, number = 0, 0, first
    while number < world.settings.delay_queues and world.delay_queues[number].counted_at == first:
        queue = world.delay_queues[number]
        stored += queue.max_offset
        waiting += queue.max_offset - queue.next_offset
        number += 1
    return stored, waiting


@rule()
def _put(world: ConsumerWorld, queue: DelayQueue, number: int, waiting: int) -> None:
    row = world.output.delay_rows[next_row(world.output, world.output.delays)]
    row.begin_us = world.clock.window * world.settings.window_us
    row.broker = queue.broker
    row.level = queue.level if queue.precision_us == 0 else 0
    copy_delay_counts(row, queue)
    row.waiting = waiting
    counts = world.late_histograms[number].counts
    row.late_p50_half_us = histogram.half_us(counts, queue.delivered, 500_000, queue.late_max_us)
    row.late_p99_half_us = histogram.half_us(counts, queue.delivered, 990_000, queue.late_max_us)
