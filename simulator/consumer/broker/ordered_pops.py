"""Pops in order, of a group with consumeMessageOrderly: a queue gives nothing while something popped is outstanding.

What a pop took of a queue is remembered until the next one takes some of it. Meanwhile the queue is blocked for all, as
long as one of these messages is neither acknowledged nor visible again. The group's offset moves as they are
acknowledged, and the next pop begins there: what was not acknowledged comes again in its place, and no retry topic is
read. As the last one is acknowledged, a timer of 100 ms has a waiting pop look, from 5.1.0 on.
Source: rocketmq 5.0.0-5.5.0, ConsumerOrderInfoManager, ConsumerOrderInfoLockManager, PopMessageProcessor.
popMsgFromQueue, AckMessageProcessor.ackOrderly.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.broker.check_points import acknowledge, give_back_if_done, note_slow, take_out
from simulator.consumer.broker.held_pops import wake_one
from simulator.consumer.broker.offset_table import commit
from simulator.consumer.memory.consumer_side import SLOW, UNHEARD, CheckPoint
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.held_queue import Holding
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.memory.queue_log import NO_LOG
from simulator.consumer.shared.queue_progress import progress_place

TICK_US = 100_000  # of the timer


@rule()
def is_blocked(world: ConsumerWorld, subscription: int, log: int, now_us: Us) -> bool:
    """Whether something that was popped of a queue is outstanding (needBlock)."""
    at = world.ordered_pops[progress_place(world, subscription, log)]
    while at != NOBODY:
        point = world.check_points[at]
        if point.is_listed == 1 and now_us < point.revive_us:
            return True
        at = point.next_in_order
    return False


@rule()
def times_before(world: ConsumerWorld, subscription: int, log: int, offset: int) -> int:
    """How often a message was popped before: 1 more than in the last pop of its queue, 0 if that did not take it."""
    at = world.ordered_pops[progress_place(world, subscription, log)]
    while at != NOBODY:
        point = world.check_points[at]
        if point.offset == offset:
            return point.reconsume_times + 1
        at = point.next_in_order
    return 0


@rule()
def note_expired(world: ConsumerWorld, point: CheckPoint) -> None:
    """A message is visible again; it is counted as one that is revived, and its queue has it still."""
    waits = world.pop_waits[point.place]
    note_slow(world, point)
    waits.revived += 1
    waits.revived_unheard += point.why == UNHEARD
    waits.revived_slow += point.why == SLOW
    take_out(world, point)


@rule()
def _forget_pop(world: ConsumerWorld, first: int) -> None:
    """Another pop has taken what the last one of a queue left."""
    at = first
    while at != NOBODY:
        point = world.check_points[at]
        at = point.next_in_order
        point.in_order = 0
        if point.is_listed == 1:
            note_expired(world, point)
        else:
            give_back_if_done(world, point)


@rule()
def keep_order(world: ConsumerWorld, holding: Holding, subscription: int, log: int, popped: int) -> None:
    """Remember what a pop took of a queue, the first `popped` of what it found so far."""
    place = progress_place(world, subscription, log)
    before, first, at = world.ordered_pops[place], NOBODY, holding.first_found
    for _ in range(popped):
        point = world.check_points[at]
        point.in_order = 1
        point.next_in_order = first
        first = at
        at = point.next_found
    world.ordered_pops[place] = first
    _forget_pop(world, before)


@rule()
def _commit_next(world: ConsumerWorld, point: CheckPoint) -> None:
    """The offset moves to the first that is not acknowledged; behind the last one a waiting pop is to look."""
    at, offset = world.ordered_pops[progress_place(world, point.subscription, point.log)], point.offset + 1
    is_done = True
    while at != NOBODY:
        one = world.check_points[at]
        offset = one.offset + 1
        if one.is_acknowledged == 0:
            offset = one.offset
            is_done = False
            break
        at = one.next_in_order
    commit(world, point.subscription, point.log, offset)
    if is_done and world.logs[point.log].max_offset > offset and world.pop_places[point.place].wakes_unblocked == 1:
        wake_one(world, point.place, NO_LOG, (world.clock.now_us // TICK_US + 1) * TICK_US)


@rule()
def acknowledge_popped(world: ConsumerWorld, instance: int, point: CheckPoint) -> bool:
    """An instance acknowledges a message, in order or not; whether its broker hears it."""
    is_new = point.is_listed == 1 and point.in_order == 1
    if not acknowledge(world, instance, point):
        return False
    if is_new:
        point.is_acknowledged = 1
        _commit_next(world, point)
    return True
