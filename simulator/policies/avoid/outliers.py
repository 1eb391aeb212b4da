"""gRPC's outlier detection as a part of a policy. The rules and their source: `outlier_grpc`."""

from __future__ import annotations

from simulator.compiled.jit import entry
from simulator.compiled.records import Us, size_of
from simulator.policies.avoid import outlier_grpc as grpc
from simulator.policies.avoid.outlier_grpc import NOT_EJECTED, US_NS, Endpoint, Outliers, none_ejected, sweep
from simulator.policies.policy import PolicyPart, has_failed


@entry
def is_not_ejected(state: Outliers, broker: int, now_us: Us) -> int:
    """1 unless a sweep ejected the broker."""
    return 1 if state.endpoints[broker].ejected_at_ns == NOT_EJECTED else 0


@entry
def count_request(state: Outliers, broker: int, attempt: int, now_us: Us, latency_us: Us, outcome: int) -> int:
    """Count the request for the next sweep."""
    endpoint = state.endpoints[broker]
    if has_failed(outcome):
        endpoint.failed += 1
    else:
        endpoint.succeeded += 1
    return 0


@entry
def judge_interval(state: Outliers, now_us: Us) -> int:
    """A sweep."""
    sweep(state, state.endpoint_count, now_us * US_NS)
    return 0


def start(state: Outliers, brokers: int, interval_us: int, base_us: int, most_us: int, percent: int) -> None:
    """No broker is ejected; both algorithms judge, with the limits of the source."""
    none_ejected(state, brokers, base_us, most_us, percent)
    state.by_success_rate, state.success_rate_enforced = 1, 1
    state.by_failure_percent, state.failure_percent_enforced, state.failure_percent = 1, 1, grpc.FAILURE_PERCENT
    state.failure_percent_hosts, state.failure_percent_volume = grpc.FAILURE_PERCENT_HOSTS, grpc.FAILURE_PERCENT_VOLUME


PART = PolicyPart(
    Outliers,
    start,
    {"allowed": is_not_ejected, "ended": count_request, "tick": judge_interval},
    {
        "interval_us": grpc.INTERVAL_US,
        "base_us": grpc.BASE_EJECTION_NS // US_NS,
        "most_us": grpc.MAX_EJECTION_NS // US_NS,
        "percent": grpc.MAX_EJECTION_PERCENT,
    },
    behind=lambda brokers: brokers * size_of(Endpoint),
    tick="interval_us",
)
