"""Replay of `resilience4j_*.jsonl`: the circuit breaker event by event, retries call by call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from simulator.compiled.records import size_of
from simulator.policies.avoid import circuit_breaker as breakers
from simulator.policies.avoid.call_window import COUNT_BASED, TIME_BASED, CallCounts, rate_of
from simulator.policies.retry.fixed_attempts import NO_RETRY, Attempts, interval_after, wait_after
from streaming.proof.golden.golden_case import must_be
from streaming.proof.golden.policies.policy_replay import PolicyReplay, record_of

STATES = ("CLOSED", "OPEN", "HALF_OPEN", "DISABLED", "FORCED_OPEN", "METRICS_ONLY")
NOT_DRAWN = -1  # instead of a random number
BY_HAND = {
    "closed": breakers.CLOSED,
    "reset": breakers.CLOSED,
    "open": breakers.OPEN,
    "half": breakers.HALF_OPEN,
    "disabled": breakers.DISABLED,
    "forced": breakers.FORCED_OPEN,
    "metrics": breakers.METRICS_ONLY,
}


class BreakerReplay(PolicyReplay):
    """["p", granted, S], ["s" | "e", ms, S(, 1 = thrown)], ["i", S] ignored, ["r", S] released, ["t", ms, S], and
    ["m", state by hand, refused, S]; S: what the breaker shows then."""

    def __init__(self, case: Mapping[str, Any], version: str) -> None:
        super().__init__(case, version)
        self._now_ms: int = case["t0"]
        buckets = max(case["window"], case["half"])
        breaker = record_of(breakers.Breaker, buckets * size_of(CallCounts))
        breaker.window.bucket_count = buckets
        breaker.window_kind = COUNT_BASED if case["type"].startswith("COUNT") else TIME_BASED
        breaker.window_size, breaker.min_calls, breaker.probes = case["window"], case["min"], case["half"]
        breaker.failure_percent, breaker.slow_percent, breaker.slow_ms = case["fail"], case["slow"], case["slowMs"]
        breaker.wait_ms, breaker.wait_multiplier, breaker.max_wait_ms = case["wait"], case["mult"], case["cap"]
        breaker.half_open_wait_ms, breaker.opens_itself = case["halfWait"], case["auto"]
        self._breaker = breaker
        breakers.turn(breaker, breakers.CLOSED, self._now_ms)

    def step(self, operation: Sequence[Any]) -> None:
        """One event, and the state after it."""
        name, *fields = operation
        steps: Mapping[str, Callable[..., None]] = {
            "t": self._pass,
            "p": self._permit,
            "s": self._result,
            "e": self._result,
            "i": self._release,
            "r": self._release,
            "m": self._by_hand,
        }
        steps[name](name, *fields)
        shown = next(field for field in fields if isinstance(field, list))
        must_be("state, calls, failed, slow, refused, rates", shown, self._shown())

    def _shown(self) -> list[Any]:
        breaker, window = self._breaker, self._breaker.window
        breakers.look(breaker, self._now_ms)
        total = window.total
        counts = [int(total.calls), int(total.failed), int(total.slow), int(window.not_permitted)]
        rates = [float(rate_of(window, total.failed)), float(rate_of(window, total.slow))]
        return [STATES[breaker.state], *counts, *rates]

    def _pass(self, _: str, ms: int, *__: Any) -> None:
        until_ms = self._now_ms + ms
        while (due_ms := int(breakers.timer_due_ms(self._breaker))) <= until_ms:
            breakers.fire_timer(self._breaker, due_ms)
        self._now_ms = until_ms

    def _permit(self, _: str, granted: int, *__: Any) -> None:
        must_be("permitted", granted, int(breakers.permit(self._breaker, self._now_ms)))

    def _result(self, name: str, ms: int, _: Any, thrown: int = 0) -> None:
        is_counted = breakers.note_result(self._breaker, ms, int(name == "e"), self._now_ms)
        must_be("exception thrown", thrown, int(not is_counted))

    def _release(self, *_: Any) -> None:
        breakers.release(self._breaker)

    def _by_hand(self, _: str, state: str, refused: int, __: Any) -> None:
        is_allowed = bool(breakers.may_turn(self._breaker, BY_HAND[state]))
        must_be("transition refused", refused, int(not is_allowed))
        if is_allowed:
            breakers.turn(self._breaker, BY_HAND[state], self._now_ms)


class AttemptsReplay(PolicyReplay):
    """Intervals [attempt, u, ms], calls [script, calls, [sleeps], [u], result], and the four counters at the end."""

    def __init__(self, case: Mapping[str, Any], version: str) -> None:
        super().__init__(case, version)
        state = record_of(Attempts)
        state.max_attempts, state.interval_ms, state.multiplier = case["max"], case["init"], 1.0
        if case["kind"].startswith("exp"):  # only these functions have a multiplier and a cap
            state.multiplier, state.longest_ms = case["mult"], case["cap"]
        if any(unit != NOT_DRAWN for _, unit, _ in case["intervals"]):
            state.randomization = case["rf"]
        self._state, self._counters = state, [0, 0, 0, 0]

    def operations(self) -> Sequence[Any]:
        """Intervals, then calls, then the counters."""
        return [*self._case["intervals"], *self._case["calls"], self._case["counters"]]

    def step(self, operation: Sequence[Any]) -> None:
        """One of them."""
        if isinstance(operation[0], str):
            self._call(*operation)
        elif operation is self._case["counters"]:
            must_be("counters", operation, self._counters)
        else:
            attempt, unit, expected_ms = operation
            must_be("interval", expected_ms, int(interval_after(self._state, attempt, float(unit))))

    def _call(self, script: str, *expected: Any) -> None:
        units, sleeps, failures, made = iter(expected[2]), [], 0, 0
        while True:
            letter = script[made : made + 1] or "o"
            made += 1
            if letter in "oi":
                break
            failures += 1
            wait_ms = int(wait_after(self._state, failures, float(next(units, 0.0))))
            if wait_ms == NO_RETRY:
                break
            sleeps.append(wait_ms)
        self._count(letter, failures)
        must_be("calls, sleeps", list(expected[:2]), [made, sleeps])
        must_be("result", expected[3], self._result_of(letter))

    def _count(self, letter: str, failures: int) -> None:
        """Count a finished call: without or with a retry, ended well or not."""
        is_over = failures >= self._state.max_attempts
        self._counters[2 * (letter == "i" or is_over) + (letter != "i" and failures > 0)] += 1
        if letter == "b" and is_over and self._case["failAfterMax"]:
            self._counters[3] += 1

    def _result_of(self, letter: str) -> str:
        if letter == "b" and self._case["failAfterMax"]:
            return "MaxRetriesExceededException"
        return {"o": "ok", "i": "Ign", "e": "RuntimeException", "x": "Exception", "b": "bad"}[letter]
