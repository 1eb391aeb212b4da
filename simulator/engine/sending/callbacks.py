"""The threads that run a client's callbacks, answers and time-outs alike, in order; as many as processors.

A callback takes no time, except one whose retry the transport call throws: until that has failed it holds its thread
(connecting, or REFUSAL_US), and where all are held, callbacks wait. So the time-outs that one scan throws out come
one after another, and the milliseconds that pass between them are what their retries are charged with.
Source: rocketmq 4.2.0-5.3.3, NettyRemotingAbstract.executeInvokeCallback (getCallbackExecutor, else the public
executor of clientCallbackExecutorThreads).
"""

from __future__ import annotations

from typing import Any

from simulator.compiled.jit import rule
from simulator.engine import heap
from simulator.engine.layout import (
    CALLBACK_HEAD,
    CALLBACKS_LEFT,
    HOLDS,
    HOLDS_CALLBACK,
    HOLDS_NOTHING,
    IN_ASYNC,
    STATE,
    WAITING_CALLBACK,
)
from simulator.engine.sending.permits import producer_state
from simulator.engine.sending.spare_sends import at, put_last, take_first


@rule()
def waits_for_thread(c: Any, m: Any, record: Any) -> Any:
    """Whether every thread is held: then the record's callback waits for one."""
    s = at(c, record)
    p = producer_state(c, m, s)
    if m[s + HOLDS] != HOLDS_NOTHING or m[p + CALLBACKS_LEFT] > 0:
        return False
    m[s + STATE] = WAITING_CALLBACK
    put_last(c, m, p + CALLBACK_HEAD, record)
    return True


@rule()
def hold_thread(c: Any, m: Any, s: Any) -> None:
    """The thread that runs the record's callback is held up, if it is not already."""
    if m[s + HOLDS] == HOLDS_NOTHING:
        m[producer_state(c, m, s) + CALLBACKS_LEFT] -= 1
        m[s + HOLDS] = HOLDS_CALLBACK


@rule()
def free_thread(c: Any, m: Any, s: Any, now_us: Any) -> None:
    """It runs the callback that waits longest."""
    p = producer_state(c, m, s)
    if m[p + CALLBACK_HEAD] < 0:
        m[p + CALLBACKS_LEFT] += 1
        return
    record = take_first(c, m, p + CALLBACK_HEAD)
    m[at(c, record) + STATE] = IN_ASYNC
    m[at(c, record) + HOLDS] = HOLDS_CALLBACK
    heap.push(c, m, now_us, record)
