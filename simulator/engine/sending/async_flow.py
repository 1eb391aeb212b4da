"""Asynchronous sends: a record each, so that a thread has as many messages under way as it likes.

begin_async -> (permits) -> (queue of the sending threads) -> start -> transport -> (time passes) -> end_async ->
transport ... -> callback. Another attempt beside one without an answer: hedging.py. The release's rules are in
simulator.client.sending; what they call "the scan" is each client's own, from the moment it started.
"""

from __future__ import annotations

from simulator import codes
from simulator.client.sending.async_admission import NOTHING_LEFT, permits_of
from simulator.client.sending.async_send import counted
from simulator.client.steps.async_steps import after_end, charge_for, ending_of, hand_over_of, hands_over, rest_of
from simulator.client.steps.steps import NOBODY, Ending, timeout_within
from simulator.compiled.jit import rule
from simulator.compiled.records import Ms, Us
from simulator.engine.memory import send as states
from simulator.engine.memory.events import CONNECTING, IN_ASYNC, NO_ROUTE, STARTING, WAITING_ASYNC_RETRY, WAITING_PERMIT
from simulator.engine.memory.send import Attempt, Queue
from simulator.engine.memory.world import World
from simulator.engine.network.async_transport import connect_ms_of, request, wait_of
from simulator.engine.network.connection import connecting_us
from simulator.engine.routes.replaced_routes import note_generation
from simulator.engine.routes.route_polls import UNREPLIED
from simulator.engine.senders.callbacks import free_thread, hold_thread, waits_for_thread
from simulator.engine.senders.permits import producer_state, return_permits
from simulator.engine.senders.pool import call_back, release_sender, take_sender
from simulator.engine.sending.choosing import charge
from simulator.engine.sending.ended import end_message
from simulator.engine.sending.one_attempt import choose_again, choose_first, rest_thread
from simulator.engine.sending.policy_calls import (
    by_policy,
    by_strategy,
    delay_of_retry,
    tell_ended,
    tell_sent,
    wait_before,
)
from simulator.engine.sending.setting_aside import stand_by
from simulator.engine.sending.sync_send import ROUTE_TIMEOUT_US, queues_known, without_route
from simulator.engine.shared import heap
from simulator.engine.shared.open_messages import decide_copy
from simulator.engine.shared.rows import count_attempt, put_attempt
from simulator.engine.shared.send_queues import put_last, take_first, take_out
from simulator.engine.shared.threads import client_of, message_of, producer_of, view_of
from simulator.kernel.pools import give_back
from simulator.policies.policy import NO_RETRY

US_PER_MS = 1000


@rule()
def begin_async(world: World, send: Attempt, now_us: Us) -> None:
    """send(msg, callback) of a message that passed the checks: permits first, where there is back-pressure."""
    part = world.async_parts[send.number]
    part.permitted = 0
    part.refusals = 0
    part.holds = states.HOLDS_NOTHING
    part.first_broker = -1
    if client_of(world, send.thread).back_pressure == 1:
        ask_permits(world, send, now_us)
    else:
        _admit(world, send, now_us)


@rule()
def ask_permits(world: World, send: Attempt, now_us: Us) -> None:
    """Take the permits that the message still needs, or let its caller wait for them."""
    part = world.async_parts[send.number]
    own = producer_state(world, send)
    if part.permitted == 0:
        if own.number_queue.head >= 0 or own.number_left == 0:
            _wait_for_permit(world, send, states.NUMBER_PERMIT, own.number_queue, now_us)
            return
        own.number_left -= 1
        part.permitted = 1
    if part.permitted == 1:
        if own.bytes_queue.head >= 0 or own.bytes_left < permits_of(message_of(world, send).body_bytes):
            _wait_for_permit(world, send, states.BYTES_PERMIT, own.bytes_queue, now_us)
            return
        holds = client_of(world, send.thread).holds_permits
        if holds == 1:
            own.bytes_left -= permits_of(message_of(world, send).body_bytes)
        part.permitted = 2 if holds == 1 else 3
    _admit(world, send, now_us)


@rule(inlined=True)
def _left(world: World, send: Attempt, now_us: Us) -> Ms:
    """What is left of the time-out since send(), or NOTHING_LEFT."""
    waited_ms = now_us // US_PER_MS - message_of(world, send).begin_us // US_PER_MS
    client = client_of(world, send.thread)
    return client.rules.async_left(client.send_msg_timeout_ms, waited_ms)


