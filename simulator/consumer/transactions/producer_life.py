"""What happens to the processes of transactional producers."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.memory.consumer_settings import PRODUCER_FREEZE, PRODUCER_KILL, PRODUCER_START
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.transactions.dead_streams import leave_stream
from simulator.consumer.transactions.online_clients import note_started, note_thawed


@rule()
def act_on_producer(world: ConsumerWorld, kind: int, place: int, value: int, now_us: Us) -> None:
    """Let an action happen to a producer; `value` of a freeze: until when."""
    own = world.transaction_producers[place]
    if kind == PRODUCER_KILL:
        own.is_gone = 1
        own.frozen_us = 0
        leave_stream(world, place, now_us)
    elif kind == PRODUCER_START:
        own.is_gone = 0
        own.began_us = now_us
        own.busy_us = now_us
        note_started(world, place, now_us)
    elif kind == PRODUCER_FREEZE:
        own.frozen_us = now_us
        own.thaws_us = value
    else:
        note_thawed(world, place, now_us)
        own.frozen_us = 0
