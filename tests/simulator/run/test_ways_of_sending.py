"""Every scenario of a way of sending shows the effect that its story tells."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from typing import get_args

import pyarrow.compute as pc
import pytest

from simulator.run.simulate import Result, simulate
from simulator.scenario import load_scenario
from simulator.scenario.producers import SELECTORS, ProducerGroup

FOLDER = Path(__file__).resolve().parents[3] / "conf" / "scenarios"


@cache
def run_of(name: str, **changes: str) -> Result:
    overrides = {key.replace("__", "."): value for key, value in changes.items()}
    return simulate(load_scenario(FOLDER / f"way-{name}.yaml", overrides), tables=("sends", "windows"))


def counted(name: str, *columns: str, **changes: str) -> Counter:
    """Sends of a scenario by the values of columns."""
    sends = run_of(name, **changes).sends
    return Counter(zip(*(sends.column(column).to_pylist() for column in columns), strict=True))


def test_every_way_has_a_scenario_that_can_be_run():
    scenarios = [load_scenario(path) for path in FOLDER.glob("way-*.yaml")]
    groups = [group for scenario in scenarios for group in scenario.producers]
    for key in ("mode", "when_blocked"):
        assert {getattr(group, key) for group in groups} == set(get_args(ProducerGroup.model_fields[key].annotation))
    assert {group.selector.kind for group in groups} == {*SELECTORS, "own"}
    assert {group.arrivals for group in groups} >= {"poisson", "closed"}
    assert any(group.batch > 1 for group in groups)
    assert any(scenario.client.enable_backpressure_for_async_mode for scenario in scenarios)
    assert any(topic.check_order for scenario in scenarios for topic in scenario.topics.values())


@pytest.mark.parametrize(
    ("release", "ends"), [("4.9.8", ("RemotingTooMuchRequestException", 3)), ("5.3.3", ("MQClientException", 1))]
)
def test_an_asynchronous_time_out_leaves_nothing_for_a_retry(release, ends):
    found = counted("async", "result", "attempts", client__release=release)
    failed = {key for key in found if key[0] not in ("SEND_OK", "MQBrokerException")}
    assert failed == {ends}


def test_the_hand_over_sends_a_fifth_of_the_messages_to_the_refusing_broker_first():
    assert 1_400 < counted("async-refused", "attempts")[(2,)] < 1_800  # of 8,000 in those 20 s
    assert counted("async-refused", "attempts", client__release="5.3.3")[(2,)] < 60
    assert counted("async-refused", "result", client__release="4.2.0")[("MQClientException",)] > 0


def test_one_way_loses_a_third_without_a_word():
    found = counted("oneway", "result", "copies_kept")
    assert set(found) == {("SENT_ONEWAY", 0), ("SENT_ONEWAY", 1)}
    # Broker b answers an error for 20 s, and a third of what 20 producers send is for it.
    assert found[("SENT_ONEWAY", 0)] == pytest.approx(20 * 20 * 20 / 3, rel=0.03)


def test_batches_need_a_hundredth_of_the_sends_and_are_refused_whole():
    found = counted("batch", "producer_group", "response_code")
    for group in ("batches", "callback"):
        assert found[("single", 0)] > 90 * (found[(group, 0)] + found[(group, 13)])
        assert found[(group, 13)] > 0
    assert found[("single", 13)] == 0


def test_batches_of_the_client_take_a_fifth_of_the_attempts_and_hide_what_failed():
    sends = simulate(load_scenario(FOLDER / "auto-batch.yaml"), tables=("sends",)).sends
    assert 4 < sends.num_rows / pc.sum(sends.column("attempts")).as_py() < 7
    results = Counter(zip(sends.column("producer_group").to_pylist(), sends.column("result").to_pylist(), strict=True))
    assert results["web", "NullPointerException"] > 2 * results["web", "RemotingTooMuchRequestException"] > 0
    assert results["callback", "NullPointerException"] == 0


def test_an_ordered_topic_fails_or_is_overtaken():
    found = counted("selector-hash-ordered", "producer_group", "result")
    assert found[("waits", "RemotingConnectException")] > 100
    windows = run_of("selector-hash-ordered").windows
    disordered = windows.filter(pc.greater(windows.column("out_of_order"), 0))
    assert disordered.num_rows > 0
    assert set(disordered.column("broker").to_pylist()) == {"broker-b"}


def test_the_machine_room_selector_never_sends():
    found = counted("machine-room", "producer_group", "result", "attempts")
    assert set(found) == {("machine-room", "MQClientException", 0), ("random", "SEND_OK", 1)}


def test_big_messages_are_refused_by_their_size_before_compression():
    sends = run_of("big-messages").sends
    refused = sends.filter(pc.equal(sends.column("response_code"), 13))
    assert refused.num_rows > 100
    assert pc.min(refused.column("body_bytes")).as_py() > 2**20
    assert pc.sum(sends.column("wire_bytes")).as_py() < 0.25 * pc.sum(sends.column("body_bytes")).as_py()


def test_back_pressure_bounds_what_fails_late():
    held = counted("back-pressure", "result")
    free = counted("back-pressure", "result", client__enable_backpressure_for_async_mode="false")
    assert held[("RemotingTooMuchRequestException",)] > 0
    assert 5 * sum(held[key] for key in held if key != ("SEND_OK",)) < sum(free[k] for k in free if k != ("SEND_OK",))


def failed_in_second_hang(release: str) -> int:
    sends = run_of("back-pressure-leak", client__release=release).sends
    begun = sends.column("begin_us")
    hang = sends.filter(pc.and_(pc.greater_equal(begun, 35_000_000), pc.less(begun, 45_000_000)))
    return hang.num_rows - hang.column("result").to_pylist().count("SEND_OK")


def test_back_pressure_leaks_where_a_refusal_is_reported_twice():
    # Each message of the first hang gave its permit back twice: one refusal, which is final in 5.3.0, reported twice.
    assert failed_in_second_hang("5.3.0") > 3 * failed_in_second_hang("5.3.3")


def test_a_closed_loop_hides_an_overload_that_open_arrivals_show():
    sends = run_of("closed-vs-open").sends
    found = {}
    for group in ("closed", "skipping", "open"):
        own = sends.filter(pc.equal(pc.cast(sends.column("producer_group"), "string"), group))
        found[group] = own.num_rows, pc.quantile(own.column("latency_us"), 0.99)[0].as_py()
    assert max(found["closed"][1], found["skipping"][1]) < 0.05 * found["open"][1]
    assert max(found["closed"][0], found["skipping"][0]) < 0.9 * found["open"][0]


def test_a_selector_of_ones_own_keeps_to_its_broker_and_has_no_second_try():
    found = counted("own-selector", "producer_group", "broker", "result", "attempts")
    assert {(group, broker) for group, broker, _, _ in found} >= {("home", "broker-a"), ("home", "broker-b")}
    assert not any(group != "sticky" and broker == "broker-c" for group, broker, _, _ in found)
    assert found[("home", "broker-b", "RemotingConnectException", 1)] > 1_000
    assert found[("callback", "broker-b", "MQClientException", 3)] > 1_000
