"""Another attempt, at another broker, beside one without an answer: the caller gets the first success or last failure.

One that ends after its message is counted, and nobody waits for it. Of a synchronous message: hedge_now -> both go on
in records of their own, beside that of the thread -> end_set_aside of each.

Of an asynchronous one: a record stands by from the attempt's begin on -> hedge_async -> the other attempt is made in
it, the first goes on where it is, in a socket perhaps or behind other callbacks -> end_beside of each. The callback, or
a retry, follows in the record that is answered first, or fails last. Of both under_way means 1 + the number of the
other, 0: there is none, -1: the message has ended. One tally counts what both have stored.
"""

from __future__ import annotations

from simulator import codes
from simulator.client.message_queue import NO_QUEUE, broker_of, queue_id_of
from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine import heap
from simulator.engine.broker.flushing import await_reading, begin_tally
from simulator.engine.rows import count_attempt, put_attempt
from simulator.engine.senders.callbacks import waits_for_thread
from simulator.engine.sending.async_flow import end_async, go_on, learn_end, leave_threads, transport
from simulator.engine.sending.holding import view_again
from simulator.engine.sending.policy_door import choose_by_policy, delay_of_retry, may_hedge, tell_ended
from simulator.engine.sending.send import HEDGE_DUE, HEDGED, HOLDS_NOTHING, IN_ATTEMPT, IN_SOCKET, Send
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
                delay_us = delay_of_retry(world, send, now_us, send.attempt)
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


@rule()
def _make_alike(send: Send, beside: Send) -> None:
    """Make the record that stands by another of the message, for an attempt of its own."""
    beside.topic = send.topic
    beside.draw = send.draw
    beside.send_seq = send.send_seq
    beside.arrival_us = send.arrival_us
    beside.begin_us = send.begin_us
    beside.message_bytes = send.message_bytes
    beside.body_bytes = send.body_bytes
    beside.key = send.key
    beside.key_seq = send.key_seq
    beside.generation = send.generation
    beside.view_row = send.view_row
    beside.permitted = send.permitted
    beside.tally = send.tally
    beside.copies = 0
    beside.kept = 0
    beside.refusals = 0
    beside.holds = HOLDS_NOTHING
    beside.on_sender = 0
    beside.first_broker = -1
    beside.broker_before = send.broker
    beside.attempt = send.attempt + 1


@rule()
def hedge_async(world: World, beside: Send, now_us: Us) -> None:
    """hedge_now of an asynchronous attempt: the new one has the time that a retry would be given now."""
    if beside.under_way == 0:  # the answer was there before
        give_back(world, beside)
        return
    send = world.sends[beside.under_way - 1]
    spent_ms = now_us // 1000 - send.attempt_begin_us // 1000
    rest_ms = world.rules.retry_timeout(send.timeout_ms, spent_ms, 0)
    picked, view = NO_QUEUE, view_again(world, send)
    if rest_ms >= 0 and may_hedge(world, send, now_us):
        picked = choose_by_policy(world, send, view, now_us, send.broker)
    if picked == NO_QUEUE:
        send.under_way = 0
        give_back(world, beside)
        return
    begin_tally(world, send)
    _make_alike(send, beside)
    beside.broker = broker_of(picked)
    beside.queue_id = queue_id_of(picked)
    beside.reason = view.pick_reason
    transport(world, beside, now_us, rest_ms)


@rule()
def _join(world: World, send: Send, other: Send) -> None:
    """What comes after the attempt comes in its record, with what the other one came to."""
    send.copies += other.copies
    send.kept += other.kept
    send.refusals += other.refusals
    send.under_way = 0
    other.copies = 0
    other.kept = 0
    other.under_way = -1
    if other.state == IN_SOCKET:
        await_reading(world, other)
    else:
        other.tally = 0
    if other.state == HEDGED:
        give_back(world, other)


@rule()
def end_beside(world: World, send: Send, now_us: Us) -> None:
    """An asynchronous attempt ended beside which there is, was or soon had been another."""
    awaited, other = send.under_way > 0, world.sends[max(send.under_way - 1, 0)]
    if awaited and other.state == HEDGE_DUE:
        send.under_way = 0
        other.under_way = 0
        heap.hasten(world, now_us, other.number)
        end_async(world, send, now_us)
        return
    if waits_for_thread(world, send):
        return
    thrown = learn_end(world, send, now_us)
    stored = send.outcome == codes.SEND_OK or send.outcome == codes.SEND_STATUS
    if awaited and (stored or other.state == HEDGED):
        attempts = max(send.attempt, other.attempt)
        _join(world, send, other)
        go_on(world, send, now_us, thrown, attempts)
        return
    put_attempt(world, send, now_us, 0)
    leave_threads(world, send, now_us)
    if awaited:
        send.state = HEDGED
    else:
        give_back(world, send)
