"""The life of an instance: it starts, is stopped or killed, stands still and goes on."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.broker.members import strike_off, wake
from simulator.consumer.broker.offset_table import persist
from simulator.consumer.client.letting_go import lose_queue
from simulator.consumer.handling.consuming import stop_threads
from simulator.consumer.handling.interrupting import interrupt_threads
from simulator.consumer.links.cut_links import has_no_connection
from simulator.consumer.links.instance_routes import bear_retry_topic, poll_routes
from simulator.consumer.memory.consumer_settings import BY_START, HEARTBEAT, PERSIST, RENEW_LOCKS, ROUTE_POLL, SWEEP
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.held_queue import NO_PULL
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.orderly.queue_locks import unlock_all
from simulator.consumer.orderly.turns import stop_turns
from simulator.consumer.shared import due_heap
from simulator.engine.memory.settings import FAR

FIRST_PERSIST_US = 10_000_000
STARTING_US = 250_000  # until start() has routes and connections: 0.1 to 0.5 s where a JVM is warm
FIRST_POLL_US = 10_000  # of a new group, after its start
FIRST_LOCKS_US = 1_000_000  # an orderly instance renews its locks so long after its start for the first time


@rule()
def set_timers(world: ConsumerWorld, number: int, persist_us: Us, heartbeat_us: Us, poll_us: Us) -> None:
    """When an instance does next what it does every few seconds."""
    instance = world.instances[number]
    instance.persist_us = persist_us
    instance.heartbeat_us = heartbeat_us
    instance.poll_us = poll_us
    due_heap.push(world, persist_us, PERSIST, number)
    due_heap.push(world, heartbeat_us, HEARTBEAT, number)
    due_heap.push(world, poll_us, ROUTE_POLL, number)


@rule()
def start(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """start(): routes, then heartbeats to all brokers and a first round.

    RebalanceService counts what may lie between two rounds from its own beginning: from 5.2.0 the first round is at
    least 1 s later (rocketmq 5.2.0, RebalanceService.lastRebalanceTimestamp).
    """
    instance = world.instances[number]
    if instance.is_up == 1:
        return
    instance.is_up = 1
    instance.lives += 1
    instance.started_us = now_us
    instance.frozen_until_us = 0
    instance.rebalance_us = FAR
    instance.rebalanced_us = now_us
    instance.suspended_us = 0
    instance.phase_us = 0
    has_no_connection(world, number, now_us)
    ready_us = now_us + STARTING_US
    bear_retry_topic(world, instance.group, now_us, ready_us)
    poll_routes(world, number, now_us)
    is_new = world.groups[instance.group].handling.is_new
    poll_us = ready_us + FIRST_POLL_US if is_new == 1 else now_us + world.settings.poll_us
    set_timers(world, number, now_us + FIRST_PERSIST_US, ready_us, poll_us)
    timeout_us = world.groups[instance.group].handling.timeout_us
    if timeout_us > 0:
        instance.sweep_us = ready_us + timeout_us
        due_heap.push(world, instance.sweep_us, SWEEP, number)
    wake(world, number, ready_us + world.settings.notice_us, BY_START)
    if world.groups[instance.group].pull.is_orderly == 1:
        instance.locks_us = now_us + FIRST_LOCKS_US
        due_heap.push(world, instance.locks_us, RENEW_LOCKS, number)


@rule()
def _end(world: ConsumerWorld, number: int, now_us: Us) -> None:
    instance = world.instances[number]
    instance.is_up = 0
    instance.frozen_until_us = 0
    for_ever = FAR
    instance.rebalance_us = for_ever
    instance.persist_us = for_ever
    instance.heartbeat_us = for_ever
    instance.poll_us = for_ever
    instance.sweep_us = for_ever
    instance.locks_us = for_ever
    stop_turns(world, instance)
    stop_threads(world, instance, now_us)
    while instance.first_holding != NOBODY:
        holding = instance.first_holding
        lose_queue(world, holding, now_us)
        # Nobody waits for the answer of a pull that is under way.
        if world.holdings[holding].instance != NOBODY:
            world.holdings[holding].due_us = FAR
            world.holdings[holding].state = NO_PULL
            _forget(world, holding)


@rule()
def _forget(world: ConsumerWorld, holding: int) -> None:
    own = world.holdings[holding]
    own.next_holding = world.clock.free_holding
    world.clock.free_holding = holding
    world.clock.free_holdings += 1
    own.instance = NOBODY


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
        if world.groups[world.instances[number].group].pull.is_orderly == 1:
            unlock_all(world, number)
        else:
            interrupt_threads(world, number, now_us)
        persist(world, number)
        _end(world, number, now_us)
        strike_off(world, number, now_us)


@rule()
def freeze(world: ConsumerWorld, number: int, until_us: Us) -> None:
    """SIGSTOP, until then: what is due before happens as it goes on."""
    world.instances[number].frozen_until_us = until_us
