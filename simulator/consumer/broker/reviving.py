"""The revive services: what was popped and not acknowledged in time comes again, through the group's retry topic.

Each of a broker's services reads its queue of the revive log in rounds. A round reads every 100 ms until what it has
read is due more than 2 s after the first check point, and stores again what is due more than 2 s before its end. If
nothing comes any more, the end is now, 3 s after the last. Then the service rests for reviveInterval. A round without a
check point ends after 4.1 s; the service rests for reviveInterval more, then twice that, up to reviveMaxSlow times. The
acknowledgement of a check point that an earlier round has settled moves nothing.

Up to 5.2.0 a message that was stored after the begin of its pop is taken for one of another epoch, and is not stored
again: it is lost to the group. So is one whose message the broker has deleted.
Source: rocketmq 5.0.0-5.5.0, PopReviveService.run, .consumeReviveMessage, .mergeAndRevive, .reviveMsgFromCk and
.reviveRetry.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.broker.appending import store_message
from simulator.consumer.broker.check_points import note_revived, note_slow, take_out
from simulator.consumer.broker.held_pops import wake_one
from simulator.consumer.broker.ordered_pops import note_expired
from simulator.consumer.links.reaching import can_be_reached
from simulator.consumer.memory.consumer_events import REVIVE_ROUND
from simulator.consumer.memory.consumer_side import FAILED_TO_HANDLE, SLOW, UNHEARD, CheckPoint, ReviveService
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.memory.queue_log import NO_LOG, NewMessage, StoredMessage
from simulator.consumer.queue_log.consumptions import HANDLED_MARK, HAS_OTHERS, handled_mark, retry_counts
from simulator.consumer.queue_log.filtering import pass_over_at
from simulator.consumer.queue_log.log_pages import has_page, is_known, message_in
from simulator.consumer.queue_log.retry_copies import HANDLED, NO_COPY, copies_say, mark_copies
from simulator.consumer.shared import due_heap
from simulator.consumer.shared.pop_places import place_of_pop
from simulator.consumer.shared.revive_log import (
    ACK,
    AHEAD_US,
    NONE,
    POINT,
    SERVICES,
    TENTH_US,
    first_noted,
    forget_noted,
    last_noted,
)
from simulator.engine.memory.settings import FAR

MS_US, SECOND_US = 1_000, 1_000_000
BEHIND_US = 2_000_000  # ackTimeInterval and a second: what the end of a round is later than a message that it revives
SILENT_US = 3_000_000  # after which the end of what was read is now
POLL_US = 100_000  # from one reading without result to the next
EMPTY_US = 4_100_000  # 41 of them, and it reads no more after the last
AT_ONCE = 2_048  # messages of a round
TENTHS = 10  # of a second


@rule()
def expire_in_order(world: ConsumerWorld, broker: int, now_us: Us) -> None:
    """The broker's look at what was popped in order."""
    for subscription in range(world.settings.subscriptions):
        place = place_of_pop(world, subscription, broker)
        own = world.groups[world.subscriptions[subscription].group].pop
        if own.in_order == 0 or world.pop_places[place].revives == 0 or world.pop_places[place].first_log < 0:
            continue
        waits = world.pop_waits[place]
        while waits.first_point != NOBODY and world.check_points[waits.first_point].revive_us < now_us:
            note_expired(world, world.check_points[waits.first_point])
            wake_one(world, place, NO_LOG, now_us + 1)


