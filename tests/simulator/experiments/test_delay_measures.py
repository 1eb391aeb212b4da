"""Measures of messages that become readable later: how late delays are, check-backs, when transactions are readable."""

from __future__ import annotations

import math

import numpy as np
import pytest

from simulator.experiments.experiment_measures import MeasuredRun, known_measures, measures_of, why_not_measured
from simulator.experiments.words import of_later
from simulator.run.run_totals import Totals, total_run
from simulator.run.simulate import simulate
from tests.says import Says
from tests.simulator.small import scenario_of

BILLING = {"billing": {"topic": "orders", "service": "1ms"}}
BROKERS = {"a": {"latency": {"constant": "1ms"}, "message_delay_level": "1s 2s"}, "b": {"like": "a"}}
DELAYED = {
    "duration": "20s", "brokers": BROKERS, "consumers": BILLING,
    "producers": {"count": 2, "rate": "20/s", "delay": {"level": {1: 1, 2: 1}}},
}  # fmt: skip
IN_TRANSACTIONS = {
    "duration": "100s", "brokers": BROKERS, "consumers": BILLING,
    "producers": {"count": 2, "rate": "5/s", "transaction": {"local": "20ms", "outcome": {"commit": 8, "unknown": 2}}},
}  # fmt: skip


def measured(warm_up_us=0, **changes):
    scenario = scenario_of(**changes)
    return measures_of(MeasuredRun(total_run(scenario, warm_up_us), scenario, warm_up_us))


def test_how_late_delays_are_is_the_percentile_of_what_became_readable():
    found = measured(**DELAYED)
    rows = simulate(scenario_of(**DELAYED), tables=("consumed",)).tables["consumed"]
    late_ms = [(row["stored_us"] - row["arrival_us"]) / 1000 % 1000 for row in rows.to_pylist()]
    assert found["late_p99_ms"] == pytest.approx(np.percentile(late_ms, 99), abs=3)
    assert 90 < found["late_p99_ms[a]"] < 101


def test_a_warm_up_discards_its_delays_and_check_backs():
    assert "late_p99_ms" not in measured(warm_up_us=19_999_999, **DELAYED)
    assert measured(warm_up_us=99_000_000, **IN_TRANSACTIONS)["check_backs_per_s"] == 0


def test_messages_that_are_overdue_at_the_end_are_late_without_end():
    # a wheel delivers 1,000 messages a second here, and 2,000 come
    slow = {"a": {"latency": {"constant": "1ms"}, "release": "5.3.3", "timer_delivery": "1ms"}}
    changes = {"brokers": slow, "duration": "30s", "producers": {"count": 4, "threads": 4, "rate": "500/s",
               "arrivals": "steady", "delay": {"delay_time": "2s"}}, "client": {"release": "5.3.3"}}  # fmt: skip
    assert measured(**DELAYED | changes)["late_p99_ms"] == math.inf


def test_a_broker_that_is_dead_to_the_end_leaves_its_delayed_messages_overdue():
    dead = [{"at": "10s", "for": "10s", "broker": "a", "kind": "kill"}]
    found = measured(**DELAYED | {"faults": dead})
    assert found["late_p99_ms[a]"] == found["late_p99_ms"] == math.inf > found["late_p99_ms[b]"]


def test_transactions_that_stay_open_or_are_given_up_are_never_readable():
    outcome = {"local": "20ms", "outcome": {"commit": 8, "unknown": 2}, "check": "unknown"}
    producers = IN_TRANSACTIONS["producers"] | {"transaction": outcome}
    assert measured(**IN_TRANSACTIONS | {"producers": producers})["transaction_visible_p99_ms"] == math.inf


def test_messages_that_wait_for_their_retry_at_the_end_are_not_handled():
    failing = {"at": "5s", "for": "15s", "consumer": "billing", "kind": "fail"}
    brokers, producers = {"a": {"latency": {"constant": "1ms"}}}, {"count": 2, "rate": "20/s"}
    found = measured(duration="20s", brokers=brokers, consumers=BILLING, faults=[failing], producers=producers)
    assert found["end_to_end_p99_ms[billing]"] == math.inf
    assert found["end_to_end_p50_ms[billing]"] == math.inf  # a quarter is handled


def test_check_backs_and_readable_transactions_are_those_of_the_tables():
    found = measured(**IN_TRANSACTIONS)
    tables = simulate(scenario_of(**IN_TRANSACTIONS)).tables
    rows = tables["transactions"].to_pylist()
    took_ms = [(row["settled_us"] - row["arrival_us"]) / 1000 for row in rows if row["fate"] == "committed"]
    assert found["transaction_visible_p99_ms"] == pytest.approx(np.percentile(took_ms, 99), rel=0.02)
    checks = sum(row["checks"] for row in tables["transaction_windows"].to_pylist())
    assert found["check_backs_per_s"] == checks / 100 > 0
    assert found["check_backs_per_s[a]"] + found["check_backs_per_s[b]"] == pytest.approx(checks / 100)


def test_totals_keep_them_as_bytes():
    totals = total_run(scenario_of(**IN_TRANSACTIONS | {"duration": "40s"}))
    again = Totals.unpacked(totals.packed(), 1, 2)
    for name in ("late", "check_backs", "visible"):
        assert np.array_equal(getattr(again, name), getattr(totals, name))


@pytest.mark.parametrize(
    ("measure", "changes", "why"),
    [
        ("late_p99_ms", IN_TRANSACTIONS, Says("measure.nothing-delayed")),
        ("late_p99_ms[a]", DELAYED, None),
        ("check_backs_per_s", DELAYED, Says("measure.no-transactions")),
        ("transaction_visible_p99_ms", IN_TRANSACTIONS, None),
    ],
)
def test_a_measure_that_a_scenario_cannot_have_says_why(measure, changes, why):
    scenario = scenario_of(**changes)
    assert measure in known_measures(scenario)
    assert why_not_measured(measure, scenario, 0) == why


def test_a_scenario_without_them_has_none_of_them():
    found = measured(duration="5s", brokers=BROKERS, consumers=BILLING)
    assert not [name for name in found if name.startswith(("late_", "check_backs", "transaction_"))]


def test_a_difference_is_reported_in_words():
    said = Says("difference.check-backs", ours="2.5/s", theirs="0.5/s")
    assert of_later("check_backs_per_s", 2.5, 0.5) == said
