"""An arm goes on with the consumers of the run, whatever of them it changes."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from simulator.counterfactual.fork import ForkPoint
from simulator.counterfactual.fork_experiment import Fork
from simulator.run.cell import Cell
from simulator.run.driver import Driver, drive, windows_of
from simulator.run.run_totals import queue_ids, total_on
from simulator.run.simulate import simulate
from simulator.scenario import parse_scenario
from simulator.scenario.reading.scenario_error import ScenarioError
from state.packing import LayoutError
from tests.says import Says, raises

JOB = """
name: forked with consumers
seed: 5
duration: 60s
client: {release: 4.9.8, send_latency_fault_enable: true}
producers: {count: 6, threads: 2, rate: 20/s}
topics: {orders: {queues: 4}}
brokers:
  broker-a: {latency: {constant: 1ms}}
  broker-b: {latency: {constant: 1ms}}
consumers:
  billing: {topic: orders, count: 2, threads: 2, service: 30ms, release: 5.3.3}
faults:
  - {at: 10s, for: 15s, consumer: billing-2, kind: kill}
"""
AT, UNTIL_US = 20, 50_000_000
TABLES = ("stored", "consumer_windows")


def point_of(text):
    """The state after 20 s."""
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


@pytest.fixture(scope="module")
def point():
    """Where billing-2 is gone, and a backlog grows."""
    return point_of(JOB)


@pytest.fixture(scope="module")
def job():
    return simulate(parse_scenario(JOB), tables=TABLES)


def rows(point, changes, seconds=30):
    """The rows of an arm, by table."""
    fork = Fork(point, seconds * 1_000_000)
    plan = point.arm_plan(fork.arm(changes), fork.until_us)
    found = {name: [] for name in TABLES}
    for name, part in drive(plan, point.cell(plan, 0, TABLES)):
        if name in found:
            found[name].append(part)
    return {name: pa.concat_tables(parts) for name, parts in found.items()}


def early(table):
    """Of the windows after the fork and before the arm's end."""
    begin = table.column("window_start_us")
    return table.filter(pc.and_(pc.greater_equal(begin, AT * 1_000_000), pc.less(begin, UNTIL_US)))


def test_an_arm_with_other_routes_goes_on_with_those_that_consumers_know_while_no_name_server_answers():
    down = "{at: 10s, for: 50s, name_server: 1, kind: name_server_down}"
    point = point_of(JOB.replace("{at: 10s, for: 15s, consumer: billing-2, kind: kill}", down))
    killed = "{at: 70s, for: 5s, broker: broker-b, kind: kill}"
    arm = rows(point, {"faults": f"[{down}, {killed}]", "duration": "90s"})
    assert max(arm["consumer_windows"].column("lag").to_pylist()) < 100
    assert min(arm["consumer_windows"].column("consumed").to_pylist()[1:]) > 50


def test_consumers_that_started_while_no_name_server_answers_know_no_route_in_an_arm_with_other_routes_either():
    down = "{at: 10s, for: 50s, name_server: 1, kind: name_server_down}"
    gone = "{at: 12s, for: 3s, consumer: billing, kind: kill}"
    text = JOB.replace("{at: 10s, for: 15s, consumer: billing-2, kind: kill}", f"{down}\n  - {gone}")
    point = point_of(text.replace("5.3.3", "4.5.2"))
    killed = "{at: 70s, for: 5s, broker: broker-b, kind: kill}"
    arm = rows(point, {"faults": f"[{down}, {gone}, {killed}]", "duration": "90s"}, 70)["consumer_windows"]
    consumed = dict(zip(arm.column("window_start_us").to_pylist(), arm.column("consumed").to_pylist(), strict=True))
    assert {consumed[second * 1_000_000] for second in range(21, 60)} == {0}
    assert sum(consumed[second * 1_000_000] for second in range(61, 85)) > 500


