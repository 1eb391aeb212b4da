"""The slaves of a broker: when they have what the master appended."""

from __future__ import annotations

import numpy as np

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.memory.periods_table import NO_PERIOD, SLAVE, SLAVE_AWAY, SLAVE_RATE
from simulator.engine.memory.send import Attempt
from simulator.engine.memory.world import World
from simulator.engine.shared.periods import periods_of
from simulator.engine.shared.threads import message_of
from simulator.latency import service_us
from simulator.randomness import mix, signed
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
    """Slaves that are connected at `at_us`: all of them, or none while they are away."""
    place = slave_period_at(world, broker, at_us)
    if place != NO_PERIOD and world.timetable[place].value == SLAVE_AWAY:
        return 0
    return world.brokers[broker].slaves


@rule()
def note_sent(world: World, send: Attempt, at_us: Us) -> None:
    """What was appended at `at_us` is sent to the slaves behind all that was before; at the end of a lag all of it is.

    Once for each message: before anybody asks for when it is copied.
    """
    place = slave_period_at(world, send.broker, at_us)
    if place == NO_PERIOD or world.timetable[place].value < SLAVE_RATE:
        return
    state, period = world.broker_states[send.broker], world.timetable[place]
    sending_us = message_of(world, send).message_bytes * US_PER_S // (period.value // SLAVE_RATE)
    state.sent_us = min(max(state.sent_us, at_us) + sending_us, period.until_us)


@rule()
def delay_us(world: World, broker: int, word: int, acks: int) -> int:
    """How long it takes until `acks` slaves have a message and said so: the slowest of the fastest `acks`."""
    fixed = world.brokers[broker]
    edges, slaves = world.latencies[fixed.slave_latency].edges, fixed.slaves
    for i in range(slaves):
        mine = service_us(edges, signed(mix(np.uint64(word + SLAVE_WORD + i)) >> np.uint64(32)))
        before = 0
        for k in range(slaves):
            other = service_us(edges, signed(mix(np.uint64(word + SLAVE_WORD + k)) >> np.uint64(32)))
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
    """When `acks` of the slaves have what was appended at `at_us`; what came before it they have first.

    Slaves that are away or lag get it when that is over, those that copy slowly in their turn.
    """
    broker = send.broker
    state = world.broker_states[broker]
    copying_us = message_of(world, send).message_bytes * world.brokers[broker].slave_per_kib_us // 1024
    delay = delay_us(world, broker, word, acks) + copying_us
    copied_us = at_us + delay
    periods = periods_of(world, broker, SLAVE)
    for i in range(periods.cursor, periods.count):
        period = world.timetable[periods.first + i]
        if period.at_us >= copied_us:
            break
        if period.until_us <= at_us:
            continue
        if period.value < SLAVE_RATE:
            copied_us = max(copied_us, period.until_us + delay)
        elif period.at_us <= at_us:
            copied_us = max(copied_us, state.sent_us + delay)
    state.copied_us = max(state.copied_us, copied_us)
    return state.copied_us
