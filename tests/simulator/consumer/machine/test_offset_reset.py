"""Offsets that are reset to a moment while the group runs."""

from __future__ import annotations

import functools

import pytest

from simulator.scenario import ScenarioError
from tests.says import Said, Says
from tests.simulator.small import fault, ran_tables, rows, scenario_of

GROUP = {"topic": "orders", "count": 2, "service": "5ms", "release": "5.3.3"}
BROKER = {"a": {"latency": {"constant": "1ms"}}}
RATE = 40


@functools.cache
def reset(to, queues=2, **changes):
    """A group whose offsets are reset to a moment at 40 s."""
    fault = {"at": "40s", "to": to, "consumer": "billing", "kind": "reset_offset"}
    return ran_tables(
        duration="80s", brokers=BROKER, producers={"rate": f"{RATE}/s"}, topics={"orders": {"queues": queues}},
        consumers={"billing": GROUP | changes}, faults=[fault],
    )  # fmt: skip


def lag_at(run, second):
    """The group's backlog at the end of that second."""
    return rows(run, "consumer_windows", window_start_us=second * 1_000_000)[0]["lag"]


def test_a_group_that_goes_back_consumes_everything_since_then_again():
    run = reset("10s")
    again = rows(run, "consumed", times=2)
    assert len(again) == pytest.approx(30 * RATE, abs=4)
    assert min(row["stored_us"] for row in again) >= 10_000_000
    assert max(row["stored_us"] for row in again) <= 40_000_000


def test_it_stands_still_for_ten_seconds_and_then_works_off_what_is_backlog_again():
    run = reset("10s")
    begins = run.column("consumed", "begin_us")
    assert not ((begins > 40_010_000) & (begins < 50_000_000)).any()
    assert lag_at(run, 38) <= 2
    assert lag_at(run, 49) == pytest.approx(40 * RATE, abs=RATE)
    assert lag_at(run, 79) <= 2


def test_its_retry_topic_goes_on_after_ten_seconds_where_it_was():
    """A reset names a topic, and the client pulls nothing meanwhile; the last pull may be held as it begins."""
    run = reset("10s", fails=0.3)
    retried = rows(run, "consumed", topic="%RETRY%billing")
    assert {row["times"] for row in retried} == {1}
    assert any(row["begin_us"] < 40_000_000 for row in retried)
    assert len([row for row in retried if 42_000_000 < row["begin_us"] < 50_000_000]) == 0
    assert any(row["begin_us"] > 50_000_000 for row in retried)


def test_queues_of_a_broker_that_is_away_are_not_reset():
    """Nothing of them is consumed again but what the broker had not written, and nothing of that is a backlog."""
    faults = [
        fault("kill", "38s", "5s", "a"),
        {"at": "40s", "to": "10s", "consumer": "billing", "kind": "reset_offset"},
    ]
    run = ran_tables(
        duration="100s", brokers=BROKER, producers={"rate": f"{RATE}/s"}, topics={"orders": {"queues": 2}},
        consumers={"billing": GROUP}, faults=faults,
    )  # fmt: skip
    assert min(row["stored_us"] for row in rows(run, "consumed", times=2)) >= 33_000_000
    assert lag_at(run, 99) <= 2


@pytest.mark.parametrize(("release", "stands_still_ms"), [("5.4.0", 10_000), ("5.5.0", 45)])
def test_an_orderly_group_of_5_5_0_waits_for_the_threads_at_its_queues_only(release, stands_still_ms):
    run = reset("10s", consume_mode="ORDERLY", service="45ms", release=release)
    begins = run.column("consumed", "begin_us")
    still = begins[begins >= 40_045_000].min() - 40_000_000
    assert stands_still_ms * 1000 <= still < stands_still_ms * 1000 + 1_600_000


def test_an_orderly_group_of_5_5_0_waits_ten_seconds_at_most_for_a_thread():
    run = reset("10s", queues=1, count=1, threads=2, consume_mode="ORDERLY", service="28s", release="5.5.0")
    begins = [row["begin_us"] for row in rows(run, "consumed") if row["begin_us"] >= 40_000_000]
    assert 50_000_000 <= min(begins) < 52_000_000  # the thread that is at the old queue is done at 57 s


def test_a_group_that_goes_to_the_present_leaves_its_backlog_behind():
    run = reset("40s", count=1, threads=1, service="100ms")
    assert lag_at(run, 38) == pytest.approx(39 * (RATE - 10), abs=RATE)
    assert lag_at(run, 40) <= RATE + 2
    later = [row["stored_us"] for row in rows(run, "consumed") if row["begin_us"] > 41_000_000]
    assert min(later) >= 40_000_000


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"to": "2s"}, Says("fault.to-above-at", "...to", at="1s", got="2s")),
        ({"to": None}, Says("fault.needed", "...to", kind="reset_offset")),
        ({"for": "5s"}, Says("fault.happens-once", "...for", kind="reset_offset")),
    ],
)
def test_a_reset_that_cannot_be_is_reported_in_a_sentence(changes, sentence):
    fault = {"at": "1s", "to": "0s", "consumer": "billing", "kind": "reset_offset"} | changes
    with pytest.raises(ScenarioError) as error:
        scenario_of(consumers={"billing": GROUP}, faults=[fault])
    assert sentence in Said(error.value)
