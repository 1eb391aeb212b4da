"""Brokers that keep check points in memory (enablePopBufferMerge): what a kill of their process forgets."""

from __future__ import annotations

import pytest

from simulator.scenario import ScenarioError
from tests.says import Says, raises
from tests.simulator.small import fault, ran_tables, rows, scenario_of

SLOW = {"table": {"p0": "5ms", "p95": "50ms", "p96": "8s", "p100": "9s"}}
GROUP = {"topic": "orders", "count": 2, "threads": 40, "service": SLOW, "consume_mode": "POP"}
KILL_US, STAYS_US, WRITTEN_US = 30_000_000, 10_000_000, 5_000_000


def ran(merges, *faults, release="5.3.3", mode="POP"):
    broker = {"latency": {"constant": "1ms"}, "release": release, "enable_pop_buffer_merge": merges}
    return ran_tables(
        duration="70s", client={"release": "5.3.3"}, producers={"rate": "40/s", "threads": 200},
        brokers={"a": broker, "b": {"like": "a"}}, topics={"orders": {"queues": 2}},
        consumers={"billing": GROUP | {"consume_mode": mode}}, faults=list(faults),
    )  # fmt: skip


def killed(merges):
    return ran(merges, fault("kill", "30s", "5s", "a"))


def deliveries(run):
    return [(row["sender"], row["send_seq"], row["begin_us"]) for row in rows(run, "consumed")]


def twice(run):
    """Messages of broker a that were handled twice, with the time of their first delivery."""
    begins = {}
    for row in rows(run, "consumed", broker="a"):
        begins.setdefault((row["sender"], row["send_seq"]), []).append(row["begin_us"])
    return {one: sorted(times) for one, times in begins.items() if len(times) > 1}


def test_a_kill_gives_again_what_was_acknowledged_behind_a_batch_in_memory():
    kept, written = twice(killed(merges=True)), twice(killed(merges=False))
    assert len(kept) > len(written) + 50


def test_it_gives_nothing_again_that_had_left_the_memory():
    for first_us, *_ in twice(killed(merges=True)).values():
        assert first_us > KILL_US - STAYS_US - WRITTEN_US - 9_000_000


def test_no_message_is_lost():
    run = killed(merges=True)
    handled = {(row["sender"], row["send_seq"]) for row in rows(run, "consumed")}
    early = [row for row in rows(run, "sends") if row["end_us"] < 55_000_000 and row["copies_kept"] > 0]
    assert len(handled) >= len(early) > 1_500


@pytest.mark.parametrize("faults", [(), (fault("restart", "30s", "5s", "a"),)])
def test_without_a_kill_it_makes_no_difference(faults):
    assert deliveries(ran(True, *faults)) == deliveries(ran(False, *faults))


def test_groups_that_pull_know_nothing_of_it():
    own = fault("kill", "30s", "5s", "a")
    assert deliveries(ran(True, own, mode="CONCURRENTLY")) == deliveries(ran(False, own, mode="CONCURRENTLY"))


def test_a_broker_before_5_0_0_does_not_have_it():
    with raises(ScenarioError, Says("broker.not-before-5", release="4.9.8")):
        own = {"latency": {"constant": "1ms"}, "release": "4.9.8", "enable_pop_buffer_merge": True}
        scenario_of(brokers={"a": own})


def test_a_set_whose_master_is_elected_does_not_have_it():
    own = {"latency": {"constant": "1ms"}, "release": "5.3.3", "mode": "controller", "replicas": 3}
    with raises(ScenarioError, Says("broker.buffer-of-a-set", mode="controller")):
        scenario_of(brokers={"a": own | {"enable_pop_buffer_merge": True}})
