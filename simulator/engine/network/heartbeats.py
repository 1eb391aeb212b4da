"""Heartbeats: a client sends one to every broker each 30 s, and closes the connection of one that is silent for 3 s.

Closing fails what is under way on the connection at once, asynchronous requests as well; but if a request's own
time-out closes it first, the heartbeat fails with it and the next connection stays. When a heartbeat is sent
follows from when its client began, so a request's fate is settled when it is sent, as it is for outages. Here the
heartbeats to all brokers leave at the same moment; a client sends one after the other, so that behind a silent broker
the next one's is 3 s late.

Source: rocketmq 4.9.1-5.3.3, MQClientInstance.startScheduledTask (after cleanOfflineBroker: first after 1 s, then every
heartbeatBrokerInterval), sendHeartbeatToAllBroker, mqClientApiTimeout, NettyRemotingClient.invokeSync.
"""

from __future__ import annotations

import numpy as np

from simulator.client.sending.closing import NEVER
from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.memory.links import Link
from simulator.engine.memory.periods_table import DOWN, DOWN_FROZEN, DOWN_POWER, LINK_CUT, PeriodTable
from simulator.engine.memory.send import Attempt
from simulator.engine.memory.world import World
from simulator.engine.network.connection import opened_at
from simulator.engine.shared.periods import periods_of, start_after_standstill
from simulator.engine.shared.threads import client_of, producer_of
from simulator.kernel.randomness import below, mix

HEARTBEAT_PERIOD_US = 30_000_000
HEARTBEAT_TIMEOUT_US = 3_000_000


@rule()
def _end_of_period(world: World, periods: PeriodTable, at_us: Us, least: int, most: int) -> int:
    """`at_us`, or the end of the period that holds then and has such a value."""
    for i in range(periods.cursor, periods.count):
        period = world.timetable[periods.first + i]
        if period.at_us <= at_us < period.until_us and least <= period.value <= most:
            return period.until_us
    return at_us


@rule()
def _delay_at(world: World, cuts: PeriodTable, at_us: Us) -> int:
    """Microseconds that an answer takes longer over a link at `at_us`, which may be past."""
    for i in range(cuts.cursor, cuts.count):
        period = world.timetable[cuts.first + i]
        if period.at_us <= at_us < period.until_us:
            return max(period.value, 0)
    return 0


@rule()
def _silent_until(world: World, send: Attempt, at_us: Us) -> int:
    """Until when the broker of a send answers no heartbeat that it is sent at `at_us`."""
    until_us = start_after_standstill(world, send.broker, at_us)
    if world.settings.connections_on == 1:
        down = periods_of(world, send.broker, DOWN)
        until_us = max(until_us, _end_of_period(world, down, at_us, DOWN_POWER, DOWN_FROZEN))
    if world.settings.links_on == 1:
        group, brokers = world.threads[send.thread].group, world.settings.brokers
        link: Link = world.links[group * brokers + send.broker]
        until_us = max(until_us, _end_of_period(world, link.cuts, at_us, LINK_CUT, LINK_CUT))
        until_us = max(until_us, at_us + _delay_at(world, link.cuts, at_us))
    return until_us


@rule()
def heartbeat_closes_at(world: World, send: Attempt, now_us: Us, until_us: Us) -> int:
    """When a heartbeat closes the connection of a request that is sent now and ends at `until_us`, which it else is."""
    settings, producer = world.settings, producer_of(world, send)
    if settings.heartbeats_close == 0 or client_of(world, send.thread).closes_on_timeout == NEVER:
        return until_us
    latest_us = until_us - HEARTBEAT_TIMEOUT_US
    sent_us = latest_us - (latest_us - world.producers[producer].heartbeat_us) % HEARTBEAT_PERIOD_US
    word = mix(np.uint64(sent_us) ^ mix(np.uint64(producer * settings.brokers + send.broker)))
    late_us = settings.timeout_notice_us + below(word, settings.timeout_spread_us)
    closes_us = sent_us + HEARTBEAT_TIMEOUT_US + late_us
    if sent_us < opened_at(world, send) or closes_us <= now_us + send.connect_us or closes_us >= until_us:
        return until_us
    return closes_us if _silent_until(world, send, sent_us) >= closes_us else until_us
