"""Delayed messages of a master that is away while its slave acts for it: enableRemoteEscape."""

from __future__ import annotations

import pytest

from simulator.scenario import ScenarioError
from tests.says import Says, raises
from tests.simulator.small import fault, ran_tables, scenario_of

READER = {"billing": {"topic": "orders", "threads": 20, "service": "1ms", "release": "5.3.3"}}
KILLED_US, BACK_US, KILL = 60_000_000, 120_000_000, fault("kill", "60s", "60s", broker="b")
ACTS = {"slaves": 1, "slave_acting_master": True, "slave_read_enable": True}


def ran(escapes, *faults, release="5.3.3", delay=None, **more):
    broker = {"latency": {"constant": "1ms"}, "release": release, "enable_remote_escape": escapes} | ACTS | more
    return ran_tables(
        duration="200s", seed=3, name_servers={"release": "5.3.3", "support_acting_master": True}, consumers=READER,
        brokers={"a": broker, "b": broker}, faults=list(faults or [KILL]),
        producers={"count": 2, "rate": "10/s", "delay": delay or {"level": 3}},
    )  # fmt: skip


def waited_s(run, begin_us=KILLED_US + 3_000_000, end_us=BACK_US):
    """Seconds until each message was readable that was due while the master was away."""
    sent, stored = run.column("consumed", "arrival_us"), run.column("consumed", "stored_us")
    due = (sent + 10_000_000 > begin_us) & (sent + 10_000_000 < end_us)
    return (stored - sent)[due] / 1e6


def test_without_the_key_what_is_due_waits_until_the_master_is_back():
    assert waited_s(ran(False)).max() > 50


@pytest.mark.parametrize("delay", [{"level": 3}, {"delay_time": "10s"}])
def test_with_it_the_slave_puts_what_is_due_on_another_broker(delay):
    run = ran(True, delay=delay)
    assert waited_s(run).max() < 11.2


def test_what_the_master_delivered_since_the_last_copy_is_delivered_again():
    """The slave copies how far the wheel is every 3 s; 10 messages a second of it are this broker's."""
    again = ran(True, delay={"delay_time": "10s"}).column("delays", "delivered_again").sum()
    assert 0 < again <= 50


def test_without_another_broker_that_is_there_it_waits():
    assert waited_s(ran(True, KILL, fault("kill", "60s", "60s", broker="a"))).max() > 50


def test_without_a_slave_nothing_escapes():
    assert waited_s(ran(True, KILL, fault("slave_lost", "50s", "80s", broker="b"))).max() > 50


def test_it_is_refused_where_no_slave_acts():
    with raises(ScenarioError, Says("broker.nobody-acts", "...brokers.a.enable_remote_escape")):
        scenario_of(brokers={"a": {"latency": {"constant": "1ms"}, "enable_remote_escape": True}})
