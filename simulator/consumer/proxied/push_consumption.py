"""A group of PushConsumers: a receive for each broker, threads that take what came, heartbeats to the proxy.

Source: rocketmq-clients java 5.0.0-5.0.8, PushConsumerImpl, ProcessQueueImpl.
"""

from __future__ import annotations

from simulator.compiled.jit import entry, rule
from simulator.compiled.records import Us
from simulator.consumer.handling.nothing import cache_nothing, may_take_any, nothing
from simulator.consumer.links.proxy_choice import answering_proxy, ask_for_endpoints, proxy_of
from simulator.consumer.memory.consumer_events import CONSUME_AGAIN, HEARTBEAT, POP, ROUTE_POLL
from simulator.consumer.memory.consumer_world import ConsumerWorld, ConsumptionRules
from simulator.consumer.memory.held_queue import POP_ANSWERED, POP_DUE, POP_FAILED
from simulator.consumer.memory.proxied.proxied_client import NO_PROXY
from simulator.consumer.pop.pop_answers import forget_answer
from simulator.consumer.proxied.answered import is_nobodys, leave_unheard, take_in
from simulator.consumer.proxied.received_batches import end_received, end_receiving, hand_to_threads, settle_again
from simulator.consumer.proxied.receiving import go_on_at_broker, receive_unless_full
from simulator.consumer.proxied.scanned_assignments import lose_received, scan_assignments
from simulator.consumer.shared.holdings import group_of, pop_at, pull_is_over

FAILED_US = 1_000_000  # RECEIVING_FAILURE_BACKOFF_DELAY
WAITS, RECEIVES, CAME = range(3)  # what the event of a receive leads to


@rule()
def is_put_off(world: ConsumerWorld, number: int, now_us: Us) -> bool:
    """Whether an answer waits for a proxy that stands still, or is lost as the client gave up (DEADLINE_EXCEEDED).

    A client that stood still gives up as it goes on, whatever lies in its connection (grpc-hold-r1).
    """
    holding = world.holdings[number]
    proxy = proxy_of(world, holding.instance, world.logs[holding.log].broker)
    side, own = world.proxies[proxy], group_of(world, holding).proxied
    gives_up_us = holding.until_us - own.polling_us + own.timeout_us
    if holding.unheard_us > 0:
        gives_up_us = holding.unheard_us
    comes_us = side.back_us if side.stands_still == 1 else now_us
    if comes_us >= gives_up_us:
        forget_answer(world, holding)
        pop_at(world, number, POP_FAILED, max(gives_up_us, now_us + 1))
        return True
    if comes_us > now_us:
        pop_at(world, number, POP_ANSWERED, comes_us)
    return comes_us > now_us


@rule()
def tend_session(world: ConsumerWorld, kind: int, number: int, now_us: Us) -> None:
    """Timers that every client over a proxy has: heartbeats, and the question for its routes."""
    if kind == HEARTBEAT:
        if world.settings.proxies_local == 1 or answering_proxy(world, number, now_us) != NO_PROXY:
            world.proxied[number].seen_us = now_us
    elif kind == ROUTE_POLL:
        ask_for_endpoints(world, number)


@rule()
def go_on(world: ConsumerWorld, number: int, now_us: Us, pause_us: Us) -> int:
    """The event of a receive, up to what its client does with it. pause_us: before the next one, after an error.

    RECEIVES: the client is to receive; CAME: its answer is taken in; WAITS: for another event.
    """
    holding = world.holdings[number]
    if holding.state == POP_DUE:
        return RECEIVES
    if holding.state == POP_FAILED and holding.is_dropped == 1:
        pull_is_over(world, holding, number)
    elif holding.state == POP_FAILED:
        pop_at(world, number, POP_DUE, now_us + pause_us)
    elif holding.state != POP_ANSWERED:
        go_on_at_broker(world, number, now_us)
    elif is_nobodys(world, holding):
        leave_unheard(world, number, now_us)
    elif not is_put_off(world, number, now_us):
        take_in(world, number)
        return CAME
    return WAITS


@rule()
def _go_on_receiving(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """The event of a receive of a PushConsumer."""
    holding, then = world.holdings[number], go_on(world, number, now_us, FAILED_US)
    if then == CAME:
        hand_to_threads(world, number, now_us)
    if then == CAME and holding.is_dropped == 1:
        pull_is_over(world, holding, number)
    elif then != WAITS:
        receive_unless_full(world, number, now_us)


@entry
def act_on_push(world: ConsumerWorld, kind: int, number: int, now_us: Us) -> int:
    """A receive goes on, or a timer of the client is due."""
    if kind == POP:
        _go_on_receiving(world, number, now_us)
    elif kind == CONSUME_AGAIN:
        settle_again(world, number, now_us)
    else:
        tend_session(world, kind, number, now_us)
    return 0


PUSHING = ConsumptionRules(
    share=scan_assignments,
    may_take=may_take_any,
    taken=nothing,
    first_pull=nothing,
    cached=cache_nothing,
    ended=end_received,
    own_event=act_on_push,
    let_go=nothing,
    lost=lose_received,
    stopped=nothing,
    gone=end_receiving,
)