@rule()
def _wait_for_permit(world: World, send: Attempt, permit: int, queue: Queue, now_us: Us) -> None:
    """The caller's thread waits for what is left of the time-out."""
    left_ms = _left(world, send, now_us)
    if left_ms == NOTHING_LEFT:
        _deny(world, send, now_us)
        return
    world.async_parts[send.number].waits_for = permit
    put_last(world, queue, send)
    world.thread_states[send.thread].doing = states.BLOCKED
    heap.await_alone(world, send, WAITING_PERMIT, now_us + left_ms * US_PER_MS)


@rule()
def end_permit_wait(world: World, send: Attempt, now_us: Us) -> None:
    """A permit was granted, or the time-out is over and it was not there."""
    own, waits_for = producer_state(world, send), world.async_parts[send.number].waits_for
    if waits_for == states.GRANTED:
        ask_permits(world, send, now_us)
        return
    take_out(world, own.number_queue if waits_for == states.NUMBER_PERMIT else own.bytes_queue, send)
    _deny(world, send, now_us)


@rule()
def _deny(world: World, send: Attempt, now_us: Us) -> None:
    if client_of(world, send.thread).loses_number_permit == 1:
        world.async_parts[send.number].permitted = 0
    _free_caller(world, send.thread, now_us)
    refuse(world, send, now_us, codes.TOO_MUCH_REQUEST, codes.NO_CODE)


@rule()
def refuse(world: World, send: Attempt, now_us: Us, result: int, code: int) -> None:
    """End a message that made no attempt."""
    end_message(world, send, now_us, Ending(result, code, 0, -1, -1))
    _close(world, send, now_us)


@rule()
def _close(world: World, send: Attempt, now_us: Us) -> None:
    """The callback has run: what the record held is free, and so is the record."""
    if client_of(world, send.thread).back_pressure == 1:
        return_permits(world, send, now_us)
    _let_go(world, send, now_us)
    give_back(world.clock.asynchronous, send)


@rule()
def _free_caller(world: World, thread: int, now_us: Us) -> None:
    """The caller's thread returns from send(), if it was held there."""
    if world.thread_states[thread].doing == states.BLOCKED:
        rest_thread(world, thread, now_us, now_us)


@rule()
def _let_go(world: World, send: Attempt, now_us: Us) -> None:
    """Free the sending thread that the record held; it takes the next message that waits for one."""
    part = world.async_parts[send.number]
    if part.holds == states.HOLDS_SENDER:
        own = producer_state(world, send)
        if own.sender_queue.head < 0:
            release_sender(world, send)
        else:
            waiting = take_first(world, own.sender_queue)
            waiting_part = world.async_parts[waiting.number]
            own.sender_length -= 1
            waiting_part.view_row = part.view_row
            waiting_part.holds = states.HOLDS_SENDER
            heap.await_alone(world, waiting, STARTING, now_us)
    elif part.holds == states.HOLDS_CALLER:
        _free_caller(world, send.thread, now_us)
    elif part.holds == states.HOLDS_CALLBACK:
        free_thread(world, send, now_us)
    part.holds = states.HOLDS_NOTHING


@rule()
def _admit(world: World, send: Attempt, now_us: Us) -> None:
    """Hand the message to a sending thread, or run its send path on the caller's."""
    part = world.async_parts[send.number]
    client, own = client_of(world, send.thread), producer_state(world, send)
    if client.async_senders > 0 and own.senders_busy < client.async_senders:
        take_sender(world, send)
        part.holds = states.HOLDS_SENDER
    elif client.async_senders > 0 and own.sender_length < world.settings.sender_queue:
        own.sender_length += 1
        send.state = states.WAITING_SENDER
        put_last(world, own.sender_queue, send)
        _free_caller(world, send.thread, now_us)
        return
    elif client.async_senders > 0 and client.back_pressure == 0:
        refuse(world, send, now_us, codes.NO_MASTER, codes.NO_CODE)
        return
    else:
        part.holds = states.HOLDS_CALLER
        part.view_row = send.thread
        world.thread_states[send.thread].doing = states.BLOCKED
    if part.holds == states.HOLDS_SENDER:
        _free_caller(world, send.thread, now_us)
    start(world, send, now_us)


@rule()
def refuse_unrouted(world: World, send: Attempt, now_us: Us) -> None:
    """End a message without a route; its sending thread has waited for that."""
    code = codes.NOT_FOUND_TOPIC_EXCEPTION if send.outcome == codes.NO_MASTER else codes.NO_CODE
    refuse(world, send, now_us, send.outcome, code)


