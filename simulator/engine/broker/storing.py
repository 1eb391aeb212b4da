"""What a broker does with a request beyond plain service: commit log, flush, slaves, and when its process goes away."""

from __future__ import annotations

from typing import NamedTuple

from simulator import codes
from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.broker.commit_log import append
from simulator.engine.broker.replication import slaves_at
from simulator.engine.broker.send_queue import first_free, is_full, leave_queue, scan_at
from simulator.engine.broker.slowness import added_service_us
from simulator.engine.broker.survival import kept_after
from simulator.engine.broker.waiting import answered_at
from simulator.engine.memory.periods_table import ANSWER_CODE, ANSWER_VALUE, DOWN, NO_PERIOD, SLAVE
from simulator.engine.memory.send import Send
from simulator.engine.memory.settings import FAR, NEVER_MS
from simulator.engine.memory.world import World
from simulator.engine.shared.periods import end_of_work, next_period, periods_of, skip_past, start_after_standstill
from simulator.engine.shared.rows import put_append
from simulator.latency import service_us


@rule()
def _leaves_unserved(world: World, broker: int, now_us: Us) -> int:
    """When fast failure takes a request that arrives at `now_us` out of the send queue, if no thread does before."""
    state, expiry_ms = world.broker_states[broker], world.brokers[broker].expiry_ms
    if expiry_ms >= NEVER_MS:
        return FAR
    queued_us = start_after_standstill(world, broker, now_us)
    leave = scan_at(world, broker, (queued_us // 1000 + expiry_ms) * 1000)
    if state.busy_from_us > now_us:
        drain = scan_at(world, broker, state.busy_from_us)
        if drain < state.busy_until_us:
            leave = min(leave, drain)
    return leave


@rule()
def _queues_of(world: World, topic: int, broker: int, at_us: Us) -> int:
    """What a queue id must be below by the broker's own configuration of the topic at `at_us`, 0 if it has none."""
    own = world.limits[topic * world.settings.brokers + broker]
    limit = own.limit
    for i in range(own.first, own.first + own.count):
        change = world.limit_changes[i]
        if change.at_us > at_us:
            break
        limit = change.limit
    return limit


@rule()
def _refusal(world: World, send: Send, at_us: Us) -> int:
    """Code of a put that is refused before anything is written, else 0 (SendMessageProcessor, msgCheck and store)."""
    broker = send.broker
    fixed, state = world.brokers[broker], world.broker_states[broker]
    limit = _queues_of(world, send.topic, broker, at_us)
    if limit > 0 and send.queue_id >= limit:
        return fixed.queue_id_code
    if fixed.refusal_code != 0:
        return fixed.refusal_code
    if state.busy_from_us <= at_us < state.busy_until_us:
        return fixed.lock_busy_code
    if fixed.counts_replicas == 1 and slaves_at(world, broker, at_us) < fixed.acks:
        return codes.SYSTEM_ERROR
    return 0


class NextOutage(NamedTuple):
    """When the broker's process goes away next, and when it is back; FAR if it does not."""

    away_us: Us
    back_us: Us


class Put(NamedTuple):
    """A request that a send thread takes."""

    server: int  # number of the thread in world.servers
    start_us: Us
    word: int
    is_stored: bool


@rule()
def _next_outage(world: World, broker: int, now_us: Us) -> NextOutage:
    down = next_period(world, periods_of(world, broker, DOWN), now_us)
    if down == NO_PERIOD:
        return NextOutage(FAR, FAR)
    return NextOutage(world.timetable[down].at_us, world.timetable[down].until_us)


@rule()
def _refused_at_once(world: World, broker: int, now_us: Us) -> int:
    """Code of a request that needs no send thread, else 0."""
    fixed, state = world.brokers[broker], world.broker_states[broker]
    if fixed.rejects == 1:
        return fixed.refusal_code
    if state.busy_from_us <= now_us < state.busy_until_us or is_full(world, broker, now_us):
        return codes.SYSTEM_BUSY
    return 0


@rule()
def _unanswered(send: Send) -> int:
    """The process goes away with the request."""
    send.code = codes.NO_CODE
    return FAR


@rule()
def store(world: World, send: Send, now_us: Us, word: int, answer: int) -> int:
    """`service.serve` with everything: when the broker answers, FAR = never.

    The append comes first in the service, so that the commit log's lock is taken in the order of the service starts;
    then the flush and the slaves are waited for, then comes the rest of the service time. A process that goes away
    (table DOWN) takes with it what has not been appended; its send threads are free when it is back.
    """
    broker = send.broker
    skip_past(world, periods_of(world, broker, SLAVE), now_us)
    outage = _next_outage(world, broker, now_us)
    if outage.away_us <= now_us:
        return _unanswered(send)
    refused = _refused_at_once(world, broker, now_us)
    if refused != 0:
        send.code = refused
        return now_us + service_us(world.latencies[world.brokers[broker].latency].edges, 0)
    free = first_free(world, broker, now_us)
    start = start_after_standstill(world, broker, max(now_us, world.servers[free]))
    leave = _leaves_unserved(world, broker, now_us) if start > now_us else FAR
    if min(start, leave) >= outage.away_us:
        leave_queue(world, broker, outage.away_us)
        return _unanswered(send)
    if start > leave:
        leave_queue(world, broker, leave)
        send.code = codes.SYSTEM_BUSY
        return leave
    leave_queue(world, broker, start)
    refusal = _refusal(world, send, start)
    if refusal != 0:
        send.code = refusal
        fastest_us = service_us(world.latencies[world.brokers[broker].latency].edges, 0)
        world.servers[free] = end_of_work(world, broker, start, fastest_us)
        return world.servers[free] if world.servers[free] <= outage.away_us else FAR
    return _work(world, send, now_us, Put(free, start, word, answer & ~ANSWER_VALUE != ANSWER_CODE), outage)


@rule()
def _work(world: World, send: Send, now_us: Us, put: Put, outage: NextOutage) -> int:
    """When the broker answers a request that came at `now_us`, FAR = never."""
    broker = send.broker
    fixed, state = world.brokers[broker], world.broker_states[broker]
    work_us = service_us(world.latencies[fixed.latency].edges, put.word)
    if world.settings.added_latencies >= 0:
        work_us += added_service_us(world, broker, now_us, put.word)
    appended_us = put.start_us
    if put.is_stored:
        append_us = fixed.append_us + send.message_bytes * fixed.append_per_kib_us // 1024
        appended_us = append(world, broker, now_us, put.start_us, append_us)
        work_us = max(work_us - append_us, 0)
    if appended_us >= outage.away_us:
        world.servers[put.server] = outage.back_us
        state.lock_free_us = min(state.lock_free_us, outage.back_us)
        return _unanswered(send)
    done_us = appended_us
    if put.is_stored:
        send.copies += 1
        send.stored_us = appended_us
        kept = kept_after(world, send, now_us, appended_us, put.word)
        send.kept += kept
        if world.output.appends.room > 0:
            put_append(world, send, kept)
        done_us = answered_at(world, send, appended_us, put.word)
    held_us = appended_us if fixed.frees_thread == 1 else done_us
    world.servers[put.server] = end_of_work(world, broker, held_us, work_us * fixed.occupancy_ppm // 1_000_000)
    end_us = end_of_work(world, broker, done_us, work_us)
    if end_us > outage.away_us:
        world.servers[put.server] = outage.back_us
        return FAR
    return end_us
