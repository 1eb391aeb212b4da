"""A pop at a broker: it takes messages of any queue of the topic, and of the group's retry topic.

It begins at a queue that is drawn, and goes through all until it has enough. One pop in five looks at the retry topic
first, the others last if they have not enough by then. The offset of a queue moves at the pop, unless that is in order.
The check points have the time at which the pop began (popTime), though it reads its queues later.
Source: rocketmq 5.0.0-5.5.0, PopMessageProcessor.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.broker.check_points import add_check_point
from simulator.consumer.broker.held_pops import hold_pop, wake_one
from simulator.consumer.broker.offset_table import commit
from simulator.consumer.broker.ordered_pops import is_blocked, keep_order, times_before
from simulator.consumer.broker.serving_pulls import begins_in_memory, readable_until
from simulator.consumer.memory.consumer_group import BY_PROPERTIES
from simulator.consumer.memory.consumer_side import OLD, PopWaits, QueueProgress
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.held_queue import POP_ANSWERED, POP_READS, Holding
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.memory.queue_log import NO_LOG
from simulator.consumer.queue_log.filtering import SCANNED_MAX, is_passed, pass_over_at
from simulator.consumer.queue_log.log_pages import message_in, page_of
from simulator.consumer.queue_log.skipping import goes_on_at
from simulator.consumer.shared.holdings import group_of, pop_at
from simulator.consumer.shared.pop_places import note_given_twice, place_of_pop, topics_of
from simulator.consumer.shared.queue_progress import progress_of
from simulator.kernel.randomness import POP_BEGINS, below, hash4

PERCENT = 100
BY_SLAVES = 1 << 40  # numbers of the pops that slaves serve


@rule()
def serve_pop(world: ConsumerWorld, number: int, now_us: Us) -> int:
    """The broker looks for messages, and answers if it found some; what is left that it did not look at."""
    holding = world.holdings[number]
    subscription, broker = holding.subscription, world.logs[holding.log].broker
    number_of_place = place_of_pop(world, subscription, broker)
    place, waits = world.pop_places[number_of_place], world.pop_waits[number_of_place]
    waits.properties_read = 0
    drawn = below(hash4(world.settings.seed, POP_BEGINS, number_of_place, _turn(waits, holding)), PERCENT)
    retry = subscription + topics_of(world, subscription)
    in_order = group_of(world, holding).pop.in_order == 1
    retry_first = drawn < place.retry_first_percent and not in_order
    if retry_first:
        _pop_queue(world, number, retry, place.retry_log, now_us)
    rest = 0
    if holding.is_shared == 1:
        for i in range(place.queues):
            turn = place.queues - 1 - i if place.descends == 1 else i
            log = place.first_log + (drawn + turn) % place.queues
            rest += _pop_queue(world, number, subscription, log, now_us)
    else:
        rest = _pop_queue(world, number, subscription, holding.log, now_us)
    if not retry_first and not in_order:
        rest += _pop_queue(world, number, retry, place.retry_log, now_us)
    if holding.found > 0:
        if rest > 0:
            _wake_like(world, number, now_us)
        takes_us = world.store_rules[broker].pull_us
        if world.subscriptions[subscription].filters == BY_PROPERTIES:
            takes_us += waits.properties_read * world.store_rules[broker].filter_us
        pop_at(world, number, POP_ANSWERED, now_us + takes_us + world.settings.link_us)
    return rest


@rule(inlined=True)
def _turn(waits: PopWaits, holding: Holding) -> int:
    """Number of a pop among those that its broker serves, or a slave that acts for it."""
    if holding.from_slave == 1:
        waits.slave_requests += 1
        return BY_SLAVES + waits.slave_requests
    waits.requests += 1
    return waits.requests


@rule()
def serve_or_hold(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """Answer a pop with messages, without any when its time is over, or hold it.

    One that is held with messages left behind those that it passed over has a waiting pop look on, from 5.3.1.
    """
    holding = world.holdings[number]
    pop_us = world.store_rules[world.logs[holding.log].broker].pop_us
    if pop_us > 0 and holding.state != POP_READS:
        pop_at(world, number, POP_READS, now_us + pop_us)
        return
    holding.found = 0
    holding.first_found = NOBODY
    rest = serve_pop(world, number, now_us)
    if holding.found > 0:
        return
    if now_us >= holding.until_us:
        pop_at(world, number, POP_ANSWERED, now_us + world.settings.link_us)
    else:
        hold_pop(world, number)
        place = place_of_pop(world, holding.subscription, world.logs[holding.log].broker)
        if rest > 0 and world.pop_places[place].wakes_on_rest == 1:
            _wake_like(world, number, now_us)


@rule()
def _wake_like(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """A pop of the same queue, or of all queues, looks at once."""
    holding = world.holdings[number]
    place = place_of_pop(world, holding.subscription, world.logs[holding.log].broker)
    wake_one(world, place, NO_LOG if holding.is_shared == 1 else holding.log, now_us + 1)


@rule()
def _pop_queue(world: ConsumerWorld, number: int, subscription: int, log_number: int, now_us: Us) -> int:
    """Pop from one queue until the answer is full; messages that are left.

    A slave that acts gives what it has copied, from where it has given or from the offset that it copied last. A retry
    topic that its master has made since it does not know: it copies topics with the offsets (SlaveSynchronize.syncAll).
    """
    if log_number < 0:
        return 0
    holding, log = world.holdings[number], world.logs[log_number]
    in_order = group_of(world, holding).pop.in_order == 1
    if in_order and is_blocked(world, subscription, log_number, now_us):
        return 0
    progress, most = progress_of(world, subscription, log_number), holding.most
    if _is_too_much_in_flight(world, holding, log.broker, progress):
        return 0
    offset = progress.committed
    if holding.from_slave == 1:
        if world.subscriptions[subscription].is_retry == 1 and progress.slave_committed < 0:
            return 0
        offset = max(progress.slave_committed, progress.slave_popped)
    if offset < 0:
        offset = _begin(world, holding, subscription, log_number)
    offset = min(max(offset, log.min_offset), log.max_offset)
    end, page, begin = min(log.max_offset, offset + SCANNED_MAX), log.first_page, offset
    begun_us = now_us - world.store_rules[log.broker].pop_us
    reads_all, read, found = world.store_rules[log.broker].keeps_answers == 0, 0, holding.found
    until_us = readable_until(world, holding, log.broker, now_us)
    while offset < end and holding.found < most:
        page = page_of(world, log, offset, page)
        message = message_in(world.pages[page], offset)
        if message.stored_us > until_us:
            break
        passes = is_passed(world, subscription, message)
        read += reads_all or passes
        if passes:
            point = add_check_point(world, number, subscription, offset, page, begun_us)
            world.check_points[point].first_offset = begin
            if in_order:
                world.check_points[point].reconsume_times = times_before(world, subscription, log_number, offset)
            world.check_points[point].next_found = holding.first_found
            holding.first_found = point
            holding.found += 1
        else:
            pass_over_at(world, subscription, log_number, message)
        offset += 1
    if offset > begin:
        world.pop_waits[place_of_pop(world, holding.subscription, log.broker)].properties_read += read
        tally = world.tallies[world.instances[holding.instance].group]
        tally.looked_at += offset - begin
        tally.properties_read += read * (world.subscriptions[subscription].filters == BY_PROPERTIES)
        tally.given += holding.found - found
        if in_order and holding.found > found:
            keep_order(world, holding, subscription, log_number, holding.found - found)
            commit(world, subscription, log_number, begin)
        elif holding.from_slave == 1:
            progress.slave_popped = offset
            note_given_twice(world, subscription, progress, offset)
            tally.from_slave += holding.found - found
        else:
            commit(world, subscription, log_number, offset)
    return 0 if holding.from_slave == 1 and holding.found < most else log.max_offset - offset


@rule(inlined=True)
def _is_too_much_in_flight(world: ConsumerWorld, holding: Holding, broker: int, progress: QueueProgress) -> bool:
    """Whether a queue gives nothing until more is acknowledged (isPopShouldStop)."""
    most = world.pop_places[place_of_pop(world, holding.subscription, broker)].in_flight_most
    return 0 < most < progress.in_flight


@rule()
def _begin(world: ConsumerWorld, holding: Holding, subscription: int, number: int) -> int:
    """Where a group without an offset begins, whatever its consumeFromWhere (getInitOffset, ConsumeInitMode.MAX).

    What it goes past at a slave it does not skip: the master gives that.
    """
    log, progress = world.logs[number], progress_of(world, subscription, number)
    if progress.standing == OLD:
        return 0
    is_retry = world.subscriptions[subscription].is_retry
    topic_of = subscription - is_retry * topics_of(world, subscription)
    place = world.pop_places[place_of_pop(world, topic_of, log.broker)]
    offset = max(log.max_offset - 1, 0)
    if is_retry == 1 and place.all_retries == 1:
        offset = log.min_offset
    elif place.from_memory == 1 and log.min_offset == 0 and begins_in_memory(world, log):
        offset = 0
    if holding.from_slave == 0:
        goes_on_at(world, subscription, number, offset, world.instances[holding.instance].started_us)
    return offset
