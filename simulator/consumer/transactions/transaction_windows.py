"""Closing a window of the transactions: what each broker ended, asked about and gave up."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.consumer.memory.consumer_output import copy_transaction_counts, zero_transaction_counts
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.kernel.row_table import next_row


@rule()
def _close_producers(world: ConsumerWorld) -> None:
    for number in range(world.settings.transaction_producers):
        own = world.transaction_producers[number]
        if own.asked > 0 and world.output.check_backs.room > 0:
            row = world.output.check_back_rows[next_row(world.output, world.output.check_backs)]
            row.begin_us = world.clock.window * world.settings.window_us
            row.producer = number
            row.checks = own.asked
        own.asked = 0


@rule()
def close_transactions(world: ConsumerWorld) -> None:
    """Put out a row for each broker and one for each producer that was asked, and open the next window."""
    if world.settings.half_queues > 0:
        _close_producers(world)
    for broker in range(world.settings.half_queues):
        queue = world.half_queues[broker]
        if world.output.transaction_windows.room > 0:
            row = world.output.transaction_window_rows[next_row(world.output, world.output.transaction_windows)]
            row.begin_us = world.clock.window * world.settings.window_us
            row.broker = broker
            row.open = queue.open
            copy_transaction_counts(row, queue)
        zero_transaction_counts(queue)
