"""Timers of an instance: what it does every so often, or at a moment that it has set itself.

A timer is declared here, and handled in `machine/consumer_dispatch.py` or by the kind of consumption that has it. Every
instance has a due time for each, which its start sets, its end clears, and a process that stands still puts off.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.memory import consumer_events as kinds
from simulator.consumer.memory.consumer_group import ReadingGroup
from simulator.consumer.memory.consumer_settings import ConsumerSettings
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.shared import due_heap
from simulator.engine.memory.settings import FAR

FIRST_PERSIST_US = 10_000_000
STARTING_US = 250_000  # until start() has routes and connections: 0.1 to 0.5 s where a JVM is warm
FIRST_POLL_US = 10_000  # of a new group, after its start
FIRST_LOCKS_US = 1_000_000  # an orderly instance renews its locks so long after its start for the first time

Duration = Callable[[ConsumerSettings, ReadingGroup], int]  # us, of the machine's settings and the instance's group


class InstanceTimer(NamedTuple):
    """period_us: from one time to the next, 0: its handler sets it. first_us: after a start, FAR: that sets none."""

    period_us: Duration = lambda own, group: 0
    first_us: Duration = lambda own, group: FAR


INSTANCE_TIMERS: Mapping[int, InstanceTimer] = {
    kinds.PERSIST: InstanceTimer(lambda own, group: group.persist_us, lambda own, group: FIRST_PERSIST_US),
    kinds.HEARTBEAT: InstanceTimer(lambda own, group: group.heartbeat_us, lambda own, group: STARTING_US),
    kinds.ROUTE_POLL: InstanceTimer(
        lambda own, group: group.poll_us,
        lambda own, group: STARTING_US + FIRST_POLL_US if group.handling.is_new else group.poll_us,
    ),
    # only what takes longer than consumeTimeout needs sweeps
    kinds.SWEEP: InstanceTimer(
        lambda own, group: group.handling.timeout_us,
        lambda own, group: STARTING_US + group.handling.timeout_us if group.handling.timeout_us else FAR,
    ),
    # RebalanceService counts what may lie between two rounds from its own beginning: from 5.2.0 the first round is at
    # least 1 s later (rocketmq 5.2.0, RebalanceService.lastRebalanceTimestamp)
    kinds.REBALANCE: InstanceTimer(
        first_us=lambda own, group: max(STARTING_US + own.notice_us, group.least_rebalance_us)
    ),
    kinds.RENEW_LOCKS: InstanceTimer(
        lambda own, group: group.orderly.renew_us,
        lambda own, group: FIRST_LOCKS_US if group.pull.needs_lock else FAR,
    ),
    kinds.CONSUME_AGAIN: InstanceTimer(),
}  # by kind of event
COUNT = len(INSTANCE_TIMERS)
_KINDS = np.array(list(INSTANCE_TIMERS))
_PLACES = np.array(
    [[*INSTANCE_TIMERS].index(kind) if kind in INSTANCE_TIMERS else -1 for kind in range(len(kinds.ACTORS))]
)


@rule(inlined=True)
def place_of(number: int, kind: int) -> int:
    """The place in world.timers of the timer of an instance; in world.timer_periods, of a group."""
    return number * COUNT + _PLACES[kind]


@rule(inlined=True)
def timer_due_us(world: ConsumerWorld, number: int, kind: int) -> int:
    """When a timer of an instance is due, FAR: it is not."""
    return world.timers[place_of(number, kind)]


@rule()
def set_timer(world: ConsumerWorld, number: int, kind: int, at_us: Us) -> None:
    """Have a timer of an instance be due then, and at no other time."""
    world.timers[place_of(number, kind)] = at_us
    due_heap.push(world, at_us, kind, number)


@rule(inlined=True)
def stop_timer(world: ConsumerWorld, number: int, kind: int) -> None:
    """A timer of an instance is not due any more."""
    world.timers[place_of(number, kind)] = FAR


@rule()
def set_again(world: ConsumerWorld, number: int, kind: int, now_us: Us) -> None:
    """Set the timer that is due now for its next time; one without a period is over."""
    period_us = world.timer_periods[place_of(world.instances[number].group, kind)]
    if period_us > 0:
        set_timer(world, number, kind, now_us + period_us)
    else:
        stop_timer(world, number, kind)


@rule()
def start_timers(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """The instance starts now."""
    for kind in _KINDS:
        first_us = world.first_times[place_of(world.instances[number].group, kind)]
        if first_us < FAR:
            set_timer(world, number, kind, now_us + first_us)
        else:
            stop_timer(world, number, kind)


@rule()
def stop_timers(world: ConsumerWorld, number: int) -> None:
    """The instance is gone."""
    for kind in _KINDS:
        stop_timer(world, number, kind)


@rule()
def balance_at(world: ConsumerWorld, number: int, at_us: Us, reason: int) -> None:
    """Have an instance balance at a moment, unless it does so before; not sooner than its release allows."""
    instance = world.instances[number]
    at_us = max(at_us, instance.rebalanced_us + world.groups[instance.group].least_rebalance_us, instance.suspended_us)
    if at_us < timer_due_us(world, number, kinds.REBALANCE):
        instance.reason = reason
        set_timer(world, number, kinds.REBALANCE, at_us)
