"""Transactions of gRPC producers: a proxy remembers where a half message is, and has its own clients answer checks."""

from __future__ import annotations

import numpy as np
import pytest

from tests.simulator.consumer.transactions.test_checking import sending
from tests.simulator.small import fault, rows


def over(outcome="commit", duration="60s", count=1, proxies=2, **changes):
    """Such a run through proxies of 5.3.3, each on a host of its own."""
    own = {"count": proxies, "release": "5.3.3"}
    producers = {
        "count": count, "threads": 100, "rate": changes.pop("rate", "2/s"),
        "grpc": {"proxy": "proxy-1"} if changes.pop("together", True) else {},
        "transaction": {"local": "10ms", "outcome": outcome, **changes.pop("transaction", {})},
    }  # fmt: skip
    return sending(duration=duration, proxies=own, **{"producers": producers} | changes)


def struck(kind, at, length, **target):
    return fault(kind, at, length, None, **target)


def stored_between(run, from_s, until_s, **where):
    return [row for row in rows(run, "transactions", **where) if from_s < row["stored_us"] / 1e6 < until_s]


def test_a_commit_goes_over_the_proxy_and_makes_the_message_readable():
    run = over()
    settled = run.column("transactions", "settled_us") - run.column("transactions", "local_end_us")
    assert 1_000 < np.nanmin(settled) <= np.nanmax(settled) < 6_000
    assert {row["fate"] for row in stored_between(run, 0, 59)} == {"committed"}
    assert not any(row["checks"] for row in rows(run, "transactions"))


@pytest.mark.parametrize(("local", "is_lost"), [("29s", False), ("31s", True)])
def test_a_proxy_forgets_after_30_s_where_a_half_message_is_unless_it_passed_a_check_on(local, is_lost):
    run = over(duration="200s", transaction={"local": local}, rate="1/s")
    own = stored_between(run, 1, 100)
    assert {row["fate"] for row in own} == {"committed"}
    assert any(row["by_check"] for row in own) is is_lost
    assert any(not row["by_check"] for row in own)


def test_the_commits_of_transactions_that_run_as_their_proxy_is_killed_are_lost_until_a_check():
    kill = struck("kill", "30.5s", "5s", proxy="proxy-1")
    run = over(duration="120s", transaction={"local": "1s"}, rate="10/s", faults=[kill])
    lost = [row for row in stored_between(run, 5, 80) if row["checks"]]
    assert {29.4 < row["stored_us"] / 1e6 < 30.6 for row in lost} == {True}
    assert 5 <= len(lost) <= 15
    assert {(row["fate"], row["by_check"]) for row in lost} == {("committed", True)}


@pytest.mark.parametrize(("length", "is_cancelled"), [("2s", False), ("10s", True)])
def test_a_commit_that_waits_3_s_for_a_hung_proxy_is_cancelled_and_a_check_decides(length, is_cancelled):
    hang = struck("hang", "30.5s", length, proxy="proxy-1")
    run = over(duration="120s", transaction={"local": "1s"}, rate="10/s", faults=[hang])
    late = stored_between(run, 29.6, 30.5)
    assert len(late) >= 5
    assert {(row["fate"], row["by_check"]) for row in late} == {("committed", is_cancelled)}


def test_of_a_killed_producer_the_first_check_over_its_proxy_is_lost_and_the_next_round_asks_again():
    kill = fault("kill", "25s", "90s", None, producer="producers-1")
    run = over("unknown", duration="115s", count=2, rate="4/s", faults=[kill])
    own = stored_between(run, 0, 80)
    assert {row["fate"] for row in own} == {"committed"}
    assert sorted(row["checks"] for row in own)[-2:] == [1, 2]
    alive = over("unknown", duration="115s", count=2, rate="4/s")
    assert {row["checks"] for row in stored_between(alive, 0, 80)} == {1}


@pytest.mark.parametrize("kind", ["kill", "hang"])
def test_for_four_minutes_half_of_the_checks_go_to_the_proxy_of_a_producer_that_is_gone_there_alone(kind):
    struck_one = fault(kind, "25s", "330s", None, producer="producers-1")
    run = over("unknown", "345s", count=2, together=False, rate="0.5/s", seed=7, faults=[struck_one])
    found = [(row["stored_us"] / 1e6, row["checks"]) for row in rows(run, "transactions")]
    during = [checks for at, checks in found if 40 < at < 200]
    assert 0.3 < sum(checks > 1 for checks in during) / len(during) < 0.7
    assert {checks for at, checks in found if 290 < at < 305} == {1}


def test_a_rollback_is_never_readable():
    run = over("rollback")
    assert run.tables["consumed"].num_rows == 0


def test_a_client_that_says_unknown_sends_nothing_and_is_asked_again_in_each_round():
    run = over("unknown", "1000s", transaction={"check": "unknown"}, rate="0.05/s")
    given_up = rows(run, "transactions", fate="given up")
    assert given_up
    assert {row["checks"] for row in given_up} == {15}


def test_checks_take_turns_over_proxies_and_their_clients():
    run = over("unknown", "200s", count=4, together=False, rate="4/s")
    asked = {}
    for row in rows(run, "check_backs"):
        asked[row["producer"]] = asked.get(row["producer"], 0) + row["checks"]
    assert set(asked) == {0, 1, 2, 3}
    assert sum(asked.values()) == sum(row["checks"] for row in rows(run, "transaction_windows"))


def test_what_a_killed_producer_had_begun_is_answered_by_another_client():
    kill = struck("kill", "30.5s", "90s", producer="producers-1")
    run = over(duration="120s", count=2, transaction={"local": "5s"}, rate="4/s", faults=[kill])
    begun = [row for row in stored_between(run, 25.6, 30.4) if row["checks"]]
    assert begun
    assert {(row["fate"], row["by_check"]) for row in begun} == {("committed", True)}


def test_without_any_client_at_a_proxy_a_check_is_not_heard():
    kill = struck("kill", "20.5s", "60s", producer="producers-1")
    run = over("unknown", "70s", faults=[kill])
    heard = [row for row in rows(run, "transaction_windows") if row["window_start_us"] > 21e6 and row["checks"]]
    assert heard
    assert all(row["unheard"] == row["checks"] for row in heard)


@pytest.mark.parametrize(("topic", "is_answered"), [("orders", True), ("bills", False)])
def test_producers_of_another_group_answer_checks_if_they_send_to_the_same_topic(topic, is_answered):
    transaction = {"local": "10ms", "outcome": "unknown"}
    own = {"count": 1, "threads": 4, "grpc": {"proxy": "proxy-1"}, "transaction": transaction}
    one = own | {"group": "one", "rate": "2/s", "topics": ["orders"]}
    two = own | {"group": "two", "rate": "1/s", "rate_changes": {"1us": "0/s"}, "topics": [topic]}
    topics = {"orders": {"queues": 2}, "bills": {"queues": 2}}
    reader = {"billing": {"topics": [*topics], "threads": 4, "service": "1ms"}}
    kill = struck("kill", "20.5s", "60s", producer="one-1")
    run = over(duration="70s", faults=[kill], topics=topics, producers=[one, two], consumers=reader)
    late = [row for row in rows(run, "check_backs") if row["window_start_us"] > 30e6 and row["checks"]]
    assert {row["producer"] for row in late} == ({1} if is_answered else set())
