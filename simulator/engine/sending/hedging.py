"""Another attempt, at another broker, beside one without an answer: the caller gets the first success or last failure.

One that ends after its message is counted, and nobody waits for it. Of a synchronous message: hedge_now -> both go on
in records of their own, beside that of the thread -> end_set_aside of each.

Of an asynchronous one: a record stands by from the attempt's begin on -> hedge_async -> the other attempt is made in
it -> end_attempt_async of each. The first goes on where it is, in a socket perhaps or behind other callbacks. The
callback, or a retry, follows in the record that is answered first, or fails last. What both have stored is counted
together.
"""

from __future__ import annotations

from simulator import codes
from simulator.client.message_queue import NO_QUEUE, broker_of, queue_id_of
from simulator.client.steps import sync_steps
from simulator.client.steps.async_steps import rest_of
from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.memory.events import CONNECTING, IN_ATTEMPT, IN_SOCKET, STANDING_BY
from simulator.engine.memory.send import HEDGED, HOLDS_NOTHING, QUEUED, SENDING, Attempt, copy_attempt
from simulator.engine.memory.world import World
from simulator.engine.routes.replaced_routes import view_again
from simulator.engine.senders.callbacks import waits_for_thread
from simulator.engine.sending.async_flow import end_async, go_on, learn_end, leave_threads, transport
from simulator.engine.sending.policy_calls import choose_by_policy, delay_of_retry, may_hedge, tell_ended
from simulator.engine.sending.setting_aside import set_aside
from simulator.engine.sending.sync_send import (
    begin_attempt,
    elapsed_of,
    finish,
    is_over,
    put_off,
    request_of_attempt,
    view_in_attempt,
)
from simulator.engine.shared import heap
from simulator.engine.shared.open_messages import keep_apart, open_copy
from simulator.engine.shared.rows import count_attempt, put_attempt
from simulator.engine.shared.threads import client_of
from simulator.kernel.pools import give_back
from simulator.policies.policy import NO_RETRY


@rule()
def hedge_now(world: World, send: Attempt, now_us: Us) -> None:
    """The attempt has no answer yet: make another, if the policy lets it and there is a queue and time for it."""
    picked, view, elapsed_ms = NO_QUEUE, view_in_attempt(world, send), elapsed_of(world, send, now_us)
    if is_over(world, send, elapsed_ms) == 0 and may_hedge(world, send, now_us):
        picked = choose_by_policy(world, send, view, now_us, send.broker)
    if picked == NO_QUEUE:
        heap.await_in_thread(world, send, IN_ATTEMPT, send.ends_us)
        return
    set_aside(world, send)
    send.reason = view.pick_reason
    request_of_attempt(world, send, now_us, picked, elapsed_ms)


@rule()
def end_set_aside(world: World, aside: Attempt, now_us: Us) -> None:
    """An attempt ended beside which there is, or was, another."""
    client, own = client_of(world, aside.thread), world.thread_states[aside.thread]
    send, part = world.attempts[own.send], world.sync_parts[own.send]
    tell_ended(world, aside, now_us)
    count_attempt(world, aside, now_us)
    is_awaited = (
        own.doing == SENDING and send.state == HEDGED and send.topic == aside.topic and send.send_seq == aside.send_seq
    )
    then, ends, delay_us = codes.RETRY, False, NO_RETRY
    if is_awaited:
        part.aside -= 1
        send.broker, send.queue_id, send.outcome, send.code = aside.broker, aside.queue_id, aside.outcome, aside.code
        then = sync_steps.after_end(client.rules, client, world.retry_codes, part, aside)
        ends = then == codes.RETURN
        if part.aside == 0 and not ends:
            if then == codes.RETRY:
                delay_us = delay_of_retry(world, send, now_us, send.attempt)
            ends = delay_us == NO_RETRY
    retries = delay_us != NO_RETRY and is_over(world, send, elapsed_of(world, send, now_us)) == 0
    put_attempt(world, aside, now_us, 1 if retries else 0)
    give_back(world.clock.asides, aside)
    if ends:
        finish(world, send, now_us, 1 if then == codes.THROW else 0)
    elif delay_us > 0:
        put_off(world, send, now_us + delay_us)
    elif delay_us == 0:
        begin_attempt(world, send, now_us)


