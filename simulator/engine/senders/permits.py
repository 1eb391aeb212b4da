"""Permits of asynchronous back-pressure: fair semaphores of messages and bytes, for each producer.

Source: rocketmq 5.0.0-5.3.3, DefaultMQProducerImpl (semaphoreAsyncSendNum, semaphoreAsyncSendSize) and its
BackpressureSendCallBack, each call of which gives the permits of its message back.
"""

from __future__ import annotations

from simulator.client.sending.async_admission import permits_of
from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.memory.events import WAITING_PERMIT
from simulator.engine.memory.send import GRANTED, Attempt
from simulator.engine.memory.sender_thread import ProducerState
from simulator.engine.memory.world import World
from simulator.engine.shared import heap
from simulator.engine.shared.send_queues import take_first
from simulator.engine.shared.threads import client_of, message_of, producer_of


@rule(inlined=True)
def producer_state(world: World, send: Attempt) -> ProducerState:
    """The state of the producer whose message that is."""
    return world.producer_states[producer_of(world, send)]


@rule()
def return_permits(world: World, send: Attempt, now_us: Us) -> None:
    """Give the send's permits back, once for each call of its callback, and them to those who wait longest."""
    part = world.async_parts[send.number]
    own, reported = producer_state(world, send), world.producers[producer_of(world, send)].refusals_reported
    calls = 1 + part.refusals * (reported - 1)
    if part.permitted >= 1:
        own.number_left += calls
    if part.permitted == 2:
        own.bytes_left += calls * permits_of(message_of(world, send).body_bytes)
    part.permitted = 0
    while own.number_queue.head >= 0 and own.number_left > 0:
        waiting = take_first(world, own.number_queue)
        own.number_left -= 1
        _grant(world, waiting, 1, now_us)
    while own.bytes_queue.head >= 0:
        permits = permits_of(message_of(world, world.attempts[own.bytes_queue.head]).body_bytes)
        if own.bytes_left < permits:
            return
        waiting = take_first(world, own.bytes_queue)
        holds = client_of(world, send.thread).holds_permits
        if holds == 1:
            own.bytes_left -= permits
        _grant(world, waiting, 2 if holds == 1 else 3, now_us)


@rule()
def _grant(world: World, send: Attempt, permits: int, now_us: Us) -> None:
    part = world.async_parts[send.number]
    part.permitted = permits
    part.waits_for = GRANTED
    heap.hasten(world, now_us, WAITING_PERMIT, send.number)
