"""Instances that start, restart or join while only the slave of a broker is there."""

from __future__ import annotations

import pytest

from simulator.run.simulate import simulate
from simulator.scenario import parse_scenario
from tests.simulator.small import fault, ran_tables, rows

START = """
name: a group starts while only the slave is there
duration: 4m
client: {release: 4.9.8}
producers: {count: 1, threads: 4, rate: 50/s, rate_changes: {58s: 0/s}}
topics: {orders: {queues: 4}}
brokers: {broker-a: {latency: {constant: 1ms}, release: 4.9.8, slaves: 1, slave_read_enable: true}}
consumers: {billing: {topic: orders, service: {constant: 1ms}, consume_mode: MODE, release: RELEASE}}
faults:
  - {at: 60s, for: 180s, broker: broker-a, kind: master_lost}
  - {at: 70s, consumer: billing-1, kind: scale_out}
"""
GROUP = {"topic": "orders", "service": "10ms", "threads": 4}


def billing(*faults, release="4.9.8", slaves=1, **keys):
    """A run of a group on one broker whose master is away from 60 s to 240 s."""
    broker = {"latency": {"constant": "1ms"}, "release": release, "slaves": slaves, "slave_read_enable": True}
    return ran_tables(
        duration="300s", client={"release": release}, producers={"rate": "20/s", "threads": 8},
        brokers={"b": broker}, topics={"orders": {"queues": 4}}, consumers={"billing": GROUP | keys},
        faults=[fault("master_lost", "60s", "180s"), *faults],
    )  # fmt: skip


@pytest.mark.parametrize("release", ["4.2.0", "4.9.8", "5.1.4", "5.3.3"])
def test_a_group_that_starts_reads_from_the_slave(release):
    text = START.replace("RELEASE", release).replace("MODE", "CONCURRENTLY")
    run = simulate(parse_scenario(text), tables=("consumed", "consumer_windows", "assignments"))
    assert run.tables["consumed"].num_rows == 2_834
    assert sum(run.column("consumer_windows", "from_slave")) == 2_834


def test_an_orderly_group_gets_no_lock_of_a_slave():
    text = START.replace("RELEASE", "4.9.8").replace("MODE", "ORDERLY")
    run = simulate(parse_scenario(text), tables=("consumed", "rebalances"))
    assert run.tables["consumed"].num_rows == 0
    assert {(row["members"], row["queues"], row["held"]) for row in rows(run, "rebalances")} == {(1, 4, 0)}


def test_a_group_that_joins_is_shared_as_the_slave_lists_it():
    run = billing(fault("scale_out", "100s", "200s", None, consumer="billing-2"), count=2)
    held = {row["queue_id"] for row in rows(run, "assignments", instance="billing-2") if 100e6 < row["from_us"] < 102e6}
    assert len(held) == 2
    found = [row["members"] for row in rows(run, "rebalances", instance="billing-1") if 101e6 < row["at_us"] < 240e6]
    assert set(found) == {2}


def test_an_instance_that_dies_at_the_slave_is_missed_there():
    run = billing(fault("kill", "100s", "200s", None, consumer="billing-2"), count=2)
    taken = [row["from_us"] for row in rows(run, "assignments", instance="billing-1") if row["from_us"] > 99e6]
    assert len(taken) == 2
    assert max(taken) < 101e6


def test_a_frozen_instance_is_a_member_at_the_slave_for_two_minutes():
    run = billing(fault("hang", "75s", "160s", None, consumer="billing-2"), count=2)
    found = [(row["at_us"] / 1e6, row["members"]) for row in rows(run, "rebalances", instance="billing-1")]
    assert {n for at, n in found if 95 < at < 165} == {2}
    assert {n for at, n in found if 196 < at < 234} == {1}


@pytest.mark.parametrize(("release", "old_s"), [("4.9.8", 10), ("5.3.3", 60)])
def test_a_restart_begins_with_the_offset_that_the_slave_copied(release, old_s):
    run = billing(fault("kill", "61s", "20s", None, consumer="billing-1"), release=release)
    again = [row for row in rows(run, "consumed") if row["times"] > 1]
    assert 0 < len(again) <= 20 * (old_s + 6)
    assert (len(again) > 20 * 16) is (old_s > 16)


