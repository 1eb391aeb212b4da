"""The replay's kernel on recordings of a few rows, made by hand."""

from __future__ import annotations

import numpy as np
import pytest

from simulator import codes
from simulator.compiled.region_store import columns
from simulator.replay import replay_codes
from simulator.replay.replay_plan import ReplayPlan, ReplaySettings, RouteObject, Senders
from simulator.replay.replay_world import InputRow
from simulator.replay.replayer import Replayer

BROKERS = ("a", "b", "c")
A, B, C = range(3)
QUEUES = tuple((name, queue_id) for name in BROKERS for queue_id in range(2))
ROUTE = RouteObject(QUEUES, dict.fromkeys(BROKERS, (2, True)))
PENALTIES = {
    "4.9.8": ((50, 100, 550, 1000, 2000, 3000, 15000), (0, 0, 30000, 60000, 120000, 180000, 600000)),
    "5.3.3": ((50, 100, 550, 1800, 3000, 5000, 15000), (0, 0, 2000, 5000, 6000, 10000, 30000)),
}
EPOCH_MS = 1_700_000_000_000


def replayer(release: str = "4.9.8", **changes: object) -> Replayer:
    settings = {
        "release": release, "strategy_on": True, "send_msg_timeout_ms": 3000, "retry_times": 2, "detector_on": False,
        "retry_not_store_ok": False, "max_timeout_per_request_ms": -1, "epoch_ms": EPOCH_MS,
        "latency_max_ms": PENALTIES[release][0], "not_available_duration_ms": PENALTIES[release][1],
    } | changes  # fmt: skip
    senders = Senders(BROKERS, ("t",), (0,), ((0, 0), (0, 1)), ((0, 0, "t"), (0, 1, "t")))
    routes = {(0, "t", 0): ROUTE, (0, "t", 1): ROUTE}
    made = Replayer(ReplayPlan("r", "digest", ReplaySettings(**settings), senders, routes))
    made.step(np.array([event(replay_codes.ROUTE, route=0)]))
    return made


def event(kind: int, row: int = 0, thread: int = 0, seq: int = 0, ms: int = 0, **cells: int) -> np.ndarray:
    """An input row: `cells` by its fields' names."""
    at = columns(InputRow)
    cell = np.full(len(at), replay_codes.NONE, np.int64)
    cells = {
        "event": kind, "row": row, "producer": 0, "sender": thread, "view": thread, "route": 0, "send_seq": seq,
        "clock_least_ms": ms, "clock_most_ms": ms,
    } | cells  # fmt: skip
    for name, value in cells.items():
        cell[at[name]] = value
    return cell


def select(ms: int = 0, begin: int | None = None, **cells: int) -> np.ndarray:
    times = {"begin_least_ms": begin or ms, "begin_most_ms": begin or ms, "attempt_least_ms": ms, "attempt_most_ms": ms}
    return event(replay_codes.SELECT, ms=ms, **(times | {"sent": 1, "transport_most_ms": ms} | cells))


def ended(outcome: int = codes.SEND_OK, code: int | None = None, **cells: int) -> np.ndarray:
    plain = 0 if outcome == codes.SEND_OK else codes.NO_CODE
    return event(replay_codes.ATTEMPT_END, outcome=outcome, code=plain if code is None else code, **cells)


def charged(ms: int = 0, latency: int = 1, **cells: int) -> np.ndarray:
    return event(replay_codes.FAULT_UPDATE, ms=ms, latency_ms=latency, **cells)


def send_end(**cells: int) -> np.ndarray:
    return event(replay_codes.SEND_END, **cells)


def run(made: Replayer, *rows: np.ndarray) -> list[dict[str, object]]:
    decisions, refused = made.step(np.array(rows))
    assert not refused.any()
    return [{name: value for name, value in row.items() if value is not None} for row in decisions.to_pylist()]


def of_kind(decisions: list[dict[str, object]], kind: str) -> list[dict[str, object]]:
    return [decision for decision in decisions if decision["kind"] == kind]


def test_a_selection_follows_from_the_seed():
    first, *_ = run(replayer(), select(seed=5))
    assert (first["broker"], first["queue_id"], first["steps"]) == ("a", 0, 1)  # 6 mod 6


