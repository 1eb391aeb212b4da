"""Transactions over proxies in local mode: the broker's own proxy ends them, and has any client answer a check."""

from __future__ import annotations

import numpy as np
import pytest

from tests.simulator.consumer.transactions.test_checking import sending
from tests.simulator.consumer.transactions.test_transactions_over_proxies import stored_between
from tests.simulator.small import fault, rows


def local(outcome="commit", duration="60s", count=1, rate="2/s", transaction=None, **changes):
    """Such a run through the proxies in the processes of brokers of 5.3.3."""
    producers = {
        "count": count, "threads": 100, "rate": rate, "grpc": {},
        "transaction": {"local": "10ms", "outcome": outcome, **(transaction or {})},
    }  # fmt: skip
    return sending(duration=duration, proxies={"mode": "local", "release": "5.3.3"}, producers=producers, **changes)


def test_a_commit_goes_to_the_broker_of_the_half_message_and_makes_it_readable():
    run = local()
    settled = run.column("transactions", "settled_us") - run.column("transactions", "local_end_us")
    assert 0 < np.nanmin(settled) <= np.nanmax(settled) < 6_000
    assert {row["fate"] for row in stored_between(run, 0, 59)} == {"committed"}
    assert not any(row["checks"] for row in rows(run, "transactions"))


@pytest.mark.parametrize(("took", "is_lost"), [("29s", False), ("31s", True)])
def test_its_proxy_forgets_after_30_s_as_in_cluster_mode(took, is_lost):
    own = stored_between(local(duration="200s", transaction={"local": took}, rate="1/s"), 1, 100)
    assert {row["fate"] for row in own} == {"committed"}
    assert any(row["by_check"] for row in own) is is_lost


def test_commits_to_a_killed_broker_are_lost_until_a_check_of_its_next_process():
    kill = fault("kill", "30.5s", "5s", "a")
    run = local(duration="120s", transaction={"local": "1s"}, rate="10/s", faults=[kill])
    lost = [row for row in stored_between(run, 5, 80) if row["checks"]]
    assert {29.4 < row["stored_us"] / 1e6 < 30.6 for row in lost} == {True}
    assert {(row["fate"], row["by_check"]) for row in lost} == {("committed", True)}


def test_a_broker_has_each_client_of_the_group_answer_in_turn():
    run = local("unknown", "200s", count=4, rate="4/s")
    asked = {}
    for row in rows(run, "check_backs"):
        asked[row["producer"]] = asked.get(row["producer"], 0) + row["checks"]
    assert set(asked) == {0, 1, 2, 3}
    assert max(asked.values()) - min(asked.values()) <= 0.2 * max(asked.values())


def test_without_any_client_a_check_is_not_heard():
    kill = fault("kill", "20.5s", "60s", None, producer="producers-1")
    run = local("unknown", "70s", faults=[kill])
    heard = [row for row in rows(run, "transaction_windows") if row["window_start_us"] > 21e6 and row["checks"]]
    assert heard
    assert all(row["unheard"] == row["checks"] for row in heard)
