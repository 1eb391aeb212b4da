"""Where the event loop asks a policy instead of the client's own strategy, and tells it what happened."""

from __future__ import annotations

from simulator import codes
from simulator.client.message_queue import NO_QUEUE, packed
from simulator.client.view import View
from simulator.compiled.jit import rule
from simulator.compiled.records import AnyRecord, Us
from simulator.engine.memory.send import Attempt
from simulator.engine.memory.sender_thread import SELECT_BY_STRATEGY
from simulator.engine.memory.world import World
from simulator.engine.network.policy_rounds import avoiding
from simulator.engine.shared.threads import kind_of, message_of, producer_of
from simulator.kernel.randomness import POLICY, hash3, signed


@rule(inlined=True)
def by_strategy(world: World, send: Attempt) -> bool:
    """Whether the client chooses the queue of a send, not a selector of the caller's."""
    return kind_of(world, send.thread).selector == SELECT_BY_STRATEGY


@rule(inlined=True)
def by_policy(world: World, send: Attempt) -> bool:
    """Whether a policy does so instead."""
    return world.settings.policy_on == 1 and by_strategy(world, send)


@rule()
def _find_allowed(world: World, producer: int, view: View, now_us: Us, shunned: int) -> int:
    """Mark the brokers that may be chosen: those with a queue that are not avoided or shunned, or all with a queue."""
    allowed, brokers, queues = world.allowed, world.settings.brokers, view.queues
    for broker in range(brokers):
        allowed[broker] = 0
    for place in range(queues.count):
        allowed[queues.queues[place].broker] = 1
    found = 0
    for broker in range(brokers):
        if broker == shunned:
            allowed[broker] = 0
        elif allowed[broker] == 1:
            allowed[broker] = world.policy.avoid.allowed(avoiding(world, producer, broker), broker, now_us)
            found += allowed[broker]
    if found == 0:
        for place in range(queues.count):
            allowed[queues.queues[place].broker] = 1
    return found


@rule()
def choose_by_policy(world: World, send: Attempt, view: View, now_us: Us, shunned: int) -> int:
    """The packed queue that the policy chooses, or NO_QUEUE where the topic has none; the view says why.

    shunned: a broker that is chosen only if all others are avoided, -1: none.
    """
    if view.queues.count == 0:
        return NO_QUEUE
    producer, settings, ask = producer_of(world, send), world.settings, world.ask
    _find_allowed(world, producer, view, now_us, shunned)
    ask.now_us, ask.attempt = now_us, send.attempt + 1
    ask.last_broker = send.broker if send.attempt > 0 else -1
    ask.word = signed(hash3(send.draw, POLICY, send.attempt))
    ask.message_bytes, ask.queues = message_of(world, send).message_bytes, view.queues
    ask.first, ask.brokers = producer * settings.brokers, settings.brokers
    place = world.policy.choose.choose(world.choose_records[producer * settings.choose_cells], ask)
    view.pick_reason = settings.policy_reason
    if place < 0 or place >= view.queues.count:
        return NO_QUEUE
    queue = view.queues.queues[place]
    return packed(queue.broker, queue.queue_id)


@rule()
def tell_sent(world: World, send: Attempt, now_us: Us) -> None:
    """The request of an attempt is on its way."""
    producer, broker, attempt, settings = producer_of(world, send), send.broker, send.attempt, world.settings
    world.in_flight[producer * settings.brokers + broker] += 1
    policy = world.policy
    policy.choose.sent(world.choose_records[producer * settings.choose_cells], broker, attempt, now_us)
    policy.avoid.sent(avoiding(world, producer, broker), broker, attempt, now_us)
    policy.retry.sent(world.retry_records[producer * settings.retry_cells], broker, attempt, now_us)


@rule(inlined=True)
def _outcome(send: Attempt) -> int:
    """How the attempt ended, in the words of a policy: a broker that is busy throttles."""
    if send.outcome == codes.BROKER_ERROR and send.code == codes.SYSTEM_BUSY:
        return codes.TOO_MUCH_REQUEST
    return send.outcome


@rule()
def tell_ended(world: World, send: Attempt, now_us: Us) -> None:
    """An attempt has ended as the send says."""
    producer, broker, attempt, settings = producer_of(world, send), send.broker, send.attempt, world.settings
    world.in_flight[producer * settings.brokers + broker] -= 1
    policy, outcome, latency_us = world.policy, _outcome(send), now_us - send.attempt_begin_us
    choosing, retrying = producer * settings.choose_cells, producer * settings.retry_cells
    policy.choose.ended(world.choose_records[choosing], broker, attempt, now_us, latency_us, outcome)
    policy.avoid.ended(avoiding(world, producer, broker), broker, attempt, now_us, latency_us, outcome)
    policy.retry.ended(world.retry_records[retrying], broker, attempt, now_us, latency_us, outcome)


@rule(inlined=True)
def _retrying(world: World, send: Attempt) -> AnyRecord:
    """The record of the part that tries again, for the producer of a send."""
    return world.retry_records[producer_of(world, send) * world.settings.retry_cells]


@rule()
def delay_of_retry(world: World, send: Attempt, now_us: Us, attempts: int) -> Us:
    """Microseconds until the next attempt after the one that failed, the last of so many; or NO_RETRY."""
    record = _retrying(world, send)
    word = signed(hash3(send.draw, POLICY, -attempts))
    return world.policy.retry.retry(record, attempts, send.broker, _outcome(send), now_us, word)


@rule()
def wait_before(world: World, send: Attempt, now_us: Us) -> Us:
    """Microseconds until the send's next attempt may be made, 0: now."""
    return world.policy.retry.wait(_retrying(world, send), now_us)


@rule()
def delay_of_hedge(world: World, send: Attempt, now_us: Us) -> Us:
    """Microseconds until the attempt that begins gets another one beside it, or NO_HEDGE."""
    return world.policy.retry.hedge(_retrying(world, send), send.attempt, now_us)


@rule()
def may_hedge(world: World, send: Attempt, now_us: Us) -> int:
    """Whether the other attempt may be made."""
    return world.policy.retry.may_hedge(_retrying(world, send), send.attempt, now_us)
