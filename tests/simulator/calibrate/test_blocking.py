"""Whether messages wait or are skipped while their thread is blocked, rates, threads and groups: by made-up logs."""

from __future__ import annotations

from random import Random

import pytest

from simulator.calibrate.producers.producer_names import groups_of_names
from simulator.calibrate.producers.senders import groups_of, rates_per_s
from tests.simulator.calibrate.made import OK, attempts_of
from tests.simulator.calibrate.simulated import log_of, scenario_with
from tests.simulator.small import fault

CASES = [(blocking, arrivals) for blocking in ("queue", "skip") for arrivals in ("poisson", "uniform", "steady")]


def groups_like_these(blocking, arrivals, has_threads=True, hang="11s", **more):
    """20 producers of shop that make 3 messages a second, 4 of billing with two threads that make 10."""
    common = {"arrivals": arrivals, "when_blocked": blocking}
    producers = [
        {"group": "shop", "count": 20, "threads": 1, "rate": "3/s", **common},
        {"group": "billing", "count": 4, "threads": 2, "rate": "10/s", **common},
    ]
    client = {"release": "4.9.8", "send_latency_fault_enable": True}
    scenario = scenario_with(
        fault("hang", "100s", hang), duration="200s", producers=producers, client=client,
        seed=Random(f"{blocking} {arrivals}").randrange(1000),
    )  # fmt: skip
    log = log_of(scenario, has_threads=has_threads, **more)
    return log, {group.name: group for group in groups_of(log)}


@pytest.mark.parametrize(("blocking", "arrivals"), CASES)
@pytest.mark.parametrize("has_threads", [True, False])
def test_queue_and_skip_are_reported_by_the_counts(blocking, arrivals, has_threads):
    _, groups = groups_like_these(blocking, arrivals, has_threads)
    assert {name: group.when_blocked for name, group in groups.items()} == {"shop": blocking, "billing": blocking}


@pytest.mark.parametrize(("blocking", "arrivals"), CASES)
def test_rates_are_what_producers_made_whether_it_waited_or_was_skipped(blocking, arrivals):
    _, groups = groups_like_these(blocking, arrivals)
    assert groups["shop"].rate_per_s == pytest.approx(3, rel=0.02)
    assert groups["billing"].rate_per_s == pytest.approx(10, rel=0.02)


def test_a_rate_where_messages_wait_is_the_count_over_the_time():
    log, groups = groups_like_these("queue", "poisson")
    counted = (log.producer < 20).sum() / 20 / 200  # attempts; few have two
    assert groups["shop"].rate_per_s == pytest.approx(counted, rel=0.01)


def test_what_waited_and_was_then_sent_at_once_is_no_change_of_load():
    log, groups = groups_like_these("queue", "poisson")
    shop = rates_per_s(log, groups["shop"])
    assert shop[100:114].mean() == pytest.approx(60, rel=0.15)
    assert shop.max() < 90


@pytest.mark.parametrize("resolution_us", [1, 1_000])
def test_threads_that_a_log_does_not_name_show_where_messages_were_sent_at_once(resolution_us):
    _, groups = groups_like_these("queue", "poisson", has_threads=False, resolution_us=resolution_us)
    assert {name: group.threads for name, group in groups.items()} == {"shop": 1, "billing": 2}


@pytest.mark.parametrize("early_ms", [0, 1])
def test_two_sends_that_touch_are_not_two_threads(early_ms):
    rows = [(at, 20, 0, OK) for at in range(0, 19_000, 20 - early_ms)]
    (group,) = groups_of(attempts_of(rows))
    assert group.threads == 1


def test_a_log_without_a_long_send_does_not_tell_and_says_so():
    _, groups = groups_like_these("queue", "steady", hang="1us")
    assert {group.when_blocked for group in groups.values()} == {None}


@pytest.mark.parametrize(
    ("names", "groups"),
    [
        (("shop-01", "shop-02", "billing-1"), ("shop", "shop", "billing")),
        (("pay@10.0.0.7#4711", "pay@10.0.0.8#1", "shop@10.0.0.7#2"), ("pay", "pay", "shop")),
        (("orders-6b7d9-xkq2p", "orders-6b7d9-abc9z"), ("orders", "orders")),
        (("eu-web-1", "eu-web-2", "eu-batch-1", "eu-batch-2"), ("eu-web", "eu-web", "eu-batch", "eu-batch")),
        (("10.0.0.1", "10.0.0.2"), ("", "")),
        (("alice", "bob"), ("", "")),
        (("0000", "0001"), ("", "")),
    ],
)
def test_a_group_is_called_by_the_common_prefix_of_its_producers(names, groups):
    assert groups_of_names(names) == list(groups)