def test_the_counter_goes_on_from_selection_to_selection():
    made = replayer()
    run(made, select(seed=0), ended(), charged(), send_end())
    assert run(made, select(seq=1))[0]["queue_id"] == 0
    assert made.snapshot().counters == Replayer.restore(made.plan, made.snapshot()).snapshot().counters


def test_another_route_object_starts_another_counter():
    made = replayer()
    run(made, select(seed=0), ended(), charged(), send_end(), event(replay_codes.ROUTE, route=1))
    assert run(made, select(seq=1, route=1, seed=3))[0]["broker"] == "c"  # 4 mod 6


def test_a_retry_keeps_the_route_object_of_its_message():
    made = replayer()
    rows = (
        select(seed=0),
        ended(codes.CONNECT_REFUSED),
        charged(),
        event(replay_codes.ROUTE, route=1),
        select(route=1),
    )
    assert [d["attempt"] for d in of_kind(run(made, *rows), "select")] == [1, 2]


def test_the_isolated_broker_is_avoided_by_the_other_thread_too():
    made = replayer()
    run(made, select(seed=0), ended(codes.CONNECT_REFUSED), charged(ms=10))  # broker a
    assert run(made, select(thread=1, seed=5, ms=20))[0]["broker"] == "b"


def test_a_broker_is_charged_by_the_latency_class():
    update = of_kind(run(replayer(), select(seed=5), ended(), charged(ms=700, latency=600)), "fault_update")[0]
    assert (update["start_timestamp_ms"], update["isolation"], update["moved"]) == (30_700, False, True)


def test_nothing_is_charged_while_the_strategy_is_off():
    made = replayer(strategy_on=False)
    update = of_kind(run(made, select(seed=5), ended(), charged(latency=600)), "fault_update")[0]
    assert update["touched"] is False
    assert "start_timestamp_ms" not in update


def test_a_good_answer_moves_no_penalty_in_5_3_3():
    made = replayer("5.3.3")
    update = of_kind(run(made, select(seed=5), ended(), charged(ms=9)), "fault_update")[0]
    assert (update["moved"], update["reachable"]) == (False, True)
    assert "start_timestamp_ms" not in update


def test_a_retry_draws_the_counter_anew_in_5_3_3():
    made = replayer("5.3.3")
    rows = (select(seed=5), ended(codes.CONNECT_REFUSED), charged(), select(ms=5, begin=0, reset_to=100))
    first, second = of_kind(run(made, *rows), "select")
    assert (first["resets"], second["resets"], second["last_broker"]) == (False, True, "a")
    assert (second["broker"], second["queue_id"], second["steps"]) == ("c", 1, 1)  # 101 mod 6


@pytest.mark.parametrize(
    ("outcome", "code", "release", "after"),
    [
        (codes.SEND_OK, 0, "4.9.8", "return"),
        (codes.BROKER_ERROR, 2, "4.9.8", "throw"),
        (codes.BROKER_ERROR, 2, "5.3.3", "retry"),
        (codes.RESPONSE_TIMEOUT, -1, "4.9.8", "retry"),
        (codes.SEND_STATUS, 10, "4.9.8", "return"),
    ],
)
def test_what_follows_an_attempt(outcome, code, release, after):
    decisions = run(replayer(release), select(seed=5), ended(outcome, code), charged(), select(reset_to=7))
    assert [d["after"] for d in of_kind(decisions, "after_attempt")] == [after]


def test_a_retry_over_the_budget_makes_no_attempt():
    rows = (select(seed=5), ended(codes.RESPONSE_TIMEOUT), charged(ms=3001, latency=3001), select(ms=3001, begin=0))
    decisions = run(replayer(), *rows, send_end())
    assert of_kind(decisions, "select")[1]["after"] == "no_attempt"
    assert of_kind(decisions, "after_attempt")[0]["after"] == "budget"
    assert of_kind(decisions, "send_end")[0]["outcome"] == "RemotingTooMuchRequestException"


def test_just_the_budget_makes_another_attempt():
    rows = (select(seed=5), ended(codes.RESPONSE_TIMEOUT), charged(ms=3000, latency=3000), select(ms=3000, begin=0))
    assert of_kind(run(replayer(), *rows), "select")[1]["after"] == "attempt"


