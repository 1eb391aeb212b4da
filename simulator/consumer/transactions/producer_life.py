"""What happens to the processes of transactional producers."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.memory.consumer_settings import PRODUCER_FREEZE, PRODUCER_KILL, PRODUCER_START
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.half_message import NO_LINK
from simulator.consumer.memory.queue_log import SENDER_SHIFT
from simulator.consumer.transactions.dead_streams import leave_stream
from simulator.consumer.transactions.online_clients import note_started, note_thawed


@rule()
def _end_local_transactions(world: ConsumerWorld, place: int, now_us: Us) -> None:
    """What a process that goes was at ends with it."""
    for broker in range(world.settings.half_queues):
        number = world.half_queues[broker].first
        while number != NO_LINK:
            half = world.halves[number]
            if half.local_us > now_us and world.producer_of_thread[half.sender >> SENDER_SHIFT] == place:
                half.local_us = now_us
            number = half.behind


@rule()
def act_on_producer(world: ConsumerWorld, kind: int, place: int, value: int, now_us: Us) -> None:
    """Let an action happen to a producer; `value` of a freeze: until when."""
    own = world.transaction_producers[place]
    if kind == PRODUCER_KILL:
        own.is_gone = 1
        own.frozen_us = 0
        leave_stream(world, place, now_us)
        _end_local_transactions(world, place, now_us)
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
