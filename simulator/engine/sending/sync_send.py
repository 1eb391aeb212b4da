"""One thread's synchronous send, cut at the moments between which virtual time passes.

begin_send -> begin_attempt -> (time passes) -> end_attempt -> begin_attempt ... -> end of the send.
What the client decides at each cut comes from the release's own rules (simulator.client).
"""

from __future__ import annotations

from simulator import codes
from simulator.client.message_queue import NO_QUEUE, broker_of, queue_id_of
from simulator.client.steps.steps import Ending
from simulator.client.steps.sync_steps import (
    after_end,
    charge_for,
    ending_of,
    has_another,
    is_over_budget,
    request_timeout,
    resets_index,
)
from simulator.client.view import View
from simulator.compiled.jit import rule
from simulator.compiled.records import Ms, Us
from simulator.engine.broker.orders import await_append
from simulator.engine.memory.events import BEGINNING, GIVING_UP, HEDGE_DUE, IN_ATTEMPT, WAITING_RETRY
from simulator.engine.memory.send import IDLE, NOT_ENDED, SENDING, Attempt, GivenMessage
from simulator.engine.memory.sender_thread import WAY_GRPC, WAY_PLAIN
from simulator.engine.memory.world import World
from simulator.engine.network.connection import connecting_us
from simulator.engine.network.request import ask_broker
from simulator.engine.routes.replaced_routes import note_generation, view_in_use
from simulator.engine.routes.route_polls import UNREPLIED
from simulator.engine.senders.hand_off import next_in_line
from simulator.engine.sending.choosing import charge, choose
from simulator.engine.sending.ended import end_message
from simulator.engine.sending.policy_calls import delay_of_hedge, delay_of_retry, tell_ended, tell_sent, wait_before
from simulator.engine.sending.setting_aside import set_aside
from simulator.engine.shared import heap
from simulator.engine.shared.rows import count_attempt, put_attempt
from simulator.engine.shared.threads import client_of, kind_of, message_of, view_of
from simulator.kernel.pools import give_back, take
from simulator.policies.policy import NO_HEDGE, NO_RETRY

ROUTE_TIMEOUT_US = 3_000_000  # a request for a route waits so long: MQClientInstance, from 5.0.0 mqClientApiTimeout


@rule(inlined=True)
def elapsed_of(world: World, send: Attempt, now_us: Us) -> Ms:
    """What of the message's time is used up."""
    return now_us // 1000 - message_of(world, send).begin_us // 1000


@rule(inlined=True)
def is_over(world: World, send: Attempt, elapsed_ms: Ms) -> int:
    """Whether all of it is."""
    client = client_of(world, send.thread)
    return is_over_budget(client.rules, client, elapsed_ms)


@rule(inlined=True)
def _give_up_now(world: World, send: Attempt, now_us: Us) -> None:
    heap.await_in_thread(world, send, GIVING_UP, now_us)


@rule(inlined=True)
def put_off(world: World, send: Attempt, until_us: Us) -> None:
    """The next attempt begins then."""
    heap.await_in_thread(world, send, WAITING_RETRY, until_us)


@rule(inlined=True)
def view_in_attempt(world: World, send: Attempt) -> View:
    """What the next attempt of a message chooses from."""
    view = view_of(world, send.thread, send.topic)
    if world.settings.held_count > 0 and send.attempt > 0:
        view = view_in_use(world, send, send.thread, view)
    return view


@rule()
def _await_answer(world: World, send: Attempt, now_us: Us) -> None:
    """Wait for the end of the attempt, or until a policy wants another beside it."""
    if world.sync_parts[send.number].aside > 0:
        set_aside(world, send)
        return
    due_us = delay_of_hedge(world, send, now_us)
    if due_us != NO_HEDGE and now_us + due_us < send.ends_us:
        heap.await_in_thread(world, send, HEDGE_DUE, now_us + due_us)
    else:
        heap.await_in_thread(world, send, IN_ATTEMPT, send.ends_us)


