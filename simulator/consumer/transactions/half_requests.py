"""Requests about half messages on their way: at the producer, and at the broker."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.memory.consumer_events import HALF_REQUEST_ARRIVES
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.half_message import CHECK_ARRIVES, END_ARRIVES, UNKNOWN, HalfRequest
from simulator.consumer.memory.queue_log import SENDER_SHIFT
from simulator.consumer.shared import due_heap
from simulator.consumer.transactions.beats import last_beat_us
from simulator.consumer.transactions.half_outcomes import check_outcome, end_half, end_request
from simulator.consumer.transactions.over_proxies import LOST, passed_on_at


@rule()
def arrive(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """A request is where it goes: at its producer first, then at the broker."""
    if world.half_requests[number].next_at == END_ARRIVES:
        _arrive_at_broker(world, number, now_us)
    else:
        _act_at_producer(world, number, now_us)


@rule(inlined=True)
def _go_on(world: ConsumerWorld, number: int, at_us: Us) -> None:
    due_heap.push(world, at_us, HALF_REQUEST_ARRIVES, number)


@rule()
def _is_cut_off(world: ConsumerWorld, request: HalfRequest) -> bool:
    """Whether no packet passes between the group of the producer and the broker of the half message."""
    half = world.halves[request.half]
    group = world.group_of_thread[half.sender >> SENDER_SHIFT]
    return world.transaction_links[group * world.settings.brokers + half.broker] > 0


@rule()
def _has_old_address(world: ConsumerWorld, request: HalfRequest, now_us: Us) -> bool:
    """Whether the producer sends it to a machine that is no master any more.

    It learns the address of the next one as it polls its routes, which is as often as it sends heartbeats.
    """
    half = world.halves[request.half]
    queue = world.half_queues[half.broker]
    if queue.epoch_us == 0 or half.stored_us >= queue.epoch_us:
        return False
    return last_beat_us(world.transaction_producers[request.producer], now_us) < queue.epoch_us


@rule()
def _act_at_producer(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """A local transaction has ended, or a check is answered, one after the other; a process that stands still waits.

    What a process that has gone had begun, or was asked, comes to nothing. So does what its proxy cannot pass on.
    """
    request = world.half_requests[number]
    own = world.transaction_producers[request.producer]
    if request.next_at == CHECK_ARRIVES and _is_cut_off(world, request):
        end_request(world, number)
        return
    if own.is_gone == 1 or request.sent_us < own.began_us:
        end_request(world, number)
        return
    if own.frozen_us > 0:
        _go_on(world, number, max(own.thaws_us, now_us + 1))
        return
    half = world.halves[request.half]
    group = world.group_of_thread[half.sender >> SENDER_SHIFT]
    ends_us = now_us
    if request.next_at == CHECK_ARRIVES:
        begins_us = max(now_us, own.busy_us)
        request.says = check_outcome(world, group, half, begins_us)
        half.answers += 1
        ends_us = begins_us + world.transaction_groups[group].check_us
        own.busy_us = ends_us
    if world.transaction_groups[group].over_proxies == 1:
        ends_us = passed_on_at(world, half, request, ends_us) if request.says != UNKNOWN else LOST
        if ends_us == LOST:
            end_request(world, number)
            return
    request.next_at = END_ARRIVES
    _go_on(world, number, ends_us + world.settings.link_us + world.settings.end_us)


@rule()
def _arrive_at_broker(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """The broker ends the half message; one that is away does not, and one that stands still does as it goes on.

    A request that the network loses is not sent again: it is one-way.
    """
    request: HalfRequest = world.half_requests[number]
    if _is_cut_off(world, request):
        end_request(world, number)
        return
    broker = world.serving[world.halves[request.half].broker]
    if broker.is_away == 0 and broker.stands_still == 1:
        _go_on(world, number, max(broker.back_us, now_us + 1))
        return
    if broker.is_away == 0 and broker.is_unled == 0 and not _has_old_address(world, request, now_us):
        end_half(world, request.half, request.says, request.is_check, now_us)
    end_request(world, number)
