"""Requests and answers on a network that takes time: they hold no send thread, and keep the order of their connection.

send_off -> (request on its way) -> arrive -> (the process stands still) -> read -> served by the broker -> (service) ->
answer -> (answer on its way) -> the client's event is brought forward. Until then the client waits for its time-out. A
request that it no longer waits for arrives all the same and is stored: its message's row is put out when it has.

A process that stands still reads its connections when it goes on, one after the other (sockets.py). TCP delivers in
order, so a request is at the broker a microsecond behind the one before it on the connection at least, and an answer is
not at the client before one that left the broker earlier.
"""

from __future__ import annotations

import numpy as np

from simulator import codes
from simulator.compiled.jit import rule
from simulator.compiled.records import Ms, Us
from simulator.engine.broker.orders import await_append
from simulator.engine.memory.events import (
    ANSWERING,
    ARRIVING,
    HEDGE_DUE,
    IN_ASYNC,
    IN_ATTEMPT,
    IN_ONE_ATTEMPT,
    READING,
    SET_ASIDE,
)
from simulator.engine.memory.links import ConnectionOrder, Travelling
from simulator.engine.memory.send import UNDER_WAY, Attempt, copy_attempt
from simulator.engine.memory.world import World
from simulator.engine.network.connection import LOST, after_cut, answer_arrives, cut_at, goes_down_at
from simulator.engine.network.cutting import close_after_timeout
from simulator.engine.network.outcome import cut_short, lost, name_outcome, timed_out, word_of
from simulator.engine.network.serving import answer_over_connection, served
from simulator.engine.network.sockets import READ_WITHIN_US
from simulator.engine.network.way_times import answer_us, request_us
from simulator.engine.shared import heap
from simulator.engine.shared.open_messages import decide_copy, open_copy
from simulator.engine.shared.periods import start_after_standstill
from simulator.engine.shared.threads import producer_of
from simulator.kernel.pools import give_back, take
from simulator.kernel.randomness import below, mix


@rule(inlined=True)
def _order_of(world: World, send: Attempt) -> ConnectionOrder:
    return world.connection_orders[producer_of(world, send) * world.settings.brokers + send.broker]


@rule()
def send_off(world: World, send: Attempt, now_us: Us, wait_ms: Ms) -> int:
    """Send the request of an attempt: sets its outcome, gives when the client knows it if no answer comes before."""
    order, deadline_us = _order_of(world, send), now_us + send.connect_us + wait_ms * 1000
    sent_us = after_cut(world, send, now_us, now_us) + send.connect_us
    arrives_us = max(sent_us + request_us(world, send, now_us), order.arrives_us + 1)
    goes_us = goes_down_at(world, send.broker, now_us)
    if goes_us <= arrives_us:
        end_us = cut_at(world, send, goes_us)
        if LOST < end_us < deadline_us:
            return cut_short(world, send, now_us, end_us)
        return lost(world, send, word_of(send), now_us, wait_ms)
    order.arrives_us = arrives_us
    open_copy(world, send)
    travelling = _launch(world, send, now_us)
    travelling.deadline_us = deadline_us
    travelling.wait_ms = wait_ms
    heap.push(world, arrives_us, ARRIVING, travelling.number)
    if arrives_us >= deadline_us:
        return lost(world, send, word_of(send), now_us, wait_ms)
    return cut_short(world, send, now_us, timed_out(world, send, word_of(send), deadline_us))


@rule()
def _launch(world: World, send: Attempt, now_us: Us) -> Travelling:
    """The request travels: an attempt of its own, as the client may end its attempt before."""
    travelling = take(world, world.clock.travelling, world.travelling)
    request = take(world, world.clock.blocking, world.attempts)
    copy_attempt(request, send)
    request.state = UNDER_WAY
    request.attempt_begin_us = now_us
    request.outcome = codes.RESPONSE_TIMEOUT  # so far
    request.code = codes.NO_CODE
    request.stored_us = -1
    travelling.request = request.number
    travelling.waiting = send.number
    travelling.aside = 0
    world.sync_parts[send.number].travelling = 1 + travelling.number
    return travelling


@rule()
def arrive(world: World, travelling: Travelling, now_us: Us) -> None:
    """A request is at its broker's machine: the process reads it, behind what lies in the connection already."""
    request = world.attempts[travelling.request]
    behind_us = _order_of(world, request).read_us if world.settings.networks_on == 1 else -1
    _read_or_lie(world, travelling, now_us, behind_us)


@rule()
def read(world: World, travelling: Travelling, now_us: Us) -> None:
    """A process that went on reads a request, unless it stands still again."""
    _read_or_lie(world, travelling, now_us, -1)


