"""The answer to a receive at the client: which of its messages the listener gets.

The proxy keeps back what the group's tags do not match, and has a message that was retried too often go to the dead
letters. Source: rocketmq 5.3.3, proxy PopMessageResultFilterImpl, ConsumerProcessor.popMessage.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.broker.check_points import let_go_of_point
from simulator.consumer.broker.ordered_pops import acknowledge_popped
from simulator.consumer.links.proxy_choice import proxy_of
from simulator.consumer.memory.consumer_side import CheckPoint
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.held_queue import Holding
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.memory.proxied.proxied_client import PUSH
from simulator.consumer.pop.pop_answers import in_order
from simulator.consumer.proxied.receipts import clears_at
from simulator.consumer.queue_log.filtering import is_kept, pass_over_at
from simulator.consumer.queue_log.log_pages import has_page, is_known, message_in
from simulator.consumer.shared.holdings import group_of, pull_is_over, queue_of


@rule()
def is_nobodys(world: ConsumerWorld, holding: Holding) -> bool:
    """Whether the process that asked is gone."""
    instance = world.instances[holding.instance]
    return instance.is_up == 0 or holding.owned_us < instance.started_us


@rule()
def leave_unheard(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """Nobody gets what a proxy was answered: it comes again when its invisible time is over."""
    holding = world.holdings[number]
    at = holding.first_found
    holding.first_found = NOBODY
    while at != NOBODY:
        point = world.check_points[at]
        at = point.next_found
        _note_receipt(world, holding, point)
        point.cleared_us = clears_at(world, holding.instance)
        let_go_of_point(world, point)
    pull_is_over(world, holding, number)


@rule()
def take_in(world: ConsumerWorld, number: int) -> None:
    """Keep of an answer what the listener gets, in holding.first_found in the order of the answer."""
    holding, last = world.holdings[number], NOBODY
    at = in_order(world, holding)
    while at != NOBODY:
        point = world.check_points[at]
        at = point.next_found
        point.next_found = NOBODY
        if not _is_matched(world, holding, point):
            acknowledge_popped(world, holding.instance, point)
            let_go_of_point(world, point)
            continue
        _note_receipt(world, holding, point)
        queue = queue_of(world, number)
        queue.msg_count += 1
        queue.msg_size += point.body_bytes
        if last == NOBODY:
            holding.first_found = point.number
        else:
            world.check_points[last].next_found = point.number
        last = point.number


@rule()
def _note_receipt(world: ConsumerWorld, holding: Holding, point: CheckPoint) -> None:
    """The proxy of a PushConsumer remembers the receipt handle, and may renew it."""
    point.client = holding.instance
    if group_of(world, holding).proxied.kind == PUSH:
        point.keeper = proxy_of(world, holding.instance, world.logs[holding.log].broker)
        point.keeper_lives = world.proxies[point.keeper].lives


@rule()
def _is_matched(world: ConsumerWorld, holding: Holding, point: CheckPoint) -> bool:
    """Whether a message is for the listener."""
    own, log = group_of(world, holding), world.logs[point.log]
    if point.reconsume_times > own.handling.most_reconsumes:
        world.tallies[world.subscriptions[point.subscription].group].dead_letters += 1
        return False
    if world.subscriptions[point.subscription].filters == 0 or not is_known(world, log, point.offset):
        return True
    if not has_page(world, log, point.offset, point.page):
        return True
    message = message_in(world.pages[point.page], point.offset)
    if is_kept(world, point.subscription, message):
        return True
    pass_over_at(world, point.subscription, point.log, message)
    return False