@rule()
def go_on_reviving(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """The event of a revive service: it begins a round, reads on, or ends it. One that stands still asks every second.

    A service that was gone or that another machine had begins with the shortest rest.
    """
    service, broker = world.revive_services[number], number // SERVICES
    if not can_be_reached(world, broker) or world.serving[broker].is_unled == 1:
        service.is_reading = 0
        service.rests = 1
        due_heap.push(world, now_us + SECOND_US, REVIVE_ROUND, number)
        return
    if service.is_reading == 0:
        service.is_reading = 1
        service.began_us = now_us
    seen = _seen_at(now_us)
    seen_first = _seen_at(min(now_us, service.began_us + EMPTY_US - POLL_US))  # by the last reading of an empty round
    service.settled = max(service.settled, seen - AHEAD_US // TENTH_US)
    own_us = _first_own(world, number, seen * TENTH_US + EMPTY_US)
    first_us = _first_read(world, number, service, own_us, seen_first)
    if first_us == FAR:
        _read_nothing(world, number, own_us, seen_first, now_us)
        return
    end_us = _end_of(world, number, service, own_us, seen)
    if end_us == NONE:
        end_us = first_us - SECOND_US
    until = (end_us - BEHIND_US) // TENTH_US
    if now_us - end_us > SILENT_US:
        end_us = now_us
        until = (end_us - BEHIND_US) // TENTH_US + 1  # nothing is left to read
    if end_us - first_us > BEHIND_US:
        _end_round(world, number, end_us - BEHIND_US, until, now_us)
        return
    next_us = max(first_us + BEHIND_US, end_us + SILENT_US) + 1
    of_points = first_noted(world, number, POINT, seen, seen + TENTHS)
    of_acks = first_noted(world, number, ACK, seen - TENTHS, seen)
    if of_points != NONE or of_acks != NONE:
        next_us = min(next_us, seen * TENTH_US)
    _read_at(world, number, next_us, now_us)


@rule(inlined=True)
def _seen_at(now_us: Us) -> int:
    """The tenth of a second before which everything that is due has come out by then, as a check point."""
    return now_us // SECOND_US * TENTHS + TENTHS


@rule()
def _first_own(world: ConsumerWorld, number: int, until_us: Us) -> Us:
    """When the first message is due before then that nobody has acknowledged and whose check point a service reads."""
    first_us = FAR
    for subscription in range(world.settings.subscriptions):
        at = _first_listed(world, subscription, number // SERVICES)
        while at != NOBODY and world.check_points[at].revive_us < min(first_us, until_us):
            if world.check_points[at].reviver == number:
                first_us = world.check_points[at].revive_us
            at = world.check_points[at].behind
    return first_us


@rule(inlined=True)
def _first_listed(world: ConsumerWorld, subscription: int, broker: int) -> int:
    """The first check point of a subscription at a broker, NOBODY where none comes out of the wheel."""
    place = place_of_pop(world, subscription, broker)
    own = world.groups[world.subscriptions[subscription].group].pop
    if own.in_order == 1 or world.pop_places[place].revives == 0 or world.pop_places[place].first_log < 0:
        return NOBODY
    return world.pop_waits[place].first_point


@rule()
def _first_read(world: ConsumerWorld, number: int, service: ReviveService, own_us: Us, seen: int) -> Us:
    """When the message of the first check point is due that a round reads, FAR: it has read none."""
    tenth = first_noted(world, number, POINT, service.settled, seen)
    if own_us < seen * TENTH_US and (tenth == NONE or own_us // TENTH_US <= tenth):
        return own_us
    return FAR if tenth == NONE else tenth * TENTH_US


@rule()
def _end_of(world: ConsumerWorld, number: int, service: ReviveService, own_us: Us, seen: int) -> Us:
    """The latest time of what a round has read, NONE: it has read nothing that is noted."""
    point = last_noted(world, number, POINT, service.settled, seen)
    ack = last_noted(world, number, ACK, service.settled, seen - TENTHS)
    of_point, of_ack = NONE, NONE
    if point != NONE:
        of_point = (own_us if own_us // TENTH_US == point else (point + 1) * TENTH_US) - SECOND_US
    if ack != NONE:
        of_ack = (ack + 1) * TENTH_US
    return max(of_point, of_ack)


@rule()
def _read_nothing(world: ConsumerWorld, number: int, own_us: Us, seen: int, now_us: Us) -> None:
    """A round has read no check point: it reads on, or ends and has the service rest for longer each time."""
    service, rules = world.revive_services[number], world.store_rules[number // SERVICES]
    empty_us = service.began_us + EMPTY_US
    if now_us >= empty_us:
        _settle(world, number, service, seen)
        service.is_reading = 0
        due_heap.push(world, now_us + (service.rests + 1) * rules.revive_us, REVIVE_ROUND, number)
        service.rests = min(service.rests + 1, max(rules.revive_slow, 1))
        return
    next_us = min(empty_us, own_us // SECOND_US * SECOND_US)
    if world.settings.proxies > 0:  # what a proxy gives back is due within a second
        next_us = min(next_us, seen * TENTH_US)
    tenth = first_noted(world, number, POINT, seen, empty_us // TENTH_US + TENTHS)
    if tenth != NONE:
        next_us = min(next_us, tenth // TENTHS * SECOND_US)
    _read_at(world, number, next_us, now_us)


@rule()
def _read_at(world: ConsumerWorld, number: int, at_us: Us, now_us: Us) -> None:
    """The service reads next then, or when its poll is due after that."""
    began_us = world.revive_services[number].began_us
    polls = max(at_us - began_us + POLL_US - 1, 0) // POLL_US
    due_heap.push(world, max(began_us + polls * POLL_US, now_us + 1), REVIVE_ROUND, number)


@rule()
def _end_round(world: ConsumerWorld, number: int, until_us: Us, until: int, now_us: Us) -> None:
    """Store again what is due before that; what is due before the tenth of a second `until` is not read again."""
    service, left, broker = world.revive_services[number], AT_ONCE, number // SERVICES
    for subscription in range(world.settings.subscriptions):
        at = _first_listed(world, subscription, broker)
        while at != NOBODY and left > 0 and world.check_points[at].revive_us < until_us:
            point = world.check_points[at]
            at = point.behind
            if point.reviver == number:
                _revive(world, point, world.pop_places[point.place].retry_log, now_us)
                left -= 1
    if left > 0:
        _settle(world, number, service, until)
    service.is_reading = 0
    service.rests = 1
    due_heap.push(world, now_us + world.store_rules[broker].revive_us, REVIVE_ROUND, number)


@rule()
def _settle(world: ConsumerWorld, number: int, service: ReviveService, until: int) -> None:
    """What is due before that tenth of a second is read."""
    forget_noted(world, number, service.settled, until)
    service.settled = max(service.settled, until)


@rule()
def _marks_of_copy(world: ConsumerWorld, point: CheckPoint, message: StoredMessage) -> int:
    """What a copy says of its message: whether the group has handled it, anywhere, and whether there are others."""
    own = world.subscriptions[point.subscription]
    marks = message.counts & HAS_OTHERS if own.is_retry == 1 else 0
    copies = copies_say(world, point, message.counts)
    if copies != NO_COPY:
        marks = HAS_OTHERS
        mark_copies(world, point, HAS_OTHERS)
    if copies == HANDLED or message.counts & handled_mark(own) != 0:
        marks |= HANDLED_MARK
    return marks


@rule()
def _revive(world: ConsumerWorld, point: CheckPoint, retry_log: int, now_us: Us) -> None:
    """Store the message in the retry topic: the group has it to consume there, and not where it was popped."""
    own, log = world.subscriptions[point.subscription], world.logs[point.log]
    waits, marks = world.pop_waits[point.place], 0
    if is_known(world, log, point.offset) and has_page(world, log, point.offset, point.page):
        message = message_in(world.pages[point.page], point.offset)
        if message.sender == point.sender:
            marks = _marks_of_copy(world, point, message)
            pass_over_at(world, point.subscription, point.log, message)
    loses = world.pop_places[point.place].loses_younger == 1 and point.popped_us // MS_US < point.stored_us // MS_US
    if loses or point.offset < log.min_offset:
        waits.lost += 1
        take_out(world, point)
        return
    origin = point.origin - world.groups[own.group].first_subscription
    counts = marks | retry_counts(point.reconsume_times + 1, origin, 0)
    new = NewMessage(point.arrival_us, point.draw, point.sender, counts, point.body_bytes)
    note_slow(world, point)
    waits.revived += 1
    waits.revived_failed += point.why == FAILED_TO_HANDLE
    waits.revived_unheard += point.why == UNHEARD
    waits.revived_slow += point.why == SLOW
    point.copy_log = retry_log
    point.copy_offset = world.logs[retry_log].max_offset
    note_revived(world, point)
    take_out(world, point)
    store_message(world, retry_log, new, now_us)