@rule()
def _make_alike(world: World, send: Attempt, beside: Attempt) -> None:
    """Make the record that stands by another attempt of the message."""
    copy_attempt(beside, send)
    beside.attempt = send.attempt + 1
    part, own = world.async_parts[send.number], world.async_parts[beside.number]
    own.view_row = part.view_row
    own.permitted = part.permitted
    own.refusals = 0
    own.holds = HOLDS_NOTHING
    own.on_sender = 0
    own.first_broker = -1
    own.broker_before = send.broker


@rule()
def hedge_async(world: World, beside: Attempt, now_us: Us) -> None:
    """hedge_now of an asynchronous attempt: the new one has the time that a retry would be given now."""
    other = world.async_parts[beside.number].beside
    if other == 0:  # the answer was there before
        give_back(world.clock.asynchronous, beside)
        return
    send, part = world.attempts[other - 1], world.async_parts[other - 1]
    rest_ms = rest_of(
        client_of(world, send.thread).rules, part.timeout_ms, now_us // 1000 - send.attempt_begin_us // 1000, 0
    )
    picked, view = NO_QUEUE, view_again(world, send)
    if rest_ms >= 0 and may_hedge(world, send, now_us):
        picked = choose_by_policy(world, send, view, now_us, send.broker)
    if picked == NO_QUEUE:
        part.beside = 0
        give_back(world.clock.asynchronous, beside)
        return
    keep_apart(world, send)
    _make_alike(world, send, beside)
    beside.broker = broker_of(picked)
    beside.queue_id = queue_id_of(picked)
    beside.reason = view.pick_reason
    transport(world, beside, now_us, rest_ms)


@rule()
def _join(world: World, send: Attempt, other: Attempt) -> None:
    """What comes after the attempt comes in its record, with what the other one came to."""
    part, part_of_other = world.async_parts[send.number], world.async_parts[other.number]
    part.refusals += part_of_other.refusals
    part.beside = 0
    part_of_other.beside = -1
    if other.state == IN_SOCKET or other.state == QUEUED or other.state == CONNECTING:
        open_copy(world, other)  # what it stores is open until it is read
    if other.state == HEDGED:
        give_back(world.clock.asynchronous, other)


@rule()
def end_attempt_async(world: World, send: Attempt, now_us: Us) -> None:
    """An asynchronous attempt ended."""
    if world.async_parts[send.number].beside == 0:
        end_async(world, send, now_us)
    else:
        _end_beside(world, send, now_us)


@rule()
def _end_beside(world: World, send: Attempt, now_us: Us) -> None:
    """The same of one beside which there is, was or soon had been another."""
    part = world.async_parts[send.number]
    awaited, other = part.beside > 0, world.attempts[max(part.beside - 1, 0)]
    if awaited and other.state == STANDING_BY:
        part.beside = 0
        world.async_parts[other.number].beside = 0
        heap.hasten(world, now_us, STANDING_BY, other.number)
        end_async(world, send, now_us)
        return
    if waits_for_thread(world, send):
        return
    learn_end(world, send, now_us)
    stored = send.outcome in codes.STORED
    if awaited and (stored or other.state == HEDGED):
        attempts = max(send.attempt, other.attempt)
        _join(world, send, other)
        go_on(world, send, now_us, attempts)
        return
    put_attempt(world, send, now_us, 0)
    leave_threads(world, send, now_us)
    if awaited:
        send.state = HEDGED
    else:
        give_back(world.clock.asynchronous, send)
