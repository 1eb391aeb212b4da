"""Which copies outlive what happens to a broker: a killed process, a power loss, a lost disk."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.broker.flushing import await_flush, note_outage, note_put
from simulator.engine.broker.replication import copied_at, taken_at
from simulator.engine.broker.waiting import flushed_at
from simulator.engine.memory.periods_table import (
    DOWN,
    DOWN_DISK,
    DOWN_FROZEN,
    DOWN_KILL,
    DOWN_MUTE,
    DOWN_POWER,
    DOWN_TAKEN,
)
from simulator.engine.memory.send import Attempt
from simulator.engine.memory.settings import FAR
from simulator.engine.memory.world import World
from simulator.engine.shared.periods import periods_of
from simulator.engine.shared.rows import LostCopy, put_lost
from simulator.engine.shared.threads import message_of

COMMIT_TICK_US = 200_000  # commitIntervalCommitLog


@rule()
def _note_in_log(world: World, send: Attempt, now_us: Us, at_us: Us, place: int, end: int) -> int:
    """Tell the asynchronous flush of the put, and of the next outage, at `place` if below `end`; where the put ends."""
    away_us = world.timetable[place].at_us if place < end else FAR
    position = note_put(world, send.broker, now_us, min(at_us, away_us), message_of(world, send).message_bytes)
    if place < end:
        outage = world.timetable[place]
        note_outage(world, send.broker, away_us, -outage.until_us if outage.value == DOWN_POWER else outage.until_us)
    return position


@rule()
def _lose(world: World, send: Attempt, at_us: Us) -> None:
    """The copy of a send is gone then; nobody has read it where readers wait for the sync set."""
    if world.brokers[send.broker].confirms == 1:
        return
    count = world.thread_kinds[world.threads[send.thread].group].batch
    put_lost(world, LostCopy(send.topic, send.broker, send.queue_id, count, send.thread, send.draw), at_us)


@rule()
def kept_after(world: World, send: Attempt, now_us: Us, at_us: Us, word: int) -> int:
    """1 if the copy of a send, appended at `at_us`, outlives everything that is known to happen, else 0.

    A kill takes what a transient store pool has not committed, a power loss what is not flushed, a lost disk all; a
    copy that a slave had by then is kept; where another machine takes over nothing else is. A shutdown writes
    everything. Of outages further off than they are announced only lost disks matter. 0 too if it depends on a flush
    that is still to come: then it is waited for.
    """
    broker = send.broker
    fixed = world.brokers[broker]
    periods = periods_of(world, broker, DOWN)
    lost_us = fixed.disk_lost_us
    place, end = periods.first + periods.cursor, periods.first + periods.count
    if place >= end and at_us >= lost_us and at_us >= fixed.power_lost_us:
        return 1
    while place < end and world.timetable[place].at_us < at_us:
        place += 1
    committed_us = at_us
    if fixed.transient_pool == 1:
        committed_us = at_us + (fixed.scan_phase_us - at_us) % COMMIT_TICK_US
    flushed_us, position = FAR, 0
    if fixed.sync_flush == 1:
        flushed_us = flushed_at(world, broker, at_us, word)
    elif at_us < fixed.power_lost_us:
        position = _note_in_log(world, send, now_us, committed_us, place, end)
    copied_us = FAR
    if fixed.slaves > 0:
        copied_us = copied_at(world, send, at_us, word, min(max(fixed.acks, 1), fixed.slaves))
    outlives = 1 if at_us >= lost_us or copied_us < lost_us else 0
    for i in range(place, end):
        outage = world.timetable[i]
        away_us, value = outage.at_us, outage.value
        is_open = value == DOWN_POWER and flushed_us > away_us
        is_taken = value in (DOWN_TAKEN, DOWN_MUTE, DOWN_FROZEN)
        if (value == DOWN_KILL and committed_us > away_us) or is_open or is_taken or value == DOWN_DISK:
            if is_taken and fixed.machine_latencies > 0 and fixed.confirms == 0:
                copied_us = taken_at(world, send, at_us, word, away_us)
            if copied_us <= away_us:
                return 1
            if is_open and fixed.sync_flush == 0 and committed_us <= away_us and outlives == 1:
                await_flush(world, send, position, away_us)
            else:
                _lose(world, send, away_us)
            return 0
    if outlives == 0:
        _lose(world, send, lost_us)
    return outlives
