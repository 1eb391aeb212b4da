"""A pull at the client: flow control, the request, what becomes of the answer.

Source: rocketmq 4.2.0-5.3.3, DefaultMQPushConsumerImpl.pullMessage.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.broker.arriving_pulls import arrive
from simulator.consumer.client.illegal_offset import go_to_named_offset
from simulator.consumer.memory.consumer_group import ReadingGroup
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.fate import SUCCEEDED
from simulator.consumer.memory.held_queue import ANSWERED, ASKED, FAILED, ILLEGAL, MOVED, WAITING
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.memory.queue_log import StoredMessage
from simulator.consumer.queue_log.consumptions import reconsume_times_in, subscription_in
from simulator.consumer.queue_log.filtering import is_kept, pass_over
from simulator.consumer.queue_log.log_pages import is_known, message_in, page_of
from simulator.consumer.rules.pull_delays import PULL, pull_delay
from simulator.consumer.shared.holdings import consumption_of, group_of, pull_at, pull_is_over, queue_of
from simulator.kernel.pools import take


@rule()
def go_on(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """The event of a holding's pull."""
    holding = world.holdings[number]
    if holding.state == ASKED:
        arrive(world, number, now_us)
    elif holding.is_dropped == 1:
        pull_is_over(world, holding, number)
    elif holding.state == MOVED or holding.state == ILLEGAL:
        go_to_named_offset(world, number, now_us)
    elif holding.state == ANSWERED:
        _take_answer(world, number, now_us)
    elif holding.state == FAILED:
        pull_at(world, number, WAITING, now_us + group_of(world, holding).pull.when_exception_ms * 1000)
    else:
        _try(world, number, now_us)


@rule()
def _try(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """The pull service has the request: it goes to the broker, or is put off."""
    holding = world.holdings[number]
    is_paused = int(now_us < world.instances[holding.instance].suspended_us)
    delay_ms = pull_delay(queue_of(world, number), group_of(world, holding).pull, now_us // 1000, 1, is_paused, 1)
    if delay_ms != PULL:
        pull_at(world, number, WAITING, now_us + delay_ms * 1000)
        return
    if holding.was_locked == 0 and group_of(world, holding).pull.needs_lock == 1:
        consumption_of(world, holding.instance).first_pull(world, number, now_us)
    pull_at(world, number, ASKED, now_us + world.settings.link_us)


@rule()
def _take_answer(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """Cache what came, hand it to the consume threads, and pull on."""
    holding = world.holdings[number]
    group = group_of(world, holding)
    if holding.scanned > 0:
        _cache(world, number, group, now_us)
    if holding.found == 0 and queue_of(world, number).msg_count == 0:
        holding.memory = max(holding.memory, holding.offset)
    if group.pull_interval_us > 0 and holding.found > 0:
        pull_at(world, number, WAITING, now_us + group.pull_interval_us)
    else:
        _try(world, number, now_us)


@rule()
def _cache(world: ConsumerWorld, number: int, group: ReadingGroup, now_us: Us) -> None:
    """Cache what the client keeps of an answer, and have its threads get it; the rest is behind the group."""
    holding = world.holdings[number]
    kept, is_first = 0, 0
    if is_known(world, world.logs[holding.log], holding.offset):  # else a crash took it back
        kept = _keep(world, number, group)
    if kept > 0:
        reader, max_offset = world.readers[holding.subscription], world.logs[holding.log].max_offset
        is_first = reader.put_messages(queue_of(world, number), world.messages, kept, max_offset)
    consumption_of(world, holding.instance).cached(world, number, kept, is_first, now_us)


@rule()
def _keep(world: ConsumerWorld, number: int, group: ReadingGroup) -> int:
    """Make tasks of what the client keeps of an answer, in batches for its threads, into world.messages: how many."""
    holding = world.holdings[number]
    log = world.logs[holding.log]
    page = page_of(world, log, holding.offset, holding.page)
    kept, first = 0, NOBODY
    scanned = min(holding.scanned, log.max_offset - holding.offset)
    for offset in range(holding.offset, holding.offset + scanned):
        page = page_of(world, log, offset, page)
        message = message_in(world.pages[page], offset)
        if not is_kept(world, holding.subscription, message):
            if offset >= log.min_offset:
                pass_over(world, holding, message)
            continue
        task_number = _new_task(world, number, offset, page, message)
        world.messages[3 * kept] = offset
        world.messages[3 * kept + 1] = message.body_bytes
        world.messages[3 * kept + 2] = task_number
        if kept % group.batch == 0:
            first = task_number
        world.tasks[first].batch += 1
        kept += 1
    holding.page = page
    holding.offset += scanned
    return kept


@rule()
def _new_task(world: ConsumerWorld, holding: int, offset: int, page: int, message: StoredMessage) -> int:
    """Record of a message that a thread will be at; it heads no batch yet."""
    task = take(world, world.clock.tasks, world.tasks)
    task.holding = holding
    task.offset = offset
    task.body_bytes = message.body_bytes
    task.page = page
    task.stored_us = message.stored_us
    task.arrival_us = message.arrival_us
    task.draw = message.draw
    task.sender = message.sender
    task.next_task = NOBODY
    task.batch = 0
    task.fate = SUCCEEDED
    task.reconsume_times = 0
    task.origin = world.holdings[holding].subscription
    subscription = world.subscriptions[task.origin]
    if subscription.is_retry == 1:
        task.reconsume_times = reconsume_times_in(message.counts)
        task.origin = world.groups[subscription.group].first_subscription + subscription_in(message.counts)
    return task.number
