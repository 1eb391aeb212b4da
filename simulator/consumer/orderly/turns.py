"""The turn of a queue at a thread: a thread is at one queue's messages until none is left, one fails or 60 s are over.

Source: rocketmq 4.2.0-5.3.3, ConsumeMessageOrderlyService.ConsumeRequest, .submitConsumeRequestLater,
.tryLockLaterAndReconsume.
"""

from __future__ import annotations

from simulator.compiled.jit import entry, rule
from simulator.compiled.records import Us
from simulator.consumer.handling.work import be_idle, begin_work, end_threads, free_task, throw_away
from simulator.consumer.memory.consumer_events import QUEUE_TURN
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.instance import NOBODY, Instance
from simulator.consumer.memory.orderly_group import ASKS_LOCK, NO_TURN, RESTS, WAITS, WORKS
from simulator.consumer.orderly.queue_locks import asks_lock
from simulator.consumer.rules.process_queue import CACHED, is_lock_expired, take_messages, taken_message
from simulator.consumer.shared import due_heap
from simulator.consumer.shared.holdings import give_back_if_done, queue_of
from simulator.engine.memory.settings import FAR

AGAIN_US = 10_000  # until a queue waits for a thread again that lost its lock meanwhile, or had a thread for too long
UNLOCKED_US = 100_000  # until the client asks for a lock that a thread missed as it came
REFUSED_US = 3_000_000  # until a queue waits for a thread again whose lock was refused


@rule()
def ask_turn(world: ConsumerWorld, at: int) -> None:
    """Have a queue wait for a thread."""
    holding = world.holdings[at]
    instance = world.instances[holding.instance]
    if holding.turn == NO_TURN:
        holding.tasks += 1
    holding.turn = WAITS
    holding.turn_us = FAR
    holding.next_turn = NOBODY
    if instance.first_turn == NOBODY:
        instance.first_turn = at
    else:
        world.holdings[instance.last_turn].next_turn = at
    instance.last_turn = at


@entry
def offer(world: ConsumerWorld, at: int, count: int, is_first: int, now_us: Us) -> int:
    """What was cached waits in its queue, and a queue that nobody was at waits for a thread."""
    holding = world.holdings[at]
    holding.tasks += count
    if is_first == 1:
        ask_turn(world, at)
    start_turns(world, world.instances[holding.instance], now_us)
    return 0


@rule()
def rest(world: ConsumerWorld, at: int, turn: int, until_us: Us) -> None:
    """Have a queue go on later."""
    holding = world.holdings[at]
    holding.turn = turn
    holding.turn_us = until_us
    due_heap.push(world, until_us, QUEUE_TURN, at)


@rule()
def end_turn(world: ConsumerWorld, at: int) -> None:
    """The queue waits for messages, or it was lost."""
    holding = world.holdings[at]
    holding.turn = NO_TURN
    holding.turn_us = FAR
    holding.tasks -= 1
    give_back_if_done(world, at)


@rule()
def start_turns(world: ConsumerWorld, instance: Instance, now_us: Us) -> None:
    """Have idle threads take the queues that wait."""
    while instance.idle != NOBODY and instance.first_turn != NOBODY:
        number = instance.idle
        instance.idle = world.workers[number].next_idle
        take_turn(world, instance, number, now_us)


@rule()
def take_turn(world: ConsumerWorld, instance: Instance, number: int, now_us: Us) -> None:
    """A thread that is free takes the next queue, or is idle."""
    while instance.first_turn != NOBODY:
        at = instance.first_turn
        holding = world.holdings[at]
        instance.first_turn = holding.next_turn
        holding.run_us = now_us
        if holding.is_dropped == 0 and not _has_lock(world, at, now_us):
            rest(world, at, ASKS_LOCK, now_us + UNLOCKED_US)
        elif goes_on(world, instance, number, at, now_us):
            return
    be_idle(world, instance, number)


@rule(inlined=True)
def _has_lock(world: ConsumerWorld, at: int, now_us: Us) -> bool:
    queue = queue_of(world, at)
    return queue.locked == 1 and is_lock_expired(queue, now_us // 1000) == 0


@rule()
def goes_on(world: ConsumerWorld, instance: Instance, number: int, at: int, now_us: Us) -> bool:
    """Whether the thread takes the next messages of the queue; else the queue's turn is over."""
    holding, own = world.holdings[at], world.groups[instance.group]
    if holding.is_dropped == 1:
        end_turn(world, at)
        return False
    if not _has_lock(world, at, now_us):
        rest(world, at, ASKS_LOCK, now_us + AGAIN_US)
        return False
    if now_us - holding.run_us > own.orderly.continuous_us:
        rest(world, at, RESTS, now_us + AGAIN_US)
        return False
    count = take_messages(queue_of(world, at), own.batch, world.messages)
    if count == 0:
        end_turn(world, at)
        return False
    first = _batch_of(world, at, count)
    holding.turn = WORKS
    holding.worker = number
    begin_work(world, instance, number, first, now_us)
    return True


@rule()
def _batch_of(world: ConsumerWorld, at: int, count: int) -> int:
    """The first task of those whose offsets are in world.messages, linked."""
    queue = queue_of(world, at)
    first = taken_message(queue, world.messages[0])
    last = first
    world.tasks[first].batch = count
    for i in range(1, count):
        number = taken_message(queue, world.messages[i])
        world.tasks[last].next_task = number
        last = number
    world.tasks[last].next_task = NOBODY
    return first


@rule()
def go_on_with_turn(world: ConsumerWorld, at: int, now_us: Us) -> None:
    """The rest of a queue is over."""
    holding = world.holdings[at]
    if holding.turn == ASKS_LOCK:
        rest(world, at, RESTS, now_us + (AGAIN_US if asks_lock(world, at, now_us) else REFUSED_US))
        return
    ask_turn(world, at)
    start_turns(world, world.instances[holding.instance], now_us)


@entry
def stop_turns(world: ConsumerWorld, number: int, now_us: Us) -> int:
    """The process is gone: no queue waits for a thread, and no thread is at one."""
    instance = world.instances[number]
    while instance.first_turn != NOBODY:
        at = instance.first_turn
        instance.first_turn = world.holdings[at].next_turn
        end_turn(world, at)
    for i in range(instance.workers):
        worker = world.workers[instance.first_worker + i]
        if worker.ends_us != FAR:
            at = world.tasks[worker.first_task].holding
            throw_away(world, worker.first_task)
            end_turn(world, at)
    end_threads(world, instance, now_us)
    return 0


@entry
def forget_queue(world: ConsumerWorld, at: int, now_us: Us) -> int:
    """A queue is lost: it does not go on later, and what was cached of it is forgotten."""
    holding, queue = world.holdings[at], queue_of(world, at)
    if holding.turn in (RESTS, ASKS_LOCK):
        holding.turn = NO_TURN
        holding.turn_us = FAR
        holding.tasks -= 1
    for place in range(queue.first, queue.end):
        one = queue.entries[place]
        if one.state & CACHED:
            free_task(world, one.message)
            one.state &= ~CACHED
            queue.cached -= 1
    return 0
