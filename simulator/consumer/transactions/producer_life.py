"""What happens to the processes of transactional producers."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.memory.consumer_events import HALF_REQUEST_ARRIVES, kind_of, number_of
from simulator.consumer.memory.consumer_settings import PRODUCER_FREEZE, PRODUCER_KILL, PRODUCER_START
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.half_message import LOCAL_ENDS, NEVER_US
from simulator.consumer.transactions.dead_streams import leave_stream
from simulator.consumer.transactions.online_clients import note_started, note_thawed


@rule()
def _end_local_transactions(world: ConsumerWorld, place: int, now_us: Us) -> None:
    """What a process that goes was at ends with it, also for a half message that a check has settled meanwhile."""
    own = world.transaction_producers[place]
    for at in range(world.clock.heap_size):
        what = world.heap[at].what
        if kind_of(what) == HALF_REQUEST_ARRIVES:
            request = world.half_requests[number_of(what)]
            half = world.halves[request.half]
            is_its_own = request.producer == place and request.sent_us >= own.began_us
            if request.next_at == LOCAL_ENDS and is_its_own and half.local_us != NEVER_US:
                half.local_us = now_us


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
