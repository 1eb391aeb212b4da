"""What a stored message is waited for before it is answered: the flush and the slaves."""

from __future__ import annotations

import numpy as np

from simulator import codes
from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.broker.replication import copied_at, slave_period_at, slaves_at
from simulator.engine.memory.periods_table import NO_PERIOD, SLAVE_LAG, SLAVE_RATE
from simulator.engine.memory.send import Attempt
from simulator.engine.memory.settings import FAR
from simulator.engine.memory.world import World
from simulator.engine.shared.periods import end_with_disk
from simulator.engine.shared.threads import message_of
from simulator.kernel.latency import service_us
from simulator.kernel.randomness import mix, signed

FLUSH_WORD = 0xF1054  # so that a flush draws otherwise than the service time
SLAVE_FALL_BEHIND_MAX = 256 * 1024 * 1024  # MessageStoreConfig.haSlaveFallbehindMax


@rule()
def flush_us(world: World, broker: int, word: int) -> int:
    """How long the flush takes that the message of `word` begins."""
    table = world.latencies[world.brokers[broker].flush_latency]
    return service_us(table.edges, signed(mix(np.uint64(word + FLUSH_WORD)) >> np.uint64(32)))


@rule()
def flushed_at(world: World, broker: int, at_us: Us, word: int) -> int:
    """When the group commit ends that covers what was appended at `at_us`.

    A flush covers all that was appended when it begins; the next begins when it ends, if something waits, and a
    thread that has nothing to do is woken at once (CommitLog.GroupCommitService, 4.2.0-5.3.3).
    """
    state = world.broker_states[broker]
    if state.flush_end_us == 0 or at_us > state.flush_begin_us:
        begin_us = max(at_us, state.flush_end_us)
        state.flush_begin_us = begin_us
        state.flush_end_us = end_with_disk(world, broker, begin_us, flush_us(world, broker, word))
    return state.flush_end_us


@rule()
def _fell_behind(world: World, send: Attempt, at_us: Us) -> int:
    """Whether the slaves lag by haSlaveFallbehindMax, counting from the begin of the period if they copy nothing."""
    place = slave_period_at(world, send.broker, at_us)
    if place == NO_PERIOD or world.timetable[place].value % SLAVE_RATE != SLAVE_LAG:
        return 0
    state, since_us = world.broker_states[send.broker], world.timetable[place].at_us + 1
    per_s = world.timetable[place].value // SLAVE_RATE
    if per_s > 0:
        return 1 if (state.sent_us - at_us) // 1_000 * per_s // 1_000 >= SLAVE_FALL_BEHIND_MAX else 0
    replica = world.replicas[send.broker]
    if state.lag_since_us != since_us:
        state.lag_since_us = since_us
        replica.copied_to = replica.log_end - message_of(world, send).message_bytes
    return 1 if replica.log_end - replica.copied_to >= SLAVE_FALL_BEHIND_MAX else 0


@rule()
def answered_at(world: World, send: Attempt, at_us: Us, word: int) -> int:
    """When nothing more is waited for, of a message appended at `at_us`; sets the send's code to the SendStatus.

    The status of the slaves overrides that of the disk (CommitLog.handleDiskFlushAndHA; handleHA after
    handleDiskFlush up to 4.9.8). Up to 4.9.8 a slave that is away or too far behind is not waited for; 5.0.0+
    counts acknowledgements and waits for them.
    """
    broker = send.broker
    fixed = world.brokers[broker]
    done_us, status = at_us, 0
    if fixed.sync_flush == 1:
        done_us = flushed_at(world, broker, at_us, word)
        if done_us > at_us + fixed.flush_timeout_us:
            done_us, status = at_us + fixed.flush_timeout_us, codes.FLUSH_DISK_TIMEOUT
    if fixed.acks > 0:
        behind = _fell_behind(world, send, at_us)
        if fixed.checks_slave == 1 and (behind == 1 or slaves_at(world, broker, at_us) == 0):
            status = codes.SLAVE_NOT_AVAILABLE
        elif fixed.confirms == 0 or slaves_at(world, broker, at_us) > 0:
            copied_us = FAR
            if fixed.slaves >= fixed.acks:
                copied_us = copied_at(world, send, at_us, word, fixed.acks)
            if copied_us > at_us + fixed.slave_timeout_us:
                copied_us, status = at_us + fixed.slave_timeout_us, codes.FLUSH_SLAVE_TIMEOUT
            done_us = max(done_us, copied_us)
    if status != 0 and send.code == 0:
        send.code = status
    return done_us
