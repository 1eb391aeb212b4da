"""The way between a producer and a broker: processes that are away, networks that are cut or lose packets.

Only for runs in which such a thing happens (settings.connections_on), or while a connection is closed. Everything that
will happen to a broker within a time-out is known when a request is sent, so its fate is settled then. A connection is
a number: 0 = open, or the time from which on it is closed. Source: rocketmq 4.2.0-5.3.3,
NettyRemotingClient.invokeSync, getAndCreateChannel, closeChannel and failFast.
"""

from __future__ import annotations

from simulator import codes
from simulator.compiled.jit import rule
from simulator.compiled.records import Ms, Us
from simulator.engine.memory.links import Link
from simulator.engine.memory.periods_table import (
    ANSWER,
    ANSWER_REFUSE,
    ANSWER_VALUE,
    DOWN,
    DOWN_FROZEN,
    LAST_CLOSING,
    LINK_CUT,
    LOSS_RTO,
    NO_PERIOD,
    PeriodTable,
)
from simulator.engine.memory.send import Attempt
from simulator.engine.memory.settings import FAR
from simulator.engine.memory.world import World
from simulator.engine.network.old_masters import DEPOSED, FROZEN, MUTE, PRESENT, REFUSES, state_of_old_master
from simulator.engine.network.way_times import answer_us, probe_us, round_trip_us
from simulator.engine.shared.periods import period_at, periods_of, skip_past, value_at
from simulator.engine.shared.threads import asker_of, client_of
from simulator.kernel.randomness import ATTEMPT_CONNECT_LATE, ATTEMPT_RETRANSMITTED, attempt_word, below, mix

CONNECTED = -1
LOST = -2  # the request or its answer is lost: a time-out
RETRANSMISSIONS_MAX = 15  # net.ipv4.tcp_retries2
PPM = 1_000_000


@rule(inlined=True)
def link_of(world: World, group: int, broker: int) -> Link:
    """The network between a group of producers and a broker."""
    return world.links[group * world.settings.brokers + broker]


@rule()
def _own_link(world: World, send: Attempt) -> Link:
    return link_of(world, world.threads[send.thread].group, send.broker)


@rule()
def link_at(world: World, periods: PeriodTable, now_us: Us) -> int:
    """Value of a table of links at `now_us`, 0 if no period holds."""
    return value_at(world, periods, now_us, 0)


@rule()
def slow_answer_us(world: World, group: int, broker: int, now_us: Us) -> int:
    """Microseconds that an answer takes longer over a slow link that is asked for at `now_us`."""
    if world.settings.links_on == 0:
        return 0
    return max(link_at(world, link_of(world, group, broker).cuts, now_us), 0)


@rule()
def link_delay(world: World, group: int, broker: int, now_us: Us) -> int:
    """Microseconds that a probe and its answer are under way."""
    return slow_answer_us(world, group, broker, now_us) + probe_us(world, group, broker, now_us)


@rule()
def after_cut(world: World, send: Attempt, now_us: Us, at_us: Us) -> int:
    """`at_us`, or the end of the cut that holds then: lost packets are sent again until they pass."""
    cuts = _own_link(world, send).cuts
    skip_past(world, cuts, now_us)
    for i in range(cuts.cursor, cuts.count):
        cut = world.timetable[cuts.first + i]
        if cut.at_us > at_us:
            break
        if cut.value == LINK_CUT:
            at_us = max(at_us, cut.until_us)
    return at_us


@rule()
def goes_down_at(world: World, broker: int, now_us: Us) -> int:
    """When the broker's process next goes away, FAR if it does not."""
    periods = periods_of(world, broker, DOWN)
    for i in range(periods.cursor, periods.count):
        at_us = world.timetable[periods.first + i].at_us
        if at_us > now_us:
            return at_us
    return FAR


@rule()
def _connection_of(world: World, send: Attempt) -> int:
    """Place in world.connections of the connection over which a record sends."""
    return asker_of(world, send) * world.settings.brokers + send.broker


@rule(inlined=True)
def connecting_us(world: World, send: Attempt, now_us: Us) -> int:
    """Microseconds that connecting takes before the request of a send can be sent; 0 if it is open."""
    if world.settings.connections_on == 0 and world.clock.closed == 0:
        return 0
    return _connect_time(world, send, now_us)


@rule()
def _connect_time(world: World, send: Attempt, now_us: Us) -> int:
    """Time to open the connection: a round trip, as for a refusal. `connect` reports one that fails."""
    if world.settings.scripted == 1:
        return world.script.connecting(send, now_us)
    connection = _connection_of(world, send)
    closed_us = world.connections[connection]
    if closed_us == 0 or closed_us > now_us:
        return 0
    away = is_away(world, send, now_us)
    if away != PRESENT and away != FROZEN and away != DEPOSED:
        return 0
    if value_at(world, periods_of(world, send.broker, ANSWER), now_us, 0) & ~ANSWER_VALUE == ANSWER_REFUSE:
        return 0
    world.connections[connection] = 0
    world.clock.closed -= 1
    if world.settings.heartbeats_close == 1:
        world.opened[connection] = now_us
    late_us = slow_answer_us(world, world.threads[send.thread].group, send.broker, now_us)
    return world.settings.refused_after_us + late_us + round_trip_us(world, send, now_us)


