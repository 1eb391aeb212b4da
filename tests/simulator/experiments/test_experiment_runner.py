"""Whole experiments without Spark: paired arms, and a capacity search against Erlang's formula."""

from __future__ import annotations

import json
import math

import pytest

from simulator.experiments.experiment_runner import cell_totals, experiment
from simulator.run.run_totals import total_run
from tests.simulator.experiments.small import loaded
from tests.simulator.queue_theory import Queue

MEAN_MS = 10.0
MOST_WAIT_MS = 2.0  # on average, before the service


@pytest.fixture(scope="module")
def twins():
    return experiment(loaded(arms={"old": {}, "twin": {}, "new": {"client.release": "5.3.3"}}, seeds=3))


def test_identical_arms_differ_by_exactly_nothing(twins):
    apart = twins.as_json()["differences"]["twin"]
    assert apart
    assert {(one["mean"], one["low"], one["high"]) for one in apart.values()} == {(0, 0, 0)}


def test_arms_share_their_arrivals(twins):
    assert twins.as_json()["differences"]["new"]["messages"]["mean"] == 0


def test_the_result_is_json_with_an_interval_for_each_measure(twins):
    p99 = json.loads(json.dumps(twins.as_json(), allow_nan=False))["arms"]["new"]["measures"]["p99_ms"]
    assert p99["low"] <= p99["mean"] <= p99["high"]
    assert p99["runs"] == 3


def test_the_tables_have_a_row_a_measure(twins):
    rows = twins.runs.to_pylist()
    assert len([row for row in rows if row["arm"] == "twin" and row["measure"] == "failed_percent"]) == 3


def test_a_run_comes_to_what_its_cells_do():
    scenario = loaded(set={"cells": 2}, arms={"old": {}}).arms["old"]
    assert total_run(scenario).packed() == cell_totals(scenario, 0, 0).plus(cell_totals(scenario, 1, 0)).packed()


def erlangs_least(rate_per_s: float) -> int:
    """The fewest servers that keep the mean wait below the bound."""
    load = rate_per_s * MEAN_MS / 1000
    servers = int(load) + 1
    while Queue(servers, load / servers).mean_wait * MEAN_MS >= MOST_WAIT_MS:
        servers += 1
    return servers


@pytest.mark.parametrize("rate_per_s", [150, 400, 900])
def test_a_search_finds_the_least_servers_of_erlangs_formula(rate_per_s):
    scenario = {
        "name": "one broker as M/M/c",
        "duration": "60s",
        "client": {"release": "4.9.8", "send_msg_timeout": "60s"},
        "producers": {"count": 50, "threads": 20, "rate": f"{rate_per_s / 50:g}/s", "arrivals": "poisson"},
        "topics": {"orders": {"queues": 4}},
        "brokers": {
            "broker-a": {
                "latency": {"exponential": {"mean": f"{MEAN_MS:g}ms"}},
                "fast_failure": False,
                "send_threads": 1,
            }
        },
    }
    bound = f"mean_ms < {MEAN_MS + MOST_WAIT_MS:g}"
    find = {"smallest": "brokers.broker-a.send_threads", "in": "1..20", "such_that": [bound]}
    found = experiment(
        loaded(scenario=scenario, find=find, seeds=4, warm_up="5s", set={"brokers.broker-a.send_threads": 20})
    )
    answer = found.as_json()["find"]
    assert answer["answer"] == erlangs_least(rate_per_s)
    values = [step["value"] for step in answer["steps"]]
    assert values == sorted(values)
    assert answer["utilisation"]["peak"] == pytest.approx(rate_per_s * MEAN_MS / 1000 / answer["answer"], rel=0.01)
    assert answer["monotone"]
    assert not math.isnan(answer["steps"][0]["measures"]["mean_ms"]["mean"])
