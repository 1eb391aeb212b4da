"""The asynchronous flush of a broker's commit log, put by put: what is on the disk when the power is lost.

A copy's fate is open until the flush thread has its position, or the power is gone before. The row of its message
waits for that (shared/open_messages.py). Only for brokers that lose power; everything is worked out from the first put
on.

Source: rocketmq 4.2.0-5.3.3, CommitLog.FlushRealTimeService (flushIntervalCommitLog, flushCommitLogLeastPages,
flushCommitLogThoroughInterval; flushCommitLogTimed, true since 4.9.1), MappedFile.isAbleToFlush.
"""

from __future__ import annotations

import numpy as np

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.broker.waiting import flush_us
from simulator.engine.memory.events import UNFLUSHED
from simulator.engine.memory.periods_table import SPEED, STALL
from simulator.engine.memory.send import Attempt, UnflushedCopy
from simulator.engine.memory.world import World
from simulator.engine.shared import heap
from simulator.engine.shared.open_messages import open_copy
from simulator.engine.shared.periods import end_with_disk, periods_of, skip_past
from simulator.kernel.pools import take
from simulator.kernel.randomness import mix, signed

INTERVAL_US = 500_000  # flushIntervalCommitLog
THOROUGH_INTERVAL_US = 10_000_000  # flushCommitLogThoroughInterval
LEAST_PAGES = 4  # flushCommitLogLeastPages
PAGE_BYTES = 4096

# fate of a copy
GONE = 0
KEPT = 1
OPEN = 2


@rule()
def _restart(world: World, broker: int) -> None:
    """The process was away and is back: its log is what was written, or after a power loss what was flushed."""
    state, replica = world.broker_states[broker], world.replicas[broker]
    if state.restart_us < 0:
        done = state.flush_done_us <= state.outage_us
        replica.log_end = state.flushed_bytes if done else state.flushed_before
    back_us = abs(state.restart_us)
    state.flushed_bytes = replica.log_end
    state.flushed_before = replica.log_end
    state.flush_done_us = back_us
    state.thorough_us = back_us
    state.check_us = back_us + INTERVAL_US
    state.restart_us = 0


@rule()
def _look(world: World, broker: int) -> None:
    """The flush thread looks at `check_us`: it flushes four dirty pages, and every ten seconds whatever is dirty."""
    state = world.broker_states[broker]
    now_us = state.check_us
    least = LEAST_PAGES
    if now_us >= state.thorough_us + THOROUGH_INTERVAL_US:
        state.thorough_us = now_us
        least = 0
    written, flushed = world.replicas[broker].log_end, state.flushed_bytes
    end_us = now_us
    if written > flushed and written // PAGE_BYTES - flushed // PAGE_BYTES >= least:
        phase_us = world.brokers[broker].scan_phase_us
        word = signed(mix(np.uint64(now_us) ^ mix(np.uint64(phase_us))) >> np.uint64(32))
        end_us = end_with_disk(world, broker, now_us, flush_us(world, broker, word))
        state.flushed_before = flushed
        state.flushed_bytes = written
        state.flush_done_us = end_us
    state.check_us = end_us + INTERVAL_US


@rule()
def _advance(world: World, broker: int, until_us: Us) -> None:
    """Let the flush thread look as often as it does before `until_us`; every put before then is known."""
    state = world.broker_states[broker]
    if state.check_us == 0:
        phase_us = world.brokers[broker].scan_phase_us
        state.check_us = phase_us % INTERVAL_US + 1
        state.thorough_us = phase_us - THOROUGH_INTERVAL_US
    while state.check_us < until_us:
        if state.restart_us != 0 and state.check_us >= state.outage_us:
            _restart(world, broker)
        else:
            _look(world, broker)


@rule()
def _skip_past(world: World, broker: int, now_us: Us) -> None:
    """Leave behind the periods that hold a flush up and are over."""
    skip_past(world, periods_of(world, broker, SPEED), now_us)
    skip_past(world, periods_of(world, broker, STALL), now_us)


@rule()
def note_put(world: World, broker: int, now_us: Us, at_us: Us, body_bytes: int) -> int:
    """Where a put that is written at `at_us` ends in the commit log. `now_us`: when its request arrived."""
    state = world.broker_states[broker]
    _skip_past(world, broker, now_us)
    _advance(world, broker, at_us)
    if world.brokers[broker].flush_timed == 0:
        # A put wakes the thread, or if it is flushing lets it look again at once.
        state.check_us = min(state.check_us, max(at_us, state.flush_done_us))
    return world.replicas[broker].log_end + body_bytes


@rule()
def note_outage(world: World, broker: int, away_us: Us, back_us: Us) -> None:
    """The next outage that is known; `back_us` below 0: what is not flushed then is lost."""
    state = world.broker_states[broker]
    if state.restart_us == 0:
        state.outage_us = away_us
        state.restart_us = back_us


@rule()
def await_flush(world: World, send: Attempt, position: int, lost_us: Us) -> None:
    """The copy of a send that ends at `position` of its broker's log is lost if it is not flushed at `lost_us`."""
    copy = take(world, world.clock.unflushed, world.unflushed)
    copy.broker = send.broker
    copy.position = position
    open_copy(world, send)
    copy.message = send.message
    copy.lost_us = lost_us
    copy.topic = send.topic
    copy.queue_id = send.queue_id
    copy.count = world.thread_kinds[world.threads[send.thread].group].batch
    copy.thread = send.thread
    copy.draw = send.draw
    heap.push(world, min(world.broker_states[send.broker].check_us, lost_us), UNFLUSHED, copy.number)


@rule()
def look_again(world: World, copy: UnflushedCopy, now_us: Us) -> int:
    """Whether a copy is kept (KEPT or GONE), or else OPEN: it waits for the next look of the flush thread."""
    broker, lost_us = copy.broker, copy.lost_us
    state = world.broker_states[broker]
    _skip_past(world, broker, now_us)
    _advance(world, broker, min(now_us + 1, lost_us))
    covered = state.flushed_bytes >= copy.position
    if not covered and now_us < lost_us:
        heap.push(world, min(state.check_us, lost_us), UNFLUSHED, copy.number)
        return OPEN
    done = covered and state.flush_done_us <= lost_us
    return KEPT if done or state.flushed_before >= copy.position else GONE
