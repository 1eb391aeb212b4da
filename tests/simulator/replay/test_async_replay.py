"""The replay of asynchronous messages, on recordings of a few rows made by hand."""

from __future__ import annotations

import numpy as np
import pytest

from simulator import codes
from simulator.replay import replay_codes
from simulator.replay.replay_plan import ReplayPlan, ReplaySettings, Senders
from simulator.replay.replayer import Replayer
from state.row import decode_tables
from tests.simulator.replay.test_sync_replay import BROKERS, EPOCH_MS, PENALTIES, ROUTE, event, of_kind, run, select

CALLER, CALLBACK, CALLBACK_OLD = range(3)  # views: the sending thread, and a callback thread on both route objects


def replayer(release: str = "4.9.8", **changes: object) -> Replayer:
    settings = {
        "release": release, "strategy_on": True, "send_msg_timeout_ms": 3000, "retry_times": 2, "detector_on": False,
        "retry_not_store_ok": False, "max_timeout_per_request_ms": -1, "epoch_ms": EPOCH_MS,
        "latency_max_ms": PENALTIES[release][0], "not_available_duration_ms": PENALTIES[release][1],
    } | changes  # fmt: skip
    views = ((0, 0, "t"), (0, 1, "t"), (0, 1, "t"))
    senders = Senders(BROKERS, ("t",), (0,), ((0, 0), (0, 1)), views, (1, 1, 0), slots=2)
    plan = ReplayPlan("r", "digest", ReplaySettings(**settings), senders, {(0, "t", 0): ROUTE, (0, "t", 1): ROUTE})
    made = Replayer(plan)
    made.step(np.array([event(replay_codes.ROUTE, route=0), event(replay_codes.ROUTE, route=1)]))
    return made


def chosen(ms: int = 0, view: int = CALLER, **cells: int) -> np.ndarray:
    route = 0 if view == CALLBACK_OLD else 1
    return select(ms, **({"topic": 0, "sender": 0, "view": view, "route": route, "begin": 0} | cells))


def ended(outcome: int = codes.SEND_OK, cost: int = 1, **cells: int) -> np.ndarray:
    times = {"cost_least_ms": cost, "cost_most_ms": cost}
    return event(replay_codes.ATTEMPT_END, **({"topic": 0, "outcome": outcome, "code": -1} | times | cells))


def charged(ms: int = 0, latency: int = 1, **cells: int) -> np.ndarray:
    return event(replay_codes.FAULT_UPDATE, ms=ms, latency_ms=latency, **({"topic": 0} | cells))


def handed(ms: int = 0, **cells: int) -> np.ndarray:
    return charged(ms, latency=0, hand_over=1, **cells)


def text_of(**cells: int) -> np.ndarray:
    return event(replay_codes.SEND_END, **({"topic": 0} | cells))


REFUSED = (chosen(seed=5), ended(codes.CONNECT_REFUSED), charged(ms=1), chosen(ms=1))


def test_a_retry_changes_the_broker_and_keeps_the_queue_id():
    rows = (chosen(seed=4), ended(codes.RESPONSE_TIMEOUT, 100), charged(ms=100), chosen(ms=100, view=1, seed=1))
    decisions = run(replayer(), *rows, ended(), text_of())
    first, second = of_kind(decisions, "select")
    assert [(first["broker"], first["queue_id"]), (second["broker"], second["queue_id"])] == [("c", 1), ("b", 0)]
    assert [(d["broker"], d["queue_id"]) for d in of_kind(decisions, "after_attempt")] == [("c", 1), ("b", 1)]
    assert (second["last_broker"], second["resets"]) == ("c", False)


def test_a_callback_thread_has_a_counter_for_each_route_object():
    made = replayer()
    first, old = chosen(view=CALLBACK, seed=1), chosen(send_seq=1, view=CALLBACK_OLD, seed=7)
    run(made, first, old, chosen(send_seq=2, view=CALLBACK))
    counters = decode_tables(made.snapshot())["counters"]
    assert counters.column("send_which_queue").to_pylist() == [None, 3, 8]


def test_the_hand_over_cancels_the_isolation_of_a_refused_broker_in_4_9_8():
    decisions = run(replayer(), *REFUSED, handed(ms=2), ended(), text_of(), charged(ms=3))
    own, hand_over, _ = of_kind(decisions, "fault_update")
    assert (own["broker"], own["isolation"], own["start_timestamp_ms"]) == ("a", True, 600_001)
    assert (hand_over["broker"], hand_over["isolation"], hand_over["start_timestamp_ms"]) == ("a", False, 2)


def test_a_refused_connect_reaches_the_callback_in_5_3_3():
    decisions = run(replayer("5.3.3"), chosen(seed=5), handed(), ended(codes.CONNECT_REFUSED), charged(ms=1))
    assert [(d["isolation"], d["reachable"]) for d in of_kind(decisions, "fault_update")] == [
        (False, True),
        (True, True),
    ]
    assert of_kind(decisions, "after_attempt")[0]["after"] == "retry"


def test_a_refused_connect_that_the_call_throws_is_unreachable_in_5_1_4():
    decisions = run(replayer("5.3.3", async_rules_of="5.1.4"), *REFUSED[:3])
    assert [(d["isolation"], d["reachable"]) for d in of_kind(decisions, "fault_update")] == [(True, False)]


