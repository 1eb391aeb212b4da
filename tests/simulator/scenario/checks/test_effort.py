"""What a run takes, reported before it runs."""

from __future__ import annotations

import pytest

from simulator.scenario.checks.effort import effort_of, effort_warnings
from simulator.scenario.checks.rough import rough_count, rough_duration, rough_rate
from tests.says import Says
from tests.simulator.small import scenario_of

GROUP = {"topic": "orders", "threads": 1, "service": {"constant": "50ms"}}


def test_messages_and_consumptions_cost_time_and_what_waits_costs_memory():
    alone = effort_of(scenario_of(duration="1h", producers={"rate": "1000/s"}))
    read = effort_of(scenario_of(duration="1h", producers={"rate": "1000/s"}, consumers={"billing": GROUP}))
    assert alone.messages == read.messages == 3_600_000
    assert 0 < read.consumptions <= read.messages
    assert read.seconds > alone.seconds > 1e-6 * alone.messages
    assert read.memory_bytes - alone.memory_bytes == pytest.approx(40 * read.stored, abs=2)


def test_a_scenario_with_few_messages_has_no_warning():
    assert effort_warnings(scenario_of()) == []


def test_a_run_of_hours_and_a_backlog_that_no_checkpoint_holds_are_reported():
    huge = scenario_of(
        duration="400d", producers={"count": 100, "threads": 9, "rate": "100/s"}, consumers={"billing": GROUP}
    )
    assert effort_warnings(huge) == [
        Says("warning.long-run", messages="350,000,000,000", time="10 days", of_windows="3 days"),
        Says("warning.large-backlog", most=8, bytes=40),
    ]


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.2, "1 s"), (40, "40 s"), (130, "2 minutes"), (9_000, "2 hours"), (9e5, "10 days")]
)
def test_a_rough_duration_has_one_unit(seconds, text):
    assert rough_duration(seconds) == text


def test_rates_and_counts_have_few_digits():
    assert [rough_rate(x) for x in (0.016666, 12.34, 1234.5)] == ["0.0167/s", "12.3/s", "1,234/s"]
    assert [rough_count(x) for x in (7, 123, 98_765)] == ["7", "120", "99,000"]
