"""What a broker does with a request beyond serving it: refusals, commit log, flush, slaves, outages of its process."""

from __future__ import annotations

from typing import NamedTuple

from simulator import codes
from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.broker.commit_log import append
from simulator.engine.broker.replication import confirmed_at, note_sent, slaves_at
from simulator.engine.broker.send_queue import scan_at
from simulator.engine.broker.survival import kept_after
from simulator.engine.broker.waiting import answered_at
from simulator.engine.memory.periods_table import DOWN, NO_PERIOD
from simulator.engine.memory.replica import MASTER
from simulator.engine.memory.send import Attempt
from simulator.engine.memory.settings import FAR, NEVER_MS
from simulator.engine.memory.world import World
from simulator.engine.shared.periods import next_period, periods_of
from simulator.engine.shared.rows import put_append
from simulator.engine.shared.threads import message_of


@rule()
def _scanned_at(world: World, broker: int, now_us: Us, over_age_us: Us) -> int:
    """The first scan of fast failure that finds a request over age, or the page cache busy."""
    state = world.broker_states[broker]
    leave = scan_at(world, broker, over_age_us)
    if state.busy_from_us > now_us:
        drain = scan_at(world, broker, state.busy_from_us)
        if drain < state.busy_until_us:
            leave = min(leave, drain)
    return leave


@rule(inlined=True)
def leaves_unserved(world: World, broker: int, queued_us: Us, now_us: Us, start_us: Us) -> int:
    """When fast failure takes a request that came at `now_us` out of the send queue, FAR if a thread does before.

    start_us: when a thread is free for it.
    """
    expiry_ms = world.brokers[broker].expiry_ms
    over_age_us = (queued_us // 1000 + expiry_ms) * 1000
    if expiry_ms >= NEVER_MS or (start_us <= over_age_us and world.broker_states[broker].busy_from_us <= now_us):
        return FAR
    return _scanned_at(world, broker, now_us, over_age_us)


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
def refusal_of(world: World, send: Attempt, at_us: Us) -> int:
    """Code of a put that is refused before anything is written, else 0 (SendMessageProcessor, msgCheck and store)."""
    broker = send.broker
    fixed, state = world.brokers[broker], world.broker_states[broker]
    limit = _queues_of(world, send.topic, broker, at_us)
    if limit > 0 and send.queue_id >= limit:
        return fixed.queue_id_code
    if world.replicas[broker].role != MASTER:
        return fixed.slave_code
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
    """A request that a send thread works on."""

    written_us: Us
    held_us: Us  # until then the thread waits
    waited_us: Us  # until then the answer does
    left_us: Us  # work that is left then


@rule()
def next_outage(world: World, broker: int, now_us: Us) -> NextOutage:
    """The outage that is not over at `now_us`."""
    down = next_period(world, periods_of(world, broker, DOWN), now_us)
    if down == NO_PERIOD:
        return NextOutage(FAR, FAR)
    return NextOutage(world.timetable[down].at_us, world.timetable[down].until_us)


@rule()
def refused_at_once(world: World, broker: int, now_us: Us) -> int:
    """Code of a request that needs no send thread, else 0."""
    fixed, state = world.brokers[broker], world.broker_states[broker]
    if fixed.slave_rejects == 1 and world.replicas[broker].role != MASTER:
        return fixed.slave_code
    if state.busy_from_us <= now_us < state.busy_until_us:
        return codes.SYSTEM_BUSY
    return 0


@rule()
def store(world: World, send: Attempt, now_us: Us, put: Put, word: int, outage: NextOutage) -> Put:
    """Append the message of a request that came at `now_us` and of which a thread begins the put.

    The append comes first in the service, so that the commit log's lock is taken in the order of the service starts;
    then the flush and the slaves are waited for, then comes the rest of the service time. A process that goes away
    (table DOWN) takes with it what has not been appended.
    """
    broker = send.broker
    message, fixed, state = message_of(world, send), world.brokers[broker], world.broker_states[broker]
    append_us = fixed.append_us + message.message_bytes * fixed.append_per_kib_us // 1024
    appended_us = append(world, broker, now_us, put.written_us, append_us)
    left_us = max(put.left_us - append_us, 0)
    if appended_us >= outage.away_us:
        state.lock_free_us = min(state.lock_free_us, outage.back_us)
        return Put(appended_us, appended_us, appended_us, left_us)
    message.copies += 1
    send.stored_us = appended_us
    if fixed.slaves > 0:
        note_sent(world, send, appended_us)
    kept = kept_after(world, send, now_us, appended_us, word)
    world.replicas[broker].log_end += message.message_bytes
    message.kept += kept  # 0 where a copy whose fate is open has given the message another record
    waited_us = answered_at(world, send, appended_us, word)
    if world.output.appends.room > 0:
        if fixed.confirms == 0:
            put_append(world, send)
        elif kept == 1:
            send.stored_us = confirmed_at(world, send, appended_us, word)
            put_append(world, send)
    return Put(appended_us, appended_us if fixed.frees_thread == 1 else waited_us, waited_us, left_us)
