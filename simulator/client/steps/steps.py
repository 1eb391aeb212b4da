"""What the steps of a synchronous and of an asynchronous message share; see `sync_steps` and `async_steps`."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from simulator.client.rules import Rules
from simulator.compiled.jit import rule
from simulator.compiled.records import Ms

NOBODY = -2  # broker of a Charge that is not made; -1 is the client's null


class SendSettings(Protocol):
    """What the client's settings say of a message."""

    send_msg_timeout_ms: Ms
    max_timeout_per_request_ms: Ms  # -1 = no such limit
    attempts_total: int
    retry_not_store_ok: int
    detector_on: int
    first_retry_code: int  # in the memory's retry_codes
    retry_code_count: int


class AttemptMade(Protocol):
    """A message's last attempt."""

    attempt: int  # from 1
    broker: int
    queue_id: int
    outcome: int  # codes
    code: int  # response code, codes.NO_CODE


class Charge(NamedTuple):
    """What an attempt costs a broker."""

    broker: int
    latency_ms: Ms
    isolation: int
    reachable: int


class Ending(NamedTuple):
    """What a message ends with: the last attempt's, or those of none."""

    result: int  # codes: an outcome, or the exception that it is an instance of
    code: int
    attempts: int
    broker: int
    queue_id: int


@rule(inlined=True)
def timeout_within(rules: Rules, settings: SendSettings, budget_ms: Ms, elapsed_ms: Ms, is_last: int) -> Ms:
    """The time-out that the transport is given, of a message that has so much in all."""
    return rules.attempt_timeout(budget_ms, elapsed_ms, settings.max_timeout_per_request_ms, is_last)


@rule(inlined=True)
def charge_of(rules: Rules, broker: int, latency_ms: Ms, outcome: int, reachable: int) -> Charge:
    """The update of a broker after an attempt that ended so."""
    return Charge(broker, latency_ms, rules.is_isolated(outcome), reachable)
