"""Timer messages: readable when their slot of the wheel is over, slot after slot, late where too many are due."""

from __future__ import annotations

import numpy as np
import pytest

from simulator.plan.consumers.delay_plan import timers_of
from simulator.scenario import ScenarioError
from simulator.scenario.later.delay import Timer
from tests.says import Says, raises
from tests.simulator.small import fault, ran_tables, rows, scenario_of

READER = {"billing": {"topic": "orders", "threads": 20, "service": "1ms", "release": "5.3.3"}}


def one_broker(release="5.3.3", **more):
    return {"a": {"latency": {"constant": "1ms"}, "release": release} | more}


def timed(delay, rate="20/s", *, brokers=None, **changes):
    producers = {"count": 4, "rate": rate, "arrivals": "poisson", "delay": delay}
    return ran_tables(**{"producers": producers, "brokers": brokers or one_broker(), "consumers": READER} | changes)


def column(run, name):
    return run.column("consumed", name)


def test_a_message_is_readable_in_the_tenth_after_the_second_in_which_it_is_due_is_over():
    run = timed({"delay_time": "2500ms"}, duration="40s")
    wanted_us = column(run, "arrival_us") + 1_000 + 2_500_000  # the broker has stored it after 1 ms
    late_us = column(run, "stored_us") - wanted_us
    assert len(late_us) > 2000
    assert late_us.min() >= -1_000
    assert late_us.max() <= 1_115_000
    assert (column(run, "stored_us") % 1_000_000).max() < 115_000
    assert 450_000 < np.median(late_us) < 650_000


def test_a_finer_wheel_is_late_by_less():
    run = timed({"delay_time": "2500ms"}, duration="20s", brokers=one_broker(timer_precision="100ms"))
    late_us = column(run, "stored_us") - column(run, "arrival_us") - 2_501_000
    assert late_us.max() < 215_000


def test_each_message_has_one_of_several_delays():
    run = timed({"delay_time": {"0s": 1, "2s": 1, "10s": 2}}, duration="60s")
    waited_s = np.round((column(run, "stored_us") - column(run, "arrival_us")) / 1e6)
    early = column(run, "arrival_us") < 45e6
    share = [
        (early & (waited_s >= low) & (waited_s <= high)).sum() / early.sum() for low, high in ((0, 0), (2, 3), (10, 12))
    ]
    assert share == pytest.approx([0.25, 0.25, 0.5], abs=0.03)


def test_all_messages_of_a_moment_are_readable_after_it_and_later_ones_at_once():
    run = timed({"deliver_time": "10s"}, duration="20s")
    arrival, stored = column(run, "arrival_us"), column(run, "stored_us")
    early = arrival < 9_990_000
    assert early.sum() > 500
    assert stored[early].min() >= 10_000_000
    assert stored[early].max() < 10_300_000
    assert (stored - arrival)[arrival > 10_000_000].max() < 3_000


def test_a_wheel_with_too_many_messages_in_a_slot_is_late():
    run = timed({"deliver_time": "5s"}, rate="25/s", duration="20s", brokers=one_broker(timer_delivery="20ms"))
    late_ms = max(row["late_max_ms"] or 0 for row in rows(run, "delays"))
    stored = (column(run, "arrival_us") < 4_990_000).sum()
    assert late_ms == pytest.approx(20 * stored, rel=0.03)
    assert {row["delay_level"] for row in rows(run, "delays")} == {0}


def test_slots_come_one_after_the_other_where_the_wheel_is_behind():
    run = timed(
        {"delay_time": {"1s": 1, "3s": 1}}, rate="20/s", duration="30s", brokers=one_broker(timer_delivery="20ms")
    )
    order = np.argsort(column(run, "stored_us"), kind="stable")
    stored, arrival = column(run, "stored_us")[order], column(run, "arrival_us")[order]
    assert (stored[-1] - arrival[-1]) > 5_000_000
    # delays of 1 s and 3 s: a message may be older than the one before it by 2 s and a slot, not by more
    assert (np.diff(arrival) > -3_200_000).all()


def test_levels_and_timer_messages_have_threads_of_their_own():
    producers = [
        {"group": "levels", "count": 2, "rate": "10/s", "delay": {"level": 1}},
        {"group": "timers", "count": 2, "rate": "50/s", "delay": {"delay_time": "1s"}},
    ]
    run = ran_tables(producers=producers, brokers=one_broker(timer_delivery="20ms"), consumers=READER, duration="20s")
    late = {level: max(row["late_max_ms"] or 0 for row in rows(run, "delays", delay_level=level)) for level in (0, 1)}
    assert late[1] < 110 < 5_000 < late[0]


def test_a_killed_broker_delivers_again_only_the_slot_that_it_was_at():
    run = timed({"delay_time": "2s"}, rate="10/s", duration="40s", faults=[fault("kill", "20s", "5s", "a")])
    senders = list(zip(column(run, "sender"), column(run, "send_seq"), strict=True))
    assert len(senders) - len(set(senders)) <= 40
    assert max(row["late_max_ms"] or 0 for row in rows(run, "delays")) == pytest.approx(5_000, abs=1_200)


@pytest.mark.parametrize(
    ("delay", "brokers", "says"),
    [
        ({"delay_time": "90s"}, one_broker("4.9.8"), Says("broker.no-timer-messages", release="4.9.8")),
        (
            {"delay_time": "4d"},
            one_broker(),
            Says("broker.delay-too-long", broker="a", most="3d"),
        ),
        (
            {"deliver_time": "2m"},
            one_broker(timer_max_delay="1m"),
            Says("broker.delay-too-long", broker="a", most="1m", got="2m"),
        ),
        ({"delay_time": "1s"}, one_broker(timer_wheel_enable=False), Says("broker.without-wheel")),
        ({"delay_time": "1s", "level": 2}, one_broker(), Says("producer.one-delay")),
        ({}, one_broker(), Says("producer.one-delay")),
        ({"delay_time": "1500us"}, one_broker(), Says("producer.times-expected")),
        ({"delay_time": {"fast": 1}}, one_broker(), Says("field.expected", "...delay.delay_time", got="a mapping")),
    ],
)
def test_what_a_broker_refuses_is_refused(delay, brokers, says):
    with raises(ScenarioError, says):
        scenario_of(producers={"delay": delay}, brokers=brokers, consumers=READER)


def test_rocketmqs_own_names_are_read():
    scenario = scenario_of(brokers=one_broker(timerPrecisionMs=500, timerMaxDelaySec=60, timerWheelEnable=True))
    assert (scenario.brokers["a"].timer_precision_us, scenario.brokers["a"].timer_max_delay_us) == (500_000, 60_000_000)


def test_a_scenario_is_written_as_it_was_read():
    delay = {"delay_time": {"30s": 9, "10m": 1}}
    scenario = scenario_of(producers={"delay": delay}, brokers=one_broker(), consumers=READER)
    assert "30s: 9" in scenario.to_yaml()
    assert timers_of(scenario) == [Timer(30_000_000), Timer(600_000_000)]
