"""Outlier detection: a sweep ejects endpoints whose success rate is out of line, or that fail too often.

Source: grpc-java 1.76.0, OutlierDetectionLoadBalancer (gRFC A50); defaults as run. An endpoint that is ejected
already but still has traffic is judged and ejected again; the limit is tested before each ejection, so that one more
than the limit, and at least one, can be ejected.
"""

from __future__ import annotations

import math
from typing import Annotated

from simulator.compiled.jit import rule
from simulator.compiled.records import Record, Region, tail

INTERVAL_US = 10_000_000
US_NS = 1_000
BASE_EJECTION_NS = 30_000_000_000
MAX_EJECTION_NS = 300_000_000_000
MAX_EJECTION_PERCENT = 10
STDEV_FACTOR = 1_900 / 1_000
SUCCESS_RATE_HOSTS = 5
SUCCESS_RATE_VOLUME = 100
FAILURE_PERCENT = 85
FAILURE_PERCENT_HOSTS = 5
FAILURE_PERCENT_VOLUME = 50

NOT_EJECTED = -1


class Endpoint(Record):
    """One endpoint: since when it is ejected, how often in a row, and its requests of the interval."""

    ejected_at_ns: int
    multiplier: int
    succeeded: int
    failed: int
    failed_in_row: int
    judged: int  # the endpoint that is judged at this one's place


class Outliers(Record):
    """The limits, and the endpoints behind them. Factors and thresholds are parts of 1."""

    base_ejection_ns: int
    max_ejection_ns: int
    max_ejection_percent: int
    by_success_rate: int
    stdev_factor: float
    success_rate_enforced: int
    success_rate_hosts: int
    success_rate_volume: int
    by_failure_percent: int
    failure_percent: int
    failure_percent_enforced: int
    failure_percent_hosts: int
    failure_percent_volume: int
    endpoint_count: int
    endpoints: Annotated[Region[Endpoint], tail("endpoint_count")]


@rule()
def judged_at(state: Outliers, place: int) -> Endpoint:
    """The endpoint that is judged at that place."""
    return state.endpoints[state.endpoints[place].judged]


@rule()
def has_volume(endpoint: Endpoint, volume: int) -> bool:
    """Whether there were enough requests to judge the endpoint."""
    return endpoint.succeeded + endpoint.failed >= volume


@rule()
def part_of(part: int, endpoint: Endpoint) -> float:
    """That part of the endpoint's requests; not a number where there were none."""
    volume = endpoint.succeeded + endpoint.failed
    return part / volume if volume else math.nan


@rule()
def count_with_volume(state: Outliers, count: int, volume: int) -> int:
    """How many endpoints have enough requests."""
    found = 0
    for place in range(count):
        found += has_volume(judged_at(state, place), volume)
    return found


@rule()
def is_limit_reached(state: Outliers, count: int) -> bool:
    """Whether no more may be ejected."""
    ejected = 0
    for place in range(count):
        ejected += judged_at(state, place).ejected_at_ns != NOT_EJECTED
    return ejected / count * 100.0 >= state.max_ejection_percent


@rule()
def eject(endpoint: Endpoint, now_ns: int) -> None:
    """Eject it, for longer each time in a row."""
    endpoint.ejected_at_ns = now_ns
    endpoint.multiplier += 1


@rule()
def least_success_rate(state: Outliers, count: int, judged: int) -> float:
    """The mean of the success rates of those with enough requests, less so many standard deviations."""
    total = 0.0
    for place in range(count):
        endpoint = judged_at(state, place)
        if has_volume(endpoint, state.success_rate_volume):
            total += part_of(endpoint.succeeded, endpoint)
    mean = total / judged
    squares = 0.0
    for place in range(count):
        endpoint = judged_at(state, place)
        if has_volume(endpoint, state.success_rate_volume):
            distance = part_of(endpoint.succeeded, endpoint) - mean
            squares += distance * distance
    return mean - math.sqrt(squares / judged) * state.stdev_factor


@rule()
def judge_success_rates(state: Outliers, count: int, now_ns: int) -> None:
    """Eject endpoints whose success rate is too far below the mean."""
    judged = count_with_volume(state, count, state.success_rate_volume)
    if judged == 0 or judged < state.success_rate_hosts:
        return
    least = least_success_rate(state, count, judged)
    for place in range(count):
        endpoint = judged_at(state, place)
        if not has_volume(endpoint, state.success_rate_volume):
            continue
        if is_limit_reached(state, count):
            return
        if part_of(endpoint.succeeded, endpoint) < least and state.success_rate_enforced:
            eject(endpoint, now_ns)


@rule()
def judge_failures(state: Outliers, count: int, now_ns: int) -> None:
    """Eject endpoints of which too large a part of the requests failed."""
    judged = count_with_volume(state, count, state.failure_percent_volume)
    if judged == 0 or judged < state.failure_percent_hosts:
        return
    for place in range(count):
        endpoint = judged_at(state, place)
        if not has_volume(endpoint, state.failure_percent_volume):
            continue
        if is_limit_reached(state, count):
            return
        if part_of(endpoint.failed, endpoint) > state.failure_percent / 100 and state.failure_percent_enforced:
            eject(endpoint, now_ns)


@rule()
def let_back(state: Outliers, endpoint: Endpoint, now_ns: int) -> None:
    """Let an endpoint back whose time is over; one that was not ejected forgets one ejection."""
    if endpoint.ejected_at_ns == NOT_EJECTED:
        endpoint.multiplier = max(endpoint.multiplier - 1, 0)
        return
    longest_ns = max(state.base_ejection_ns, state.max_ejection_ns)
    until_ns = endpoint.ejected_at_ns + min(state.base_ejection_ns * endpoint.multiplier, longest_ns)
    if now_ns > until_ns:
        endpoint.ejected_at_ns = NOT_EJECTED


@rule()
def sweep(state: Outliers, count: int, now_ns: int) -> None:
    """Judge the first `count` endpoints, in the order that they tell, by the interval that ends now, and forget it."""
    if state.by_success_rate:
        judge_success_rates(state, count, now_ns)
    if state.by_failure_percent:
        judge_failures(state, count, now_ns)
    for place in range(count):
        endpoint = judged_at(state, place)
        let_back(state, endpoint, now_ns)
        endpoint.succeeded, endpoint.failed = 0, 0


def none_ejected(state: Outliers, brokers: int, base_us: int, most_us: int, percent: int) -> None:
    """Before the first request: no broker is ejected, success rates are judged with the limits of the source."""
    state.endpoint_count, state.max_ejection_percent = brokers, percent
    state.base_ejection_ns, state.max_ejection_ns = base_us * US_NS, most_us * US_NS
    state.stdev_factor = STDEV_FACTOR
    state.success_rate_hosts, state.success_rate_volume = SUCCESS_RATE_HOSTS, SUCCESS_RATE_VOLUME
    for broker in range(brokers):
        state.endpoints[broker].ejected_at_ns, state.endpoints[broker].judged = NOT_EJECTED, broker