@rule()
def start(world: World, send: Attempt, now_us: Us) -> None:
    """A sending thread has the message: its budget begins, and its first attempt."""
    part = world.async_parts[send.number]
    client, budget_ms = client_of(world, send.thread), _left(world, send, now_us)
    if budget_ms == NOTHING_LEFT:
        refuse(world, send, now_us, codes.TOO_MUCH_REQUEST, codes.NO_CODE)
        return
    queues = queues_known(world, send, now_us)
    if queues <= 0:
        send.outcome = without_route(world, send, queues)
        if queues == UNREPLIED:
            heap.await_alone(world, send, NO_ROUTE, now_us + ROUTE_TIMEOUT_US)
        else:
            refuse_unrouted(world, send, now_us)
        return
    wait_us = wait_before(world, send, now_us) if by_policy(world, send) else 0
    if wait_us > 0:
        heap.await_alone(world, send, STARTING, now_us + wait_us)
        return
    if world.settings.held_count > 0:
        note_generation(world, send)
    if choose_first(world, send, now_us, view_of(world, part.view_row, send.topic)) == 0:
        refuse(world, send, now_us, codes.NO_MASTER, codes.NO_CODE)
        return
    part.on_sender = 1
    part.first_broker = -1
    part.selected_us = now_us
    part.broker_before = -1
    transport(world, send, now_us, timeout_within(client.rules, client, budget_ms, 0, 1))


@rule()
def transport(world: World, send: Attempt, now_us: Us, timeout_ms: Ms) -> None:
    """Call the transport with the send's broker, which connects first, on the calling thread up to 5.2.0."""
    world.async_parts[send.number].timeout_ms = timeout_ms
    send.attempt_begin_us = now_us
    send.connect_us = connecting_us(world, send, now_us)
    if send.connect_us > 0 and client_of(world, send.thread).connect_blocks == 1:
        heap.await_alone(world, send, CONNECTING, now_us + send.connect_us)
    else:
        _request(world, send, now_us)


@rule()
def connected(world: World, send: Attempt, now_us: Us) -> None:
    """The connection stands for which the thread has waited that called the transport."""
    part = world.async_parts[send.number]
    _request(world, send, now_us)
    if part.beside < 0 and send.state == IN_ASYNC:
        decide_copy(world, send.message, 0)
    if part.holds == states.HOLDS_CALLBACK and part.thrown == 0:
        _let_go(world, send, now_us)


@rule()
def _request(world: World, send: Attempt, now_us: Us) -> None:
    """Send the request; its outcome comes when the response, the scan or a failure does."""
    part = world.async_parts[send.number]
    connect_us, wait_ms = send.connect_us, wait_of(world, send)
    send.connect_us = send.attempt_begin_us + connect_us - now_us  # what is left of it
    request(world, send, now_us, wait_ms)
    send.connect_us = connect_us
    if by_policy(world, send):
        tell_sent(world, send, now_us)
        stand_by(world, send, now_us)
    client = client_of(world, send.thread)
    part.thrown = client.rules.is_thrown(send.outcome)
    if by_strategy(world, send) and hands_over(client.rules, send, part.thrown):
        part.first_broker = send.broker
    if part.on_sender == 1 and (part.thrown == 0 or client.connect_blocks == 0):
        _call_returned(world, send, now_us)


@rule()
def _call_returned(world: World, send: Attempt, now_us: Us) -> None:
    """The first transport call has returned: the first broker is charged with next to nothing, the thread is free."""
    part = world.async_parts[send.number]
    part.on_sender = 0
    if part.first_broker >= 0 and client_of(world, send.thread).strategy_on == 1:
        latency_ms = now_us // US_PER_MS - part.selected_us // US_PER_MS
        charge(world, send, now_us, hand_over_of(part.first_broker, latency_ms))
    _let_go(world, send, now_us)


@rule(inlined=True)
def _counted(world: World, send: Attempt) -> int:
    refused_before = world.async_parts[send.number].refusals - (1 if send.outcome == codes.TOO_MUCH_REQUEST else 0)
    return counted(send.attempt, refused_before, world.producers[producer_of(world, send)].refusals_reported)


