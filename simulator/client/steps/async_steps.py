"""The steps of an asynchronous message's attempts, each written once; `async_send` says how they go together.

hands_over -> hand_over_of, once the first call has returned; an attempt that ended: charge_for -> rest_of ->
after_end -> the next one, or ending_of. Who takes them: see `sync_steps`.
"""

from __future__ import annotations

from simulator import codes
from simulator.client.rules import Rules
from simulator.client.sending.async_send import CHARGED_BEFORE, CHARGED_NOBODY
from simulator.client.steps.steps import NOBODY, AttemptMade, Charge, Ending, charge_of
from simulator.compiled.jit import rule
from simulator.compiled.records import Ms


@rule(inlined=True)
def hands_over(rules: Rules, made: AttemptMade, thrown: int) -> bool:
    """Whether the broker of an attempt is updated once its call has returned."""
    return made.attempt == 1 and rules.hands_over(made.outcome, thrown) == 1


@rule(inlined=True)
def hand_over_of(broker: int, latency_ms: Ms) -> Charge:
    """That update: the time since the selection, not isolated, reachable."""
    return Charge(broker, latency_ms, 0, 1)


@rule(inlined=True)
def charge_for(
    rules: Rules, made: AttemptMade, broker_before: int, thrown: int, since_call_ms: Ms, since_connected_ms: Ms
) -> Charge:
    """The update of the fault table after an attempt, of NOBODY perhaps; thrown: its call threw it (IsThrown)."""
    outcome, attempt = made.outcome, made.attempt
    charged = rules.async_charged(outcome, thrown, attempt)
    if charged == CHARGED_NOBODY:
        return Charge(NOBODY, 0, 0, 0)
    broker = broker_before if charged == CHARGED_BEFORE else made.broker
    latency_ms = rules.async_latency(thrown, attempt, since_call_ms, since_connected_ms)
    return charge_of(rules, broker, latency_ms, outcome, rules.async_reachable(outcome, thrown))


@rule(inlined=True)
def rest_of(rules: Rules, timeout_ms: Ms, cost_ms: Ms, thrown: int) -> Ms:
    """What an attempt leaves of its time-out for another."""
    return rules.retry_timeout(timeout_ms, cost_ms, thrown)


@rule(inlined=True)
def after_end(rules: Rules, outcome: int, thrown: int, counted: int, attempts_total: int, rest_ms: Ms) -> int:
    """What follows an attempt that left that: codes.RETRY, RETURN or THROW; counted: `async_send.counted`."""
    return rules.after_async(outcome, thrown, counted, attempts_total, rest_ms)


@rule(inlined=True)
def ending_of(rules: Rules, made: AttemptMade, thrown: int) -> Ending:
    """What the callback gets after the last attempt."""
    result, code = made.outcome, made.code
    if result not in codes.STORED:
        result = rules.async_exception(made.outcome, thrown, made.attempt)
        code = rules.async_code(made.outcome, made.code, thrown, made.attempt)
    return Ending(result, code, made.attempt, made.broker, made.queue_id)
