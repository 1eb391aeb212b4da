"""Consumer groups that cannot keep up, before they run: load, capacity, backlog, and what they lose."""

from __future__ import annotations

from pathlib import Path

import pytest

from simulator.run.simulate import simulate
from simulator.scenario import Scenario, load_scenario
from simulator.scenario.checks.group_load import group_load
from simulator.scenario.checks.warnings import warnings_of
from simulator.scenario.texts.warning_texts import WarningTexts
from tests.says import Said, Says
from tests.simulator.small import ran_tables, scenario_of

SCENARIOS = Path(__file__).parents[4] / "conf" / "scenarios"
BROKERS = {name: {"latency": {"constant": "1ms"}, "send_threads": 16} for name in ("a", "b")}
SLOW = {"topic": "orders", "count": 2, "threads": 4, "service": {"constant": "100ms"}}  # 80/s


def scenario(rate="25/s", group=SLOW, brokers=BROKERS, duration="5m", producers=None, **changes) -> Scenario:
    sending = {"count": 4, "threads": 4, "rate": rate} | (producers or {})
    return scenario_of(duration=duration, producers=sending, brokers=brokers, consumers={"billing": group}, **changes)


def test_a_group_that_keeps_up_has_no_warning():
    assert warnings_of(scenario("19/s")) == []


@pytest.mark.parametrize("mode", ["CONCURRENTLY", "POP"])
def test_instances_that_an_autoscaler_does_not_start_are_not_counted(mode):
    scaled = SLOW | {"autoscale": {"threshold": 100, "most": 90}, "consume_mode": mode}
    four = scenario("500/s", scaled, topics={"orders": {"queues": 2}}, client={"release": "5.3.3"})
    assert group_load(four, four.consumers["billing"]).capacity_per_s == pytest.approx(160, rel=0.01)
    assert Says("warning.with-threads", instances=4, threads=4) in Said(warnings_of(four)[0])


def test_load_capacity_backlog_and_the_time_until_messages_are_deleted_are_reported():
    expected = {
        "group": "billing", "load": "100/s", "capacity": "80/s", "instances": 2, "threads": 4, "at_end": "6,000",
        "after": "15 days", "reserved": "3d", "least": "", "ordered": "", "keyed": "",
    }  # fmt: skip
    assert warnings_of(scenario()) == [Says("warning.cannot-keep-up", **expected)]


def test_a_deletion_that_is_years_away_is_not_foretold():
    assert warnings_of(scenario("20.02/s")) == [Says("warning.cannot-keep-up", load="80.1/s", deletion="")]


def test_a_backlog_at_the_start_comes_on_top():
    (found,) = warnings_of(scenario(group=SLOW | {"backlog": 1000}))
    assert found == Says("warning.cannot-keep-up", at_end="6,000", besides=WarningTexts.BESIDES_THE_BACKLOG())


def test_a_disk_that_is_full_first_is_named():
    small = {name: own | {"disk": "1GiB", "mapped_file_size_commit_log": "16MiB"} for name, own in BROKERS.items()}
    (found,) = warnings_of(scenario(brokers=small, topics={"orders": {"queues": 4, "message_bytes": "100KiB"}}))
    assert found == Says("warning.cannot-keep-up", after="12 minutes", broker="a", disk="1GiB", percent=85)


def test_a_peak_that_is_worked_off_says_when_the_most_are_behind():
    changes = {"rate_changes": {"1m": "30/s", "2m": "10/s"}}
    expected = {"since": "1m", "load": "120/s", "capacity": "80/s", "most": "2,400", "at": "2m", "left": ""}
    assert warnings_of(scenario("10/s", producers=changes)) == [
        Says("warning.falls-behind", group="billing", **expected)
    ]


