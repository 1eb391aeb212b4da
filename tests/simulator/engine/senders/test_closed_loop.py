"""Closed loops: a thread sends, waits for the end of its send, thinks, and sends again."""

from __future__ import annotations

from itertools import pairwise

import pytest

from simulator.plan.compile import compile_scenario
from simulator.scenario import Scenario
from streaming.flow.scenario_feed import ScenarioFeed
from tests.simulator.small import fault, ran, rows, scenario_of

LOOP = {"arrivals": "closed", "rate": None, "think": "5ms"}
SLOW = {"a": {"latency": {"constant": "20ms"}, "send_threads": 1}}


def loop(**changes: object) -> Scenario:
    return scenario_of(producers=LOOP | changes.pop("producers", {}), **changes)


def gaps_us(sends: list[dict], after: str) -> set[int]:
    """Times from `after` of a send to the begin of the thread's next."""
    threads = {s["thread"] for s in sends}
    own = [[s for s in sorted(sends, key=lambda s: s["begin_us"]) if s["thread"] == t] for t in threads]
    return {b["begin_us"] - a[after] for some in own for a, b in pairwise(some)}


@pytest.mark.parametrize(("mode", "after"), [("sync", "end_us"), ("async", "begin_us"), ("oneway", "end_us")])
def test_the_next_send_begins_a_think_time_after_the_thread_is_free(mode, after):
    sends = rows(ran(producers=LOOP | {"threads": 3, "mode": mode}), "sends")
    assert gaps_us(sends, after) == {5_000}
    assert len({s["begin_us"] for s in sends[:3]}) == 3  # threads do not march in step
    assert all(s["arrival_us"] == s["begin_us"] < 2_000_000 for s in sends)


def test_a_busy_broker_slows_a_closed_loop_down_instead_of_queueing():
    sends = rows(ran(producers=LOOP | {"threads": 4}, brokers=SLOW), "sends")
    assert 100 <= len(sends) <= 104  # 50 a second, what the broker can do
    assert max(s["latency_us"] for s in sends) <= 4 * 20_000


def test_a_hang_costs_a_closed_loop_one_message_a_thread():
    run = ran(
        duration="20s", producers=LOOP | {"threads": 5}, client={"send_latency_fault_enable": False},
        brokers=SLOW, faults=[fault("hang", "5s", "3s", "a")],
    )  # fmt: skip
    late = [s for s in rows(run, "sends") if s["latency_us"] > 1_000_000]
    assert sorted(s["thread"] for s in late) == [0, 1, 2, 3, 4]


def test_think_times_are_drawn_from_their_distribution():
    sends = rows(ran(duration="40s", producers=LOOP | {"think": {"exponential": {"mean": "5ms"}}}), "sends")
    gaps = [b["begin_us"] - a["end_us"] for a, b in pairwise(sends)]
    assert sum(gaps) / len(gaps) == pytest.approx(5_000, rel=0.05)
    assert sum(gap > 5_000 for gap in gaps) / len(gaps) == pytest.approx(0.368, abs=0.02)


def test_without_thinking_a_send_that_fails_at_once_still_takes_time():
    run = ran(duration="100ms", producers=LOOP | {"think": "0ms", "selector": "machine_room"})
    assert gaps_us(rows(run, "sends"), "end_us") == {1_001}


def test_topics_of_a_closed_loop_are_drawn_by_weight():
    topics = {"clicks": {}, "orders": {}}
    run = ran(duration="10s", producers=LOOP | {"threads": 4, "topics": {"orders": 3, "clicks": 1}}, topics=topics)
    drawn = [s["topic"] for s in rows(run, "sends")]
    assert drawn.count("orders") / len(drawn) == pytest.approx(0.75, abs=0.02)


def test_a_group_beside_a_closed_loop_sends_as_it_would_alone():
    open_group = {"group": "open", "count": 1, "rate": "20/s"}
    alone, beside = ([open_group], [open_group, {"group": "closed", "count": 1, **LOOP}])
    brokers = {"a": {"latency": {"constant": "2ms"}, "send_threads": 64}}
    sent = [
        [s["arrival_us"] for s in rows(ran(producers=groups, brokers=brokers), "sends", producer_group="open")]
        for groups in (alone, beside)
    ]
    assert sent[0] == sent[1] != []


def test_a_micro_batch_is_planned_for_the_sends_of_closed_loops():
    feed = ScenarioFeed(compile_scenario(loop(producers={"threads": 7})))
    assert feed.events_per_step() == pytest.approx(1000)  # 7 threads, 2 ms and 5 ms
    assert loop(producers={"threads": 7}).expected_messages == pytest.approx(2000)


@pytest.mark.parametrize("threads", [1, 10, 20])
def test_rate_and_wait_are_those_of_a_closed_queueing_network(threads):
    """One server, exponential service of 1 ms and think time of 10 ms: mean value analysis is exact."""
    service_s, think_s, queue = 0.001, 0.01, 0.0
    for n in range(1, threads + 1):
        response_s = service_s * (1 + queue)
        queue = n / (response_s + think_s) * response_s
    run = ran(
        duration="100s", producers=LOOP | {"threads": threads, "think": {"exponential": {"mean": "10ms"}}},
        brokers={"a": {"latency": {"exponential": {"mean": "1ms"}}, "send_threads": 1}},
    )  # fmt: skip
    assert run.sends.num_rows / 100 == pytest.approx(threads / (response_s + think_s), rel=0.02)
    assert run.column("sends", "latency_us").mean() / 1e6 == pytest.approx(response_s, rel=0.03)
