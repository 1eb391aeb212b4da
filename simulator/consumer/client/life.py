"""The life of an instance: it starts, is stopped or killed, stands still and goes on."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.broker.members import strike_off
from simulator.consumer.broker.offset_table import persist
from simulator.consumer.client.letting_go import lose_queue
from simulator.consumer.links.cut_links import has_no_connection
from simulator.consumer.links.instance_routes import bear_retry_topic, fails_to_start, forget_routes, poll_routes
from simulator.consumer.memory.consumer_settings import BY_START
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.held_queue import NO_PULL, POP_ASKED, POP_READS
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.shared.holdings import consumption_of, forget
from simulator.consumer.shared.instance_timers import STARTING_US, start_timers, stop_timers
from simulator.engine.memory.settings import FAR


@rule()
def start(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """start(): routes, then heartbeats to all brokers and a first round.

    A process whose start fails ends; nothing starts it again.
    """
    instance = world.instances[number]
    if instance.is_up == 1:
        return
    if fails_to_start(world, number, now_us):
        world.tallies[instance.group].failed_starts += 1
        return
    instance.is_up = 1
    instance.lives += 1
    instance.started_us = now_us
    instance.frozen_until_us = 0
    instance.reason = BY_START
    instance.rebalanced_us = now_us
    instance.suspended_us = 0
    instance.phase_us = 0
    has_no_connection(world, number, now_us)
    bear_retry_topic(world, instance.group, now_us, now_us + STARTING_US)
    forget_routes(world, number)
    poll_routes(world, number, now_us)
    start_timers(world, number, now_us)


@rule()
def _end(world: ConsumerWorld, number: int, now_us: Us) -> None:
    instance = world.instances[number]
    instance.is_up = 0
    instance.frozen_until_us = 0
    stop_timers(world, number)
    consumption_of(world, number).gone(world, number, now_us)
    while instance.first_holding != NOBODY:
        at = instance.first_holding
        lose_queue(world, at, now_us)
        holding = world.holdings[at]
        # Nobody waits for the answer of a pull that is under way; what a proxy pops goes on.
        if holding.instance != NOBODY and not POP_ASKED <= holding.state <= POP_READS:
            holding.due_us = FAR
            holding.state = NO_PULL
            forget(world, holding)


@rule()
def kill(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """kill -9: its connections close, which every broker notices at once."""
    if world.instances[number].is_up == 1:
        _end(world, number, now_us)
        strike_off(world, number, now_us)


@rule()
def stop(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """shutdown(): offsets are reported first; threads are not waited for (awaitTerminateMillisWhenShutdown 0)."""
    if world.instances[number].is_up == 1:
        consumption_of(world, number).stopped(world, number, now_us)
        persist(world, number)
        _end(world, number, now_us)
        strike_off(world, number, now_us)


@rule()
def freeze(world: ConsumerWorld, number: int, until_us: Us) -> None:
    """SIGSTOP, until then: what is due before happens as it goes on."""
    world.instances[number].frozen_until_us = until_us