def test_the_last_attempt_throws_with_its_own_code():
    attempt = (ended(codes.CONNECT_REFUSED), charged())
    decisions = run(replayer(), select(seed=5), *attempt, select(), *attempt, select(), *attempt, send_end())
    assert [d["after"] for d in of_kind(decisions, "after_attempt")] == ["retry", "retry", "throw"]
    end = of_kind(decisions, "send_end")[0]
    assert (end["outcome"], end["response_code"], end["attempt"]) == ("MQClientException", 10001, 3)


def test_a_timeout_is_capped_on_all_attempts_but_the_last():
    made = replayer("5.3.3", max_timeout_per_request_ms=1000)
    attempt = (ended(codes.CONNECT_REFUSED), charged())
    rows = [select(seed=5), *attempt, *(row for _ in range(2) for row in (select(reset_to=1), *attempt))]
    timeouts = of_kind(run(made, *rows), "timeout")
    assert [d["timeout_most_ms"] for d in timeouts] == [1000, 1000, 3000]


def test_the_recorded_start_tells_which_of_two_readings_it_was():
    update = charged(ms=10, clock_most_ms=12, fits_start_ms=11)
    assert of_kind(run(replayer(), select(seed=5), ended(), update), "fault_update")[0]["start_timestamp_ms"] == 11


def test_a_start_outside_the_readings_is_not_taken_over():
    update = charged(ms=10, clock_most_ms=12, fits_start_ms=13)
    assert of_kind(run(replayer(), select(seed=5), ended(), update), "fault_update")[0]["start_timestamp_ms"] == 10


def _with_penalty_until_30_100(made: Replayer) -> None:
    run(made, select(seed=5), ended(), charged(ms=100, latency=600), send_end())


def test_a_choice_that_depends_on_the_reading_is_open():
    made = replayer()
    _with_penalty_until_30_100(made)
    recorded = {"fits_broker": A, "fits_queue_id": 0, "fits_steps": 1}
    chosen = run(made, select(seq=1, ms=30_099, clock_most_ms=30_100, thread=1, seed=5, **recorded))[0]
    assert (chosen["broker"], chosen["is_open"], chosen["clock_ms"]) == ("a", True, 30_100)


def test_a_choice_that_no_reading_explains_is_not_taken_over():
    made = replayer()
    _with_penalty_until_30_100(made)
    recorded = {"fits_broker": C, "fits_queue_id": 0, "fits_steps": 1}
    assert run(made, select(seq=1, ms=30_099, clock_most_ms=30_100, thread=1, seed=5, **recorded))[0]["broker"] == "b"


def test_a_recorded_choice_corrects_nothing_at_a_certain_reading():
    recorded = {"fits_broker": C, "fits_queue_id": 1, "fits_steps": 9}
    chosen = run(replayer(), select(seed=5, **recorded))[0]
    assert (chosen["broker"], chosen["steps"], chosen["is_open"]) == ("a", 1, False)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([ended()], replay_codes.NOT_SELECTED),
        ([select(seed=0), ended(seq=1)], replay_codes.NOT_SELECTED),
        ([select(seed=0), charged()], replay_codes.NOT_ENDED),
        ([send_end()], replay_codes.NO_SEND),
        ([select(seed=0), send_end()], replay_codes.NOT_CHARGED),
        ([select(seed=0), select()], replay_codes.NOT_CHARGED),
        ([select()], replay_codes.NO_SEED),
        ([select(seed=0, route=1)], replay_codes.UNKNOWN_ROUTE),
        ([event(replay_codes.ROUTE, route=-1)], replay_codes.UNKNOWN_ROUTE),
    ],
)
def test_a_row_out_of_order_is_refused(rows, reason):
    _, refused = replayer().step(np.array(rows))
    assert refused.tolist() == [0] * (len(rows) - 1) + [reason]


def test_what_waits_at_the_end_of_the_recording_stays_open():
    made = replayer()
    run(made, select(seed=5), ended(codes.CONNECT_REFUSED, row=7), charged())
    waiting = made.finish().to_pylist()
    assert [(d["row"], d["after"], d["is_open"]) for d in waiting] == [(7, "retry", True)]


def test_a_restored_replay_goes_on_in_the_middle_of_a_send():
    first, second = [select(seed=5), ended(codes.CONNECT_REFUSED)], [charged(ms=4), select(ms=9, begin=0)]
    whole, cut = replayer(), replayer()
    expected = run(whole, *first, *second)
    got = run(cut, *first)
    assert got + run(Replayer.restore(cut.plan, cut.snapshot()), *second) == expected
