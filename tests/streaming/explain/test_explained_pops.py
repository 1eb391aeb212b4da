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


OVER_PROXIES = """
name: a group over gRPC some of whose listeners fail
duration: 90s
seed: 5
client: {release: 5.3.3}
producers: {count: 1, threads: 8, rate: 10/s}
topics: {orders: {queues: 2}}
proxies: {count: 1, release: 5.3.3}
brokers: {broker-a: {latency: {constant: 1ms}, release: 5.3.3}}
consumers: {billing: {topic: orders, count: 2, threads: 4, service: 50ms, GROUP}}
"""
SIMPLE = "fails: 0.2, grpc: {kind: simple, invisible_duration: 10s, await_duration: 10s}"
FIFO = "consume_mode: ORDERLY, grpc: {}"


def _run(text, folder):
    result = simulate(parse_scenario(text), tables=("sends", "stored", "consumed"))
    return open_output(write_result(result, folder)), result.tables["consumed"].to_pandas()


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return _run(FROZEN, tmp_path_factory.mktemp("run") / "out")


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


def test_a_delivery_by_the_retry_topic_says_that_pops_before_it_were_never_handled(tmp_path):
    output, rows = _run(FROZEN.replace("hang", "kill").replace("50ms", "150ms"), tmp_path / "out")
    seen = set(rows[rows["topic"] == "orders"][["sender", "send_seq"]].itertuples(index=False, name=None))
    is_new = [(row.sender, row.send_seq) not in seen for row in rows.itertuples()]
    again = rows[is_new].iloc[0]
    sentences = _explained(output, again, "%RETRY%billing_orders")
    assert sentences[1] == Says("consumption.popped-unseen", count=1)
    assert sentences[-1] == Says("consumption.handled-once")


def test_nobody_owns_a_queue_of_a_group_that_pops(tmp_path):
    text = FROZEN.replace("at: 5s, for: 20s, consumer: billing-1", "at: 10s, for: 30s, consumer: billing")
    output, rows = _run(text, tmp_path / "out")
    row = rows[rows["topic"] == "orders"].sort_values("queue_offset").iloc[-1].copy()
    row["queue_offset"] += 200
    sentences = _explained(output, row, "orders")
    assert list(sentences[:2]) == [
        Says("consumption.not-committed"),
        Says("consumption.nobody-owns-popped", group="billing"),
    ]


def test_an_application_that_receives_itself_did_not_acknowledge(tmp_path):
    output, rows = _run(OVER_PROXIES.replace("GROUP", SIMPLE), tmp_path / "out")
    sentences = _explained(output, rows[rows["result"] == "failed, not acknowledged"].iloc[0], "orders")
    assert sentences[1] == Says("consumption.not-acknowledged-by-application")
    assert sentences[2] == Says("consumption.again-invisible")


def test_in_order_a_message_that_was_not_acknowledged_comes_again_in_its_queue(tmp_path):
    fault = "faults: [{at: 5s, for: 80s, consumer: billing-1, kind: hang}]"
    text = OVER_PROXIES.replace("GROUP", FIFO).replace("50ms", "400ms") + fault
    output, rows = _run(text, tmp_path / "out")
    again = rows[rows.duplicated(["queue_id", "queue_offset"])].iloc[0]
    assert Says("consumption.again-in-order") in _explained(output, again, "orders")


def test_what_a_broker_popped_again_and_revives_all_the_same_did_not_fail_in_between(tmp_path):
    killed = "{at: 9s, for: 3s, broker: broker-a, kind: kill}"
    text = FROZEN.replace("{at: 5s, for: 20s, consumer: billing-1, kind: hang}", killed)
    output, rows = _run(text, tmp_path / "out")
    row = rows[(rows["result"] == "not acknowledged") & (rows["topic"] == "orders")].iloc[0]
    again = [sentence for sentence in _explained(output, row, "orders") if sentence.startswith("Why again")]
    assert again == [Says("consumption.again-popped", broker="broker-a"), Says("consumption.again-earlier-pop")]
