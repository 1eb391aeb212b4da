"""Replay of `botocore_*.jsonl`: the standard retries call by call, the adaptive rate response by response."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from simulator.policies.retry.aws_adaptive import AdaptiveRate, note_response, start_adaptive, wait_to_send
from simulator.policies.retry.aws_standard import (
    NO_RETRY_S,
    NOT_ASKED_S,
    NOT_RETRYABLE,
    THROTTLING,
    TIMED_OUT,
    TRANSIENT,
    StandardRetry,
    cost_of,
    give_back,
    retry_wait,
)
from streaming.proof.golden.golden_case import must_be
from streaming.proof.golden.policies.policy_replay import PolicyReplay, record_of

NEW_RULES = (1, 44)  # from here on other scales, and the server is heard
TRANSIENT_CODES = {"RequestTimeout", "RequestTimeoutException"}
THROTTLING_CODES = {
    *("Throttling", "ThrottlingException", "ThrottledException", "RequestThrottledException"),
    *("TooManyRequestsException", "ProvisionedThroughputExceededException", "TransactionInProgressException"),
    *("RequestLimitExceeded", "BandwidthLimitExceeded", "LimitExceededException", "RequestThrottled", "SlowDown"),
    *("PriorRequestNotComplete", "EC2ThrottledException"),
}
TRANSIENT_STATUSES = {"500", "502", "503", "504"}
TIMEOUTS = {"cto", "rto"}
OTHER_CONNECTION_ERRORS = {"eco", "ccl"}
SUCCESSES = range(200, 300)
LEAST_WAIT_S = 1e-6  # of the recorder's clock


def is_new(version: str) -> bool:
    """Whether a version has the new rules."""
    return tuple(int(part) for part in version.split(".")[:2]) >= NEW_RULES


def kind_of(outcome: str, version: str) -> int:
    """Which kind of failure a recorded outcome is: an HTTP status, perhaps with an error code, or an exception."""
    status, _, code = outcome.partition(":")
    if outcome in TIMEOUTS:
        return TIMED_OUT
    if code in THROTTLING_CODES or (is_new(version) and status == "429"):
        return THROTTLING
    is_transient = code in TRANSIENT_CODES or status in TRANSIENT_STATUSES or outcome in OTHER_CONNECTION_ERRORS
    return TRANSIENT if is_transient else NOT_RETRYABLE


class StandardReplay(PolicyReplay):
    """["n", call, attempt, outcome, retry after, [u], wait, tokens] and ["f", call, status, tokens]."""

    def __init__(self, case: Mapping[str, Any], version: str) -> None:
        super().__init__(case, version)
        state = record_of(StandardRetry)
        retry, untried, throttling, timeout = case["costs"]
        state.capacity = state.tokens = case["capacity"]
        state.max_attempts, state.max_backoff_s = case["max_attempts"], case["max_backoff"]
        state.retry_cost, state.untried_refund = retry, untried
        state.throttling_cost = retry if throttling is None else throttling
        state.timeout_cost = retry if timeout is None else timeout
        state.scale_s = state.throttling_scale_s = 1.0
        if is_new(version):
            state.scale_s = 0.025 if case["service"] in ("dynamodb", "dynamodbstreams") else 0.05
        self._state, self._costs = state, dict[int, int]()

    def _asked_s(self, header: str | None) -> float:
        if header is None or not header.isdigit() or not is_new(self._version):
            return NOT_ASKED_S
        return int(header) / 1000

    def step(self, operation: Sequence[Any]) -> None:
        """The end of an attempt, or of a call."""
        steps: Mapping[str, Callable[..., None]] = {"n": self._attempt_ended, "f": self._call_ended}
        steps[operation[0]](*operation[1:])
        must_be("tokens", operation[-1], int(self._state.tokens))

    def _attempt_ended(self, call: int, attempt: int, outcome: str, header: str | None, *rest: Any) -> None:
        units, expected_s, _ = rest
        kind = kind_of(outcome, self._version)
        unit = float(units[0]) if units else 0.0
        got_s = retry_wait(self._state, attempt, kind, unit, self._asked_s(header))
        if got_s != NO_RETRY_S:
            self._costs[call] = int(cost_of(self._state, kind))
        must_be("wait", expected_s, None if got_s == NO_RETRY_S else got_s)

    def _call_ended(self, call: int, status: int | None, _: int) -> None:
        if status in SUCCESSES:
            give_back(self._state, self._costs.get(call, 0))


class AdaptiveReplay(PolicyReplay):
    """["t", s], ["s", [waits], tokens] and ["r", throttled, measured, fill rate, size, tokens, plateau, K, last]."""

    def __init__(self, case: Mapping[str, Any], version: str) -> None:
        super().__init__(case, version)
        self._now_s: float = case["t0"]
        self._state = record_of(AdaptiveRate)
        start_adaptive(self._state, self._now_s)

    def step(self, operation: Sequence[Any]) -> None:
        """A pause, a request or a response."""
        steps: Mapping[str, Callable[..., None]] = {"t": self._pause, "s": self._send, "r": self._response}
        steps[operation[0]](*operation[1:])

    def _pause(self, seconds: float) -> None:
        self._now_s += seconds

    def _send(self, expected: list[float], tokens: float) -> None:
        waits = []
        while wait_s := float(wait_to_send(self._state, self._now_s)):
            waits.append(wait_s)
            self._now_s += max(wait_s, LEAST_WAIT_S)
        must_be("waits, tokens", [expected, tokens], [waits, self._state.tokens])

    def _response(self, throttled: int, *expected: float) -> None:
        state = self._state
        note_response(state, throttled, self._now_s)
        bucket = [state.fill_per_s, state.bucket_size, state.tokens]
        curve = [state.most_per_s, state.zero_point_s, state.throttled_at_s - self._case["t0"]]
        must_be("measured rate, bucket, curve", list(expected), [state.measured_per_s, *bucket, *curve])
