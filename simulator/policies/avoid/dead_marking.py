"""Finagle's failure accrual for each broker, as a part of a policy: alive, dead for a while, then one probe.

The policies are joined as by orElse: a success rate under 0.8 over 30 s, or 5 failures in a row; the longer answer
wins. Failures of a broker that is dead are ignored. Rules and source: `failure_accrual` and FailureAccrualFactory.
"""

from __future__ import annotations

import numpy as np

from simulator.compiled.jit import entry, rule
from simulator.compiled.records import Record, Us, Within
from simulator.kernel.randomness import mix, signed
from simulator.policies.avoid import failure_accrual as accrual
from simulator.policies.avoid.failure_accrual import (
    ALIVE,
    Accrual,
    draw_range,
    is_enough,
    mark_dead,
    note_success,
    revive,
    start_accrual,
)
from simulator.policies.backoff import ENDLESS, EQUAL_JITTERED
from simulator.policies.policy import PolicyPart, has_failed

US_PER_MS = US_NS = 1_000
NOT_DEAD = -1
HALF_OF_WORDS = 2**62


class MarkedBroker(Record):
    """A broker as the balancer sees it."""

    dead_until_us: Us  # NOT_DEAD: alive
    is_probed: int  # 1: a request is under way that decides
    draws: int  # random numbers used so far
    in_row: Within[Accrual]
    rate: Within[Accrual]


@rule()
def dead_ns(state: MarkedBroker, policy: Accrual, now_us: Us) -> int:
    """For how long a policy marks the broker dead after a failure, or ALIVE."""
    if not is_enough(policy, now_us // US_PER_MS):
        return ALIVE
    upper = draw_range(policy)
    state.draws += 1
    word = signed(mix(np.uint64(state.draws)))
    return mark_dead(policy, (word & (HALF_OF_WORDS - 1)) % upper if upper else 0)


@rule()
def note_failure(state: MarkedBroker, now_us: Us) -> None:
    """Ask both policies; the longer answer wins."""
    longest_ns = max(dead_ns(state, state.in_row, now_us), dead_ns(state, state.rate, now_us))
    if longest_ns != ALIVE:
        state.dead_until_us = now_us + longest_ns // US_NS


@entry
def is_alive_or_due(state: MarkedBroker, broker: int, now_us: Us) -> int:
    """1 if the broker is alive, or its time is over and no probe is under way."""
    if state.dead_until_us == NOT_DEAD:
        return 1
    return 1 if now_us >= state.dead_until_us and state.is_probed == 0 else 0


@entry
def send_probe(state: MarkedBroker, broker: int, attempt: int, now_us: Us) -> int:
    """The first request after its time is the probe."""
    if state.dead_until_us != NOT_DEAD and now_us >= state.dead_until_us:
        state.is_probed = 1
    return 0


@entry
def judge_request(state: MarkedBroker, broker: int, attempt: int, now_us: Us, latency_us: Us, outcome: int) -> int:
    """A probe revives the broker or marks it dead again; else the policies note the result."""
    failed = has_failed(outcome)
    if state.dead_until_us == NOT_DEAD:
        if failed:
            note_failure(state, now_us)
        else:
            note_success(state.in_row, now_us // US_PER_MS)
            note_success(state.rate, now_us // US_PER_MS)
    elif state.is_probed == 1:
        state.is_probed = 0
        if failed:
            note_failure(state, now_us)
        else:
            state.dead_until_us = NOT_DEAD
            revive(state.in_row, now_us // US_PER_MS)
            revive(state.rate, now_us // US_PER_MS)
    return 0


def start(
    state: MarkedBroker,
    brokers: int,
    failures: int,
    rate: float,
    window_us: int,
    requests: int,
    dead_us: int,
    most_us: int,
) -> None:
    """The broker is alive."""
    state.dead_until_us = NOT_DEAD
    for policy, kind in ((state.in_row, accrual.CONSECUTIVE_FAILURES), (state.rate, accrual.DURATION_RATE)):
        policy.kind, policy.failures, policy.window = kind, failures, window_us // US_PER_MS
        policy.required_rate, policy.min_requests = rate, requests
        policy.backoff.kind, policy.backoff.length = EQUAL_JITTERED, ENDLESS
        policy.backoff.start_ns, policy.backoff.maximum_ns = dead_us * US_NS, most_us * US_NS
        start_accrual(policy, 0)


PART = PolicyPart(
    MarkedBroker,
    start,
    {"allowed": is_alive_or_due, "sent": send_probe, "ended": judge_request},
    {
        "failures": accrual.FAILURES,
        "rate": accrual.REQUIRED_SUCCESS_RATE,
        "window_us": accrual.WINDOW_MS * US_PER_MS,
        "requests": accrual.MIN_REQUESTS,
        "dead_us": accrual.BACKOFF_START_NS // US_NS,
        "most_us": accrual.BACKOFF_MAX_NS // US_NS,
    },
    per_broker=True,
)
