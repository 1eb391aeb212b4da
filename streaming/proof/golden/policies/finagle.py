"""Replay of `finagle_*.jsonl`: backoffs, failure accrual, retry budget, and the choice of two by peak EWMA."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from simulator.compiled.records import Region, size_of
from simulator.policies import backoff as series
from simulator.policies.avoid import failure_accrual as accrual
from simulator.policies.avoid.failure_accrual import Accrual
from simulator.policies.backoff import Backoff
from simulator.policies.choose.p2c_peak_ewma import Node, begin, end, is_second_better, load_of, second_of
from simulator.policies.retry import budget
from streaming.proof.golden.golden_case import must_be
from streaming.proof.golden.policies.policy_replay import PolicyReplay, record_of

MS_NS = 1_000_000
LOAD_TOLERANCE = 1e-9  # the JVM's exp differs in the last bit
TAKEN = 3  # durations of an "exptake" series
KINDS = {
    "const": series.CONSTANT,
    "linear": series.LINEAR,
    "exp": series.EXPONENTIAL,
    "exptake": series.EXPONENTIAL,
    "equal": series.EQUAL_JITTERED,
    "expj": series.EXPONENTIAL_JITTERED,
    "decor": series.DECORRELATED_JITTERED,
}
ACCRUALS = {"cf": accrual.CONSECUTIVE_FAILURES, "sr": accrual.REQUESTS_RATE, "sd": accrual.DURATION_RATE}


def fill_backoff(backoff: Backoff, kind: str, start_ms: int, max_ms: int) -> None:
    """Describe a recorded series."""
    is_taken = kind == "exptake"
    backoff.kind, backoff.start_ns = KINDS[kind], start_ms * MS_NS
    backoff.maximum_ns = series.ENDLESS if is_taken else max_ms * MS_NS
    backoff.length = TAKEN if is_taken else series.ENDLESS


class BackoffReplay(PolicyReplay):
    """[duration, [random numbers drawn for the next]]."""

    def __init__(self, case: Mapping[str, Any], version: str) -> None:
        super().__init__(case, version)
        self._backoff = record_of(Backoff)
        fill_backoff(self._backoff, case["kind"], case["startMs"], case["maxMs"])
        series.restart(self._backoff)

    def step(self, operation: Sequence[Any]) -> None:
        """One duration, and the step to the next."""
        duration_ns, draws = operation
        must_be("exhausted", False, bool(series.is_exhausted(self._backoff)))
        must_be("duration", duration_ns, int(self._backoff.now_ns))
        must_be("draws", len(draws), int(series.range_of_draw(self._backoff) != series.NOT_DRAWN))
        series.step(self._backoff, draws[0] if draws else 0)
        if operation is self._case["ops"][-1] and self._case["exhausted"]:
            must_be("exhausted at the end", True, bool(series.is_exhausted(self._backoff)))


class AccrualReplay(PolicyReplay):
    """["t", ms], ["s"] success, ["r"] revived, ["f", dead for, [draws]] failure; two policies are joined by orElse."""

    def __init__(self, case: Mapping[str, Any], version: str) -> None:
        super().__init__(case, version)
        self._now_ms: int = case["t0"]
        self._policies = [self._policy(settings) for settings in case["policies"]]

    def _policy(self, settings: Mapping[str, Any]) -> Accrual:
        state = record_of(Accrual)
        state.kind, state.failures, state.required_rate = (
            ACCRUALS[settings["type"]],
            settings["n"],
            settings["threshold"],
        )
        state.window = settings["windowMs"] if settings["type"] == "sd" else settings["window"]
        state.min_requests = settings["minReq"]
        fill_backoff(state.backoff, settings["backoff"], settings["startMs"], settings["maxMs"])
        accrual.start_accrual(state, self._now_ms)
        return state

    def step(self, operation: Sequence[Any]) -> None:
        """One event, which every policy sees."""
        name, *fields = operation
        if name == "t":
            self._now_ms += fields[0]
        elif name == "f":
            self._failure(*fields)
        else:
            event = accrual.note_success if name == "s" else accrual.revive
            for policy in self._policies:
                event(policy, self._now_ms)

    def _failure(self, expected_ns: int | None, draws: Sequence[int]) -> None:
        found, left = [], list(draws)
        for policy in self._policies:
            if accrual.is_enough(policy, self._now_ms):
                drawn = left.pop(0) if left and accrual.draw_range(policy) else 0
                found.append(int(accrual.mark_dead(policy, drawn)))
        must_be("dead for", expected_ns, max(found, default=None))
        must_be("draws left", [], left)


class BudgetReplay(PolicyReplay):
    """["t", ms], ["d", times], ["w", allowed(, balance)] and ["b", balance]."""

    def __init__(self, case: Mapping[str, Any], version: str) -> None:
        super().__init__(case, version)
        self._now_ms: int = case["t0"]
        self._budget = record_of(budget.Budget)
        limits = case["ttlMs"], case["minPerSec"], float(case["percent"])
        budget.start_budget(self._budget, *limits, self._now_ms)

    def step(self, operation: Sequence[Any]) -> None:
        """A pause, requests, a retry or a look at the balance."""
        name, *fields = operation
        if name == "t":
            self._now_ms += fields[0]
        elif name == "d":
            for _ in range(fields[0]):
                budget.deposit(self._budget, self._now_ms)
        elif name == "w":
            must_be("retry allowed", fields[0], int(budget.withdraw(self._budget, self._now_ms)))
        if name in "wb" and fields[name == "w" :]:
            must_be("balance", fields[-1], int(budget.retries_left(self._budget, self._now_ms)))


class PeakEwmaReplay(PolicyReplay):
    """["t", ns], ["S", node, status], ["p", [draws], chosen, request, [[node, load] read]] and ["e", request]."""

    def __init__(self, case: Mapping[str, Any], version: str) -> None:
        super().__init__(case, version)
        self._now_ns: int = case["t0"]
        self._nodes = Region.of(Node, np.zeros(case["nodes"] * size_of(Node), np.int64))
        for number in range(case["nodes"]):
            self._nodes[number].decay_ns, self._nodes[number].stamp_ns = case["decayNs"], self._now_ns
        self._began: dict[int, tuple[int, int]] = {}

    def step(self, operation: Sequence[Any]) -> None:
        """A pause, a change of status, a choice or the end of a request."""
        name, *fields = operation
        if name == "t":
            self._now_ns += fields[0]
        elif name == "S":
            self._nodes[fields[0]].status = fields[1]
        elif name == "e":
            number, began_ns = self._began.pop(fields[0])
            end(self._nodes[number], self._now_ns - began_ns, self._now_ns)
        else:
            self._choose(*fields)

    def _choose(self, draws: Sequence[int], expected: int, request: int, reads: Sequence[Sequence[float]]) -> None:
        chosen, now_ns = 0, self._now_ns
        if draws:
            chosen, second = draws[0], int(second_of(*draws))
            if is_second_better(self._nodes[chosen], self._nodes[second], now_ns):
                chosen = second
        must_be("chosen node", expected, chosen)
        for number, load in reads:
            must_be(f"node {number} was read", now_ns, int(self._nodes[int(number)].stamp_ns))
            got = float(load_of(self._nodes[int(number)], now_ns))
            if not math.isclose(load, got, rel_tol=LOAD_TOLERANCE):
                must_be(f"load of node {number}", load, got)
        begin(self._nodes[chosen])
        self._began[request] = chosen, now_ns
