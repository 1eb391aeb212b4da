"""Why nobody owns a queue: the instances that were to take it did not start."""

from __future__ import annotations

import pytest

from simulator.run.simulate import simulate
from streaming.explain.consumption import explain_consumption
from streaming.explain.queue_history import AskedOffset
from streaming.outputs.dataset import open_output
from streaming.results.of_result import write_result
from tests.says import Says
from tests.simulator.small import fault, scenario_of

DOWN = {"at": "10s", "for": "20s", "name_server": "all", "kind": "name_server_down"}
KILLED = fault("kill", "12s", "4s", None, consumer="billing-1")
TABLES = ("sends", "stored", "assignments", "consumed", "consumer_windows")


@pytest.mark.parametrize(("faults", "starts"), [((DOWN, KILLED), True), ((KILLED,), False)])
def test_a_queue_that_nobody_owns_names_the_starts_that_failed(tmp_path, faults, starts):
    billing = {"topic": "orders", "count": 1, "service": "1ms", "release": "5.3.3"}
    scenario = scenario_of(duration="40s", consumers={"billing": billing}, topics={"orders": {}}, faults=list(faults))
    result = simulate(scenario, tables=TABLES)
    last = result.tables["stored"].to_pandas().sort_values("window_start_us").iloc[-1]
    asked = AskedOffset("billing", last["broker"], int(last["queue_id"]), int(last["max_offset"]) - 1)
    sentences = explain_consumption(open_output(write_result(result, tmp_path / "out")), asked).sentences
    failed = Says("consumption.failed-starts", count=1, group="billing", first="0:16")
    assert (failed in sentences, Says("consumption.nobody-owns") in sentences) == (starts, starts)


def test_a_group_that_committed_nothing_is_not_said_to_have_committed_offset_0(tmp_path):
    billing = {"topic": "orders", "count": 1, "service": "1ms"}
    gone = fault("kill", "100ms", "1m", None, consumer="billing-1")
    scenario = scenario_of(duration="10s", consumers={"billing": billing}, topics={"orders": {}}, faults=[gone])
    result = simulate(scenario, tables=TABLES)
    last = result.tables["stored"].to_pandas().sort_values("window_start_us").iloc[-1]
    assert result.tables["stored"].column("committed_offset").null_count == result.tables["stored"].num_rows
    asked = AskedOffset("billing", last["broker"], int(last["queue_id"]), int(last["max_offset"]) - 1)
    sentences = explain_consumption(open_output(write_result(result, tmp_path / "out")), asked).sentences
    assert sentences[0] == Says("consumption.nothing-committed", group="billing")