def test_a_restart_begins_with_what_was_reported_to_the_slave():
    at_work = fault("stop", "150s", "10s", None, consumer="billing-1")
    run = billing(at_work)
    assert not [row for row in rows(run, "consumed") if row["times"] > 1]


def test_what_was_reported_to_the_slave_alone_is_consumed_again_when_the_master_is_back():
    """The slave copies the offsets of its master over its own, and the instance that knew better is gone."""
    slow = {"service": "200ms", "threads": 1, "pull_threshold_for_queue": 5}
    run = billing(fault("stop", "200s", "60s", None, consumer="billing-1"), **slow)
    again = [row for row in rows(run, "consumed") if row["times"] > 1]
    assert len(again) > 150  # 5/s from 260 s on
    assert min(row["begin_us"] for row in again) > 260e6


@pytest.mark.parametrize("kind", ["kill", "hang", "silent_death", "power_loss", "disk_loss", "master_lost"])
def test_a_slave_stays_whatever_takes_its_master(kind):
    """A machine that is silent is dropped by the name servers after 120 s, at a scan, and polled within 30 s."""
    text = START.replace("RELEASE", "4.9.8").replace("MODE", "CONCURRENTLY").replace("master_lost", kind)
    text = text.replace("at: 70s", "at: 230s").replace("for: 180s", "for: 400s").replace("4m", "6m")
    run = simulate(parse_scenario(text), tables=("consumed", "consumer_windows"))
    begun = run.column("consumed", "begin_us")
    assert len(begun) == sum(run.column("consumer_windows", "from_slave")) == 2_834
    assert begun.max() < 231e6


@pytest.mark.parametrize("kind", ["silent_death", "hang"])
def test_a_group_goes_on_at_the_slave_when_name_servers_drop_a_silent_master(kind):
    slow = {"service": "100ms", "threads": 1, "pull_threshold_for_queue": 5}
    away = fault(kind, "60s", "400s")
    run = ran_tables(
        duration="480s", producers={"rate": "20/s", "rate_changes": {"59s": "0/s"}, "threads": 8},
        brokers={"b": {"latency": {"constant": "1ms"}, "slaves": 1, "slave_read_enable": True}},
        topics={"orders": {"queues": 4}}, consumers={"billing": GROUP | slow}, faults=[away],
    )  # fmt: skip
    begun = run.column("consumed", "begin_us") / 1e6
    assert not ((begun > 76) & (begun < 150)).any()
    assert ((begun > 195) & (begun < 205)).sum() == 100
    assert len(begun) == 1_179  # all
    assert not [row for row in rows(run, "consumed") if row["times"] > 1]


@pytest.mark.parametrize(("release", "fault_of", "starts"), [
    ("4.9.8", "kill", True), ("4.9.8", "scale_out", False), ("5.3.3", "kill", True),
])  # fmt: skip
def test_a_broadcasting_instance_starts_at_a_slave_from_its_own_offsets(release, fault_of, starts):
    """One without an offset asks the master where the queue ends."""
    length = "20s" if fault_of == "kill" else "200s"
    own = fault(fault_of, "100s", length, None, consumer="billing-1")
    run = billing(own, release=release, message_model="BROADCASTING")
    held = [row for row in rows(run, "assignments") if 100e6 <= row["from_us"] < 240e6]
    assert bool(held) is starts


def test_nobody_is_served_without_master_and_slave():
    lost = fault("slave_lost", "95s", "60s", "b")
    slow = {"service": "100ms", "threads": 1, "pull_threshold_for_queue": 5}
    begun = billing(lost, **slow).column("consumed", "begin_us") / 1e6
    assert ((begun > 90) & (begun < 95)).sum() > 45
    assert ((begun > 115) & (begun < 155)).sum() == 0
    assert ((begun > 157) & (begun < 162)).sum() > 45


def test_without_a_slave_nobody_is_asked():
    run = billing(fault("scale_out", "100s", "200s", None, consumer="billing-2"), count=2, slaves=0)
    assert not [row for row in rows(run, "rebalances", instance="billing-2") if row["held"] and row["at_us"] < 240e6]
