"""The queues that an instance holds: taken, lost, given back."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.memory.consumer_events import POP, PULL
from simulator.consumer.memory.consumer_group import ReadingGroup
from simulator.consumer.memory.consumer_world import ConsumerWorld, ConsumptionKind
from simulator.consumer.memory.held_queue import HELD, NO_PULL, WAITING, Holding
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.memory.orderly_group import NO_TURN
from simulator.consumer.memory.proxied.proxied_client import NOT_PROXIED
from simulator.consumer.memory.queue_log import NO_PAGE
from simulator.consumer.rules.process_queue import ProcessQueue, clear
from simulator.consumer.shared import due_heap
from simulator.consumer.shared.consumer_rows import put_assignment
from simulator.consumer.shared.queue_progress import count_owners, progress_of
from simulator.engine.memory.settings import FAR
from simulator.kernel import pools


@rule(inlined=True)
def queue_of(world: ConsumerWorld, number: int) -> ProcessQueue:
    """The process queue of a holding."""
    return world.process_queues[number * world.settings.queue_stride]


@rule(inlined=True)
def group_of(world: ConsumerWorld, holding: Holding) -> ReadingGroup:
    """The group of the instance that holds a queue."""
    return world.groups[world.instances[holding.instance].group]


@rule(inlined=True)
def consumption_of(world: ConsumerWorld, number: int) -> ConsumptionKind:
    """How an instance handles messages."""
    return world.consumption[world.instances[number].group]


@rule(inlined=True)
def is_proxied(world: ConsumerWorld, number: int) -> bool:
    """Whether an instance consumes over a proxy."""
    return world.groups[world.instances[number].group].proxied.kind != NOT_PROXIED


@rule()
def take(world: ConsumerWorld, instance: int, subscription: int, log: int, offset: int, now_us: Us) -> int:
    """Have an instance hold a queue, pulling from `offset` on; its number."""
    holding = pools.take(world, world.clock.holdings, world.holdings)
    number = holding.number
    own = world.instances[instance]
    holding.instance = instance
    holding.subscription = subscription
    holding.log = log
    holding.next_holding = own.first_holding
    own.first_holding = number
    holding.next_held = NOBODY
    holding.is_dropped = 0
    holding.state = NO_PULL
    holding.due_us = FAR
    holding.offset = offset
    holding.scanned = 0
    holding.found = 0
    holding.looked = 0
    holding.page = NO_PAGE
    holding.memory = NOBODY
    holding.suggested_slave = 0
    holding.from_slave = 0
    holding.tasks = 0
    holding.owned_us = now_us
    holding.is_shared = 0
    holding.first_found = NOBODY
    holding.most = 0
    holding.turn = NO_TURN
    holding.turn_us = FAR
    holding.unlock_us = FAR
    holding.was_locked = 0
    queue = queue_of(world, number)
    clear(queue)
    queue.msg_count = 0
    queue.msg_size = 0
    queue.msg_acc_cnt = 0
    queue.consuming = 0
    queue.dropped = 0
    queue.last_pull_ms = now_us // 1000
    count_owners(world, progress_of(world, subscription, log), 1, now_us)
    return number


@rule(inlined=True)
def _go_on_at(world: ConsumerWorld, kind: int, number: int, state: int, at_us: Us) -> None:
    holding = world.holdings[number]
    holding.state = state
    holding.due_us = at_us
    due_heap.push(world, at_us, kind, number)


@rule()
def pull_at(world: ConsumerWorld, number: int, state: int, at_us: Us) -> None:
    """Have the pull of a holding go on at a moment."""
    _go_on_at(world, PULL, number, state, at_us)


@rule()
def pop_at(world: ConsumerWorld, number: int, state: int, at_us: Us) -> None:
    """Have the pop of a holding go on at a moment."""
    _go_on_at(world, POP, number, state, at_us)


@rule()
def release_held(world: ConsumerWorld, number: int) -> None:
    """Take a pull out of those that the broker holds for the queue."""
    holding = world.holdings[number]
    log = world.logs[holding.log]
    if log.held == number:
        log.held = holding.next_held
    else:
        before = log.held
        while world.holdings[before].next_held != number:
            before = world.holdings[before].next_held
        world.holdings[before].next_held = holding.next_held
    holding.next_held = NOBODY


@rule()
def lose(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """The instance does not hold the queue any more: what it cached is lost with it."""
    holding = world.holdings[number]
    own = world.instances[holding.instance]
    if own.first_holding == number:
        own.first_holding = holding.next_holding
    else:
        before = own.first_holding
        while world.holdings[before].next_holding != number:
            before = world.holdings[before].next_holding
        world.holdings[before].next_holding = holding.next_holding
    holding.is_dropped = 1
    queue_of(world, number).dropped = 1
    count_owners(world, progress_of(world, holding.subscription, holding.log), -1, now_us)
    put_assignment(world, holding, now_us, 0)
    if holding.state == HELD:
        release_held(world, number)
        holding.state = NO_PULL
    elif holding.state == WAITING:
        holding.state = NO_PULL
    if holding.state == NO_PULL:
        holding.due_us = FAR
    give_back_if_done(world, number)


@rule()
def forget(world: ConsumerWorld, holding: Holding) -> None:
    """Free the record of a queue that was lost."""
    pools.give_back(world.clock.holdings, holding)
    holding.instance = NOBODY


@rule()
def give_back_if_done(world: ConsumerWorld, number: int) -> None:
    """Free the record of a lost queue if no thread and no answer still knows it."""
    holding = world.holdings[number]
    if holding.is_dropped == 1 and holding.tasks == 0 and holding.state == NO_PULL:
        forget(world, holding)


@rule()
def pull_is_over(world: ConsumerWorld, holding: Holding, number: int) -> None:
    """The pull of a lost queue ends."""
    holding.state = NO_PULL
    holding.due_us = FAR
    give_back_if_done(world, number)
