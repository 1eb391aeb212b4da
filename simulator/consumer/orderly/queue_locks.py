"""Locks of queues: asked for as a queue is taken, renewed every 20 s, given back with the queue.

A process that was started again has a new client id, so it waits for the lock of the one before like any other.
Source: rocketmq 4.2.0-5.3.3, RebalanceImpl.lock, .lockAll and .unlockAll, RebalancePushImpl.unlockDelay,
.tryRemoveOrderMessageQueue, ConsumeMessageOrderlyService.start.
"""

from __future__ import annotations

from simulator.compiled.jit import entry, rule
from simulator.compiled.records import Us
from simulator.consumer.links.slave_side import gives_locks
from simulator.consumer.memory.consumer_events import UNLOCK
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.held_queue import Holding
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.memory.orderly_group import WORKS
from simulator.consumer.rules.queue_lock import NO_CLIENT, QueueLock, try_lock, unlock
from simulator.consumer.shared import due_heap
from simulator.consumer.shared.holdings import give_back_if_done, queue_of
from simulator.consumer.shared.queue_progress import progress_place
from simulator.engine.memory.settings import FAR


@rule(inlined=True)
def lock_of(world: ConsumerWorld, subscription: int, log: int) -> QueueLock:
    """The lock of a queue for a group."""
    return world.locks[progress_place(world, subscription, log)]


@rule()
def client_of_life(world: ConsumerWorld, number: int) -> int:
    """The client that an instance is in this life, as brokers know it."""
    return 1 + number + world.instances[number].lives * world.settings.instances


@entry
def gets_lock(world: ConsumerWorld, number: int, subscription: int, log: int, now_us: Us) -> int:
    """1 if the queue's broker answers and gives the instance the lock."""
    if not gives_locks(world, number, world.logs[log].topic, world.logs[log].broker):
        return 0
    life_ms = world.groups[world.instances[number].group].orderly.lock_life_ms
    own = lock_of(world, subscription, log)
    return try_lock(own, client_of_life(world, number), now_us // 1000, life_ms)


@entry
def lock_taken(world: ConsumerWorld, at: int, now_us: Us) -> int:
    """A queue was locked and taken: from now on, or from the next renewal on, it counts as locked."""
    holding = world.holdings[at]
    instance = world.instances[holding.instance]
    has_long_run = instance.phase_us > 0
    queue = queue_of(world, at)
    queue.locked = 1 if has_long_run else world.groups[instance.group].orderly.locks_at_once
    queue.last_lock_ms = now_us // 1000
    holding.client = client_of_life(world, holding.instance)
    return 0


@rule()
def asks_lock(world: ConsumerWorld, at: int, now_us: Us) -> bool:
    """Ask for the lock of one queue that is held (lockOneMQ); whether it is there. No answer changes nothing."""
    holding, queue = world.holdings[at], queue_of(world, at)
    log = world.logs[holding.log]
    if not gives_locks(world, holding.instance, log.topic, log.broker):
        return False
    if gets_lock(world, holding.instance, holding.subscription, holding.log, now_us) == 0:
        return False
    queue.locked = 1
    queue.last_lock_ms = now_us // 1000
    return True


@rule()
def renew_locks(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """lockAll: ask for the lock of every queue that is held; one that is refused counts as not locked."""
    at = world.instances[number].first_holding
    while at != NOBODY:
        holding = world.holdings[at]
        log = world.logs[holding.log]
        if not asks_lock(world, at, now_us) and gives_locks(world, number, log.topic, log.broker):
            queue_of(world, at).locked = 0
        at = holding.next_holding


@entry
def unlock_all(world: ConsumerWorld, number: int, now_us: Us) -> int:
    """unlockAll: a shutdown gives every lock back at once."""
    at = world.instances[number].first_holding
    while at != NOBODY:
        _give_back(world, world.holdings[at])
        at = world.holdings[at].next_holding
    return 0


@rule()
def _give_back(world: ConsumerWorld, holding: Holding) -> None:
    log = world.logs[holding.log]
    if gives_locks(world, holding.instance, log.topic, log.broker):
        unlock(lock_of(world, holding.subscription, holding.log), holding.client)


@entry
def give_lock_back_later(world: ConsumerWorld, at: int, now_us: Us) -> int:
    """The instance lets a queue go: its lock is free as soon as no thread is at it, or later by the release."""
    holding, queue = world.holdings[at], queue_of(world, at)
    instance = world.instances[holding.instance]
    own = world.groups[instance.group].orderly
    done_us = world.workers[holding.worker].ends_us if holding.turn == WORKS else now_us
    if done_us <= now_us + own.unlock_wait_us:
        at_us = done_us
    elif own.unlocks_late == 1:
        rounds = -(-(done_us - own.unlock_wait_us - now_us) // world.groups[instance.group].rebalance_us)
        at_us = max(done_us, now_us + rounds * world.groups[instance.group].rebalance_us)
    else:
        at_us = min(done_us, max(now_us, queue.last_lock_ms * 1000 + own.unlock_later_us))
    if own.unlocks_late == 1 and queue.cached > 0:
        # a round's requests take a moment: 20 s from within it are over before the next round asks
        at_us += own.unlock_later_us - world.settings.link_us
    holding.tasks += 1  # the record stays until then
    holding.unlock_us = at_us
    due_heap.push(world, at_us, UNLOCK, at)
    return 0


@rule()
def unlock_now(world: ConsumerWorld, at: int) -> None:
    """The lock of a queue that was let go is given back, if the process still lives that had it."""
    holding = world.holdings[at]
    if world.instances[holding.instance].is_up == 1 and client_of_life(world, holding.instance) == holding.client:
        _give_back(world, holding)
    holding.unlock_us = FAR
    holding.tasks -= 1
    give_back_if_done(world, at)


@rule()
def forget_locks(world: ConsumerWorld, broker: int) -> None:
    """The broker's process is gone, and with it what it knew of locks."""
    for subscription in range(world.settings.subscriptions):
        own = world.subscriptions[subscription]
        if world.groups[own.group].pull.needs_lock == 0:
            continue
        topic = world.log_topics[own.topic]
        for log in range(topic.first_log, topic.first_log + topic.logs):
            if world.logs[log].broker == broker:
                lock_of(world, subscription, log).client = NO_CLIENT
