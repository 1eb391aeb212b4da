"""A broker: send threads, a bounded send queue, fast failure. What its store adds to that: storing.py."""

from __future__ import annotations

from typing import NamedTuple

from simulator.codes import NO_CODE, SYSTEM_BUSY
from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.broker.send_queue import first_free, is_full, leave_queue
from simulator.engine.broker.slowness import added_service_us
from simulator.engine.broker.storing import (
    NextOutage,
    Put,
    leaves_unserved,
    next_outage,
    refusal_of,
    refused_at_once,
    store,
)
from simulator.engine.memory.periods_table import ANSWER_CODE, ANSWER_VALUE, DOWN, SLAVE, SPEED, STALL
from simulator.engine.memory.send import Attempt
from simulator.engine.memory.settings import FAR
from simulator.engine.memory.world import World
from simulator.engine.shared.periods import end_of_work, has_period, periods_of, skip_past, start_after_standstill
from simulator.engine.shared.rows import put_append
from simulator.engine.shared.threads import message_of
from simulator.kernel.latency import service_us

PPM = 1_000_000


class Accepted(NamedTuple):
    """A request that a send thread takes."""

    server: int  # number of the thread in world.servers
    start_us: Us
    word: int
    is_stored: bool
    is_plain: bool
    has_speeds: bool  # the broker is slow or stands still, or will be


@rule(inlined=True)
def _unanswered(send: Attempt) -> int:
    """The process goes away with the request."""
    send.code = NO_CODE
    return FAR


@rule(inlined=True)
def _done_at(world: World, broker: int, has_speeds: bool, start_us: Us, work_us: Us) -> int:
    """When work that begins then is done."""
    return end_of_work(world, broker, start_us, work_us) if has_speeds else start_us + work_us


@rule(inlined=True)
def _work(world: World, send: Attempt, now_us: Us, taken: Accepted, outage: NextOutage) -> int:
    """When the broker answers a request that came at `now_us`, FAR = never."""
    broker = send.broker
    fixed, start = world.brokers[broker], taken.start_us
    edges = world.latencies[fixed.latency].edges
    if not taken.is_plain:
        refusal = refusal_of(world, send, start)
        if refusal != 0:
            send.code = refusal
            world.servers[taken.server] = end_of_work(world, broker, start, service_us(edges, 0))
            return world.servers[taken.server] if world.servers[taken.server] <= outage.away_us else FAR
    work_us = service_us(edges, taken.word)
    if world.settings.added_latencies >= 0:
        work_us += added_service_us(world, broker, now_us, taken.word)
    put = Put(start, start, start, work_us)
    if taken.is_stored and not taken.is_plain:
        put = store(world, send, now_us, put, taken.word, outage)
    if put.written_us >= outage.away_us:
        world.servers[taken.server] = outage.back_us
        return _unanswered(send)
    end = _done_at(world, broker, taken.has_speeds, put.waited_us, put.left_us)
    if put.held_us == put.waited_us and fixed.occupancy_ppm == PPM:
        world.servers[taken.server] = end
    else:
        occupied_us = put.left_us * fixed.occupancy_ppm // PPM
        world.servers[taken.server] = _done_at(world, broker, taken.has_speeds, put.held_us, occupied_us)
    if end > outage.away_us:
        if world.servers[taken.server] > outage.away_us:
            world.servers[taken.server] = outage.back_us
        return FAR
    if taken.is_stored and taken.is_plain:
        message = message_of(world, send)
        message.copies += 1
        message.kept += 1
        send.stored_us = end
        if world.output.appends.room > 0:
            put_append(world, send)
    return end


@rule(inlined=True)
def serve(world: World, send: Attempt, now_us: Us, word: int, answer: int) -> int:
    """When its broker answers the request of a send, which gets its code and its copy; FAR = never.

    First come, first served, by the first send thread that is free, else by the one that is free first. The ring
    holds when the last `queue_capacity` requests leave the queue: if the oldest has not, that many are waiting.
    Fast failure (rocketmq 4.2.0-5.3.3, BrokerFastFailure) answers at the first scan at which a request has waited
    waitTimeMillsInSendQueue, whole milliseconds of both clocks; at a tie of a free thread and a scan the thread
    takes it. A process that stands still reads nothing: what arrives then is queued when it goes on, and its age counts
    from there (RequestTask.createTimestamp). Only what was queued before can be over age at once; each free thread
    takes one of it, and the scan clears the others. A process that goes away takes its requests with it; its send
    threads are free when it is back. Where the store costs nothing and nothing happens to it (`is_plain`), a message is
    stored as its service ends.
    """
    broker = send.broker
    fixed, state = world.brokers[broker], world.broker_states[broker]
    speed = periods_of(world, broker, SPEED)
    skip_past(world, speed, now_us)
    send.code = answer & ANSWER_VALUE
    stalls = has_period(world, periods_of(world, broker, STALL), now_us)
    goes_down = has_period(world, periods_of(world, broker, DOWN), now_us)
    is_plain = fixed.features == 0 and not stalls and not goes_down and state.lock_free_us <= now_us
    edges, outage, refused = world.latencies[fixed.latency].edges, NextOutage(FAR, FAR), 0
    if not is_plain:
        skip_past(world, periods_of(world, broker, SLAVE), now_us)
        outage = next_outage(world, broker, now_us)
        if outage.away_us <= now_us:
            return _unanswered(send)
        refused = refused_at_once(world, broker, now_us)
    if refused != 0 or is_full(world, broker, now_us):
        # A refusal that needs no send thread comes back as fast as the fastest answer.
        send.code = refused if refused != 0 else SYSTEM_BUSY
        return now_us + service_us(edges, 0)
    free, speeds = first_free(world, broker, now_us), speed.count > speed.cursor
    start, queued_us, leave = max(now_us, world.servers[free]), now_us, FAR
    if speeds:
        start = start_after_standstill(world, broker, start)
        queued_us = start_after_standstill(world, broker, now_us)
    if start > now_us:
        leave = leaves_unserved(world, broker, queued_us, now_us, start)
    if min(start, leave) >= outage.away_us:
        leave_queue(world, broker, outage.away_us)
        return _unanswered(send)
    if start > leave:
        leave_queue(world, broker, leave)
        send.code = SYSTEM_BUSY
        return leave
    leave_queue(world, broker, start)
    is_stored = answer & ~ANSWER_VALUE != ANSWER_CODE
    return _work(world, send, now_us, Accepted(free, start, word, is_stored, is_plain, speeds), outage)
