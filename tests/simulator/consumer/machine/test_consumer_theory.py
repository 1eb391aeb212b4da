"""A group that keeps up is a queue with as many servers as threads; a backlog drains at capacity less load."""

from __future__ import annotations

import numpy as np
import pytest

from tests.simulator.queue_theory import Queue
from tests.simulator.small import ran_tables

MEAN_US = 10_000
ON_THE_WAY_US = 700  # from the append to the consume thread of a client that waits for it
LONG = {"duration": "10000s", "window": "60s", "client": {"send_latency_fault_enable": False}}
BROKER = {"a": {"latency": {"constant": "1ms"}}}


def one_instance(threads, service):
    """A group whose only instance caches whatever comes."""
    own = {"topic": "orders", "release": "5.3.3", "count": 1, "pull_threshold_for_queue": 60_000}
    return {"billing": own | {"threads": threads, "service": service}}


def waits(run):
    """What each message waited for a thread, in mean service times."""
    took = run.column("consumed", "begin_us") - run.column("consumed", "stored_us") - ON_THE_WAY_US
    return np.maximum(took, 0) / MEAN_US


def poisson(load, threads):
    return {"count": 20, "rate": f"{load * threads * 5:g}/s", "arrivals": "poisson"}


@pytest.mark.parametrize(("threads", "fixed"), [(1, False), (1, True), (4, False)])
def test_a_group_waits_for_its_threads_as_m_m_c_and_m_d_1_do(threads, fixed):
    service = {"constant": "10ms"} if fixed else {"exponential": {"mean": "10ms"}}
    run = ran_tables(**LONG, producers=poisson(0.7, threads), brokers=BROKER, consumers=one_instance(threads, service))
    assert waits(run).mean() == pytest.approx(Queue(threads, 0.7, fixed).mean_wait, rel=0.01)


def test_other_service_times_wait_as_pollaczek_and_khinchine_say():
    service = {"uniform": {"min": "0ms", "max": "20ms"}}
    run = ran_tables(**LONG, producers=poisson(0.7, 1), brokers=BROKER, consumers=one_instance(1, service))
    variation = 1 / 3  # variance over squared mean
    assert waits(run).mean() == pytest.approx(0.7 / (1 - 0.7) * (1 + variation) / 2, rel=0.01)


def test_the_mean_lag_is_the_rate_times_the_mean_time_in_the_group():
    run = ran_tables(
        **LONG, producers=poisson(0.7, 4), brokers=BROKER,
        consumers=one_instance(4, {"exponential": {"mean": "10ms"}}),
    )  # fmt: skip
    begin, end, stored = (run.column("consumed", name) for name in ("begin_us", "end_us", "stored_us"))
    looks = np.arange(10_000_000, 9_990_000_000, 9_973)
    lag = np.searchsorted(np.sort(stored), looks) - np.searchsorted(np.sort(end), looks)
    rate = len(begin) / 10_000_000_000
    assert lag.mean() == pytest.approx(rate * (end - stored).mean(), rel=0.01)


@pytest.mark.parametrize("release", ["4.9.8", "5.3.3"])
def test_a_backlog_is_gone_after_its_size_over_capacity_less_load(release):
    run = ran_tables(
        duration="400s", producers={"count": 10, "rate": "10/s"}, brokers=BROKER,
        consumers={"billing": one_instance(2, "10ms")["billing"] | {"release": release}},
        faults=[{"at": "100s", "consumer": "billing-1", "kind": "scale_out"}],
    )  # fmt: skip
    begin = run.column("consumed", "begin_us")
    waited = begin - run.column("consumed", "stored_us")
    gone_us = begin[waited > 20_000].max()
    first_us = begin.min()
    assert gone_us - first_us == pytest.approx(first_us * 100 / (200 - 100), rel=0.01)
