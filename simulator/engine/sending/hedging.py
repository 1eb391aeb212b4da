"""Another attempt, at another broker, beside one without an answer: the caller gets the first success or last failure.

hedge_now -> both attempts go on in records of their own -> end_set_aside of each; one that ends after its message is
counted, and nobody waits for it. Synchronous messages only.
"""

from __future__ import annotations

from simulator import codes
from simulator.client.message_queue import NO_QUEUE
from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine import heap
from simulator.engine.rows import count_attempt, put_attempt
from simulator.engine.sending.policy_door import choose_by_policy, delay_of_retry, may_hedge, tell_ended
from simulator.engine.sending.send import HEDGED, IN_ATTEMPT, Send
from simulator.engine.sending.spare_sends import give_back, set_aside
from simulator.engine.sending.sync_send import (
    begin_attempt,
    finish,
    hold_result,
    is_retryable,
    put_off,
    request_of_attempt,
    view_in_attempt,
)
from simulator.engine.world import World
from simulator.policies.policy import NO_RETRY


@rule()
def hedge_now(world: World, send: Send, now_us: Us) -> None:
    """The attempt has no answer yet: make another, if the policy lets it and there is a queue and time for it."""
    elapsed_ms = now_us // 1000 - send.begin_us // 1000
    picked, view = NO_QUEUE, view_in_attempt(world, send)
    if world.rules.over_budget(world.settings.send_msg_timeout_ms, elapsed_ms) == 0 and may_hedge(world, send, now_us):
        picked = choose_by_policy(world, send, view, now_us, send.broker)
    if picked == NO_QUEUE:
        send.state = IN_ATTEMPT
        heap.push(world, send.ends_us, send.number)
        return
    set_aside(world, send)
    send.reason = view.pick_reason
    request_of_attempt(world, send, now_us, picked, elapsed_ms)


@rule()
def end_set_aside(world: World, aside: Send, now_us: Us) -> None:
    """An attempt ended beside which there is, or was, another."""
    rules, settings, send = world.rules, world.settings, world.sends[aside.thread]
    tell_ended(world, aside, now_us)
    count_attempt(world, aside, now_us)
    is_awaited = send.state == HEDGED and send.topic == aside.topic and send.send_seq == aside.send_seq
    then = rules.after_attempt(aside.outcome, aside.code, is_retryable(world, aside.code), settings.retry_not_store_ok)
    ends, delay_us = is_awaited and then == codes.RETURN, NO_RETRY
    if is_awaited:
        send.under_way -= 1
        send.broker, send.queue_id, send.outcome, send.code = aside.broker, aside.queue_id, aside.outcome, aside.code
        hold_result(send, aside)
        if send.under_way == 0 and not ends:
            if then == codes.RETRY:
                delay_us = delay_of_retry(world, send, now_us)
            ends = delay_us == NO_RETRY
    elapsed_ms = now_us // 1000 - send.begin_us // 1000
    in_time = rules.over_budget(settings.send_msg_timeout_ms, elapsed_ms) == 0
    put_attempt(world, aside, now_us, 1 if delay_us != NO_RETRY and in_time else 0)
    give_back(world, aside)
    if ends:
        finish(world, send, now_us, 1 if then == codes.THROW else 0)
    elif delay_us > 0:
        put_off(world, send, now_us + delay_us)
    elif delay_us == 0:
        begin_attempt(world, send, now_us)
