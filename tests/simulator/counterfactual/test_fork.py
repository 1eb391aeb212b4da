"""Arms that begin with the state of a run: the unchanged one is the run itself, a changed one goes on from there."""

from __future__ import annotations

from functools import cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
import yaml

from simulator.counterfactual.fork import ForkPoint
from simulator.counterfactual.fork_experiment import Fork
from simulator.experiments.experiment import UNCHANGED
from simulator.plan.failover.role_stretches import without_master
from simulator.run.cell import Cell
from simulator.run.driver import Driver, drive, windows_of
from simulator.run.simulate import simulate
from simulator.scenario import parse_scenario

JOB = """
name: forked
seed: 5
duration: 60s
client: {release: 4.9.8, send_latency_fault_enable: true}
producers: {count: 6, threads: 2, rate: 20/s}
topics: {orders: {queues: 4}}
brokers:
  broker-a: {latency: {lognormal: {p50: 1ms, p99: 12ms}}}
  broker-b: {like: broker-a}
  broker-c: {like: broker-a}
faults:
  - {at: 10s, for: 5s, broker: broker-b, kind: hang}
  - {at: 40s, for: 5s, broker: broker-c, kind: hang}
"""
AT = 20  # windows, a second each: broker-b is avoided since 13 s
UNTIL_US = 50_000_000


@cache
def point(text: str = JOB) -> ForkPoint:
    """The state of a job after 20 s."""
    scenario = parse_scenario(text)
    plan = ForkPoint(scenario, ()).plan
    cell = Cell(plan.cells[0], ())
    driver = Driver(plan, cell)
    for window, announced, events in windows_of(plan, cell.plan, 0, AT):
        driver.announce(window, announced)
        driver.arrive(window, events)
        list(driver.complete(window))
    list(driver.catch_up())
    return ForkPoint(scenario, (cell.snapshot(),))


def attempts(changes: dict[str, str], seconds: int = 30) -> pa.Table:
    """The attempts of an arm."""
    fork = Fork(point(), seconds * 1_000_000)
    plan = point().arm_plan(fork.arm(changes), fork.until_us)
    parts = [rows for name, rows in drive(plan, point().cell(plan, 0)) if name == "attempts"]
    return pa.concat_tables(parts)


def shares(table: pa.Table) -> dict[str, float]:
    found = table.column("broker").cast(pa.string()).to_pandas().value_counts(normalize=True)
    return found.to_dict()


def test_the_unchanged_arm_is_what_the_run_itself_does_row_for_row():
    job = simulate(parse_scenario(JOB), tables=("attempts",)).attempts
    ends = job.column("end_us")
    own = job.filter(pc.and_(pc.greater_equal(ends, AT * 1_000_000), pc.less(ends, UNTIL_US)))
    arm = attempts({})
    arm = arm.filter(pc.less(arm.column("end_us"), UNTIL_US))
    assert arm.num_rows > 3_000
    assert arm.to_pydict() == own.to_pydict()


def test_an_arm_that_lasts_longer_than_the_run_begins_as_the_run_goes_on():
    longer, own = attempts({}, 60), attempts({})
    early = longer.filter(pc.less(longer.column("end_us"), UNTIL_US))
    assert early.to_pydict() == own.filter(pc.less(own.column("end_us"), UNTIL_US)).to_pydict()
    assert pc.max(longer.column("begin_us")).as_py() > 79_000_000


def test_who_is_avoided_when_the_fork_begins_is_avoided_in_every_arm():
    assert "broker-b" not in shares(attempts({}, 10))
    assert "broker-b" not in shares(attempts({"client.release": "5.1.0"}, 10))


def test_the_strategy_turned_off_sends_to_everybody_again():
    assert shares(attempts({"client.send_latency_fault_enable": "false"}, 10))["broker-b"] == pytest.approx(
        1 / 3, abs=0.01
    )


def test_a_broker_dies_now():
    table = attempts({"kill": "broker-a"}, 15)
    outcomes = set(
        table.filter(pc.equal(table.column("broker").cast(pa.string()), "broker-a")).column("outcome").to_pylist()
    )
    assert outcomes & {"RemotingConnectException", "RemotingSendRequestException"}
    late = table.filter(pc.greater(table.column("begin_us"), 21_000_000))
    assert shares(late).get("broker-a", 0) < 0.01


def test_another_release_takes_over_the_counters():
    own, other = attempts({}, 5), attempts({"client.release": "5.1.0"}, 5)
    first = [table.slice(0, 12).select(["producer", "thread", "queue_id"]).to_pydict() for table in (own, other)]
    assert first[0] == first[1]


def test_another_release_isolates_by_its_own_tables_from_then_on():
    avoided = Fork(point(), 40_000_000)
    release = {"client.release": "5.3.3"}
    result = avoided.result({"new": release}, 1)
    list(avoided.run(result, {"new": release}))
    measures = {arm: one["measures"] for arm, one in result.as_json()["arms"].items()}
    assert measures[UNCHANGED]["isolated_s[broker-c]"]["mean"] > measures["new"]["isolated_s[broker-c]"]["mean"] > 0
    assert measures[UNCHANGED]["isolated_s[broker-b]"]["mean"] == pytest.approx(40, abs=0.01)


def test_the_first_run_of_the_unchanged_arm_counts_what_the_run_does():
    fork = Fork(point(), 30_000_000)
    result = fork.result({}, 2)
    assert [run[:2] for run in fork.run(result, {})] == [(UNCHANGED, 5), (UNCHANGED, 6)]
    own = attempts({})
    begun = np.asarray(own.column("begin_us")) >= AT * 1_000_000
    assert result.study.values[UNCHANGED][5]["messages"] <= begun.sum()
    assert result.study.values[UNCHANGED][5]["messages"] != result.study.values[UNCHANGED][6]["messages"]


def test_each_seed_of_an_arm_is_measured_by_who_is_elected_in_it():
    sets = yaml.safe_load(JOB) | {"faults": [], "client": {"release": "5.3.3"}}
    sets["brokers"]["broker-a"] |= {"release": "5.3.3", "replicas": 3, "mode": "controller"}
    for name in ("broker-b", "broker-c"):
        sets["brokers"][name] = {"latency": {"constant": "1ms"}, "release": "5.3.3"}
    fork = Fork(point(yaml.safe_dump(sets)), 20_000_000)
    arms = {"hang": {"hang": "broker-a for 15s"}}
    result = fork.result(arms, 2)
    found = {seed: values["no_master_s"] for arm, seed, values, _ in fork.run(result, arms) if arm == "hang"}
    gaps = {seed: without_master(result.study.scenario_of_run("hang", seed))["broker-a"] for seed in found}
    assert found == {seed: sum(until - since for since, until in own) / 1e6 for seed, own in gaps.items()}
    assert len(set(found.values())) == 2