@rule()
def end_async(world: World, send: Attempt, now_us: Us) -> None:
    """The only attempt of an asynchronous message that is under way ended."""
    if not waits_for_thread(world, send):
        learn_end(world, send, now_us)
        go_on(world, send, now_us, send.attempt)


@rule(inlined=True)
def learn_end(world: World, send: Attempt, now_us: Us) -> None:
    """The client learns how an asynchronous attempt ended, and charges a broker."""
    part = world.async_parts[send.number]
    if part.thrown == 0:
        call_back(world, send)
    client = client_of(world, send.thread)
    if client.strategy_on == 1:
        cost_ms = now_us // US_PER_MS - send.attempt_begin_us // US_PER_MS
        since_connected_ms = cost_ms - connect_ms_of(send)
        cost = charge_for(client.rules, send, part.broker_before, part.thrown, cost_ms, since_connected_ms)
        if cost.broker != NOBODY:
            charge(world, send, now_us, cost)
    if by_policy(world, send):
        tell_ended(world, send, now_us)
    count_attempt(world, send, now_us)


@rule(inlined=True)
def go_on(world: World, send: Attempt, now_us: Us, attempts: int) -> None:
    """Retry or call back after an attempt, `attempts` of the message in all, that was stored or ended last."""
    part, client, delay_us = world.async_parts[send.number], client_of(world, send.thread), 0
    cost_ms = now_us // US_PER_MS - send.attempt_begin_us // US_PER_MS
    so_far = _counted(world, send)
    total = so_far + 1 if by_policy(world, send) else client.async_attempts_total
    rest_ms = rest_of(client.rules, part.timeout_ms, cost_ms, part.thrown)
    then = after_end(client.rules, send.outcome, part.thrown, so_far, total, rest_ms)
    if then == codes.RETRY and by_policy(world, send):
        delay_us = delay_of_retry(world, send, now_us, attempts)  # the policy counts them
        then = codes.THROW if delay_us == NO_RETRY else codes.RETRY
    put_attempt(world, send, now_us, 1 if then == codes.RETRY else 0)
    send.attempt = attempts
    if then == codes.RETRY and delay_us > 0:
        _put_off(world, send, now_us, delay_us, rest_ms)
    elif then != codes.RETRY or _try_again(world, send, now_us, rest_ms) == 0:
        _end_message(world, send, now_us)


@rule()
def leave_threads(world: World, send: Attempt, now_us: Us) -> None:
    """Nothing follows the attempt in its record: the thread that it held is free."""
    if world.async_parts[send.number].on_sender == 1:
        _call_returned(world, send, now_us)
    else:
        _let_go(world, send, now_us)


@rule()
def _put_off(world: World, send: Attempt, now_us: Us, delay_us: Us, rest_ms: Ms) -> None:
    """The next attempt begins later; nobody's thread waits for it but the one that the message never left."""
    part = world.async_parts[send.number]
    part.timeout_ms = rest_ms - delay_us // US_PER_MS
    if part.on_sender == 0:
        _let_go(world, send, now_us)
    heap.await_alone(world, send, WAITING_ASYNC_RETRY, now_us + delay_us)


@rule()
def retry_async(world: World, send: Attempt, now_us: Us) -> None:
    """The wait is over that a policy put between two attempts."""
    if _try_again(world, send, now_us, world.async_parts[send.number].timeout_ms) == 0:
        _end_message(world, send, now_us)


@rule()
def _try_again(world: World, send: Attempt, now_us: Us, rest_ms: Ms) -> int:
    """Make the next attempt, with what is left as its time-out: 1, or 0 if there is no queue for it."""
    part = world.async_parts[send.number]
    wait_us = wait_before(world, send, now_us) if by_policy(world, send) else 0
    if wait_us > 0:
        _put_off(world, send, now_us, wait_us, rest_ms)
        return 1
    if choose_again(world, send, now_us) == 0:
        return 0
    send.attempt += 1
    transport(world, send, now_us, rest_ms)
    if part.on_sender == 0 and (send.state == CONNECTING or part.thrown == 1):
        hold_thread(world, send)
    elif part.on_sender == 0:
        _let_go(world, send, now_us)
    return 1


@rule()
def _end_message(world: World, send: Attempt, now_us: Us) -> None:
    """The callback learns how the message ended."""
    part = world.async_parts[send.number]
    if part.on_sender == 1:
        _call_returned(world, send, now_us)
    end_message(world, send, now_us, ending_of(client_of(world, send.thread).rules, send, part.thrown))
    _close(world, send, now_us)
