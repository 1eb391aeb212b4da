"""What POP groups popped in a window that closes."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.shared.pop_places import place_of_pop
from simulator.kernel.row_table import next_row


@rule()
def close_pops(world: ConsumerWorld) -> None:
    """Put out what each POP group popped at each broker, and begin to count again."""
    for subscription in range(world.settings.subscriptions):
        for broker in range(world.settings.brokers):
            place = place_of_pop(world, subscription, broker)
            if world.pop_places[place].first_log >= 0:
                _put_out(world, place, subscription, broker)


@rule()
def _put_out(world: ConsumerWorld, place: int, subscription: int, broker: int) -> None:
    waits = world.pop_waits[place]
    if world.output.pops.room > 0:
        row = world.output.pop_rows[next_row(world.output, world.output.pops)]
        row.begin_us = world.clock.window * world.settings.window_us
        row.subscription = subscription
        row.broker = broker
        row.popped = waits.popped
        row.acknowledged = waits.acknowledged
        row.revived = waits.revived
        row.revived_failed = waits.revived_failed
        row.revived_unheard = waits.revived_unheard
        row.revived_slow = waits.revived_slow
        row.invisible = waits.invisible
        row.refused = waits.refused
        row.lost = waits.lost
    waits.popped = 0
    waits.acknowledged = 0
    waits.revived = 0
    waits.revived_failed = 0
    waits.revived_unheard = 0
    waits.revived_slow = 0
    waits.refused = 0
    waits.lost = 0
