"""One request on its way: connection, broker, answer; what the client then knows, and when."""

from __future__ import annotations

import numpy as np

from simulator import codes
from simulator.client.sending.send_loop import GIVEN_UP
from simulator.compiled.jit import rule
from simulator.compiled.records import Ms, Us
from simulator.engine.broker.service import serve
from simulator.engine.memory.periods_table import ANSWER, ANSWER_REFUSE, ANSWER_VALUE
from simulator.engine.memory.send import Send
from simulator.engine.memory.settings import FAR
from simulator.engine.memory.world import World
from simulator.engine.network.addresses import has_address
from simulator.engine.network.connection import (
    CONNECTED,
    LOST,
    answer_arrives,
    close,
    closes_at,
    connect,
    cut_at,
    goes_down_at,
)
from simulator.engine.network.cutting import close_after_timeout
from simulator.engine.network.heartbeats import heartbeat_closes_at
from simulator.engine.network.route_polls import create_on
from simulator.engine.shared.periods import periods_of, value_at
from simulator.engine.shared.threads import client_of, producer_of
from simulator.randomness import below, mix, signed


@rule(inlined=True)
def has_master(world: World, send: Send, now_us: Us) -> int:
    """Whether the producer has an address to which the request of a send can go."""
    if world.settings.routes_on == 1:
        return has_address(world, producer_of(world, send), send.broker, now_us)
    return world.brokers[send.broker].has_master


@rule(inlined=True)
def _word_of(send: Send) -> int:
    """What is random about the attempt."""
    return signed(mix(np.uint64(send.draw) + np.uint64(send.attempt)) >> np.uint64(32))


@rule(inlined=True)
def _timed_out(world: World, send: Send, word: int, deadline_us: Us) -> int:
    """When the client notices that the answer is missing."""
    send.outcome = codes.RESPONSE_TIMEOUT
    send.code = codes.NO_CODE
    settings = world.settings
    return deadline_us + settings.timeout_notice_us + below(mix(word), settings.timeout_spread_us)


@rule()
def _lost(world: World, send: Send, word: int, now_us: Us, wait_ms: Ms) -> int:
    """The same of a request that waits `wait_ms` once connected; the connection may close, then or before."""
    noticed_us = _timed_out(world, send, word, now_us + send.connect_us + wait_ms * 1000)
    ends_us = _cut_short(world, send, now_us, noticed_us)
    if ends_us == noticed_us:
        close_after_timeout(world, send, wait_ms, noticed_us)
    return ends_us


@rule()
def _cut_short(world: World, send: Send, now_us: Us, end_us: Us) -> int:
    """`end_us`, or when the connection closes before: what is under way on it fails then (failFast)."""
    known_us = min(closes_at(world, send, now_us), end_us)
    closes_us = heartbeat_closes_at(world, send, now_us, known_us)
    if closes_us < known_us:
        close(world, send, closes_us)
    if closes_us >= end_us or client_of(world, send.thread).fails_fast == 0:
        return end_us
    send.outcome = codes.SEND_FAILURE
    send.code = codes.NO_CODE
    return closes_us


@rule(inlined=True)
def _name_outcome(world: World, send: Send) -> None:
    """The outcome that goes with the code of the answer."""
    if send.code == 0:
        send.outcome = codes.SEND_OK
    elif codes.FLUSH_DISK_TIMEOUT <= send.code <= codes.FLUSH_SLAVE_TIMEOUT:
        send.outcome = codes.SEND_STATUS
    elif send.code == codes.GO_AWAY and client_of(world, send.thread).go_away_is_send_failure == 1:
        send.outcome, send.code = codes.SEND_FAILURE, codes.NO_CODE
    else:
        send.outcome = codes.BROKER_ERROR


@rule(inlined=True)
def _answer_at(world: World, send: Send, now_us: Us) -> int:
    """What the broker answers whatever is asked, 0 if it does as it should."""
    return value_at(world, periods_of(world, send.broker, ANSWER), now_us, 0)


