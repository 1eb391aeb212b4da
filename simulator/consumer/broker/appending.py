"""A message becomes readable in a queue's log: it is written, and whoever waits for it is answered."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.broker.held_pops import wake_pops
from simulator.consumer.broker.held_pulls import wake_held
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.memory.queue_log import NewMessage
from simulator.consumer.queue_log.log_pages import append_message


@rule()
def store_message(world: ConsumerWorld, log: int, new: NewMessage, now_us: Us) -> None:
    """Append a message to the log of that number."""
    append_message(world, world.logs[log], new, now_us)
    if world.logs[log].held != NOBODY:
        wake_held(world, log, now_us)
    if world.settings.pops > 0:
        wake_pops(world, log, world.logs[log].max_offset - 1, now_us)
