"""The threads that run a client's callbacks, answers and time-outs alike, in order; as many as processors.

A callback takes no time, except one whose retry the transport call throws: until that has failed it holds its thread
(connecting, or settings.refusal_us), and where all are held, callbacks wait. So the time-outs that one scan throws out
come one after another, and the milliseconds that pass between them are what their retries are charged with.
Source: rocketmq 4.2.0-5.3.3, NettyRemotingAbstract.executeInvokeCallback (getCallbackExecutor, else the public
executor of clientCallbackExecutorThreads).
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.memory.events import IN_ASYNC
from simulator.engine.memory.send import HOLDS_CALLBACK, HOLDS_NOTHING, WAITING_CALLBACK, Attempt
from simulator.engine.memory.world import World
from simulator.engine.senders.permits import producer_state
from simulator.engine.shared import heap
from simulator.engine.shared.send_queues import put_last, take_first


@rule()
def waits_for_thread(world: World, send: Attempt) -> bool:
    """Whether every thread is held: then the send's callback waits for one."""
    part = world.async_parts[send.number]
    own = producer_state(world, send)
    if part.holds != HOLDS_NOTHING or own.callbacks_left > 0:
        return False
    send.state = WAITING_CALLBACK
    put_last(world, own.callback_queue, send)
    return True


@rule()
def hold_thread(world: World, send: Attempt) -> None:
    """The thread that runs the send's callback is held up, if it is not already."""
    part = world.async_parts[send.number]
    if part.holds == HOLDS_NOTHING:
        producer_state(world, send).callbacks_left -= 1
        part.holds = HOLDS_CALLBACK


@rule()
def free_thread(world: World, send: Attempt, now_us: Us) -> None:
    """It runs the callback that waits longest."""
    own = producer_state(world, send)
    if own.callback_queue.head < 0:
        own.callbacks_left += 1
        return
    waiting = take_first(world, own.callback_queue)
    waiting_part = world.async_parts[waiting.number]
    waiting_part.holds = HOLDS_CALLBACK
    heap.await_alone(world, waiting, IN_ASYNC, now_us)
