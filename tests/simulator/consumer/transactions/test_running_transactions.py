"""Checks of transactions that still run: what they find, and what the later end request does."""

from __future__ import annotations

import pytest

from simulator.run.simulate import Result, simulate
from simulator.scenario import parse_scenario

CHECKED = """
name: a check says rollback while the local transaction runs
duration: 5m
client: {release: 4.8.0}
producers:
  group: shop
  count: 2
  threads: 1
  rate: 1/min
  transaction: {local: 65s, outcome: commit, check: rollback}
topics: {orders: {queues: 4}}
brokers: {broker-a: {latency: {constant: 1ms}, release: 4.8.0}}
consumers: {billing: {topic: orders, service: {constant: 1ms}}}
"""


def run_of(*keys: str, text: str = CHECKED) -> Result:
    found = "".join(f", {key}" for key in keys)
    text = text.replace("check: rollback", f"check: rollback{found}")
    return simulate(parse_scenario(text), tables=("consumed", "transactions"))


def ended(run: Result) -> list[dict[str, object]]:
    """The transactions whose local part ended a while before the run does."""
    found = run.tables["transactions"].to_pylist()
    return [row for row in found if row["local_end_us"] is not None and row["local_end_us"] < 290e6]


def test_a_check_of_a_running_transaction_finds_nothing_and_its_message_is_delivered_once():
    run = run_of()
    assert len(ended(run)) >= 4
    assert {row["delivered"] for row in ended(run)} == {1}
    assert any(row["checks"] for row in ended(run))
    assert not any(row["by_check"] for row in ended(run))
    messages = list(zip(run.column("consumed", "sender"), run.column("consumed", "send_seq"), strict=True))
    assert len(messages) == len(set(messages)) == 5


def test_a_check_that_rolls_back_a_running_transaction_does_not_prevent_its_commit():
    run = run_of("check_while_running: rollback")
    assert {row["delivered"] for row in ended(run)} == {1}
    assert "rolled back" in {row["fate"] for row in ended(run)}


def test_a_check_that_commits_a_running_transaction_delivers_its_message_twice():
    by_check = [row for row in ended(run_of("check_while_running: commit")) if row["by_check"]]
    assert by_check
    assert {row["delivered"] for row in by_check} == {2}


@pytest.mark.parametrize(("release", "by_check"), [("5.1.0", False), ("5.1.1", True), ("5.3.3", True)])
def test_an_end_request_after_the_immunity_is_refused_from_5_1_1_on_and_a_check_commits(release, by_check):
    text = CHECKED.replace("4.8.0", release).replace("duration: 5m", "duration: 8m")
    found = [row for row in ended(run_of("check_immunity_time: 30s", text=text)) if row["local_end_us"] < 400e6]
    assert {row["by_check"] for row in found} == {by_check}
    assert {row["fate"] for row in found} == {"committed"}
    assert {row["delivered"] for row in found} == {1}


def test_a_producer_that_stands_still_keeps_its_transaction_running():
    text = CHECKED + 'faults: [{at: 62s, for: 100s, producer: shop-1, kind: hang}]\n'  # fmt: skip
    run = run_of("check_while_running: rollback", text=text)
    assert any(row["fate"] == "rolled back" and row["checks"] for row in ended(run))
