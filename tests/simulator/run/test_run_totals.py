"""What a run comes to without its rows agrees with what its rows add up to."""

from __future__ import annotations

from dataclasses import fields
from functools import reduce

import numpy as np
import pytest
from hypothesis import given, settings

from simulator.kernel import histogram
from simulator.plan.compile import compile_scenario
from simulator.run.run_totals import (
    GROUP_COUNTS,
    QUEUE_BINS_MAX,
    Totals,
    queue_bins_of,
    queue_ids,
    total_cell,
    total_run,
)
from simulator.run.simulate import simulate
from simulator.scenario import parse_scenario
from tests.simulator.drawn import scenarios
from tests.simulator.row_digest import digest_of

HANG = """
name: one broker hangs
duration: 20s
client: {release: 4.9.8, send_latency_fault_enable: true}
producers: {count: 6, threads: 2, rate: 40/s}
topics: {orders: {queues: 4}}
brokers:
  broker-a: {latency: {exponential: {mean: 4ms}}}
  broker-b: {like: broker-a}
  broker-c: {like: broker-a}
faults: [{at: 5s, for: 6s, broker: broker-b, kind: hang}, {at: 19s, for: 4s, broker: broker-c, kind: hang}]
"""


@pytest.fixture(scope="module")
def scenario():
    return parse_scenario(HANG)


@pytest.fixture(scope="module")
def totals(scenario):
    return total_run(scenario)


@pytest.fixture(scope="module")
def rows(scenario):
    return simulate(scenario)


def count(totals, name):
    return int(totals.groups[:, GROUP_COUNTS.index(name)].sum())


@settings(max_examples=25)
@given(scenarios())
def test_the_digest_is_that_of_the_rows(text):
    scenario = parse_scenario(text)
    rows = simulate(scenario)
    assert int(total_run(scenario).digest[0]) == digest_of(scenario, rows.attempts, rows.sends)


def test_another_seed_has_another_digest(scenario, totals):
    assert total_run(scenario.model_copy(update={"seed": 2})).digest[0] != totals.digest[0]


def test_messages_are_counted_as_the_rows_are(totals, rows):
    failed = int((rows.column("sends", "result") != "SEND_OK").sum())
    assert failed > 0
    assert (count(totals, "messages"), count(totals, "failed")) == (rows.sends.num_rows, failed)


def test_latency_is_counted_to_within_one_percent(totals, rows):
    counts = totals.latency.sum(axis=0)
    p99 = histogram.percentile_us(counts, 990_000)
    exact = np.sort(rows.column("sends", "latency_us"))[int(np.ceil(0.99 * rows.sends.num_rows)) - 1]
    assert p99 == pytest.approx(exact, rel=0.01)


def test_attempts_are_counted_by_queue(totals, rows):
    on_b = (rows.column("attempts", "broker") == "broker-b") & (rows.column("attempts", "queue_id") == 3)
    assert totals.queue_attempts[0, 1, 3] == on_b.sum()


def test_every_queue_is_counted_over_time(totals):
    assert (totals.queue_bins.sum(axis=0) == totals.queue_attempts.sum(axis=0)).all()
    assert len(totals.queue_bins) == QUEUE_BINS_MAX


def test_more_queues_than_a_page_can_show_are_not_counted_over_time():
    assert queue_bins_of(60_000_000, brokers=300, queues=8) == (60_000_000, 0)


def test_the_warm_up_is_cut_and_visible(scenario, rows):
    warm = total_run(scenario, warm_up_us=5_000_000)
    arrived = rows.column("sends", "arrival_us")
    assert count(warm, "messages") == (arrived >= 5_000_000).sum()
    assert count(warm, "warm_up") == (arrived < 5_000_000).sum()


def test_what_is_in_flight_at_the_end_is_drained_and_visible(totals, rows, scenario):
    late = int((rows.column("sends", "end_us") > scenario.duration_us).sum())
    assert late > 0
    assert count(totals, "drained") == late


def test_isolation_adds_up_over_the_series(totals):
    assert totals.isolated_us[1] > 0
    assert totals.bin_isolated_us.sum(axis=0).tolist() == totals.isolated_us.tolist()


def test_cells_add_up(scenario):
    two = scenario.model_copy(update={"cells": 2})
    plan, rows = compile_scenario(two), simulate(two)
    cells = [total_cell(plan, own, queue_ids(two)) for own in plan.cells]
    both = reduce(Totals.plus, cells)
    assert count(both, "messages") == rows.sends.num_rows
    assert int(both.digest[0]) == digest_of(two, rows.attempts, rows.sends)


def test_stored_totals_read_back(totals):
    again = Totals.unpacked(totals.packed(), topics=1, brokers=3)
    assert all(np.array_equal(getattr(again, field.name), getattr(totals, field.name)) for field in fields(Totals))
