"""`explain --group` of a POP group: what was not acknowledged in time did not fail, and came by the retry topic."""

from __future__ import annotations

import pytest

from simulator import simulate
from simulator.scenario import parse_scenario
from streaming.explain.consumption import explain_consumption
from streaming.explain.queue_history import AskedOffset
from streaming.explain.texts.consumption_texts import ConsumptionTexts
from streaming.outputs.dataset import open_output
from streaming.results.of_result import write_result
from tests.says import Says

FROZEN = """
name: an instance of a POP group stands still
duration: 40s
seed: 5
client: {release: 5.3.3}
producers: {count: 1, threads: 8, rate: 40/s}
topics: {orders: {queues: 2}}
brokers: {broker-a: {latency: {constant: 1ms}, release: 5.3.3}}
consumers: {billing: {topic: orders, count: 2, threads: 4, service: 50ms, consume_mode: POP, pop_invisible_time: 10s}}
faults: [{at: 5s, for: 20s, consumer: billing-1, kind: hang}]
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    result = simulate(parse_scenario(FROZEN), tables=("sends", "stored", "consumed"))
    return open_output(write_result(result, tmp_path_factory.mktemp("run") / "out")), result.tables[
        "consumed"
    ].to_pandas()


def _explained(output, row, topic):
    asked = AskedOffset("billing", row["broker"], int(row["queue_id"]), int(row["queue_offset"]), topic)
    return explain_consumption(output, asked).sentences


def test_what_was_too_late_to_acknowledge_did_not_fail_and_comes_first(run):
    output, rows = run
    sentences = _explained(output, rows[rows["result"] == "too late to acknowledge"].iloc[0], "orders")
    assert sentences[1] == Says("consumption.too-late", instance="billing-1")
    assert sentences[2] == Says("consumption.again-invisible")
    parts = f"{ConsumptionTexts.HANDLED_TIMES(times='once')}, {ConsumptionTexts.UNACKNOWLEDGED_IN_TIME(count=1)}"
    assert sentences[-1] == Says("consumption.in-all", deliveries="2 deliveries", parts=parts, ended=".")


def test_the_retry_topic_of_a_pop_group_is_known_by_its_own_name(run):
    output, rows = run
    topic = "%RETRY%billing_orders"
    again = rows[rows["topic"] == topic].iloc[0]
    assert _explained(output, again, topic)[0] == Says("consumption.stored")
