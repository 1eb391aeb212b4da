"""A thread ends messages of an orderly queue: they are done, or the queue stands still and they come again in place.

Source: rocketmq 4.2.0-5.3.3, ConsumeMessageOrderlyService.processConsumeResult and .checkReconsumeTimes.
"""

from __future__ import annotations

from simulator.compiled.jit import entry, rule
from simulator.compiled.records import Us
from simulator.consumer.handling.counting import count_delivery
from simulator.consumer.handling.failing import first_failed
from simulator.consumer.handling.send_back import give_up
from simulator.consumer.handling.work import throw_away
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.fate import NO_TOPIC, SUCCEEDED, SUSPENDED
from simulator.consumer.memory.instance import NOBODY, Instance
from simulator.consumer.memory.orderly_group import RESTS
from simulator.consumer.orderly.turns import end_turn, goes_on, rest, take_turn
from simulator.consumer.rules.process_queue import NO_SUCH_ELEMENT, take_again
from simulator.consumer.shared.holdings import queue_of


@entry
def end_in_order(world: ConsumerWorld, number: int, now_us: Us) -> int:
    """The thread goes on with its queue, or takes the next that waits."""
    worker = world.workers[number]
    instance = world.instances[worker.instance]
    first = worker.first_task
    at = world.tasks[first].holding
    holding = world.holdings[at]
    again = 0
    if world.groups[instance.group].handling.retry_topic != NO_TOPIC:
        again = _note_fates(world, instance, first, now_us)
    one = first
    while one != NOBODY:
        count_delivery(world, holding, worker, world.tasks[one], now_us)
        one = world.tasks[one].next_task
    if again == 1 and holding.is_dropped == 0:
        _put_back(world, at, first)
        rest(world, at, RESTS, now_us + world.groups[instance.group].orderly.suspend_us)
        take_turn(world, instance, number, now_us)
    else:
        go_behind(world, number, now_us)
    return 0


@rule()
def go_behind(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """What a thread was at is done: the offset behind it is committed, and the thread takes what comes next."""
    worker = world.workers[number]
    instance, first = world.instances[worker.instance], worker.first_task
    at = world.tasks[first].holding
    holding = world.holdings[at]
    offset = world.readers[holding.subscription].commit_taken(queue_of(world, at))
    if holding.is_dropped == 0 and offset != NO_SUCH_ELEMENT:
        holding.memory = offset
    throw_away(world, first)
    if holding.is_dropped == 1:
        end_turn(world, at)
    elif goes_on(world, instance, number, at, now_us):
        return
    take_turn(world, instance, number, now_us)


@rule()
def _note_fates(world: ConsumerWorld, instance: Instance, first: int, now_us: Us) -> int:
    """1 if the messages of a batch come again: one failed, and not all are given up (checkReconsumeTimes)."""
    count, one = 0, first
    while one != NOBODY:
        world.tasks[one].fate = SUCCEEDED
        count += 1
        one = world.tasks[one].next_task
    if first_failed(world, instance, first) == count:
        return 0
    most, again = world.groups[instance.group].handling.most_reconsumes, 0
    one = first
    while one != NOBODY:
        task = world.tasks[one]
        task.fate = give_up(world, instance, task, now_us) if task.reconsume_times >= most else SUSPENDED
        if task.fate == SUSPENDED:
            again = 1
        one = task.next_task
    return again


@rule()
def _put_back(world: ConsumerWorld, at: int, first: int) -> None:
    """The messages of a batch are cached as before, their failure counted (makeMessageToConsumeAgain)."""
    count, one = 0, first
    while one != NOBODY:
        task = world.tasks[one]
        world.messages[3 * count] = task.offset
        world.messages[3 * count + 1] = task.body_bytes
        world.messages[3 * count + 2] = one
        if task.fate == SUSPENDED:
            task.reconsume_times += 1
        count += 1
        one = task.next_task
    take_again(queue_of(world, at), world.messages, count)
