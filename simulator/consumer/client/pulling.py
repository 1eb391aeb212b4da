"""A pull: flow control at the client, the way to the broker and back, what becomes of the answer.

Source: rocketmq 4.2.0-5.3.3, DefaultMQPushConsumerImpl.pullMessage, PullMessageProcessor, PullRequestHoldService.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.broker.members import beat_at, knows_group
from simulator.consumer.broker.offset_table import commit
from simulator.consumer.broker.serving_pulls import (
    copied_until,
    first_free_thread,
    goes_to_slave,
    is_on_disk,
    read_at,
    readable_until,
)
from simulator.consumer.client.consuming import start_idle_threads, wait_for_thread
from simulator.consumer.client.filtering import SCANNED_MAX, finds_one, is_kept, is_passed, pass_over
from simulator.consumer.client.holdings import pull_at, pull_is_over, queue_of, release_held
from simulator.consumer.client.illegal_offset import go_to_named_offset, legal_offset
from simulator.consumer.client.instance import (
    ANSWERED,
    ASKED,
    FAILED,
    HELD,
    ILLEGAL,
    MOVED,
    NOBODY,
    WAITING,
    Holding,
    ReadingGroup,
)
from simulator.consumer.client.instance_routes import knows_master
from simulator.consumer.client.pull_delays import PULL, pull_delay
from simulator.consumer.handling.fate import SUCCEEDED
from simulator.consumer.links.cut_links import lose_pull
from simulator.consumer.links.reaching import LINK_MASTER_CUT, LINK_OPEN, master_is_gone, member_at
from simulator.consumer.machine.consumer_world import ConsumerWorld
from simulator.consumer.machine.skipping import look_at_cut
from simulator.consumer.orderly.first_pull import begin_locked
from simulator.consumer.orderly.turns import ask_turn, start_turns
from simulator.consumer.queue_log.log_pages import bytes_of, is_known, message_in, page_of
from simulator.consumer.queue_log.queue_log import (
    ORIGIN_MASK,
    ORIGIN_SHIFT,
    RECONSUME_MASK,
    RECONSUME_SHIFT,
    StoredMessage,
)
from simulator.engine.memory.settings import FAR


@rule()
def go_on(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """The event of a holding's pull."""
    holding = world.holdings[number]
    if holding.state == ASKED:
        _arrive(world, number, now_us)
    elif holding.is_dropped == 1:
        pull_is_over(world, holding, number)
    elif holding.state == MOVED or holding.state == ILLEGAL:
        go_to_named_offset(world, number, now_us)
    elif holding.state == ANSWERED:
        _take_answer(world, number, now_us)
    elif holding.state == FAILED:
        pull_at(world, number, WAITING, now_us + _group_of(world, holding).pull.when_exception_ms * 1000)
    else:
        _try(world, number, now_us)


@rule(inlined=True)
def _group_of(world: ConsumerWorld, holding: Holding) -> ReadingGroup:
    return world.groups[world.instances[holding.instance].group]


