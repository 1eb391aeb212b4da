"""Concurrent consumption: batches of all queues wait in one line, and any thread that is free takes the first.

Source: rocketmq 4.2.0-5.3.3, ConsumeMessageConcurrentlyService.
"""

from __future__ import annotations

from simulator.compiled.jit import entry
from simulator.compiled.records import Us
from simulator.consumer.concurrent.consume_threads import start_idle_threads, stop_threads, wait_for_thread
from simulator.consumer.concurrent.end_of_work import consume_again, end_work
from simulator.consumer.concurrent.interrupting import interrupt_threads
from simulator.consumer.concurrent.sweeping import sweep
from simulator.consumer.handling.nothing import may_take_any, nothing, share_nothing
from simulator.consumer.memory.consumer_events import CONSUME_AGAIN, SWEEP
from simulator.consumer.memory.consumer_world import ConsumerWorld, ConsumptionRules
from simulator.consumer.shared.instance_timers import stop_timer


@entry
def submit(world: ConsumerWorld, at: int, count: int, is_first: int, now_us: Us) -> int:
    """What was cached waits for a thread (submitConsumeRequest)."""
    instance = world.instances[world.holdings[at].instance]
    for i in range(count):
        wait_for_thread(world, instance, world.messages[3 * i + 2])
    start_idle_threads(world, instance, now_us)
    return 0


@entry
def act_concurrently(world: ConsumerWorld, kind: int, number: int, now_us: Us) -> int:
    """What nobody took back is due again, or it is time for a sweep."""
    if kind == CONSUME_AGAIN:
        consume_again(world, number, now_us)
    elif sweep(world, number, now_us) == 0:
        stop_timer(world, number, SWEEP)
    return 0


@entry
def end_concurrently(world: ConsumerWorld, number: int, now_us: Us) -> int:
    """The process of an instance is gone."""
    stop_threads(world, world.instances[number], now_us)
    return 0


CONCURRENTLY = ConsumptionRules(
    share=share_nothing,
    may_take=may_take_any,
    taken=nothing,
    first_pull=nothing,
    cached=submit,
    ended=end_work,
    own_event=act_concurrently,
    let_go=nothing,
    lost=nothing,
    stopped=interrupt_threads,
    gone=end_concurrently,
)
