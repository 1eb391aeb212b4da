"""Putting out the machine's finished rows: output.py says what each holds."""

from __future__ import annotations

from typing import NamedTuple

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.memory.consume_task import ConsumeTask, Worker
from simulator.consumer.memory.consumer_output import copy_handled_message
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.held_queue import Holding
from simulator.consumer.memory.proxied.proxied_client import SIMPLE
from simulator.kernel.row_table import next_row


class Round(NamedTuple):
    """What an instance saw and did in a round for one topic."""

    broker: int  # that was asked, -1: none
    members: int  # -1: no answer
    queues: int
    taken: int
    lost: int
    held: int


class DeliveryPlace(NamedTuple):
    """Where a message was that was delivered."""

    subscription: int
    log: int
    is_dropped: int  # 1: the instance had lost its queue


@rule()
def put_consumed(
    world: ConsumerWorld, place: DeliveryPlace, worker: Worker, task: ConsumeTask, now_us: Us, times: int
) -> None:
    """Put out a consumption."""
    row = world.output.consumed_rows[next_row(world.output, world.output.consumed)]
    row.subscription = place.subscription
    row.log = place.log
    copy_handled_message(row, task)
    row.instance = worker.instance
    row.worker = worker.number
    row.begin_us = worker.began_us
    row.end_us = now_us
    row.times = times
    row.is_dropped = place.is_dropped


@rule()
def put_assignment(world: ConsumerWorld, holding: Holding, now_us: Us, is_open: int) -> None:
    """Put out how long an instance held a queue, if that is wanted; a SimpleConsumer holds none."""
    own = world.groups[world.instances[holding.instance].group].proxied
    if world.output.assignments.room == 0 or own.kind == SIMPLE:
        return
    row = world.output.assignment_rows[next_row(world.output, world.output.assignments)]
    row.subscription = holding.subscription
    row.log = holding.log
    row.instance = holding.instance
    row.from_us = holding.owned_us
    row.until_us = now_us
    row.is_open = is_open
    row.is_shared = holding.is_shared if own.by_queue == 0 else 0


@rule()
def put_rebalance(world: ConsumerWorld, number: int, subscription: int, now_us: Us, seen: Round) -> None:
    """Put out a round of an instance for a topic, if that is wanted."""
    if world.output.rebalances.room == 0:
        return
    row = world.output.rebalance_rows[next_row(world.output, world.output.rebalances)]
    row.at_us = now_us
    row.subscription = subscription
    row.instance = number
    row.reason = world.instances[number].reason
    row.broker = seen.broker
    row.members = seen.members
    row.queues = seen.queues
    row.taken = seen.taken
    row.lost = seen.lost
    row.held = seen.held