def test_up_to_4_9_2_a_refused_connect_is_final_and_hands_nothing_over():
    made = replayer(async_rules_of="4.9.2")
    decisions = run(made, chosen(seed=5), ended(codes.CONNECT_REFUSED), charged(), handed(), text_of())
    assert [d["after"] for d in of_kind(decisions, "after_attempt")] == ["throw"]
    assert len(of_kind(decisions, "fault_update")) == 1
    end = of_kind(decisions, "send_end")[0]
    assert (end["outcome"], end["response_code"]) == ("MQClientException", 10001)


def test_up_to_4_9_2_a_refused_retry_is_charged_to_the_broker_before():
    made = replayer(async_rules_of="4.7.0")
    rows = (chosen(seed=5), ended(codes.SEND_FAILURE), charged(ms=1), chosen(ms=1))
    decisions = run(made, *rows, ended(codes.CONNECT_REFUSED), charged(ms=2, latency=3000))
    assert [d["broker"] for d in of_kind(decisions, "fault_update")] == ["a", "a"]


@pytest.mark.parametrize(
    ("rules", "least", "most"),
    [("4.6.1", 0, 0), ("4.9.8", -1010, -1000)],
)
def test_the_timeout_of_a_retry_lies_between_what_the_readings_allow(rules, least, most):
    made = replayer(async_rules_of=rules)
    rows = (chosen(seed=5), ended(codes.RESPONSE_TIMEOUT, cost_least_ms=4000, cost_most_ms=4010), charged(), chosen())
    second = of_kind(run(made, *rows, ended(codes.TOO_MUCH_REQUEST)), "timeout")[1]
    assert (second["timeout_least_ms"], second["timeout_most_ms"]) == (least, most)


@pytest.mark.parametrize(("release", "after"), [("4.9.8", ["retry", "retry", "throw"]), ("5.3.3", ["throw"])])
def test_what_follows_a_timeout(release, after):
    burnt = [row for _ in after[1:] for row in (chosen(), ended(codes.TOO_MUCH_REQUEST, 0), charged())]
    rows = (chosen(seed=5), ended(codes.RESPONSE_TIMEOUT, 4000), charged(), *burnt)
    decisions = run(replayer(release), *rows, text_of())
    assert [d["after"] for d in of_kind(decisions, "after_attempt")] == after


def test_what_the_application_is_reported_by_release():
    rows = (chosen(seed=5), ended(codes.RESPONSE_TIMEOUT, 4000), charged(), text_of())
    end = of_kind(run(replayer("5.3.3"), *rows), "send_end")[0]
    assert (end["outcome"], end["response_code"], "broker" in end) == ("MQClientException", -1, False)
    end = of_kind(run(replayer(), *REFUSED, ended(codes.TOO_MUCH_REQUEST), charged(), text_of()), "send_end")[0]
    assert (end["outcome"], "response_code" in end) == ("RemotingTooMuchRequestException", False)


@pytest.mark.parametrize(("thrown", "outcome"), [(0, "MQClientException"), (1, "RemotingSendRequestException")])
def test_a_failure_to_send_can_be_thrown_by_the_call(thrown, outcome):
    rows = (chosen(seed=5), ended(codes.SEND_FAILURE, thrown=thrown), charged(), text_of())
    decisions = run(replayer("4.9.8", retry_times=0), *rows)
    assert of_kind(decisions, "send_end")[0]["outcome"] == outcome


def test_whether_anything_is_left_may_be_open():
    rows = (chosen(seed=5), ended(codes.SEND_FAILURE, cost_least_ms=2999, cost_most_ms=3000, sent=0))
    after = of_kind(run(replayer("5.3.3"), *rows), "after_attempt")[0]
    assert (after["after"], after["is_open"]) == ("throw", True)


def test_messages_under_way_at_the_same_time_do_not_meet():
    made = replayer()
    rows = (chosen(seed=0), chosen(send_seq=1, sender=1), ended(send_seq=1, sender=1), ended(), text_of())
    decisions = run(made, *rows)
    assert [d["send_seq"] for d in of_kind(decisions, "after_attempt")] == [1, 0]
    assert of_kind(decisions, "send_end")[0]["broker"] == of_kind(decisions, "select")[0]["broker"]


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([ended()], replay_codes.NOT_SELECTED),
        ([charged()], replay_codes.NO_SEND),
        ([handed()], replay_codes.NO_SEND),
        ([chosen(seed=0), charged()], replay_codes.NOT_ENDED),
        ([chosen(seed=0), text_of()], replay_codes.NOT_CHARGED),
        ([chosen(seed=0), ended(codes.SEND_FAILURE), text_of()], replay_codes.NOT_CHARGED),
        ([chosen(seed=0), ended(codes.SEND_FAILURE), chosen()], replay_codes.NOT_CHARGED),
        ([chosen(seed=0), ended(), text_of(), text_of()], replay_codes.NO_SEND),
        ([chosen()], replay_codes.NO_SEED),
    ],
)
def test_a_row_out_of_order_is_refused(rows, reason):
    _, refused = replayer().step(np.array(rows))
    assert refused.tolist() == [0] * (len(rows) - 1) + [reason]


def test_a_restored_replay_goes_on_in_the_middle_of_a_message():
    first, second = REFUSED[:2], (*REFUSED[2:], handed(ms=2), ended(), text_of())
    whole, cut = replayer(), replayer()
    expected = run(whole, *first, *second)
    got = run(cut, *first)
    assert got + run(Replayer.restore(cut.plan, cut.snapshot()), *second) == expected
