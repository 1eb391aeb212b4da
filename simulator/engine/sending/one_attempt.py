"""Sends of exactly one attempt on the caller's thread: one-way, and synchronous to a queue that a selector chose.

Source: rocketmq 4.2.0-5.3.3, DefaultMQProducerImpl.sendDefaultImpl (ONEWAY), sendSelectImpl. The semaphore of 65,535
one-way requests is given back when a request is written, which takes no time here, so it is never used up.
"""

from __future__ import annotations

from simulator import codes
from simulator.client.message_queue import NO_QUEUE, broker_of, packed, queue_id_of
from simulator.client.selection.selectors import NO_PLACE, decimal_hash
from simulator.client.sending.send_loop import final_code
from simulator.client.steps.steps import Ending, timeout_within
from simulator.client.steps.sync_steps import charge_for
from simulator.client.view import View
from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.broker.orders import await_append
from simulator.engine.memory.events import IN_ONE_ATTEMPT, UNROUTED
from simulator.engine.memory.send import IDLE, Attempt
from simulator.engine.memory.sender_thread import (
    SELECT_BY_HASH,
    SELECT_BY_MACHINE_ROOM,
    SELECT_BY_OWN,
    SELECT_BY_STRATEGY,
    WAY_ONEWAY,
)
from simulator.engine.memory.world import World
from simulator.engine.network.request import ask_broker
from simulator.engine.routes.replaced_routes import view_again
from simulator.engine.routes.route_polls import UNREPLIED
from simulator.engine.senders.closed_loop import await_next
from simulator.engine.sending.choosing import charge, choose
from simulator.engine.sending.ended import end_message
from simulator.engine.sending.policy_calls import by_strategy, tell_ended, tell_sent
from simulator.engine.sending.sync_send import ROUTE_TIMEOUT_US, queues_known, wait_within, without_route
from simulator.engine.shared import heap
from simulator.engine.shared.key_names import key_name
from simulator.engine.shared.rows import count_attempt, pair_of, put_attempt
from simulator.engine.shared.threads import client_of, kind_of, message_of, view_of
from simulator.kernel.pools import give_back
from simulator.kernel.randomness import SELECTOR_RANDOM, below, hash3


@rule()
def selected(world: World, send: Attempt, view: View) -> int:
    """The packed queue that the caller's selector chooses for the message, or NO_QUEUE."""
    selector, queues = kind_of(world, send.thread).selector, view.queues
    if queues.count == 0 or selector == SELECT_BY_MACHINE_ROOM:
        return NO_QUEUE
    if selector == SELECT_BY_HASH:
        place = client_of(world, send.thread).rules.hash_place(
            decimal_hash(key_name(world.settings.seed, message_of(world, send).key)), queues.count
        )
    elif selector == SELECT_BY_OWN:
        place = client_of(world, send.thread).rules.own_place(queues, send.message)
    else:
        place = below(hash3(send.draw, SELECTOR_RANDOM, 0), queues.count)
    if place == NO_PLACE:
        return NO_QUEUE
    queue = queues.queues[place]
    return packed(queue.broker, queue.queue_id)


@rule()
def choose_first(world: World, send: Attempt, now_us: Us, view: View) -> int:
    """Choose the first queue of a message, by its selector or the client's strategy: 1, or 0 if there is none."""
    if kind_of(world, send.thread).selector == SELECT_BY_STRATEGY:
        picked = choose(world, send, view, now_us, -1, 0)
        send.reason = view.pick_reason
    else:
        picked = selected(world, send, view)
        send.reason = codes.PICK_SELECTOR
    if picked == NO_QUEUE:
        return 0
    send.attempt = 1
    send.broker = broker_of(picked)
    send.queue_id = queue_id_of(picked)
    send.attempt_begin_us = now_us
    return 1


@rule()
def choose_again(world: World, send: Attempt, now_us: Us) -> int:
    """Another broker for a retry: 1, or 0 if there is none. A chosen queue keeps its broker.

    The client keeps the queue id of the first attempt; a policy chooses queues.
    """
    world.async_parts[send.number].broker_before = send.broker
    if not by_strategy(world, send):
        return 1
    view = view_again(world, send)
    picked = choose(world, send, view, now_us, send.broker, 0)
    if picked == NO_QUEUE:
        return 0
    send.broker = broker_of(picked)
    if world.settings.policy_on == 1:
        send.queue_id = queue_id_of(picked)
    send.reason = view.pick_reason
    return 1


