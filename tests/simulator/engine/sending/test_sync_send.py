"""What the client makes of it: budget, retries, waiting, avoiding, and what is written down."""

from __future__ import annotations

from collections import Counter

import pytest

from simulator.plan.compile import TIMEOUT_NOTICE_US, TIMEOUT_SPREAD_US, compile_scenario
from simulator.run.cell import Cell
from simulator.run.simulate import simulate
from simulator.workload import arrivals
from state.row import decode_tables
from tests.simulator.small import fault, ran, rows, scenario_of

OFF = {"send_latency_fault_enable": False}


LATE_US = TIMEOUT_NOTICE_US + TIMEOUT_SPREAD_US


def test_the_budget_ends_a_send_before_its_retries_do():
    client = {**OFF, "retry_times_when_send_failed": 10, "send_msg_timeout": "100ms"}
    result = ran(client=client, faults=[fault("refuse", "0s", "2s", "all")], duration="1s")
    assert {s["attempts"] for s in rows(result, "sends")} == {11}  # refused at once: the budget lasts
    result = ran(client=client, faults=[fault("hang", "0s", "30s", "all")], duration="1s")
    hung = [s for s in rows(result, "sends") if s["begin_us"] < 800_000]
    assert len(hung) == 8
    for send in hung:
        assert send["result"] == "RemotingTooMuchRequestException"
        assert 100_000 < send["end_us"] - send["begin_us"] < 100_000 + 2 * LATE_US
        assert send["attempts"] <= 2


def test_release_4_2_0_has_no_budget_and_waits_the_whole_time_out_for_each_attempt():
    client = {**OFF, "release": "4.2.0", "retry_times_when_send_failed": 2, "send_msg_timeout": "100ms"}
    result = ran(client=client, faults=[fault("hang", "0s", "30s", "all")], duration="1s")
    sends = rows(result, "sends", attempts=3)
    assert len(sends) == 3  # one after the other, until the hang ends with the run
    for send in sends:
        assert 300_000 < send["end_us"] - send["begin_us"] < 300_000 + 3 * LATE_US
        assert (send["copies_stored"], send["response_code"]) == (3, 10002)


def test_a_blocked_thread_of_a_closed_loop_skips_messages():
    result = ran(
        producers={"rate": "20/s", "when_blocked": "skip"}, client={**OFF, "send_msg_timeout": "500ms"},
        brokers={"b": {"latency": {"constant": "2ms"}}}, faults=[fault("hang", "500ms", "1s")],
    )  # fmt: skip
    sends = rows(result, "sends")
    grid = [sends[0]["arrival_us"] + 50_000 * i for i in range(40)]
    busy = [(s["begin_us"], s["end_us"]) for s in sends]
    free = [at for at in grid if not any(begin < at < end for begin, end in busy)]
    assert [s["arrival_us"] for s in sends] == [s["begin_us"] for s in sends] == free
    assert len(free) < 25


def test_a_full_hand_off_queue_refuses_the_message_at_once():
    result = ran(
        producers={"rate": "20/s", "hand_off_queue": 3}, client=OFF, brokers={"b": {"latency": {"constant": "2ms"}}},
        faults=[fault("hang", "500ms", "1s")],
    )  # fmt: skip
    refused = rows(result, "sends", result="HandOffQueueFull")
    blocking = next(s for s in rows(result, "sends") if s["latency_us"] > 500_000)
    during = (1_502_000 - blocking["begin_us"] - 1) // 50_000  # arrivals while the thread is blocked
    assert len(refused) == during - 3
    assert {(s["attempts"], s["latency_us"], s["copies_stored"], s["broker"]) for s in refused} == {(0, 0, 0, None)}
    numbers = [s["send_seq"] for s in rows(result, "sends")]
    assert sorted(numbers) == list(range(40))


@pytest.mark.parametrize("when_blocked", ["queue", "skip"])
def test_every_arrival_is_one_send_or_is_counted_as_skipped(when_blocked):
    scenario = scenario_of(
        producers={"count": 3, "rate": "50/s", "arrivals": "poisson", "when_blocked": when_blocked,
                   "hand_off_queue": 20},
        client={"send_msg_timeout": "400ms"}, faults=[fault("hang", "500ms", "1s", "all")],
    )  # fmt: skip
    plan = compile_scenario(scenario)
    own = plan.cells[0]
    cell = Cell(own)
    cell.observe(plan.observations)
    arrived = 0
    found = []
    for window in range(plan.windows):
        events = arrivals(own.streams, plan.seed, window, plan.window_us, plan.duration_us)
        arrived += len(events)
        found += cell.step(events, (window + 1) * plan.window_us)["sends"]
    found += cell.drain()["sends"]
    sends = sum(table.num_rows for table in found)
    assert arrived == sends + cell.skipped
    assert (cell.skipped > 0) == (when_blocked == "skip")
    assert sends == simulate(scenario).sends.num_rows


def test_the_strategy_keeps_away_from_a_broker_that_hung():
    result = ran(
        duration="8s", producers={"rate": "20/s"}, client={"send_msg_timeout": "1s"},
        faults=[fault("hang", "1s", "2s")],
    )  # fmt: skip
    late = [a for a in rows(result, "attempts") if a["begin_us"] > 3_000_000]
    assert {a["broker"] for a in late} == {"a", "c"}  # ten minutes for a time-out, in 4.9.8
    item = rows(result, "fault_items", broker="b")[-1]
    assert (item["current_latency_ms"], item["available"], item["removed"]) == (1_001, False, False)
    assert item["start_timestamp_ms"] == item["at_us"] // 1000 + 600_000