@pytest.mark.parametrize("is_cut", [True, False])
def test_an_arm_cuts_consumers_off_from_name_servers_by_its_own_faults(is_cut):
    gone = "{at: 35s, for: 3s, consumer: billing, kind: kill}"
    both = f"{{at: 30s, for: 60s, name_server: 1, kind: name_server_cut, consumer: billing}}, {gone}"
    before, after = (gone, both) if is_cut else (both, gone)
    text = JOB.replace("{at: 10s, for: 15s, consumer: billing-2, kind: kill}", before.replace("}, ", "}\n  - "))
    arm = rows(point_of(text.replace("5.3.3", "4.5.2")), {"faults": f"[{after}]"}, 40)["consumer_windows"]
    windows = zip(arm.column("window_start_us").to_pylist(), arm.column("consumed").to_pylist(), strict=True)
    consumed = sum(count for begin_us, count in windows if begin_us >= 40e6)
    assert (consumed == 0) is is_cut


@pytest.mark.parametrize("name", TABLES)
def test_the_unchanged_arm_is_what_the_run_itself_does(point, job, name):
    arm = rows(point, {})[name]
    assert early(arm).to_pydict() == early(job.tables[name]).to_pydict()
    assert pc.max(arm.column("window_start_us")).as_py() < UNTIL_US


def test_an_arm_lasts_longer_than_the_run(point):
    assert pc.max(rows(point, {}, 60)["stored"].column("window_start_us")).as_py() == 79_000_000


@pytest.mark.parametrize(
    "changes",
    [
        {"client.release": "5.3.3"},  # other producers: their memory is taken over
        {"consumers.billing.strategy": "AVG_BY_CIRCLE"},
        {"consumers.billing.release": "4.9.8"},
        {"topics.orders.queues": "4", "faults": "[]"},
    ],
)
def test_an_arm_begins_with_the_offsets_and_the_lag_of_the_run(point, job, changes):
    arm = rows(point, changes)
    before = job.column("consumer_windows", "lag")[AT - 1]
    first = arm["consumer_windows"].column("lag")[0].as_py()
    assert before > 100
    assert abs(first - before) < 120  # what comes and goes in a second
    offsets = job.tables["stored"].filter(
        pc.equal(job.tables["stored"].column("window_start_us"), (AT - 1) * 1_000_000)
    )
    assert arm["stored"].column("max_offset")[0].as_py() >= offsets.column("max_offset")[0].as_py() > 50


def test_what_was_consumed_before_the_fork_is_not_measured_again(point):
    fork = Fork(point, 10_000_000)
    scenario = fork.arm({})
    plan = point.arm_plan(scenario, fork.until_us)
    totals = total_on(plan, point.cell(plan, 0, ("consumer_windows",)), queue_ids(scenario), point.at_us)
    consumed, again = totals.consumers[0, :2].tolist()
    assert int(totals.consumer_latency.sum()) == consumed - again < 10 * 67 * 2
    assert np.count_nonzero(totals.consumer_lag[: AT - 1]) == 0


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"consumers.billing.count": "3"}, Says("run-state.other-groups")),
        ({"consumers.billing.threads": "3"}, Says("run-state.other-size", what="workers")),
        ({"consumers.billing.pull_threshold_for_queue": "5000"}, Says("run-state.other-threshold")),
    ],
)
def test_an_arm_whose_consumers_do_not_fit_the_state_is_refused(point, changes, why):
    with raises(LayoutError, why):
        rows(point, changes | {"client.release": "5.3.3"})


def lags(point, changes):
    return rows(point, changes)["consumer_windows"].column("lag").to_pylist()


@pytest.mark.parametrize("changes", [{"kill": "billing-1"}, {"stop": "billing for 20s"}])
def test_a_fault_of_consumers_begins_with_the_fork(point, changes):
    assert max(lags(point, changes)) > max(lags(point, {})) + 1_000


def test_a_fault_of_consumers_has_keys_of_its_own(point):
    assert max(lags(point, {"slow": "billing", "factor": "40"})) > max(lags(point, {"slow": "billing", "factor": "2"}))


def test_an_arm_whose_group_fails_for_the_first_time_is_refused_with_the_reason(point):
    why = point.misfit(Fork(point, 10_000_000).arm({"fail": "billing"}))
    assert why == Says("fork.no-retry-topic", group="billing")


def test_a_target_that_is_neither_broker_nor_consumer_is_refused_with_the_nearest_name(point):
    with raises(ScenarioError, Says("reading.not-known")):
        Fork(point, 1_000_000).arm({"kill": "billing-3"})
