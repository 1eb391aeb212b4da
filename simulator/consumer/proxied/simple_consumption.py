"""A group of SimpleConsumers: each thread of the application receives, handles what came one by one, and acknowledges.

What the application does not acknowledge, or too late, comes again when its invisible time is over: nobody renews it,
and nobody tries again. Of a group in order it leaves the rest of a receive once it could not acknowledge a message: the
queue is blocked until its invisible time is over, and begins again there.
Source: rocketmq-clients java 5.0.0-5.0.8, SimpleConsumerImpl; rocketmq 5.3.3, proxy GrpcClientSettingsManager.
mergeSubscriptionData, ReceiveMessageActivity (fifo).
"""

from __future__ import annotations

from dataclasses import replace

from simulator.compiled.jit import entry, rule
from simulator.compiled.records import Us
from simulator.consumer.broker.check_points import let_go_of_point
from simulator.consumer.handling.deduplicating import note_duplicates
from simulator.consumer.handling.nothing import cache_nothing, may_take_any, nothing
from simulator.consumer.handling.work import begin_work
from simulator.consumer.memory.consumer_events import POP
from simulator.consumer.memory.consumer_side import FAILED_TO_HANDLE
from simulator.consumer.memory.consumer_world import ConsumerWorld, ConsumptionRules
from simulator.consumer.memory.fate import NOT_ACKNOWLEDGED, SUCCEEDED, UNHANDLED
from simulator.consumer.memory.held_queue import NO_PULL, POP_DUE
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.pop.pop_answers import new_task
from simulator.consumer.pop.popped_batches import point_of
from simulator.consumer.proxied.push_consumption import CAME, RECEIVES, go_on, tend_session
from simulator.consumer.proxied.receipts import DONE, is_invalid, settle
from simulator.consumer.proxied.received_batches import count_received, end_receiving, forget_received, note_fate
from simulator.consumer.proxied.scanned_assignments import lose_received
from simulator.consumer.proxied.simple_receives import receive_simply, refresh_routes
from simulator.consumer.shared.holdings import pop_at, queue_of
from simulator.engine.memory.settings import FAR

AFTER_ERROR_US = 200_000  # until the application receives again, as that of the recordings


@rule()
def _take_next(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """The thread handles the next message of its answer, or receives."""
    holding = world.holdings[number]
    if holding.first_found == NOBODY:
        pop_at(world, number, POP_DUE, now_us + 1)
        return
    point = world.check_points[holding.first_found]
    holding.first_found = point.next_found
    holding.state = NO_PULL
    holding.due_us = FAR
    task = new_task(world, number, point)
    world.tasks[task].batch = 1
    holding.tasks += 1
    instance = world.instances[holding.instance]
    if world.groups[instance.group].duplicates.entries > 0:
        note_duplicates(world, instance.group, task, now_us)
    begin_work(world, instance, holding.worker, task, now_us)


@rule()
def _end_one(world: ConsumerWorld, number: int, now_us: Us) -> bool:
    """The application has handled a message: it acknowledges it, unless it failed; whether its broker heard of that."""
    worker = world.workers[number]
    first = worker.first_task
    task, point = world.tasks[first], point_of(world, first)
    note_fate(world, number, UNHANDLED, now_us)
    has_failed, is_late = task.fate == UNHANDLED, is_invalid(world, point, now_us)
    is_settled = not has_failed and not is_late and settle(world, worker.instance, point, task.fate, now_us) == DONE
    if has_failed:
        point.why = FAILED_TO_HANDLE
    elif task.fate == SUCCEEDED and not is_settled:
        task.fate = NOT_ACKNOWLEDGED
    count_received(world, number, now_us)
    worker.first_task = NOBODY
    worker.ends_us = FAR
    forget_received(world, first)
    return is_settled


@entry
def end_simply(world: ConsumerWorld, number: int, now_us: Us) -> int:
    """A thread ends a message, and handles the next."""
    holding = world.tasks[world.workers[number].first_task].holding
    _end_one(world, number, now_us)
    _take_next(world, holding, now_us)
    return 0


@rule()
def _leave_rest(world: ConsumerWorld, number: int) -> None:
    """The application does not handle what else its receive brought."""
    holding, queue = world.holdings[number], queue_of(world, number)
    while holding.first_found != NOBODY:
        point = world.check_points[holding.first_found]
        holding.first_found = point.next_found
        queue.msg_count -= 1
        queue.msg_size -= point.body_bytes
        let_go_of_point(world, point)


@entry
def end_simply_in_order(world: ConsumerWorld, number: int, now_us: Us) -> int:
    """The same of a group in order: it goes on behind a message only if that was acknowledged."""
    holding = world.tasks[world.workers[number].first_task].holding
    if not _end_one(world, number, now_us):
        _leave_rest(world, holding)
    _take_next(world, holding, now_us)
    return 0


@rule()
def _go_on_simply(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """The event of a receive."""
    then = go_on(world, number, now_us, AFTER_ERROR_US)
    if then == RECEIVES:
        receive_simply(world, number, now_us)
    elif then == CAME:
        _take_next(world, number, now_us)


@entry
def act_simply(world: ConsumerWorld, kind: int, number: int, now_us: Us) -> int:
    """A receive goes on, or a timer of the client is due."""
    if kind == POP:
        _go_on_simply(world, number, now_us)
    else:
        tend_session(world, kind, number, now_us)
    return 0


RECEIVING = ConsumptionRules(
    share=refresh_routes,
    may_take=may_take_any,
    taken=nothing,
    first_pull=nothing,
    cached=cache_nothing,
    ended=end_simply,
    own_event=act_simply,
    let_go=nothing,
    lost=lose_received,
    stopped=nothing,
    gone=end_receiving,
)

RECEIVING_IN_ORDER = replace(RECEIVING, ended=end_simply_in_order)
