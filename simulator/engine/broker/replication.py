"""The slaves of a broker: when they have what the master appended."""

from __future__ import annotations

import numpy as np

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.memory.periods_table import NO_PERIOD, SLAVE, SLAVE_APART, SLAVE_AWAY, SLAVE_RATE
from simulator.engine.memory.replica import NOBODY
from simulator.engine.memory.send import Attempt
from simulator.engine.memory.settings import FAR
from simulator.engine.memory.world import World
from simulator.engine.shared.periods import periods_of
from simulator.engine.shared.threads import message_of
from simulator.kernel.latency import service_us
from simulator.kernel.randomness import mix, signed
from simulator.units import US_PER_S

SLAVE_WORD = 0x51A7E  # so that a slave draws otherwise than the service time


@rule()
def slave_period_at(world: World, broker: int, at_us: Us) -> int:
    """Place in the timetable of the period in which the slaves are away or lag at `at_us`, or NO_PERIOD.

    Moves no cursor.
    """
    periods = periods_of(world, broker, SLAVE)
    for place in range(periods.first + periods.cursor, periods.first + periods.count):
        period = world.timetable[place]
        if period.at_us <= at_us < period.until_us:
            return place
    return NO_PERIOD


@rule()
def slaves_at(world: World, broker: int, at_us: Us) -> int:
    """Slaves that are waited for at `at_us`: all of them, or none while they are away or apart."""
    place = slave_period_at(world, broker, at_us)
    if place != NO_PERIOD and world.timetable[place].value in (SLAVE_AWAY, SLAVE_APART):
        return 0
    return world.brokers[broker].slaves


@rule()
def note_sent(world: World, send: Attempt, at_us: Us) -> None:
    """What was appended at `at_us` is sent to the slaves behind all that was before; at the end of a lag all of it is.

    With flow control what they lack as they are back, or lag no more, is sent at its rate. Once for each message:
    before anybody asks for when it is copied.
    """
    state, per_s = world.broker_states[send.broker], world.brokers[send.broker].copied_per_s
    place, from_us, until_us = slave_period_at(world, send.broker, at_us), at_us, FAR
    if place != NO_PERIOD:
        period = world.timetable[place]
        if period.value >= SLAVE_RATE:
            lag_per_s = period.value // SLAVE_RATE
            if per_s == 0 or lag_per_s < per_s:
                per_s, until_us = lag_per_s, period.until_us
        elif period.value != SLAVE_APART:
            from_us = period.until_us
    if per_s > 0:
        sending_us = message_of(world, send).message_bytes * US_PER_S // per_s
        state.sent_us = min(max(state.sent_us, from_us) + sending_us, until_us)


@rule(inlined=True)
def _slave_us(world: World, broker: int, word: int, slave: int) -> int:
    """How long one of the slaves needs, from 0: the machines of the set but for the master."""
    fixed = world.brokers[broker]
    number = fixed.slave_latency
    if fixed.machine_latencies > 0:
        master = max(world.replicas[broker].machine, 1) - 1
        number = fixed.machine_latencies + slave + (1 if slave >= master else 0)
    draw = signed(mix(np.uint64(word + SLAVE_WORD + slave)) >> np.uint64(32))
    return service_us(world.latencies[number].edges, draw)


@rule()
def delay_us(world: World, broker: int, word: int, acks: int) -> int:
    """How long it takes until `acks` slaves have a message and said so: the slowest of the fastest `acks`."""
    slaves = world.brokers[broker].slaves
    for i in range(slaves):
        mine = _slave_us(world, broker, word, i)
        before = 0
        for k in range(slaves):
            other = _slave_us(world, broker, word, k)
            if other < mine or (other == mine and k < i):
                before += 1
        if before == acks - 1:
            return mine
    return 0


@rule()
def confirmed_at(world: World, send: Attempt, at_us: Us, word: int) -> int:
    """When the sync set, or a majority, has what was appended at `at_us`; nobody reads it before.

    Source: rocketmq 5.0.0-5.5.0, DefaultMessageStore.getConfirmOffset, AutoSwitchHAService (allAckInSyncStateSet);
    DLedgerCommitLog (committedPos).
    """
    if slaves_at(world, send.broker, at_us) == 0:
        return at_us
    return copied_at(world, send, at_us, word, world.brokers[send.broker].acks)


@rule()
def copied_at(world: World, send: Attempt, at_us: Us, word: int, acks: int) -> int:
    """When `acks` of the slaves have what was appended at `at_us`; what came before it they have first."""
    state = world.broker_states[send.broker]
    state.copied_us = max(state.copied_us, _reaches_at(world, send, at_us, delay_us(world, send.broker, word, acks)))
    return state.copied_us


@rule()
def taken_at(world: World, send: Attempt, at_us: Us, word: int, away_us: Us) -> int:
    """When that slave has what was appended at `at_us` which takes over as the master goes at `away_us`."""
    fixed, replica = world.brokers[send.broker], world.replicas[send.broker]
    state, master, taker = world.broker_states[send.broker], max(replica.machine, 1) - 1, NOBODY
    for i in range(replica.changes, fixed.role_changes):
        change = world.role_changes[fixed.first_change + i]
        if taker == NOBODY and change.at_us >= away_us:
            taker = change.machine
    if taker == NOBODY or taker - 1 == master:
        return state.copied_us
    slave = taker - 1 if taker - 1 < master else taker - 2
    state.taker_us = max(state.taker_us, _reaches_at(world, send, at_us, _slave_us(world, send.broker, word, slave)))
    return state.taker_us


@rule()
def _reaches_at(world: World, send: Attempt, at_us: Us, after_us: int) -> int:
    """When what was appended at `at_us` is copied that takes `after_us`, where nothing holds slaves up.

    Slaves that are away or lag get it when that is over, those that copy slowly in their turn.
    """
    broker = send.broker
    state = world.broker_states[broker]
    copying_us = message_of(world, send).message_bytes * world.brokers[broker].slave_per_kib_us // 1024
    delay = after_us + copying_us
    copied_us = at_us + delay
    if world.brokers[broker].copied_per_s > 0:
        copied_us = max(copied_us, state.sent_us + delay)
    periods = periods_of(world, broker, SLAVE)
    for i in range(periods.cursor, periods.count):
        period = world.timetable[periods.first + i]
        if period.at_us >= copied_us:
            break
        if period.until_us <= at_us or period.value == SLAVE_APART:
            continue
        if period.value < SLAVE_RATE:
            copied_us = max(copied_us, period.until_us + delay)
        elif period.at_us <= at_us:
            copied_us = max(copied_us, state.sent_us + delay)
    return copied_us
