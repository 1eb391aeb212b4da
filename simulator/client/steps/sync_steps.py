"""The steps of a synchronous message, each written once, in the order in which sendDefaultImpl takes them.

resets_index -> (a queue is chosen) -> is_over_budget -> request_timeout -> (the request, its answer) -> charge_for ->
after_end -> resets_index ... -> ending_of. The event loop takes a step when it is due. A replay takes it when its row
of the recording says so, and where the recorded milliseconds leave two readings open, once for each end.
"""

from __future__ import annotations

from simulator import codes
from simulator.client.rules import Rules
from simulator.client.sending.send_loop import (
    FINAL_BROKER_EXCEPTION,
    FINAL_SEND_RESULT,
    FINAL_TOO_MUCH_REQUEST,
    final_code,
    final_result,
)
from simulator.client.steps.steps import AttemptMade, Charge, Ending, SendSettings, charge_of, timeout_within
from simulator.compiled.jit import rule
from simulator.compiled.records import Cells, Ms, Record


class HeldResult(Record):
    """What the loop remembers of the attempts that were made."""

    held: int  # 1: an attempt was stored, its SendResult is remembered
    held_code: int  # its SendStatus as a response code
    held_broker: int
    held_queue_id: int
    over_budget: int


@rule(inlined=True)
def resets_index(attempt: int) -> int:
    """The resetIndex of a selection: retries reset the counter."""
    return 1 if attempt > 1 else 0


@rule(inlined=True)
def is_over_budget(rules: Rules, settings: SendSettings, elapsed_ms: Ms) -> int:
    """Asked after the choice: 1 if the message's time is used up and no attempt is made with it."""
    return rules.over_budget(settings.send_msg_timeout_ms, elapsed_ms)


@rule(inlined=True)
def has_another(settings: SendSettings, attempt: int) -> bool:
    """Whether the loop goes on behind that attempt."""
    return attempt < settings.attempts_total


@rule(inlined=True)
def request_timeout(rules: Rules, settings: SendSettings, attempt: int, elapsed_ms: Ms) -> Ms:
    """The time-out that the transport is given."""
    is_last = 0 if has_another(settings, attempt) else 1
    return timeout_within(rules, settings, settings.send_msg_timeout_ms, elapsed_ms, is_last)


@rule(inlined=True)
def charge_for(rules: Rules, settings: SendSettings, broker: int, latency_ms: Ms, outcome: int) -> Charge:
    """The update of the fault table after an attempt."""
    return charge_of(rules, broker, latency_ms, outcome, rules.is_reachable(outcome, settings.detector_on))


@rule(inlined=True)
def _is_retryable(settings: SendSettings, retry_codes: Cells, code: int) -> int:
    """Whether a broker's code is one of those after which the client tries again."""
    for i in range(settings.first_retry_code, settings.first_retry_code + settings.retry_code_count):
        if retry_codes[i] == code:
            return 1
    return 0


@rule(inlined=True)
def after_end(rules: Rules, settings: SendSettings, retry_codes: Cells, held: HeldResult, made: AttemptMade) -> int:
    """An attempt ended: hold its SendResult if it was stored; codes.RETRY, RETURN or THROW."""
    if made.outcome in codes.STORED:
        held.held = 1
        held.held_code = made.code
        held.held_broker = made.broker
        held.held_queue_id = made.queue_id
    retryable = _is_retryable(settings, retry_codes, made.code)
    return rules.after_attempt(made.outcome, made.code, retryable, settings.retry_not_store_ok)


@rule(inlined=True)
def ending_of(held: HeldResult, made: AttemptMade, thrown: int) -> Ending:
    """What the caller gets of a message with a queue; thrown: `after_end` said THROW."""
    final = final_result(held.held, thrown, held.over_budget)
    result, code, broker, queue_id = codes.BROKER_ERROR, made.code, made.broker, made.queue_id
    if final == FINAL_SEND_RESULT:
        result = codes.SEND_OK if held.held_code == 0 else codes.SEND_STATUS
        code, broker, queue_id = held.held_code, held.held_broker, held.held_queue_id
    elif final == FINAL_TOO_MUCH_REQUEST:
        result, code = codes.TOO_MUCH_REQUEST, codes.NO_CODE
    elif final != FINAL_BROKER_EXCEPTION:
        # MQClientException, the exception that NO_MASTER is an instance of.
        result, code = codes.NO_MASTER, final_code(made.outcome, made.code)
    return Ending(result, code, made.attempt, broker, queue_id)