@pytest.mark.parametrize(
    ("group", "changes", "capacity"),
    [
        ({}, {}, 80),
        ({"count": 3}, {"queues": 2}, 4 * 40 / 2),  # 4 queues for 3 instances: one has two
        ({"count": 9}, {"queues": 2}, 4 * 40),  # five instances get none
        ({"consume_mode": "ORDERLY"}, {"queues": 2}, 40),  # one thread at each of 4 queues
        ({"service": {"constant": "50ms"}}, {}, 160),
        ({"fails": 0.5}, {}, 40),
        ({"message_model": "BROADCASTING"}, {}, 40),
        ({"autoscale": {"threshold": 100, "least": 2, "most": 90}}, {"queues": 2}, 160),
        ({"topic": None, "topics": {"orders": {"tags": "A", "service": "200ms"}}}, {"tags": {"A": 1, "B": 3}}, 40),
    ],
)
def test_capacity_follows_from_threads_queues_and_times(group, changes, capacity):
    own = {key: value for key, value in (SLOW | group).items() if value is not None}
    found = scenario("500/s", own, topics={"orders": {"queues": 4} | changes})
    assert group_load(found, found.consumers["billing"]).capacity_per_s == pytest.approx(capacity, rel=0.01)


@pytest.mark.parametrize(("mode", "threads"), [("CONCURRENTLY", 4), ("ORDERLY", 1)])
def test_a_hot_key_is_at_one_queue(mode, threads):
    hot = {"orders": {"queues": 4, "keys": {"count": 2, "skew": "zipf 1"}}}
    found = scenario("50/s", SLOW | {"consume_mode": mode}, producers={"selector": "hash"}, topics=hot)
    assert group_load(found, found.consumers["billing"]).capacity_per_s == pytest.approx(threads * 10 / (2 / 3))
    assert warnings_of(found)[-1] == Says("warning.cannot-keep-up", least="at least ", share="67%")


@pytest.mark.parametrize("changes", [{}, {"count": 3}, {"consume_mode": "ORDERLY"}, {"fails": 0.25}])
def test_the_simulated_backlog_is_as_reported(changes):
    own, topics = SLOW | changes, {"orders": {"queues": 2}}
    found = group_load(scenario("60/s", own, duration="2m", topics=topics), scenario(group=own).consumers["billing"])
    run = ran_tables(
        duration="2m", producers={"count": 4, "threads": 4, "rate": "60/s"}, brokers=BROKERS, topics=topics,
        consumers={"billing": own},
    )  # fmt: skip
    assert run.column("consumer_windows", "lag")[-1] == pytest.approx(found.behind_end, rel=0.15)


def test_the_gallery_scenario_whose_disk_is_small_misses_messages_when_it_is_reported():
    missed = load_scenario(SCENARIOS / "consumer-missed.yaml")
    (found,) = warnings_of(missed)
    run = simulate(missed, tables=("consumer_windows",))
    begins = run.column("consumer_windows", "window_start_us")[run.column("consumer_windows", "missed") > 0]
    assert found == Says("warning.cannot-keep-up", after="5 minutes", broker="broker-a", disk="256MiB")
    assert begins.min() / 60e6 == pytest.approx(4.6, abs=0.3)


@pytest.mark.parametrize(
    ("delay", "delays"),
    [
        ({"level": 4}, "delay level 4 (30s)"),
        ({"level": {0: 9, 3: 1, 18: 1}}, "delay level 18 (2h)"),
        ({"delay_time": "1h"}, "delay_time 1h"),
        ({"deliver_time": "25s"}, "deliver_time 25s"),
    ],
)
def test_a_delay_longer_than_the_run_is_reported(delay, delays):
    found = scenario("1/s", producers={"delay": delay}, duration="20s")
    assert warnings_of(found)[0] == Says("warning.never-read", group="producers", delays=delays, end="20s")


def test_a_delay_within_the_run_is_fine():
    assert warnings_of(scenario("1/s", producers={"delay": {"level": 3}}, duration="20s")) == []


@pytest.mark.parametrize(("count", "whose"), [(1, ""), (2, WarningTexts.ALL_INSTANCES())])
def test_what_instances_of_a_broadcasting_group_are_behind_is_said_to_be_a_sum(count, whose):
    news = SLOW | {"message_model": "BROADCASTING", "count": count}
    (warning,) = warnings_of(scenario("30/s", news))
    assert warning == Says("warning.cannot-keep-up", besides=whose)
