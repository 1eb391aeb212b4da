"""Check points: messages that were popped and are invisible until they are acknowledged or their time is over.

A broker writes each to its revive log as it pops, so a crash of its process forgets none; with enablePopBufferMerge it
keeps them in memory first (pop/pop_buffer.py). What is acknowledged is forgotten here at once; its broker would find
the acknowledgement as it revives. How far the revive log is read is written with the offsets of groups, every 5 s. A
broker that was killed reads on from there, a slave that becomes the master of a set from what it copied last.
Source: rocketmq 5.0.0-5.5.0, PopMessageProcessor.appendCheckPoint, AckMessageProcessor, ChangeInvisibleTimeProcessor;
PopReviveService.consumeReviveMessage and .mergeAndRevive, which commits for the group CID_RMQ_SYS_REVIVE_GROUP.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.broker.held_pops import wake_one
from simulator.consumer.links.reaching import LINK_OPEN, member_at
from simulator.consumer.links.slave_side import asks_acting_slave
from simulator.consumer.memory.consumer_side import (
    FAILED_TO_HANDLE,
    IS_SETTLED,
    NOT_REVIVED,
    NOT_YET,
    REVIVES_AGAIN,
    SLOW,
    UNHEARD,
    CheckPoint,
)
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.memory.proxied.proxied_client import NO_PROXY
from simulator.consumer.memory.queue_log import NO_LOG
from simulator.consumer.queue_log.consumptions import reconsume_times_in, subscription_in
from simulator.consumer.queue_log.log_pages import message_in
from simulator.consumer.shared.pop_places import place_of_pop, pops_dealt, topics_of
from simulator.consumer.shared.queue_progress import progress_of
from simulator.consumer.shared.revive_log import ACK, POINT, note_in_log, reviver_of
from simulator.kernel.pools import give_back, take


@rule()
def add_check_point(world: ConsumerWorld, number: int, subscription: int, offset: int, page: int, now_us: Us) -> int:
    """The pop of a holding takes a message: the number of its check point, alone in its batch.

    A slave that acts has nowhere to write it: its client has the message, and nothing is remembered of that.
    """
    holding = world.holdings[number]
    own, log = world.subscriptions[subscription], world.pages[page].log
    group = world.groups[own.group]
    message = message_in(world.pages[page], offset)
    point = take(world, world.clock.check_points, world.check_points)
    topic_of = subscription - topics_of(world, subscription) if own.is_retry == 1 else subscription
    point.place = place_of_pop(world, topic_of, world.logs[log].broker)
    point.instance = holding.instance
    point.subscription = subscription
    point.log = log
    point.offset = offset
    point.first_offset = offset
    point.page = page
    point.stored_us = message.stored_us
    point.arrival_us = message.arrival_us
    point.draw = message.draw
    point.sender = message.sender
    point.body_bytes = message.body_bytes
    point.origin = subscription
    point.reconsume_times = 0
    if own.is_retry == 1:
        point.reconsume_times = reconsume_times_in(message.counts)
        point.origin = group.first_subscription + subscription_in(message.counts)
    point.next_found = NOBODY
    point.is_held = 1
    point.why = NOT_YET
    broker = world.logs[log].broker
    point.reviver = reviver_of(broker, pops_dealt(world, broker))
    point.revived = NOT_REVIVED
    point.next_revived = NOBODY
    point.copy_log = NO_LOG
    point.copy_offset = 0
    point.client = NOBODY
    point.keeper = NO_PROXY
    point.renewals = 0
    point.cleared_us = 0
    point.in_order = 0
    point.next_in_order = NOBODY
    point.is_acknowledged = 0
    point.of_slave = holding.from_slave
    if point.of_slave == 1:
        point.popped_us = now_us
        point.revive_us = now_us + group.pop.invisible_us
        point.is_listed = 0
    else:
        world.pop_waits[point.place].popped += 1
        _put_in(world, point, now_us, now_us + group.pop.invisible_us)
    return point.number


@rule()
def _put_in(world: ConsumerWorld, point: CheckPoint, popped_us: Us, revive_us: Us) -> None:
    """List it by the time at which it is revived."""
    waits = world.pop_waits[point.place]
    point.popped_us = popped_us
    point.revive_us = revive_us
    point.is_listed = 1
    _note(world, point, POINT)
    waits.invisible += 1
    progress_of(world, point.subscription, point.log).in_flight += 1
    before, behind = waits.last_point, NOBODY
    while before != NOBODY and world.check_points[before].revive_us > revive_us:
        behind = before
        before = world.check_points[before].before
    point.before = before
    point.behind = behind
    if before == NOBODY:
        waits.first_point = point.number
    else:
        world.check_points[before].behind = point.number
    if behind == NOBODY:
        waits.last_point = point.number
    else:
        world.check_points[behind].before = point.number


@rule(inlined=True)
def _note(world: ConsumerWorld, point: CheckPoint, kind: int) -> None:
    """Its check point or an acknowledgement of it is written; not in order, nor where check points stay in memory."""
    in_order = world.groups[world.subscriptions[point.subscription].group].pop.in_order
    if in_order == 0 and world.pop_places[point.place].merges == 0:
        note_in_log(world, point.reviver, kind, point.revive_us, world.clock.now_us)


@rule()
def take_out(world: ConsumerWorld, point: CheckPoint) -> None:
    """The message is not invisible any more."""
    waits = world.pop_waits[point.place]
    if point.before == NOBODY:
        waits.first_point = point.behind
    else:
        world.check_points[point.before].behind = point.behind
    if point.behind == NOBODY:
        waits.last_point = point.before
    else:
        world.check_points[point.behind].before = point.before
    point.is_listed = 0
    waits.invisible -= 1
    _count_less_in_flight(world, point)
    give_back_if_done(world, point)


@rule(inlined=True)
def _count_less_in_flight(world: ConsumerWorld, point: CheckPoint) -> None:
    """Of its queue there is one less in flight; from 5.3.1 on a pop that waits looks as it gives again."""
    progress, place = progress_of(world, point.subscription, point.log), world.pop_places[point.place]
    progress.in_flight -= 1
    if place.in_flight_most > 0 and progress.in_flight == place.in_flight_most and place.wakes_on_rest == 1:
        wake_one(world, point.place, NO_LOG, world.clock.now_us + 1)
        wake_one(world, point.place, point.log, world.clock.now_us + 1)


@rule()
def note_slow(world: ConsumerWorld, point: CheckPoint) -> None:
    """Its client still has it as its invisible time is over, and does not stand still."""
    if (
        point.why == NOT_YET
        and point.is_held == 1
        and world.instances[point.instance].frozen_until_us <= point.revive_us
    ):
        point.why = SLOW


@rule()
def let_go_of_point(world: ConsumerWorld, point: CheckPoint) -> None:
    """The client does not have the message any more."""
    point.is_held = 0
    give_back_if_done(world, point)


@rule()
def give_back_if_done(world: ConsumerWorld, point: CheckPoint) -> None:
    """Free the record of a message that neither the broker nor the client needs any more."""
    if point.is_listed == 0 and point.is_held == 0 and point.in_order == 0 and point.revived == NOT_REVIVED:
        give_back(world.clock.check_points, point)


@rule()
def _hears(world: ConsumerWorld, instance: int, broker: int) -> bool:
    """Whether a broker gets a request of an instance: one that stands still finds it in its connection."""
    return world.serving[broker].is_away == 0 and member_at(world, broker, instance).link == LINK_OPEN


@rule()
def _asks_slave(world: ConsumerWorld, instance: int, point: CheckPoint) -> bool:
    """Whether a request about a message goes to a slave that acts for its broker: it can write nothing down.

    Source: rocketmq 5.0.0-5.5.0, EscapeBridge.putMessageToSpecificQueue (SERVICE_NOT_AVAILABLE): AckMessageProcessor
    answers SUCCESS all the same, ChangeInvisibleTimeProcessor SYSTEM_ERROR.
    """
    topic = world.subscriptions[point.place // world.settings.brokers].topic
    if not asks_acting_slave(world, instance, topic, world.logs[point.log].broker):
        return False
    point.why = UNHEARD
    return True


@rule(inlined=True)
def _settle(point: CheckPoint) -> None:
    """The acknowledgement stands behind the check point in the revive log, whoever reads that."""
    if point.revived == REVIVES_AGAIN:
        point.revived = IS_SETTLED


@rule()
def acknowledge(world: ConsumerWorld, instance: int, point: CheckPoint) -> bool:
    """An instance acknowledges a message; whether it has an answer. Nobody asks again."""
    if _asks_slave(world, instance, point):
        return point.in_order == 0
    if not _hears(world, instance, world.logs[point.log].broker):
        point.why = UNHEARD
        return False
    _settle(point)
    if point.is_listed == 1:
        world.pop_waits[point.place].acknowledged += 1
        _note(world, point, ACK)
        take_out(world, point)
    return True


@rule()
def change_invisible(world: ConsumerWorld, instance: int, point: CheckPoint, invisible_us: Us, now_us: Us) -> bool:
    """An instance has a message be invisible for so long from now on; whether its broker hears it."""
    if _asks_slave(world, instance, point):
        return False
    if not _hears(world, instance, world.logs[point.log].broker):
        point.why = UNHEARD
        return False
    point.why = FAILED_TO_HANDLE
    _settle(point)
    if point.is_listed == 1:
        _note(world, point, ACK)
        take_out(world, point)
    if point.of_slave == 1:
        point.of_slave = 0
        world.pop_waits[point.place].popped += 1
    _put_in(world, point, now_us, now_us + invisible_us)
    return True


@rule()
def note_revived(world: ConsumerWorld, point: CheckPoint) -> None:
    """A broker revives a check point: it writes that with its offsets, and slaves of a set copy it with them."""
    if point.revived == NOT_REVIVED:
        waits = world.pop_waits[point.place]
        point.next_revived = waits.first_revived
        waits.first_revived = point.number
    point.revived = REVIVES_AGAIN


@rule()
def forget_revived(world: ConsumerWorld, broker: int, revives_again: int) -> None:
    """How far the revive log is read was written, or copied by a set's slaves; (1) it is read again from there on."""
    for subscription in range(world.settings.subscriptions):
        waits = world.pop_waits[place_of_pop(world, subscription, broker)]
        at = waits.first_revived
        waits.first_revived = NOBODY
        while at != NOBODY:
            point = world.check_points[at]
            at = point.next_revived
            comes_again = revives_again == 1 and point.revived == REVIVES_AGAIN
            point.revived = NOT_REVIVED
            point.next_revived = NOBODY
            if comes_again:
                _put_in(world, point, point.popped_us, point.revive_us)
            else:
                give_back_if_done(world, point)


@rule()
def put_off(world: ConsumerWorld, point: CheckPoint, revive_us: Us) -> None:
    """A message that is invisible is to be revived then instead; it counts as popped when it was."""
    is_held = point.is_held
    point.is_held = 1
    _note(world, point, ACK)
    take_out(world, point)
    point.is_held = is_held
    _put_in(world, point, point.popped_us, revive_us)


@rule()
def keep_popped(world: ConsumerWorld) -> None:
    """What is invisible is not forgotten yet: it may be asked for."""
    for place in range(world.settings.subscriptions * world.settings.brokers):
        at = world.pop_waits[place].first_point
        while at != NOBODY:
            point = world.check_points[at]
            log = world.logs[point.log]
            log.read_from = min(log.read_from, point.offset)
            at = point.behind