@rule(inlined=True)
def rest_thread(world: World, thread: int, now_us: Us, begun_us: Us) -> None:
    """The thread is free for its next message; `begun_us`: when it began the last one."""
    world.thread_states[thread].doing = IDLE
    await_next(world, thread, now_us, begun_us)


@rule(inlined=True)
def leave_thread(world: World, send: Attempt, now_us: Us) -> None:
    """The message for which its sender thread waited has ended."""
    give_back(world.clock.blocking, send)
    rest_thread(world, send.thread, now_us, message_of(world, send).begin_us)


@rule()
def _end_without_attempt(world: World, send: Attempt, now_us: Us, ending: Ending) -> None:
    end_message(world, send, now_us, ending)
    leave_thread(world, send, now_us)


@rule()
def end_unrouted(world: World, send: Attempt, now_us: Us) -> None:
    """End a message without a route, for which its thread may have waited."""
    code = codes.NOT_FOUND_TOPIC_EXCEPTION if send.outcome == codes.NO_MASTER else codes.NO_CODE
    _end_without_attempt(world, send, now_us, Ending(send.outcome, code, 0, -1, -1))


@rule()
def begin_one_attempt(world: World, send: Attempt, now_us: Us) -> None:
    """Make the one attempt of the message."""
    settings, client = world.settings, client_of(world, send.thread)
    queues = queues_known(world, send, now_us)
    if queues <= 0:
        send.outcome = without_route(world, send, queues)
        if queues == UNREPLIED:
            heap.await_in_thread(world, send, UNROUTED, now_us + ROUTE_TIMEOUT_US)
        else:
            end_unrouted(world, send, now_us)
        return
    if choose_first(world, send, now_us, view_of(world, send.thread, send.topic)) == 0:
        _end_without_attempt(world, send, now_us, Ending(codes.NO_MASTER, codes.NO_CODE, 0, -1, -1))
        return
    timeout_ms = timeout_within(client.rules, client, client.send_msg_timeout_ms, 0, 1)
    end_us = ask_broker(world, send, now_us, wait_within(world, send, now_us, timeout_ms))
    if settings.policy_on == 1 and kind_of(world, send.thread).selector == SELECT_BY_STRATEGY:
        tell_sent(world, send, now_us)
    if settings.orders_checked == 1:
        await_append(world, send)
    if kind_of(world, send.thread).way == WAY_ONEWAY:
        outcome = send.outcome
        if client.connect_blocks == 0 and outcome != codes.NO_MASTER:
            outcome, send.connect_us = codes.SENT_ONEWAY, 0  # 5.3.0+: nobody waits for the connection, or learns of it
        if outcome not in (codes.CONNECT_REFUSED, codes.NO_MASTER):
            send.outcome = codes.SENT_ONEWAY
            send.code = codes.NO_CODE
            end_us = now_us + send.connect_us
    send.ends_us = end_us
    if end_us == now_us:
        end_one_attempt(world, send, now_us)
    else:
        heap.await_in_thread(world, send, IN_ONE_ATTEMPT, end_us)


@rule()
def end_one_attempt(world: World, send: Attempt, now_us: Us) -> None:
    """The one attempt ended, and the send with it. A chosen queue charges nobody."""
    client, fixed = client_of(world, send.thread), kind_of(world, send.thread)
    outcome = send.outcome
    if client.strategy_on == 1 and fixed.selector == SELECT_BY_STRATEGY:
        latency_ms = now_us // 1000 - send.attempt_begin_us // 1000
        known = codes.SEND_OK if outcome == codes.SENT_ONEWAY else outcome
        charge(world, send, now_us, charge_for(client.rules, client, send.broker, latency_ms, known))
    if world.settings.policy_on == 1 and fixed.selector == SELECT_BY_STRATEGY:
        tell_ended(world, send, now_us)
    count_attempt(world, send, now_us)
    if outcome == codes.SENT_ONEWAY:
        world.window_pairs[pair_of(world, send.topic, send.broker)].succeeded += 1
    put_attempt(world, send, now_us, 0)
    result, code = outcome, send.code
    if fixed.way == WAY_ONEWAY and outcome != codes.SENT_ONEWAY and fixed.selector == SELECT_BY_STRATEGY:
        result, code = codes.NO_MASTER, final_code(outcome, code)
    ending = Ending(result, code, 1, send.broker, send.queue_id)
    end_message(world, send, now_us, ending)
    leave_thread(world, send, now_us)
