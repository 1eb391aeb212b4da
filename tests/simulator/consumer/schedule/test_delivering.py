"""Delayed messages: when each release delivers a message of a level, by whose thread, and after what a kill forgets."""

from __future__ import annotations

import numpy as np
import pytest

from simulator.plan.compile import compile_scenario
from simulator.run.cell import Cell
from simulator.run.driver import drive
from simulator.scenario import ScenarioError
from tests.says import Says, raises
from tests.simulator.small import fault, ran_tables, rows, scenario_of

READER = {"billing": {"topic": "orders", "threads": 20, "service": "1ms", "release": "5.3.3"}}


def one_broker(release="5.3.3", **more):
    return {"a": {"latency": {"constant": "1ms"}, "release": release} | more}


def delayed(level, rate="20/s", *, brokers=None, **changes):
    producers = {"count": 4, "rate": rate, "arrivals": "poisson", "delay": {"level": level}}
    return ran_tables(**{"producers": producers, "brokers": brokers or one_broker(), "consumers": READER} | changes)


def waited_us(run):
    return run.column("consumed", "stored_us") - run.column("consumed", "arrival_us")


@pytest.mark.parametrize(("level", "delay_s"), [(1, 1), (3, 10), (99, 7200)])
def test_a_message_of_a_level_is_readable_when_its_delay_is_over(level, delay_s):
    length = f"{delay_s + 20}s"
    run = delayed(level, rate="1/s", duration=length)
    assert len(waited_us(run)) > 40
    assert waited_us(run).min() >= delay_s * 1e6
    assert waited_us(run).max() <= delay_s * 1e6 + 110_000


@pytest.mark.parametrize(("release", "least_ms", "most_ms"), [("4.9.2", 0, 2), ("4.9.3", 30, 70)])
def test_a_timer_comes_when_a_message_is_due_and_an_executor_looks_every_100_ms(release, least_ms, most_ms):
    run = delayed(1, rate="0.5/s", brokers=one_broker(release), duration="200s")
    late_ms = np.array([row["late_p50_ms"] for row in rows(run, "delays") if row["delivered"]])
    assert least_ms <= late_ms.mean() <= most_ms


def test_messages_of_a_level_keep_their_order():
    run = delayed(2, brokers=one_broker(), topics={"orders": {"queues": 1}}, duration="30s")
    arrivals = run.column("consumed", "arrival_us")[np.argsort(run.column("consumed", "queue_offset"))]
    assert (np.diff(arrivals) > -2_000).all()


@pytest.mark.parametrize(("release", "is_late"), [("4.9.2", True), ("4.9.3", False)])
def test_levels_that_a_timer_thread_cannot_keep_up_with_are_delivered_by_threads_of_their_own(release, is_late):
    brokers = one_broker(release, delayed_delivery="4ms")
    run = delayed({1: 1, 2: 1, 3: 1}, rate="150/s", brokers=brokers, duration="40s")
    waiting = rows(run, "delays", delay_level=1)[-1]["waiting"]
    assert (waiting > 400) == is_late


def test_what_a_killed_broker_had_not_written_down_is_delivered_twice():
    killed = [fault("kill", "30s", "5s", "a")]
    run = delayed(1, rate="10/s", duration="50s", faults=killed)
    senders = list(zip(run.column("consumed", "sender"), run.column("consumed", "send_seq"), strict=True))
    twice = len(senders) - len(set(senders))
    assert 0 < twice <= 40 * 10 + 40


def test_a_delivery_waits_for_a_broker_that_hangs():
    hang = [fault("hang", "10s", "8s", "a")]
    run = delayed(1, duration="30s", faults=hang)
    stored = run.column("consumed", "stored_us")
    assert not ((stored > 10_000_000) & (stored < 18_000_000)).any()
    assert max(row["late_max_ms"] or 0 for row in rows(run, "delays")) == pytest.approx(8000, abs=150)


def test_a_million_waiting_messages_take_less_than_100_bytes_each():
    plan = compile_scenario(
        scenario_of(
            duration="60s", producers={"count": 10, "rate": "500/s", "delay": {"level": 18}},
            brokers=one_broker(), consumers=READER,
        )
    )  # fmt: skip
    cell = Cell(plan.cells[0], ())
    list(drive(plan, cell))
    waiting = int(cell.consumers.world.delay_queues[17].max_offset)
    assert waiting > 200_000
    assert 8 * len(cell.consumers.parts()["consumers.delay_pages"].values) / waiting < 100


@pytest.mark.parametrize(
    ("producers", "says"),
    [
        ({"delay": {"level": 3}, "batch": 4}, Says("producer.batch-delay")),
        ({"delay": {"level": -1}}, Says("field.expected")),
    ],
)
def test_what_the_client_refuses_is_refused(producers, says):
    with raises(ScenarioError, says):
        scenario_of(producers=producers, consumers=READER)


def test_delayed_messages_that_nobody_reads_are_refused():
    with raises(ScenarioError, Says("consumer.unread", topic="orders")):
        scenario_of(producers={"delay": {"level": 3}})