@rule()
def ask_broker(world: World, send: Send, now_us: Us, wait_ms: Ms) -> int:
    """Send a request to its broker: sets its outcome, code and copies; gives when the client knows.

    `wait_ms` is what is waited for the answer once connecting, which took `connect_us`, is done.
    """
    settings = world.settings
    if settings.routes_on == 1 or settings.connections_on == 1 or world.clock.closed > 0 or send.connect_us > 0:
        return _ask_through(world, send, now_us, wait_ms)
    send.code = codes.NO_CODE
    send.stored_us = -1
    if world.brokers[send.broker].has_master == 0:
        send.outcome = codes.NO_MASTER
        return now_us
    answer = _answer_at(world, send, now_us)
    if answer & ~ANSWER_VALUE == ANSWER_REFUSE:
        send.outcome = codes.CONNECT_REFUSED
        return now_us + settings.refused_after_us
    if wait_ms == GIVEN_UP:
        send.outcome = codes.RESPONSE_TIMEOUT
        close_after_timeout(world, send, 0, now_us)
        return now_us
    word = _word_of(send)
    end_us = serve(world, send, now_us, word, answer)
    if end_us >= now_us + wait_ms * 1000:
        return _lost(world, send, word, now_us, wait_ms)
    _name_outcome(world, send)
    return _cut_short(world, send, now_us, end_us) if settings.heartbeats_close == 1 else end_us


@rule()
def _ask_through(world: World, send: Send, now_us: Us, wait_ms: Ms) -> int:
    """The same where processes and networks go away, routes change and connections close."""
    settings = world.settings
    send.code = codes.NO_CODE
    send.stored_us = -1
    if has_master(world, send, now_us) == 0:
        send.outcome = codes.NO_MASTER
        return now_us
    deadline_us = now_us + send.connect_us + wait_ms * 1000
    known_us = CONNECTED
    if settings.scripted == 1:
        known_us = world.script.connect(send, now_us, wait_ms)
    elif settings.connections_on == 1:
        known_us = connect(world, send, now_us, deadline_us)
    if known_us == LOST and wait_ms != GIVEN_UP:
        return _lost(world, send, _word_of(send), now_us, wait_ms)
    if known_us >= 0:
        return known_us
    answer = _answer_at(world, send, now_us)
    if answer & ~ANSWER_VALUE == ANSWER_REFUSE:
        send.outcome = codes.CONNECT_REFUSED
        return now_us + settings.refused_after_us
    if wait_ms == GIVEN_UP:
        send.outcome = codes.RESPONSE_TIMEOUT
        close_after_timeout(world, send, 0, now_us + send.connect_us)
        return now_us + send.connect_us
    return _arrived(world, send, now_us, wait_ms, answer)


@rule()
def read_by_broker(world: World, send: Send, now_us: Us, wait_ms: Ms) -> int:
    """`ask_broker` for a request that was sent before and is read only now: nothing can refuse or lose it any more."""
    send.code = codes.NO_CODE
    send.stored_us = -1
    answer = _answer_at(world, send, now_us)
    if answer & ~ANSWER_VALUE == ANSWER_REFUSE:
        answer = 0
    return _arrived(world, send, now_us, wait_ms, answer)


@rule()
def _arrived(world: World, send: Send, now_us: Us, wait_ms: Ms, answer: int) -> int:
    """The broker has the request: it serves it and answers, unless its process or the connection goes first."""
    settings, copies, word = world.settings, send.copies, _word_of(send)
    deadline_us = now_us + send.connect_us + wait_ms * 1000
    end_us = world.script.serve(send, now_us) if settings.scripted == 1 else serve(world, send, now_us, word, answer)
    if settings.routes_on == 1 and send.copies > copies:
        create_on(world, send.topic, send.broker)
    if settings.connections_on == 1:
        goes_us = goes_down_at(world, send.broker, now_us)
        if end_us > goes_us:
            end_us = cut_at(world, send, goes_us)
            if LOST < end_us < deadline_us:
                return _cut_short(world, send, now_us, end_us)
            return _lost(world, send, word, now_us, wait_ms)
    if end_us < FAR:
        end_us = answer_arrives(world, send, now_us, end_us + send.connect_us)
    if end_us >= deadline_us:
        return _lost(world, send, word, now_us, wait_ms)
    _name_outcome(world, send)
    return _cut_short(world, send, now_us, end_us)
