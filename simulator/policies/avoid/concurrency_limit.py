"""Netflix's concurrency limits for each broker, as parts of a policy: no more requests under way than the limit.

A failed request counts as dropped. Rules and sources: `aimd`, `vegas`, `gradient2`.
"""

from __future__ import annotations

import numpy as np

from simulator.compiled.jit import entry
from simulator.compiled.records import Record, Us, Within
from simulator.kernel.randomness import mix, signed
from simulator.policies.avoid import aimd, gradient2, vegas
from simulator.policies.avoid.aimd import Aimd, update_aimd
from simulator.policies.avoid.gradient2 import Gradient2, update_gradient2
from simulator.policies.avoid.vegas import Vegas, update_vegas
from simulator.policies.policy import PolicyPart, has_failed

US_NS = 1_000
HALF_OF_WORDS = 2**62


class Limited(Record):
    """What every limit knows of its broker."""

    limit: int
    pending: int


class AimdLimit(Record):
    """A limit by AIMD."""

    base: Within[Limited]
    own: Within[Aimd]


class VegasLimit(Record):
    """A limit by Vegas."""

    base: Within[Limited]
    own: Within[Vegas]
    draws: int


class GradientLimit(Record):
    """A limit by Gradient2."""

    base: Within[Limited]
    own: Within[Gradient2]


@entry
def is_below_limit(state: Limited, broker: int, now_us: Us) -> int:
    """1 if one more request may be under way."""
    return 1 if state.pending < state.limit else 0


@entry
def add_request(state: Limited, broker: int, attempt: int, now_us: Us) -> int:
    """One more under way."""
    state.pending += 1
    return 0


@entry
def end_with_aimd(state: AimdLimit, broker: int, attempt: int, now_us: Us, latency_us: Us, outcome: int) -> int:
    """One less under way, and another limit."""
    dropped = 1 if has_failed(outcome) else 0
    state.base.limit = update_aimd(state.own, latency_us * US_NS, state.base.pending, dropped)
    state.base.pending -= 1
    return 0


@entry
def end_with_vegas(state: VegasLimit, broker: int, attempt: int, now_us: Us, latency_us: Us, outcome: int) -> int:
    """One less under way, and another limit."""
    dropped = 1 if has_failed(outcome) else 0
    state.draws += 1
    word = signed(mix(np.uint64(state.draws))) & (HALF_OF_WORDS - 1)
    jitter = 0.5 + word / (2.0 * HALF_OF_WORDS)
    rtt_ns = max(latency_us, 1) * US_NS
    state.base.limit = update_vegas(state.own, rtt_ns, state.base.pending, dropped, jitter)
    state.base.pending -= 1
    return 0


@entry
def end_with_gradient(state: GradientLimit, broker: int, attempt: int, now_us: Us, latency_us: Us, outcome: int) -> int:
    """One less under way, and another limit."""
    state.base.limit = update_gradient2(state.own, max(latency_us, 1) * US_NS, state.base.pending)
    state.base.pending -= 1
    return 0


def start_aimd(state: AimdLimit, brokers: int, initial: int, minimum: int, maximum: int, timeout_us: int) -> None:
    """The initial limit, nothing under way."""
    state.base.limit = state.own.limit = initial
    state.own.minimum, state.own.maximum, state.own.backoff_ratio = minimum, maximum, aimd.BACKOFF_RATIO
    state.own.timeout_ns = timeout_us * US_NS


def start_vegas(state: VegasLimit, brokers: int, initial: int, maximum: int) -> None:
    """The initial limit, nothing under way."""
    state.base.limit, state.own.estimate, state.own.maximum = initial, initial, maximum
    state.own.smoothing, state.own.probe_multiplier, state.own.jitter = vegas.SMOOTHING, vegas.PROBE_MULTIPLIER, 0.75


def start_gradient(state: GradientLimit, brokers: int, initial: int, minimum: int, maximum: int) -> None:
    """The initial limit, nothing under way."""
    state.base.limit, state.own.estimate = initial, initial
    state.own.minimum, state.own.maximum, state.own.queue = minimum, maximum, gradient2.QUEUE
    state.own.smoothing, state.own.tolerance = gradient2.SMOOTHING, gradient2.TOLERANCE
    state.own.long_window = gradient2.LONG_WINDOW


SHARED = {"allowed": is_below_limit, "sent": add_request}
AIMD = PolicyPart(
    AimdLimit,
    start_aimd,
    SHARED | {"ended": end_with_aimd},
    {
        "initial": aimd.INITIAL,
        "minimum": aimd.MINIMUM,
        "maximum": aimd.MAXIMUM,
        "timeout_us": aimd.TIMEOUT_NS // US_NS,
    },
    per_broker=True,
)
VEGAS = PolicyPart(
    VegasLimit,
    start_vegas,
    SHARED | {"ended": end_with_vegas},
    {"initial": vegas.INITIAL, "maximum": vegas.MAXIMUM},
    per_broker=True,
)
GRADIENT2 = PolicyPart(
    GradientLimit,
    start_gradient,
    SHARED | {"ended": end_with_gradient},
    {"initial": gradient2.INITIAL, "minimum": gradient2.MINIMUM, "maximum": gradient2.MAXIMUM},
    per_broker=True,
)
