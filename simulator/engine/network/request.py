"""One request on its way: connection, broker, answer; what the client then knows, and when."""

from __future__ import annotations

from simulator import codes
from simulator.client.sending.send_loop import GIVEN_UP
from simulator.compiled.jit import rule
from simulator.compiled.records import Ms, Us
from simulator.engine.memory.client_kind import GRPC
from simulator.engine.memory.periods_table import ANSWER_REFUSE, ANSWER_VALUE
from simulator.engine.memory.send import Attempt
from simulator.engine.memory.settings import FAR
from simulator.engine.memory.world import World
from simulator.engine.network.connection import LOST, answer_arrives, connect, cut_at, goes_down_at
from simulator.engine.network.cutting import close_after_timeout
from simulator.engine.network.outcome import cut_short, lost, name_outcome, word_of
from simulator.engine.network.serving import answer_at, answer_over_connection, served
from simulator.engine.network.way_times import round_trip_us
from simulator.engine.routes.addresses import has_address
from simulator.engine.shared.threads import client_of, producer_of


@rule(inlined=True)
def has_master(world: World, send: Attempt, now_us: Us) -> int:
    """Whether the producer has an address to which the request of a send can go."""
    if world.settings.routes_on == 1 and client_of(world, send.thread).kind != GRPC:  # a proxy's queues have addresses
        return has_address(world, producer_of(world, send), send.broker, now_us)
    return world.brokers[send.broker].has_master


@rule()
def ask_broker(world: World, send: Attempt, now_us: Us, wait_ms: Ms) -> int:
    """Send a request to its broker: sets its outcome, code and copies; gives when the client knows.

    `wait_ms` is what is waited for the answer once connecting, which took `connect_us`, is done.
    """
    settings = world.settings
    send.code = codes.NO_CODE
    send.stored_us = -1
    if has_master(world, send, now_us) == 0:
        send.outcome = codes.NO_MASTER
        return now_us
    if settings.connections_on == 1:
        known_us = connect(world, send, now_us, wait_ms)
        if known_us == LOST and wait_ms != GIVEN_UP:
            return lost(world, send, word_of(send), now_us, wait_ms)
        if known_us >= 0:
            return known_us
    answer = answer_at(world, send, now_us)
    if answer & ~ANSWER_VALUE == ANSWER_REFUSE:
        send.outcome = codes.CONNECT_REFUSED
        return now_us + settings.refused_after_us + round_trip_us(world, send, now_us)
    if wait_ms == GIVEN_UP:
        send.outcome = codes.RESPONSE_TIMEOUT
        close_after_timeout(world, send, 0, now_us + send.connect_us)
        return now_us + send.connect_us
    if settings.networks_on == 1:
        return world.late.send_over_network(world, send, now_us, wait_ms)
    return _arrived(world, send, now_us, wait_ms, answer)


@rule()
def read_by_broker(world: World, send: Attempt, now_us: Us, wait_ms: Ms) -> int:
    """`ask_broker` for a request that was sent before and is read only now: nothing can refuse or lose it any more."""
    send.code = codes.NO_CODE
    send.stored_us = -1
    return _arrived(world, send, now_us, wait_ms, answer_over_connection(world, send, now_us))


@rule(inlined=True)
def _arrived(world: World, send: Attempt, now_us: Us, wait_ms: Ms, answer: int) -> int:
    """The broker has the request: it serves it and answers, unless its process or the connection goes first."""
    word, deadline_us = word_of(send), now_us + send.connect_us + wait_ms * 1000
    end_us = served(world, send, now_us, word, answer)
    if world.settings.connections_on == 1:
        goes_us = goes_down_at(world, send.broker, now_us)
        if end_us > goes_us:
            end_us = cut_at(world, send, goes_us)
            if LOST < end_us < deadline_us:
                return cut_short(world, send, now_us, end_us)
            return lost(world, send, word, now_us, wait_ms)
    if end_us < FAR:
        end_us = answer_arrives(world, send, now_us, end_us + send.connect_us)
    if end_us >= deadline_us:
        return lost(world, send, word, now_us, wait_ms)
    name_outcome(world, send)
    return cut_short(world, send, now_us, end_us)
