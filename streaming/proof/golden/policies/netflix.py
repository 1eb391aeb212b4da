"""Replay of `netflix_*.jsonl`: limits of concurrent requests, sample by sample."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from simulator.policies.avoid.aimd import Aimd, update_aimd
from simulator.policies.avoid.gradient2 import Gradient2, update_gradient2
from simulator.policies.avoid.vegas import Vegas, update_vegas
from simulator.proof.windowed_limit import SampleWindow, add_sample
from streaming.proof.golden.golden_case import must_be
from streaming.proof.golden.policies.policy_replay import PolicyReplay, record_of

MS_NS = 1_000_000


def aimd_of(case: Mapping[str, Any]) -> Aimd:
    """The limit that a case starts with."""
    aimd = record_of(Aimd)
    aimd.limit, aimd.minimum, aimd.maximum = case["init"], case["min"], case["max"]
    aimd.backoff_ratio, aimd.timeout_ns = case["backoff"], case["timeoutNs"]
    return aimd


class AimdReplay(PolicyReplay):
    """AIMDLimit: [rtt, inflight, drop, limit]."""

    def __init__(self, case: Mapping[str, Any], version: str) -> None:
        super().__init__(case, version)
        self._aimd = aimd_of(case)

    def step(self, operation: Sequence[Any]) -> None:
        """One sample."""
        rtt_ns, inflight, drop, limit = operation
        must_be("limit", limit, int(update_aimd(self._aimd, rtt_ns, inflight, drop)))


class WindowedAimdReplay(PolicyReplay):
    """WindowedLimit before an AIMDLimit: [start, rtt, inflight, drop, [mean, inflight, drop] handed on, limit]."""

    def __init__(self, case: Mapping[str, Any], version: str) -> None:
        super().__init__(case, version)
        self._aimd, window = aimd_of(case), record_of(SampleWindow)
        window.min_window_ns, window.max_window_ns = case["minWindowMs"] * MS_NS, case["maxWindowMs"] * MS_NS
        window.window_size, window.min_rtt_ns = case["windowSize"], case["minRttNs"]
        self._window = window

    def step(self, operation: Sequence[Any]) -> None:
        """One sample."""
        start_ns, rtt_ns, inflight, drop, expected, limit = operation
        window, handed_on = self._window, None
        if add_sample(window, start_ns, rtt_ns, inflight, drop):
            handed_on = [int(window.mean_rtt_ns), int(window.mean_inflight), int(window.mean_dropped)]
            update_aimd(self._aimd, *handed_on)
        must_be("handed on", expected, handed_on)
        must_be("limit", limit, int(self._aimd.limit))


class VegasReplay(PolicyReplay):
    """VegasLimit: [rtt, inflight, drop, limit, estimate, base round trip, counter, jitter]."""

    def __init__(self, case: Mapping[str, Any], version: str) -> None:
        super().__init__(case, version)
        vegas = record_of(Vegas)
        vegas.estimate, vegas.maximum, vegas.probe_multiplier = case["init"], case["max"], case["probe"]
        vegas.smoothing, vegas.jitter = case["smoothing"], case["jitter0"]
        self._vegas = vegas

    def step(self, operation: Sequence[Any]) -> None:
        """One sample; the recorded jitter is what the library drew if it probed."""
        rtt_ns, inflight, drop, *expected = operation
        vegas = self._vegas
        limit = int(update_vegas(vegas, rtt_ns, inflight, drop, float(expected[-1])))
        got = [limit, vegas.estimate, int(vegas.base_rtt_ns), int(vegas.samples), vegas.jitter]
        must_be("limit, estimate, base round trip, counter, jitter", expected, got)


class Gradient2Replay(PolicyReplay):
    """Gradient2Limit: [rtt, inflight, drop, limit, estimate, long average]."""

    def __init__(self, case: Mapping[str, Any], version: str) -> None:
        super().__init__(case, version)
        state = record_of(Gradient2)
        state.estimate, state.minimum, state.maximum = case["init"], case["min"], case["max"]
        state.queue, state.long_window = case["queue"], case["longWindow"]
        state.smoothing, state.tolerance = case["smoothing"], case["tolerance"]
        self._state = state

    def step(self, operation: Sequence[Any]) -> None:
        """One sample."""
        rtt_ns, inflight, _, *expected = operation
        limit = int(update_gradient2(self._state, rtt_ns, inflight))
        must_be("limit, estimate, long average", expected, [limit, self._state.estimate, self._state.long_rtt_ns])
