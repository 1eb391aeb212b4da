"""Closing a window of the transactions: what each broker ended, asked about and gave up."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.consumer.machine.consumer_rows import next_row
from simulator.consumer.machine.consumer_world import ConsumerWorld


@rule()
def close_transactions(world: ConsumerWorld) -> None:
    """Put out a row for each broker, and open the next window."""
    for broker in range(world.settings.half_queues):
        queue = world.half_queues[broker]
        if world.output.transaction_windows.room > 0:
            row = world.output.transaction_window_rows[next_row(world.output.transaction_windows)]
            row.begin_us = world.clock.window * world.settings.window_us
            row.broker = broker
            row.halves = queue.halves
            row.committed = queue.committed
            row.rolled_back = queue.rolled_back
            row.given_up = queue.given_up
            row.checks = queue.checks
            row.unheard = queue.unheard
            row.open = queue.open
        queue.halves = 0
        queue.committed = 0
        queue.rolled_back = 0
        queue.given_up = 0
        queue.checks = 0
        queue.unheard = 0
