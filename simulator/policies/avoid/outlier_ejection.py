"""Envoy's outlier detection: so many failures in a row eject a broker at once, if not too many are ejected already.

Source: Envoy, outlier_detection.proto, outlier.rst and cluster.proto (5 in a row, 10 s interval, 30 s times the number
of ejections, 300 s at most, 10 % of the brokers, panic below 50 % healthy). In a cluster of fewer than 10 brokers 10 %
are none, unless `always_one`. The success-rate algorithm needs 5 hosts with 100 requests each and is as in gRPC.
"""

from __future__ import annotations

from simulator.compiled.jit import entry, rule
from simulator.compiled.records import Record, Us, Within, size_of
from simulator.policies.avoid import outlier_grpc as grpc
from simulator.policies.avoid.outlier_grpc import (
    NOT_EJECTED,
    US_NS,
    Endpoint,
    Outliers,
    count_with_volume,
    eject,
    has_volume,
    least_success_rate,
    let_back,
    none_ejected,
    part_of,
)
from simulator.policies.policy import PolicyPart, has_failed

CONSECUTIVE_FAILURES = 5
PANIC_PERCENT = 50


class Ejections(Record):
    """The limits; the endpoints lie behind them."""

    failures: int  # so many in a row
    always_one: int  # 1: one may be ejected whatever the percentage
    panic_percent: int
    outliers: Within[Outliers]


@rule()
def ejected_count(state: Outliers) -> int:
    """How many brokers are ejected."""
    found = 0
    for broker in range(state.endpoint_count):
        found += state.endpoints[broker].ejected_at_ns != NOT_EJECTED
    return found


@rule()
def try_to_eject(state: Ejections, endpoint: Endpoint, now_ns: int) -> bool:
    """Eject a broker unless more than the percentage would be; one that is ejected already stays as it is."""
    outliers = state.outliers
    if endpoint.ejected_at_ns != NOT_EJECTED:
        return False
    ejected = ejected_count(outliers)
    within = (ejected + 1) * 100 <= outliers.max_ejection_percent * outliers.endpoint_count
    if within or (state.always_one == 1 and ejected == 0):
        eject(endpoint, now_ns)
        return True
    return False


@rule()
def eject_slow_ones(state: Ejections, now_ns: int) -> None:
    """Eject brokers whose success rate is too far below the mean."""
    outliers = state.outliers
    count = outliers.endpoint_count
    judged = count_with_volume(outliers, count, outliers.success_rate_volume)
    if judged == 0 or judged < outliers.success_rate_hosts:
        return
    least = least_success_rate(outliers, count, judged)
    for broker in range(count):
        endpoint = outliers.endpoints[broker]
        if has_volume(endpoint, outliers.success_rate_volume) and part_of(endpoint.succeeded, endpoint) < least:
            try_to_eject(state, endpoint, now_ns)


@entry
def is_kept(state: Ejections, broker: int, now_us: Us) -> int:
    """1 unless the broker is ejected; in a panic everybody is kept."""
    outliers = state.outliers
    if outliers.endpoints[broker].ejected_at_ns == NOT_EJECTED:
        return 1
    healthy = outliers.endpoint_count - ejected_count(outliers)
    return 1 if healthy * 100 < state.panic_percent * outliers.endpoint_count else 0


@entry
def count_outcome(state: Ejections, broker: int, attempt: int, now_us: Us, latency_us: Us, outcome: int) -> int:
    """Count the request; the last of too many failures in a row ejects at once."""
    endpoint = state.outliers.endpoints[broker]
    if has_failed(outcome):
        endpoint.failed += 1
        endpoint.failed_in_row += 1
        if endpoint.failed_in_row >= state.failures and try_to_eject(state, endpoint, now_us * US_NS):
            endpoint.failed_in_row = 0
    else:
        endpoint.succeeded += 1
        endpoint.failed_in_row = 0
    return 0


@entry
def end_interval(state: Ejections, now_us: Us) -> int:
    """Judge success rates, let brokers back, and forget the interval."""
    outliers = state.outliers
    eject_slow_ones(state, now_us * US_NS)
    for broker in range(outliers.endpoint_count):
        endpoint = outliers.endpoints[broker]
        let_back(outliers, endpoint, now_us * US_NS)
        endpoint.succeeded, endpoint.failed = 0, 0
    return 0


def start(
    state: Ejections,
    brokers: int,
    failures: int,
    interval_us: int,
    base_us: int,
    most_us: int,
    percent: int,
    always_one: int,
    panic_percent: int,
) -> None:
    """No broker is ejected."""
    state.failures, state.always_one, state.panic_percent = failures, always_one, panic_percent
    none_ejected(state.outliers, brokers, base_us, most_us, percent)


PART = PolicyPart(
    Ejections,
    start,
    {"allowed": is_kept, "ended": count_outcome, "tick": end_interval},
    {
        "failures": CONSECUTIVE_FAILURES,
        "interval_us": grpc.INTERVAL_US,
        "base_us": grpc.BASE_EJECTION_NS // US_NS,
        "most_us": grpc.MAX_EJECTION_NS // US_NS,
        "percent": grpc.MAX_EJECTION_PERCENT,
        "always_one": 0,
        "panic_percent": PANIC_PERCENT,
    },
    behind=lambda brokers: brokers * size_of(Endpoint),
    tick="interval_us",
)