@rule()
def is_away(world: World, send: Attempt, now_us: Us) -> int:
    """PRESENT if packets pass and the process is there, REFUSES connections, MUTE if nothing answers, ...

    FROZEN: the process stands still and another machine takes over from it; DEPOSED: it is a slave by now.
    """
    place = period_at(world, periods_of(world, send.broker, DOWN), now_us)
    if world.settings.links_on == 1 and link_at(world, _own_link(world, send).cuts, now_us) == LINK_CUT:
        return MUTE
    if place != NO_PERIOD:
        how = world.timetable[place].value
        if how <= LAST_CLOSING:
            return REFUSES
        return FROZEN if how == DOWN_FROZEN else MUTE
    if world.settings.routes_on == 1 and world.brokers[send.broker].is_set == 1:
        return state_of_old_master(world, asker_of(world, send), send.broker)
    return PRESENT


@rule()
def connect(world: World, send: Attempt, now_us: Us, wait_ms: Ms) -> int:
    """CONNECTED if the request reaches the broker, LOST if it gets lost, else when the client knows (sets the outcome).

    wait_ms: what is waited for the answer once connected. Only where settings.connections_on is 1. A connection that is
    open when the network is cut stays so until a time-out closes it; from then on connects time out. A cut that ends
    before the deadline only delays.
    """
    if world.settings.scripted == 1:
        return world.script.connect(send, now_us, wait_ms)
    away = is_away(world, send, now_us)
    if away == PRESENT:
        return CONNECTED
    settings, closed_us = world.settings, world.connections[_connection_of(world, send)]
    if away in (REFUSES, DEPOSED):
        send.outcome = codes.CONNECT_REFUSED
        if away == REFUSES:
            close(world, send, now_us)
        else:
            send.outcome, send.code = codes.BROKER_ERROR, world.brokers[send.broker].slave_code
        return now_us + settings.refused_after_us + round_trip_us(world, send, now_us)
    if away == FROZEN:
        return LOST
    if closed_us != 0 and closed_us <= now_us:
        send.outcome = codes.CONNECT_REFUSED
        late_us = below(attempt_word(send.draw, ATTEMPT_CONNECT_LATE, send.attempt), settings.timeout_spread_us)
        return now_us + client_of(world, send.thread).connect_timeout_us + settings.timeout_notice_us + late_us
    place = period_at(world, periods_of(world, send.broker, DOWN), now_us)
    if place != NO_PERIOD:
        close(world, send, world.timetable[place].until_us)  # the machine that is back knows nothing of the connection
        return LOST
    if settings.links_on == 0 or link_at(world, _own_link(world, send).cuts, now_us) != LINK_CUT:
        return LOST  # the machine of an old master that answers nobody
    deadline_us = now_us + send.connect_us + wait_ms * 1000
    return CONNECTED if after_cut(world, send, now_us, now_us) < deadline_us else LOST


@rule()
def close(world: World, send: Attempt, at_us: Us) -> None:
    """The connection closes at `at_us`, if nothing closes it before."""
    connection = _connection_of(world, send)
    if world.connections[connection] == 0:
        world.clock.closed += 1
        world.connections[connection] = at_us
    world.connections[connection] = min(world.connections[connection], at_us)


@rule()
def opened_at(world: World, send: Attempt) -> int:
    """Since when the connection stands over which a record sends; only where heartbeats close some."""
    return world.opened[_connection_of(world, send)]


@rule()
def closes_at(world: World, send: Attempt, now_us: Us) -> int:
    """When the connection over which a record sends will close, as far as is known; FAR if it will not."""
    at_us = world.connections[_connection_of(world, send)]
    return at_us if at_us > now_us else FAR


@rule(inlined=True)
def answer_arrives(world: World, send: Attempt, now_us: Us, end_us: Us) -> int:
    """When the answer that leaves the broker at `end_us` is there: retransmissions, added latency, cuts."""
    return _over_link(world, send, now_us, end_us) if world.settings.links_on == 1 else end_us


@rule()
def _over_link(world: World, send: Attempt, now_us: Us, end_us: Us) -> int:
    """The same over a network that is cut, slow or loses packets."""
    link = _own_link(world, send)
    end_us += max(link_at(world, link.cuts, now_us), 0)
    loss = link_at(world, link.losses, now_us)
    if loss > 0:
        word = attempt_word(send.draw, ATTEMPT_RETRANSMITTED, send.attempt)
        rto_us = loss // LOSS_RTO
        for _ in range(RETRANSMISSIONS_MAX):
            word = mix(word)
            if below(word, PPM) >= loss % LOSS_RTO:
                break
            end_us += rto_us
            rto_us *= 2
    return after_cut(world, send, now_us, end_us)


@rule()
def cut_at(world: World, send: Attempt, down_us: Us) -> int:
    """When the client sees the connection close of a broker whose process goes away at `down_us`, or LOST.

    Up to 4.2.0 nobody tells those who wait for an answer. A machine without power closes nothing until it is back.
    """
    outage = world.timetable[_outage_from(world, send.broker, down_us)]
    if outage.value > LAST_CLOSING:
        close(world, send, outage.until_us)
        return LOST
    seen_us = down_us + answer_us(world, send)
    close(world, send, seen_us)
    if client_of(world, send.thread).fails_fast == 0:
        return LOST
    send.outcome = codes.SEND_FAILURE
    send.code = codes.NO_CODE
    return seen_us


@rule()
def _outage_from(world: World, broker: int, at_us: Us) -> int:
    """Place in the timetable of the outage that begins at `at_us`."""
    periods = periods_of(world, broker, DOWN)
    place = periods.first + periods.cursor
    while world.timetable[place].at_us < at_us:
        place += 1
    return place