@rule()
def begin_attempt(world: World, send: Attempt, now_us: Us) -> None:
    """Choose a queue and send the request; the budget is looked at after the choice, as in sendDefaultImpl."""
    settings = world.settings
    if settings.policy_on == 1:
        wait_us = wait_before(world, send, now_us)
        if wait_us > 0:
            put_off(world, send, now_us + wait_us)
            return
    view = view_in_attempt(world, send)
    if settings.routes_on == 1 and view.queues.count == 0:
        _give_up_now(world, send, now_us)
        return
    picked = choose(world, send, view, now_us, send.broker, resets_index(send.attempt + 1))
    if picked == NO_QUEUE:
        _give_up_now(world, send, now_us)
        return
    elapsed_ms = elapsed_of(world, send, now_us)
    if is_over(world, send, elapsed_ms) == 1:
        world.sync_parts[send.number].over_budget = 1
        _give_up_now(world, send, now_us)
        return
    send.reason = view.pick_reason
    request_of_attempt(world, send, now_us, picked, elapsed_ms)


@rule(inlined=True)
def wait_within(world: World, send: Attempt, now_us: Us, timeout_ms: Ms) -> Ms:
    """What is left of the attempt's time-out for the answer, or GIVEN_UP, behind connecting, which takes connect_us."""
    send.connect_us = connecting_us(world, send, now_us)
    rules = client_of(world, send.thread).rules
    return rules.response_wait(timeout_ms, (now_us + send.connect_us) // 1000 - now_us // 1000)


@rule(inlined=True)
def request_of_attempt(world: World, send: Attempt, now_us: Us, picked: int, elapsed_ms: Ms) -> None:
    """Send the request of the next attempt to a packed queue."""
    settings, client = world.settings, client_of(world, send.thread)
    send.attempt += 1
    send.broker = broker_of(picked)
    send.queue_id = queue_id_of(picked)
    send.attempt_begin_us = now_us
    wait_ms = wait_within(world, send, now_us, request_timeout(client.rules, client, send.attempt, elapsed_ms))
    if settings.sockets_of_all == 1 and world.late.wait_unread(world, send, now_us, wait_ms) == 1:
        return
    send.ends_us = ask_broker(world, send, now_us, wait_ms)
    if settings.policy_on == 1:
        tell_sent(world, send, now_us)
        _await_answer(world, send, now_us)
    else:
        heap.await_in_thread(world, send, IN_ATTEMPT, send.ends_us)
    if settings.orders_checked == 1:
        await_append(world, send)


@rule(inlined=True)
def open_record(world: World, send: Attempt, thread: int, now_us: Us, new: GivenMessage) -> None:
    """Begin a message of the thread: its record, and in the attempt's that was taken that none has been made."""
    send.message = send.number
    message, number = world.messages[send.number], thread * world.settings.topics + new.topic
    send_seq = world.send_seqs[number]
    world.send_seqs[number] = send_seq + 1
    # Both from the same numbers: to copy what was just written field by field waits until it is all there.
    message.thread = thread
    message.topic = new.topic
    message.send_seq = send_seq
    message.draw = new.draw
    send.thread = thread
    send.topic = new.topic
    send.send_seq = send_seq
    send.draw = new.draw
    message.arrival_us = new.arrival_us
    message.begin_us = now_us
    message.key = -1
    message.generation = 0
    message.batch = 0
    message.copies = 0
    message.kept = 0
    message.open_copies = 0
    message.result = NOT_ENDED
    send.attempt = 0
    send.broker = -1
    send.queue_id = -1
    send.outcome = codes.SEND_OK
    send.code = codes.NO_CODE
    send.stored_us = -1


@rule(inlined=True)
def open_in_thread(world: World, thread: int, now_us: Us, message: GivenMessage) -> Attempt:
    """A record of a new message for which its sender thread, which is idle, waits."""
    send, own = take(world, world.clock.blocking, world.attempts), world.thread_states[thread]
    open_record(world, send, thread, now_us, message)
    part = world.sync_parts[send.number]
    part.held = 0
    part.over_budget = 0
    part.aside = 0
    part.travelling = 0
    own.doing = SENDING
    own.send = send.number
    return send


@rule(inlined=True)
def begin_send(world: World, thread: int, now_us: Us, message: GivenMessage) -> None:
    """Begin a message on an idle thread of WAY_PLAIN."""
    send = open_in_thread(world, thread, now_us, message)
    body_bytes, opened = world.topics[message.topic].constant_bytes, world.messages[send.number]
    opened.body_bytes = body_bytes
    opened.message_bytes = body_bytes
    begin_loop(world, send, now_us)


@rule(inlined=True)
def begin_otherwise(world: World, thread: int, now_us: Us, new: GivenMessage) -> None:
    """Begin a message on an idle thread of another way."""
    if kind_of(world, thread).way >= WAY_GRPC:
        world.late.over_proxy(world, BEGINNING, thread, now_us, new.arrival_us, new.topic, new.draw)
    else:
        world.late.in_other_way(world, BEGINNING, thread, now_us, new.arrival_us, new.topic, new.draw)


@rule(inlined=True)
def queues_known(world: World, send: Attempt, now_us: Us) -> int:
    """Queues of the topic that the thread's producer knows; it asks for the route if it knows none.

    0 or UNANSWERED if there is none: the send ends with `without_route`.
    """
    queues = view_of(world, send.thread, send.topic).queues.count
    if queues == 0 and world.settings.routes_on == 1:
        queues = world.late.find_route(world, send, now_us)
    return queues


@rule(inlined=True)
def without_route(world: World, send: Attempt, queues: int) -> int:
    """The result of a message with that many queues (queues_known)."""
    throws = queues < 0 and client_of(world, send.thread).throws_unanswered == 1
    return codes.ROUTE_UNANSWERED if throws else codes.NO_MASTER


@rule(inlined=True)
def begin_loop(world: World, send: Attempt, now_us: Us) -> None:
    """Begin the attempts of a thread's message, if its topic has a queue."""
    queues = queues_known(world, send, now_us)
    if queues <= 0:
        send.outcome = without_route(world, send, queues)
        _give_up_now(world, send, now_us + (ROUTE_TIMEOUT_US if queues == UNREPLIED else 0))
    else:
        if world.settings.held_count > 0:
            note_generation(world, send)
        begin_attempt(world, send, now_us)


@rule(inlined=True)
def finish(world: World, send: Attempt, now_us: Us, thrown: int) -> None:
    """End a send: the caller gets its answer, and the thread takes the next waiting message."""
    part, thread = world.sync_parts[send.number], send.thread
    ending = ending_of(part, send, thrown)
    if send.attempt == 0 and part.over_budget == 0:
        ending = Ending(codes.NO_MASTER, codes.NOT_FOUND_TOPIC_EXCEPTION, 0, send.broker, send.queue_id)
        if send.outcome == codes.ROUTE_UNANSWERED:
            ending = Ending(codes.ROUTE_UNANSWERED, codes.NO_CODE, 0, send.broker, send.queue_id)
    end_message(world, send, now_us, ending)
    give_back(world.clock.blocking, send)
    own = world.thread_states[thread]
    own.doing = IDLE
    kind = kind_of(world, thread)
    if kind.way != WAY_PLAIN:
        result, code, attempts, broker, queue_id = ending
        world.late.go_on_in_way(world, send, now_us, result, code, attempts, broker, queue_id)
    elif own.waiting > 0:
        begin_send(world, thread, now_us, next_in_line(world, thread))


@rule(inlined=True)
def give_up(world: World, send: Attempt, now_us: Us) -> None:
    """End a send that made no (further) attempt: no queue, or the budget is used up."""
    finish(world, send, now_us, 0)


@rule(inlined=True)
def end_attempt(world: World, send: Attempt, now_us: Us) -> None:
    """The client learns how an attempt ended: charge the broker, then return, throw or try again."""
    settings, client = world.settings, client_of(world, send.thread)
    if client.strategy_on == 1:
        latency_ms = now_us // 1000 - send.attempt_begin_us // 1000
        charge(world, send, now_us, charge_for(client.rules, client, send.broker, latency_ms, send.outcome))
    if settings.policy_on == 1:
        tell_ended(world, send, now_us)
    count_attempt(world, send, now_us)
    then = after_end(client.rules, client, world.retry_codes, world.sync_parts[send.number], send)
    another, delay_us = then == codes.RETRY and has_another(client, send.attempt), 0
    if settings.policy_on == 1 and then == codes.RETRY:
        delay_us = delay_of_retry(world, send, now_us, send.attempt)
        another = delay_us != NO_RETRY
    put_attempt(world, send, now_us, 1 if another and is_over(world, send, elapsed_of(world, send, now_us)) == 0 else 0)
    if another and delay_us > 0:
        put_off(world, send, now_us + delay_us)
    elif another:
        begin_attempt(world, send, now_us)
    else:
        finish(world, send, now_us, 1 if then == codes.THROW else 0)
