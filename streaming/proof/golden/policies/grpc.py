"""Replay of `grpc_*.jsonl`: outlier detection sweep by sweep, retries and throttle decision by decision."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from simulator.compiled.records import layout_of, size_of
from simulator.policies.avoid.outlier_grpc import NOT_EJECTED, Endpoint, Outliers, sweep
from simulator.policies.retry.throttle import (
    NEVER_AGAIN,
    NO_PUSHBACK,
    FailedAttempt,
    RetryInterval,
    RetryPolicy,
    Throttle,
    count_success,
    is_above_threshold,
    may_hedge,
    retry_after,
)
from streaming.proof.golden.golden_case import must_be
from streaming.proof.golden.policies.policy_replay import PolicyReplay, record_of

INT_MAX = 2**31 - 1
FATE, REQUESTS = slice(0, 2), slice(2, 4)  # columns of an endpoint: ejected at and multiplier; succeeded and failed
JUDGED = layout_of(Endpoint).cells["judged"]
FORGOTTEN = (NOT_EJECTED, 0)


class OutlierReplay(PolicyReplay):
    """Sweeps: [now, [[id, ok, failed] in judged order], [[ejected at, multiplier]]]."""

    def __init__(self, case: Mapping[str, Any], version: str) -> None:
        super().__init__(case, version)
        count = 1 + max((row[0] for _, rows, _ in case["ops"] for row in rows), default=0)
        state = record_of(Outliers, count * size_of(Endpoint))
        state.endpoint_count = count
        state.base_ejection_ns, state.max_ejection_ns = case["base"], case["maxTime"]
        state.max_ejection_percent = case["maxPercent"]
        if case["sr"]:
            factor, state.success_rate_enforced, state.success_rate_hosts, state.success_rate_volume = case["sr"]
            state.by_success_rate, state.stdev_factor = 1, float(np.float32(factor) / np.float32(1000))
        if case["fp"]:
            state.by_failure_percent = 1
            state.failure_percent, state.failure_percent_enforced, *rest = case["fp"]
            state.failure_percent_hosts, state.failure_percent_volume = rest
        self._state, self._rows = state, state.endpoints.array
        self._rows[:, FATE] = FORGOTTEN

    def step(self, operation: Sequence[Any]) -> None:
        """One sweep; an endpoint that is not listed was removed, and is forgotten."""
        now_ns, rows, expected = operation
        order = [row[0] for row in rows]
        self._rows[: len(rows), JUDGED] = order
        self._rows[np.setdiff1d(np.arange(len(self._rows)), order), FATE] = FORGOTTEN
        self._rows[order, REQUESTS] = [row[1:] for row in rows]
        sweep(self._state, len(rows), now_ns)
        fates = self._rows[order, FATE].tolist()
        got = [[None if at_ns == NOT_EJECTED else at_ns, multiplier] for at_ns, multiplier in fates]
        must_be("ejected at, multiplier", expected, got)


def pushback_of(recorded: str | None) -> int:
    """The pushback that a server's header gives: Java's Integer.valueOf, anything else forbids a retry."""
    if recorded is None:
        return NO_PUSHBACK
    digits = recorded[1:] if recorded[:1] in ("+", "-") else recorded
    if not digits.isdigit() or not 0 <= int(recorded) <= INT_MAX:
        return NEVER_AGAIN
    return int(recorded)


class RetryReplay(PolicyReplay):
    """["s", call, tokens], ["f", call, attempts before, code, pushback, [u], retry, wait, tokens], and hedging:
    ["h", call, code, pushback, hedgeable, pushback ms, tokens, above threshold]."""

    def __init__(self, case: Mapping[str, Any], version: str) -> None:
        super().__init__(case, version)
        self._throttle, self._policy = record_of(Throttle), record_of(RetryPolicy)
        throttle, policy = self._throttle, self._policy
        self._is_throttled = bool(case["throttle"])
        throttle.max_tokens, throttle.threshold, throttle.token_ratio = case["throttle"] or (INT_MAX, -INT_MAX, INT_MAX)
        throttle.tokens = throttle.max_tokens
        if not case["hedging"]:
            policy.max_attempts, policy.initial_ns = case["maxAttempts"], case["initial"]
            policy.max_ns, policy.multiplier = case["maxBackoff"], case["mult"]
        self._codes = set(case["codes"])
        self._intervals: defaultdict[int, RetryInterval] = defaultdict(self._interval)

    def _interval(self) -> RetryInterval:
        interval = record_of(RetryInterval)
        interval.next_ns = self._policy.initial_ns
        return interval

    def step(self, operation: Sequence[Any]) -> None:
        """One event of one call."""
        steps: Mapping[str, Callable[..., None]]
        steps = {"s": self._succeeded, "f": self._failed, "h": self._hedged}
        steps[operation[0]](*operation[1:])

    def _must_have(self, tokens: int | None) -> None:
        if self._is_throttled:
            must_be("tokens", tokens, int(self._throttle.tokens))

    def _succeeded(self, _: int, tokens: int) -> None:
        count_success(self._throttle)
        self._must_have(tokens)

    def _failed(self, call: int, before: int, code: str, pushback: str | None, *rest: Any) -> None:
        units, expected, wait_ns, tokens = rest
        unit = float(units[0]) if units else 0.0
        failure = FailedAttempt(before + 1, code in self._codes, pushback_of(pushback))
        got = int(retry_after(self._policy, self._throttle, self._intervals[call], failure, unit))
        must_be("retry, wait", [expected, wait_ns], [int(got != NEVER_AGAIN), max(got, 0)])
        self._must_have(tokens)

    def _hedged(self, _: int, code: str, pushback: str | None, *rest: Any) -> None:
        expected, wait_ms, tokens, above = rest
        pushed_back = pushback_of(pushback)
        hedges = bool(may_hedge(self._throttle, code in self._codes, pushed_back))
        got_ms: int | None = None if pushed_back == NO_PUSHBACK else pushed_back
        if hedges and pushed_back > 0:
            got_ms = 0
        must_be("hedgeable, wait", [expected, wait_ms], [int(hedges), got_ms])
        self._must_have(tokens)
        must_be("above the threshold", above, int(is_above_threshold(self._throttle)))