def test_a_fault_item_is_written_for_every_change_in_order():
    result = ran(brokers={"a": {"latency": {"constant": "120ms"}}, "b": {"latency": {"constant": "2ms"}}})
    items = rows(result, "fault_items")
    assert [item["change_seq"] for item in items] == list(range(len(items)))
    first = next(item for item in items if item["broker"] == "a")
    ended = next(a for a in rows(result, "attempts") if a["broker"] == "a")
    assert (first["at_us"], first["current_latency_ms"]) == (
        ended["end_us"],
        ended["end_us"] // 1000 - ended["begin_us"] // 1000,
    )


@pytest.mark.parametrize(("detector", "back"), [(True, True), (False, False)])
def test_the_detector_brings_a_broker_back_before_its_penalty_ends(detector, back):
    """The refusal ends at 4 s; the round at 6 s finds the broker, whose penalty lasts 30 s."""
    client = {"release": "5.3.3", "start_detector_enable": detector, "retry_times_when_send_failed": 0}
    result = ran(client=client, duration="9s", faults=[fault("refuse", "1s", "3s")])
    flags = [(i["at_us"], i["reachable"]) for i in rows(result, "fault_items", broker="b") if i["at_us"] > 1_000_000]
    assert ((6_000_000, True) in flags) == back


@pytest.mark.parametrize(
    ("release", "how", "runs"),
    [
        ("5.1.4", "start_detector_enable", False),
        ("5.2.0", "start_detector_enable", True),
        ("5.1.4", "start_detector_property", True),
    ],
)
def test_the_producers_setter_starts_no_detector_in_5_1_4(release, how, runs):
    client = {"release": release, how: True, "retry_times_when_send_failed": 0}
    result = ran(client=client, duration="9s", faults=[fault("refuse", "1s", "3s")])
    found = [i for i in rows(result, "fault_items", broker="b") if i["at_us"] == 6_000_000]
    assert bool(found) == runs


def test_counters_begin_where_the_scenario_says():
    client = {"send_latency_fault_enable": False, "send_which_queue_start": 3}
    result = ran(client=client, producers={"count": 2, "threads": 2})
    firsts = [a for a in rows(result, "attempts") if a["send_seq"] == 0]
    assert [(a["broker"], a["queue_id"]) for a in firsts] == [("c", 0)] * 4  # step 4 of a0 a1 b0 b1 c0 c1


def test_windows_add_up_to_the_attempts():
    result = ran(
        duration="5s", producers={"count": 4, "rate": "50/s", "arrivals": "poisson"},
        topics={"orders": {"queues": 2}, "clicks": {"queues": 1, "brokers": ["a"]}}, client={"send_msg_timeout": "1s"},
        faults=[fault("hang", "1s", "2s")],
    )  # fmt: skip
    windows, attempts = rows(result, "windows"), rows(result, "attempts")
    counted = Counter(
        (a["end_us"] // 1_000_000 * 1_000_000, a["topic"], a["broker"], a["outcome"] == "SEND_OK") for a in attempts
    )
    for row in windows:
        place = (row["window_start_us"], row["topic"], row["broker"])
        assert (row["successes"], row["failures"]) == (counted[(*place, True)], counted[(*place, False)])
        assert row["attempts"] == row["successes"] + row["failures"]
    assert sum(row["attempts"] for row in windows) == len(attempts)
    assert sum(row["retries"] for row in windows) == sum(a["attempt"] > 1 for a in attempts)


def test_shares_of_a_window_add_up_to_one():
    windows = rows(ran(producers={"count": 4, "rate": "50/s"}), "windows", window_start_us=0)
    assert sum(row["share"] for row in windows) == pytest.approx(1)
    assert [row["p50_ms"] for row in windows] == pytest.approx([2.0, 2.0, 2.0], rel=0.01)


def test_every_window_of_the_run_has_a_row_for_each_broker_of_the_route():
    result = ran(duration="3s", window="500ms", producers={"rate": "1/s"})
    starts = Counter(row["window_start_us"] for row in rows(result, "windows"))
    assert starts == {500_000 * i: 3 for i in range(6)}


@pytest.mark.parametrize("release", ["4.2.0", "4.9.8", "5.3.3"])
def test_a_release_without_a_reachable_flag_says_reachable(release):
    result = ran(client={"release": release}, brokers={"b": {"latency": {"constant": "2ms"}}})
    assert {item["reachable"] for item in rows(result, "fault_items")} == {True}


@pytest.mark.parametrize("release", ["4.2.0", "4.8.0", "4.9.8", "5.3.3"])
def test_with_the_strategy_off_the_counter_in_the_state_moves_once_a_select(release):
    """Healthy brokers: one select a message, each takes the counter's next value."""
    early, late = (_counters_after(windows, {**OFF, "release": release}) for windows in (1, 2))
    assert [row["next_send_seq"] for row in (*early, *late)] == [10, 20]
    assert (late[0]["send_which_queue"] - early[0]["send_which_queue"]) % 2**32 == 10


def _counters_after(windows, client):
    plan = compile_scenario(scenario_of(client=client))
    own, cell = plan.cells[0], Cell(plan.cells[0])
    for window in range(windows):
        events = arrivals(own.streams, plan.seed, window, plan.window_us, plan.duration_us)
        cell.step(events, (window + 1) * plan.window_us)
    return decode_tables(cell.snapshot())["counters"].to_pylist()
