"""Pops that a broker holds until there is something to pop (long polling): those that wait for longest come first.

Source: rocketmq 5.0.0-5.5.0, PopLongPollingService.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.memory.consumer_group import TAKES_ALL
from simulator.consumer.memory.consumer_side import WAKES_ANY, WAKES_SHARED
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.held_queue import POP_FAILED, POP_HELD, POP_WOKEN
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.memory.queue_log import NO_LOG
from simulator.consumer.queue_log.filtering import is_passed
from simulator.consumer.queue_log.log_pages import message_in, page_of
from simulator.consumer.shared.holdings import pop_at
from simulator.consumer.shared.pop_places import place_of_pop, pops, topics_of

ANY_LOG = -2


@rule()
def hold_pop(world: ConsumerWorld, number: int) -> None:
    """The broker holds a pop until its time is over, behind those whose time is over sooner."""
    holding = world.holdings[number]
    place = place_of_pop(world, holding.subscription, world.logs[holding.log].broker)
    waits = world.pop_waits[place]
    before, behind = NOBODY, NOBODY
    if waits.last_wait == NOBODY or world.holdings[waits.last_wait].until_us <= holding.until_us:
        before = waits.last_wait
    else:
        behind = waits.first_wait
        while world.holdings[behind].until_us <= holding.until_us:
            before = behind
            behind = world.holdings[behind].next_held
    holding.next_held = behind
    if before == NOBODY:
        waits.first_wait = number
    else:
        world.holdings[before].next_held = number
    if behind == NOBODY:
        waits.last_wait = number
    pop_at(world, number, POP_HELD, holding.until_us)


@rule()
def release_pop(world: ConsumerWorld, number: int) -> None:
    """Take a pop out of those that the broker holds."""
    holding = world.holdings[number]
    waits = world.pop_waits[place_of_pop(world, holding.subscription, world.logs[holding.log].broker)]
    before, at = NOBODY, waits.first_wait
    while at != number:
        before = at
        at = world.holdings[at].next_held
    if before == NOBODY:
        waits.first_wait = holding.next_held
    else:
        world.holdings[before].next_held = holding.next_held
    if waits.last_wait == number:
        waits.last_wait = before
    holding.next_held = NOBODY


@rule()
def wake_one(world: ConsumerWorld, place: int, log: int, at_us: Us) -> None:
    """The pop of a queue that has waited for longest looks again then; NO_LOG: one of all queues, ANY_LOG: any."""
    number = world.pop_waits[place].first_wait
    while number != NOBODY:
        holding = world.holdings[number]
        if log == (NO_LOG if holding.is_shared == 1 else holding.log) or log == ANY_LOG:
            release_pop(world, number)
            copied_us = world.store_rules[world.logs[holding.log].broker].slave_us if holding.from_slave == 1 else 0
            pop_at(world, number, POP_WOKEN, at_us + copied_us)
            return
        number = holding.next_held


@rule()
def wake_pops(world: ConsumerWorld, log: int, offset: int, now_us: Us) -> None:
    """A message was appended: of each group one waiting pop of all queues looks, and one of this queue.

    From 5.3.0 on one that the group's filter leaves out wakes none. Of one that comes again hear pops of all queues,
    where the broker's release notifies them.
    """
    topic, broker = world.log_topics[world.logs[log].topic], world.logs[log].broker
    at_us = now_us + world.settings.reput_us
    for number in range(topic.first_popping, topic.first_popping + topic.popping):
        subscription = world.popping[number]
        is_retry = world.subscriptions[subscription].is_retry
        topic_of = subscription - topics_of(world, subscription) if is_retry == 1 else subscription
        place = place_of_pop(world, topic_of, broker)
        if is_retry == 0:
            if world.pop_places[place].wakes_filtered == 1 and not _is_passed(world, subscription, log, offset):
                continue
            wake_one(world, place, NO_LOG, at_us)
            wake_one(world, place, log, at_us)
        elif world.pop_places[place].wakes_on_retry == WAKES_SHARED:
            wake_one(world, place, NO_LOG, at_us)
        elif world.pop_places[place].wakes_on_retry == WAKES_ANY:
            wake_one(world, place, ANY_LOG, at_us)


@rule()
def _is_passed(world: ConsumerWorld, subscription: int, log: int, offset: int) -> bool:
    if world.subscriptions[subscription].filters == TAKES_ALL:
        return True
    page = page_of(world, world.logs[log], offset, world.logs[log].last_page)
    return is_passed(world, subscription, message_in(world.pages[page], offset))


@rule()
def fail_held_pops(world: ConsumerWorld, broker: int, from_slave: int, now_us: Us) -> None:
    """The broker's process, or (1) its slave's, is gone, and what it held: clients notice as connections close."""
    for subscription in range(world.settings.subscriptions):
        if not pops(world, subscription):
            continue
        number = world.pop_waits[place_of_pop(world, subscription, broker)].first_wait
        while number != NOBODY:
            holding, behind = world.holdings[number], world.holdings[number].next_held
            if holding.from_slave == from_slave:
                release_pop(world, number)
                pop_at(world, number, POP_FAILED, now_us + world.settings.link_us)
            number = behind
