"""A pop at the client: flow control, the request, what becomes of the answer.

Source: rocketmq 5.0.0-5.5.0, DefaultMQPushConsumerImpl.popMessage and .processPopResult.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.broker.arriving_pops import go_on_with_pop
from simulator.consumer.broker.check_points import acknowledge, let_go_of_point
from simulator.consumer.concurrent.consume_threads import wait_for_thread
from simulator.consumer.links.reaching import LINK_MASTER_CUT, LINK_OPEN, member_at
from simulator.consumer.memory.consumer_side import CheckPoint
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.fate import SUCCEEDED
from simulator.consumer.memory.held_queue import POP_ANSWERED, POP_ASKED, POP_DUE, POP_FAILED, Holding
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.pop.popped_batches import start_popping_threads
from simulator.consumer.queue_log.filtering import is_kept, pass_over_at
from simulator.consumer.queue_log.log_pages import has_page, is_known, message_in
from simulator.consumer.shared.holdings import group_of, pop_at, queue_of
from simulator.kernel.pools import take


@rule()
def go_on_popping(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """The event of a holding's pop."""
    holding = world.holdings[number]
    if holding.state == POP_ANSWERED:
        _take_answer(world, number, now_us)
    elif holding.state == POP_DUE:
        _try(world, number, now_us)
    elif holding.state == POP_FAILED:
        pop_at(world, number, POP_DUE, now_us + group_of(world, holding).pull.when_exception_ms * 1000)
    else:
        go_on_with_pop(world, number, now_us)


@rule()
def _try(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """The client pops, or waits where too much is not acknowledged yet (popThresholdForQueue)."""
    holding = world.holdings[number]
    group = group_of(world, holding)
    if queue_of(world, number).msg_count > group.pop.threshold:
        pop_at(world, number, POP_DUE, now_us + group.pull.when_flow_control_ms * 1000)
        return
    holding.until_us = now_us + group.hold_us
    holding.most = group.pop.batch
    pop_at(world, number, POP_ASKED, now_us + world.settings.link_us)


@rule()
def _take_answer(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """What came waits for a thread, and the client pops on. An answer that the network lost is missed in time."""
    holding = world.holdings[number]
    group = group_of(world, holding)
    link = member_at(world, world.logs[holding.log].broker, holding.instance).link
    if link != LINK_OPEN and not (holding.from_slave == 1 and link == LINK_MASTER_CUT):
        forget_answer(world, holding)
        pop_at(world, number, POP_FAILED, max(now_us + 1, holding.until_us - group.hold_us + group.pop.timeout_us))
        return
    count, first, at = 0, NOBODY, in_order(world, holding)
    while at != NOBODY:
        point = world.check_points[at]
        if _is_handled(world, point):
            task = new_task(world, number, point)
            if count % group.batch == 0:
                first = task
            world.tasks[first].batch += 1
            wait_for_thread(world, world.instances[holding.instance], task)
            count += 1
            at = point.next_found
        else:
            at = point.next_found
            acknowledge(world, holding.instance, point)
            let_go_of_point(world, point)
    queue_of(world, number).msg_count += count
    start_popping_threads(world, world.instances[holding.instance], now_us)
    if group.pull_interval_us > 0 and count > 0:
        pop_at(world, number, POP_DUE, now_us + group.pull_interval_us)
    else:
        _try(world, number, now_us)


@rule()
def in_order(world: ConsumerWorld, holding: Holding) -> int:
    """The first check point of an answer, linked in the order in which the broker found them."""
    first, at = NOBODY, holding.first_found
    holding.first_found = NOBODY
    while at != NOBODY:
        point = world.check_points[at]
        behind = point.next_found
        point.next_found = first
        first = at
        at = behind
    return first


@rule()
def _is_handled(world: ConsumerWorld, point: CheckPoint) -> bool:
    """Whether the listener gets a message: not if its tag is another, nor once it was retried too often."""
    own, log = world.subscriptions[point.subscription], world.logs[point.log]
    group = world.groups[own.group]
    is_spent = point.reconsume_times > group.handling.most_reconsumes
    is_given_up = is_spent and group.pop.acknowledges_spent == 1
    if not is_given_up and own.filters == 0:
        return True
    if not is_known(world, log, point.offset) or not has_page(world, log, point.offset, point.page):
        return not is_given_up
    message = message_in(world.pages[point.page], point.offset)
    if not is_given_up and is_kept(world, point.subscription, message):
        return True
    pass_over_at(world, point.subscription, point.log, message)
    return False


@rule()
def forget_answer(world: ConsumerWorld, holding: Holding) -> None:
    """The client does not get an answer: its messages stay invisible until they are revived."""
    at = holding.first_found
    holding.first_found = NOBODY
    while at != NOBODY:
        point = world.check_points[at]
        at = point.next_found
        let_go_of_point(world, point)


@rule()
def new_task(world: ConsumerWorld, holding: int, point: CheckPoint) -> int:
    """Record of a popped message that a thread will be at; it heads no batch yet."""
    task = take(world, world.clock.tasks, world.tasks)
    task.holding = holding
    task.point = point.number
    task.behind = NOBODY
    task.offset = point.offset
    task.body_bytes = point.body_bytes
    task.page = point.page
    task.stored_us = point.stored_us
    task.arrival_us = point.arrival_us
    task.draw = point.draw
    task.sender = point.sender
    task.next_task = NOBODY
    task.batch = 0
    task.fate = SUCCEEDED
    task.reconsume_times = point.reconsume_times
    task.origin = point.origin
    return task.number
