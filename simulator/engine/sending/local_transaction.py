"""A transactional send: after its answer the thread runs the local transaction before it takes its next message.

Source: rocketmq 4.3.0-5.3.3, DefaultMQProducerImpl.sendMessageInTransaction.
"""

from __future__ import annotations

from simulator import codes
from simulator.client.sending.local_time import local_transaction_us
from simulator.client.steps.steps import Ending
from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.memory.events import RESUMING
from simulator.engine.memory.send import RESTING, Attempt
from simulator.engine.memory.world import World
from simulator.engine.senders.away_processes import gone_before
from simulator.engine.shared import heap
from simulator.engine.shared.rows import put_answer
from simulator.engine.shared.threads import kind_of


@rule()
def run_local_transaction(world: World, send: Attempt, now_us: Us, ending: Ending) -> int:
    """1 if the thread rests at the local transaction of a message just sent, until it ends or the process goes."""
    if ending.result != codes.SEND_OK and ending.result != codes.SEND_STATUS:
        return 0
    is_ok = 1 if ending.result == codes.SEND_OK else 0
    put_answer(world, send, ending.broker, is_ok, now_us)
    if is_ok == 0:
        return 0
    table = world.latencies[kind_of(world, send.thread).local]
    took_us = local_transaction_us(table.edges, send.draw)
    if took_us == 0:
        return 0
    ends_us = now_us + took_us
    if world.settings.silences > 0:
        ends_us = gone_before(world, send.thread, now_us, ends_us)
    world.thread_states[send.thread].doing = RESTING
    heap.push(world, ends_us, RESUMING, send.thread)
    return 1