@rule()
def _try(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """The pull service has the request: it goes to the broker, or is put off."""
    holding = world.holdings[number]
    delay_ms = pull_delay(queue_of(world, number), _group_of(world, holding).pull, now_us // 1000, 1, 0, 1)
    if delay_ms != PULL:
        pull_at(world, number, WAITING, now_us + delay_ms * 1000)
        return
    if holding.was_locked == 0 and _group_of(world, holding).pull.is_orderly == 1:
        begin_locked(world, number)
    pull_at(world, number, ASKED, now_us + world.settings.link_us)


@rule()
def _arrive(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """The broker has the request: it answers, holds it, or is not there."""
    holding = world.holdings[number]
    log, settings = world.logs[holding.log], world.settings
    broker = world.serving[log.broker]
    if holding.is_dropped == 1:
        pull_is_over(world, holding, number)
        return
    member = member_at(world, log.broker, holding.instance)
    holding.from_slave = goes_to_slave(world, holding)
    if member.link != LINK_OPEN and not (holding.from_slave == 1 and member.link == LINK_MASTER_CUT):
        lose_pull(world, number, log.broker, now_us)
        return
    if member.closed_us > 0 and member.link == LINK_OPEN:
        _connect(world, number, now_us)
    look_at_cut(world, holding)
    if holding.from_slave == 1:
        _arrive_at_slave(world, number, now_us)
        return
    if broker.is_away != 0 or not knows_master(world, holding.instance, log.topic, log.broker):
        pull_at(world, number, FAILED, now_us + settings.link_us)
        return
    if broker.stands_still == 1:
        pull_at(world, number, ASKED, max(broker.back_us, now_us + 1))
        return
    if not knows_group(world, log.broker, world.instances[holding.instance].group):
        pull_at(world, number, FAILED, now_us + settings.link_us)
        return
    if holding.memory > 0 and _group_of(world, holding).is_broadcasting == 0:
        commit(world, holding.subscription, holding.log, holding.memory)
    moved_to = legal_offset(log, holding.offset, broker.corrects_to_first)
    if moved_to != holding.offset:
        holding.moved_to = moved_to
        pull_at(world, number, MOVED, now_us + world.store_rules[log.broker].pull_us + settings.link_us)
        return
    if holding.offset < log.max_offset:
        _serve(world, number, now_us, world.store_rules[log.broker].pull_us)
        return
    _hold(world, number, now_us)


@rule()
def _connect(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """The client opens the connection again that it has closed; from 5.2.0 on it begins with a heartbeat."""
    holding = world.holdings[number]
    broker = world.logs[holding.log].broker
    member_at(world, broker, holding.instance).closed_us = 0
    if _group_of(world, holding).beats_anew == 1:
        beat_at(world, holding.instance, broker, now_us)


@rule()
def _hold(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """The broker holds the pull until there is something to read."""
    holding = world.holdings[number]
    log = world.logs[holding.log]
    holding.state = HELD
    holding.due_us = FAR
    holding.until_us = now_us + world.settings.hold_us
    holding.looked = holding.offset
    holding.next_held = log.held
    log.held = number


@rule()
def _arrive_at_slave(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """A slave refuses unless slaveReadEnable is set; what it has not copied yet it gives when it has.

    Without its master nothing more comes, and the pull is held to its end. No offset is committed with a pull.
    """
    holding = world.holdings[number]
    log, settings = world.logs[holding.log], world.settings
    rules = world.store_rules[log.broker]
    if rules.slave_read == 0 or world.serving[log.broker].slave_lost_us > 0:
        pull_at(world, number, FAILED, now_us + settings.link_us)
        return
    offset = max(holding.offset, log.min_offset)
    if is_known(world, log, offset):
        stored_us = message_in(world.pages[page_of(world, log, offset, holding.page)], offset).stored_us
        if stored_us <= copied_until(world, log.broker, now_us):
            answer(world, number, now_us + rules.pull_us)
            return
        if not master_is_gone(world, log.broker):
            pull_at(world, number, ASKED, max(stored_us + rules.slave_us, now_us + 1))
            return
    if not master_is_gone(world, log.broker):
        _hold(world, number, now_us)
        return
    holding.scanned = 0
    holding.found = 0
    pull_at(world, number, ANSWERED, now_us + settings.hold_us + settings.link_us)


@rule()
def _serve(world: ConsumerWorld, number: int, now_us: Us, takes_us: Us) -> None:
    """A pull thread of the broker answers, the first that is free."""
    holding = world.holdings[number]
    broker = world.logs[holding.log].broker
    if holding.from_slave == 1:
        answer(world, number, now_us + takes_us + world.store_rules[broker].slave_us)
        return
    thread = first_free_thread(world, broker)
    start_us = max(now_us, world.pull_threads[thread])
    done_us = answer(world, number, start_us + takes_us)
    world.pull_threads[thread] = max(done_us, start_us + world.store_rules[broker].pull_us)


@rule()
def answer(world: ConsumerWorld, number: int, at_us: Us) -> int:
    """Answer a pull with what can be read: at most 32 messages and 256 KiB, of the disk 8 and 64 KiB, at least one.

    When the broker is done with it.
    """
    holding = world.holdings[number]
    log, settings = world.logs[holding.log], world.settings
    most, limit = settings.transfer_count, settings.transfer_bytes
    offset = max(holding.offset, log.min_offset)
    if not is_known(world, log, offset):
        offset = log.max_offset
    holding.offset = offset
    holding.found = 0
    scanned = 0
    if offset < log.max_offset:
        page = page_of(world, log, offset, holding.page)
        holding.page = page
        size = 0
        from_disk = is_on_disk(world, log, page, offset)
        if from_disk:
            most, limit = settings.disk_count, settings.disk_bytes
            at_us = read_at(world, log.broker, holding.from_slave, at_us)
        holding.suggested_slave = int(from_disk and world.store_rules[log.broker].slave_read == 1)
        most = min(_group_of(world, holding).pull_batch, most)
        until_us = readable_until(world, holding, log.broker, at_us)
        while holding.found < most and scanned < SCANNED_MAX and offset + scanned < log.max_offset:
            page = page_of(world, log, offset + scanned, page)
            message = message_in(world.pages[page], offset + scanned)
            if message.stored_us > until_us:
                break
            if is_passed(world, holding.subscription, message):
                size += bytes_of(message)
                if holding.found > 0 and size > limit:
                    break
                holding.found += 1
            scanned += 1
        tally = world.tallies[world.instances[holding.instance].group]
        tally.from_disk += holding.found * from_disk
        tally.from_slave += holding.found * holding.from_slave
    holding.scanned = scanned
    pull_at(world, number, ANSWERED, at_us + settings.link_us)
    return at_us


@rule()
def wake_held(world: ConsumerWorld, log_number: int, now_us: Us) -> None:
    """A message was appended: the pulls that the broker holds for its queue are answered."""
    number = world.logs[log_number].held
    while number != NOBODY:
        behind = world.holdings[number].next_held
        if finds_one(world, number):
            release_held(world, number)
            _serve(world, number, now_us + world.settings.reput_us, 0)
        number = behind


@rule()
def look_at_held(world: ConsumerWorld, broker: int, now_us: Us) -> None:
    """The broker's look at the pulls that it holds: it ends those that were held for long enough.

    Here it does not compare tags: a pull that only met messages of other tags is told to go on behind them.
    """
    for log_number in range(world.settings.logs):
        log = world.logs[log_number]
        if log.broker != broker:
            continue
        number = log.held
        while number != NOBODY:
            behind = world.holdings[number].next_held
            if world.holdings[number].until_us <= now_us or world.holdings[number].offset < log.max_offset:
                release_held(world, number)
                _serve(world, number, now_us, 0)
            number = behind


@rule()
def fail_held(world: ConsumerWorld, broker: int, now_us: Us) -> None:
    """The broker's process is gone, and with it what it held: the clients notice, at once or when it times out."""
    for log_number in range(world.settings.logs):
        log = world.logs[log_number]
        if log.broker != broker:
            continue
        number = log.held
        log.held = NOBODY
        while number != NOBODY:
            holding = world.holdings[number]
            behind = holding.next_held
            holding.next_held = NOBODY
            noticed_us = (
                now_us if _group_of(world, holding).fails_held == 1 else holding.until_us + world.settings.hold_us
            )
            pull_at(world, number, FAILED, noticed_us + world.settings.link_us)
            number = behind


@rule()
def _take_answer(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """Cache what came, hand it to the consume threads, and pull on."""
    holding = world.holdings[number]
    group = _group_of(world, holding)
    if holding.scanned > 0:
        _cache(world, number, group)
        if group.pull.is_orderly == 1:
            start_turns(world, world.instances[holding.instance], now_us)
        else:
            start_idle_threads(world, world.instances[holding.instance], now_us)
    if holding.found == 0 and queue_of(world, number).msg_count == 0:
        holding.memory = max(holding.memory, holding.offset)
    if group.pull_interval_us > 0 and holding.found > 0:
        pull_at(world, number, WAITING, now_us + group.pull_interval_us)
    else:
        _try(world, number, now_us)


@rule()
def _cache(world: ConsumerWorld, number: int, group: ReadingGroup) -> None:
    """Cache what the client keeps of an answer, in batches for its threads; the rest is behind the group."""
    holding = world.holdings[number]
    log, instance = world.logs[holding.log], world.instances[holding.instance]
    if not is_known(world, log, holding.offset):
        return  # a crash took it back
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
        world.messages[3 * kept + 1] = bytes_of(message)
        world.messages[3 * kept + 2] = task_number
        if kept % group.batch == 0:
            first = task_number
        world.tasks[first].batch += 1
        if group.pull.is_orderly == 1:
            holding.tasks += 1
        else:
            wait_for_thread(world, instance, task_number)
        kept += 1
    if kept > 0:
        reader = world.readers[holding.subscription]
        is_first = reader.put_messages(queue_of(world, number), world.messages, kept, log.max_offset)
        if is_first == 1 and group.pull.is_orderly == 1:
            ask_turn(world, number)
    holding.page = page
    holding.offset += scanned


@rule()
def _new_task(world: ConsumerWorld, holding: int, offset: int, page: int, message: StoredMessage) -> int:
    """Record of a message that a thread will be at; it heads no batch yet."""
    number = world.clock.free_task
    task = world.tasks[number]
    world.clock.free_task = task.next_task
    world.clock.free_tasks -= 1
    task.holding = holding
    task.offset = offset
    task.body_bytes = bytes_of(message)
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
        task.reconsume_times = message.told >> RECONSUME_SHIFT & RECONSUME_MASK
        task.origin = world.groups[subscription.group].first_subscription + (message.told >> ORIGIN_SHIFT & ORIGIN_MASK)
    return number