@rule()
def _read_or_lie(world: World, travelling: Travelling, now_us: Us, behind_us: Us) -> None:
    request = world.attempts[travelling.request]
    reads_us, own_place = start_after_standstill(world, request.broker, now_us), producer_of(world, request)
    if reads_us > now_us:
        reads_us += below(mix(np.uint64(reads_us) ^ mix(np.uint64(own_place))), READ_WITHIN_US)
    if behind_us >= now_us:
        reads_us = max(reads_us, behind_us + 1)
    if reads_us == now_us:
        _serve(world, travelling, request, now_us)
    elif goes_down_at(world, request.broker, now_us) <= reads_us:
        decide_copy(world, request.message, 0)
        _die(world, travelling, request, now_us)
    else:
        if world.settings.networks_on == 1:
            order = _order_of(world, request)
            reads_us = max(reads_us, order.read_us + 1)
            order.read_us = reads_us
        heap.push(world, reads_us, READING, travelling.number)


@rule()
def _serve(world: World, travelling: Travelling, request: Attempt, now_us: Us) -> None:
    """The broker has the request: it serves it and answers, unless its process goes first."""
    end_us = served(world, request, now_us, word_of(request), answer_over_connection(world, request, now_us))
    decide_copy(world, request.message, 0)
    if world.settings.orders_checked == 1:
        await_append(world, request)
    if end_us > goes_down_at(world, request.broker, now_us):
        _die(world, travelling, request, now_us)
    elif end_us >= travelling.deadline_us:
        _miss(world, travelling, request)
    else:
        heap.push(world, end_us, ANSWERING, travelling.number)


@rule()
def _die(world: World, travelling: Travelling, request: Attempt, now_us: Us) -> None:
    """The broker's process goes away with the request."""
    at_us = cut_at(world, request, goes_down_at(world, request.broker, now_us))
    if at_us == LOST:
        _miss(world, travelling, request)
    else:
        _tell(world, travelling, request, at_us)


@rule()
def answer(world: World, travelling: Travelling, now_us: Us) -> None:
    """The answer leaves the broker."""
    request = world.attempts[travelling.request]
    at_us = answer_arrives(world, request, now_us, now_us + answer_us(world, request))
    if world.settings.networks_on == 1:
        order = _order_of(world, request)
        at_us = max(at_us, order.answered_us)
        order.answered_us = at_us
    name_outcome(world, request)
    _tell(world, travelling, request, cut_short(world, request, now_us, at_us))


@rule()
def _is_of(waiting: Attempt, request: Attempt) -> bool:
    """Whether that is the attempt of the request."""
    return (
        waiting.thread == request.thread
        and waiting.topic == request.topic
        and waiting.send_seq == request.send_seq
        and waiting.attempt == request.attempt
    )


@rule()
def _tell(world: World, travelling: Travelling, request: Attempt, at_us: Us) -> None:
    """The client learns at `at_us` what became of the request, if it still waits then."""
    if at_us >= travelling.deadline_us:
        _miss(world, travelling, request)
        return
    if travelling.aside > 0:
        aside = world.asides[travelling.aside - 1]
        if _is_of(aside, request) and at_us < aside.ends_us:
            aside.outcome, aside.code, aside.ends_us = request.outcome, request.code, at_us
            heap.hasten(world, at_us, SET_ASIDE, aside.number)
    else:
        send = world.attempts[travelling.waiting]
        if _is_of(send, request) and at_us < send.ends_us:
            _hasten(world, send, request, at_us)
    _land(world, travelling, request)


@rule()
def _hasten(world: World, send: Attempt, request: Attempt, at_us: Us) -> None:
    if send.state == IN_ASYNC:
        heap.hasten(world, at_us, IN_ASYNC, send.number)
    elif send.state == IN_ATTEMPT or send.state == IN_ONE_ATTEMPT:
        heap.hasten(world, at_us, send.state, send.thread)
    elif send.state == HEDGE_DUE:
        if heap.comes_before(world, at_us, HEDGE_DUE, send.thread, IN_ATTEMPT):
            send.state = IN_ATTEMPT
    else:
        return
    send.outcome, send.code, send.ends_us = request.outcome, request.code, at_us


@rule()
def _miss(world: World, travelling: Travelling, request: Attempt) -> None:
    """No answer comes in time: what the client's time-out closes is known."""
    send = world.attempts[travelling.waiting]
    if travelling.aside > 0:
        aside = world.asides[travelling.aside - 1]
        if _is_of(aside, request) and aside.outcome == codes.RESPONSE_TIMEOUT:
            close_after_timeout(world, request, travelling.wait_ms, aside.ends_us)
    elif _is_of(send, request) and send.outcome == codes.RESPONSE_TIMEOUT:
        close_after_timeout(world, request, travelling.wait_ms, send.ends_us)
    _land(world, travelling, request)


@rule()
def _land(world: World, travelling: Travelling, request: Attempt) -> None:
    """Nothing is under way any more."""
    part = world.sync_parts[travelling.waiting]
    if part.travelling == 1 + travelling.number:
        part.travelling = 0
    give_back(world.clock.blocking, request)
    give_back(world.clock.travelling, travelling)


@rule()
def move(world: World, kind: int, travelling: Travelling, now_us: Us) -> None:
    """What happens to a request that is under way."""
    if kind == ARRIVING:
        arrive(world, travelling, now_us)
    elif kind == READING:
        read(world, travelling, now_us)
    else:
        answer(world, travelling, now_us)
