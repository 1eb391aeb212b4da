"""Half messages of a master that is away while its slave acts for it: enableRemoteEscape."""

from __future__ import annotations

import collections

import pytest

from simulator.run.cell import CELL_TABLES
from simulator.run.simulate import simulate
from tests.simulator.small import fault, rows, scenario_of

S = 1_000_000
KILLED_US, BACK_US, END_US = 60 * S, 200 * S, 300 * S
KILL = fault("kill", "60s", "140s", broker="b")
ACTS = {"slaves": 1, "slave_acting_master": True}
READER = {"billing": {"topic": "orders", "threads": 20, "service": "1ms", "release": "5.3.3"}}


def scenario(escapes, *faults, local="5s", **more):
    broker = {"latency": {"constant": "1ms"}, "release": "5.3.3", "enable_remote_escape": escapes} | ACTS | more
    return scenario_of(
        duration="300s", seed=3, name_servers={"release": "5.3.3", "support_acting_master": True}, consumers=READER,
        client={"release": "5.3.3"}, brokers={"a": broker, "b": broker}, faults=list(faults or [KILL]),
        producers={"count": 2, "threads": 30, "rate": "5/s", "transaction": {"local": local, "outcome": "commit"}},
    )  # fmt: skip


def ran(escapes, *faults, **more):
    return simulate(scenario(escapes, *faults, **more), tables=CELL_TABLES)


def caught(run):
    """The half messages that the kill finds open on its broker, by message: rows in the order of brokers."""
    found = collections.defaultdict(list)
    for row in sorted(rows(run, "transactions"), key=lambda row: row["broker"]):
        if KILLED_US - 4 * S < row["arrival_us"] < KILLED_US - S:
            found[row["sender"], row["send_seq"]].append(row)
    return [own for own in found.values() if own[-1]["broker"] == "b"]


def read_us(run, half):
    """When copies of a message became readable."""
    return sorted(
        row["stored_us"]
        for row in rows(run, "consumed")
        if (row["sender"], row["send_seq"]) == (half["sender"], half["send_seq"])
    )


def test_without_the_key_they_wait_until_the_master_is_back_and_asks():
    halves = caught(run := ran(False))
    assert len(halves) > 5
    assert {len(own) for own in halves} == {1}
    assert all(BACK_US + 30 * S <= own[0]["settled_us"] < BACK_US + 32 * S for own in halves)
    assert all(len(read_us(run, own[0])) == 1 for own in halves)


def test_with_it_the_slave_puts_them_on_another_broker_in_its_first_round_which_asks_in_its_next_one():
    halves = caught(ran(True))
    assert len(halves) > 5
    for escaped, _ in halves:
        assert escaped["broker"] == "a"
        assert escaped["stored_us"] == KILLED_US + S + 30 * S  # it looks each second who is there, and waits a round
        assert escaped["stored_us"] < escaped["settled_us"] < escaped["stored_us"] + 31 * S
        assert (escaped["by_check"], escaped["fate"], escaped["delivered"]) == (True, "committed", 1)


def test_the_master_asks_again_as_it_is_back_so_that_each_is_delivered_twice():
    run = ran(True)
    for escaped, own in caught(run):
        assert own["fate"] == "committed"
        assert own["settled_us"] > BACK_US + 30 * S
        assert read_us(run, own) == [escaped["settled_us"], own["settled_us"]]


def test_each_escapes_once_in_an_absence_and_again_in_the_next_one():
    run = ran(True, KILL, fault("kill", "215s", "60s", broker="b"))
    copies = [rows(run, "transactions", sender=o[-1]["sender"], send_seq=o[-1]["send_seq"]) for o in caught(run)]
    assert {len([row for row in own if row["broker"] == "a"]) for own in copies} == {2}


@pytest.mark.parametrize(
    "other", [fault("kill", "60s", "140s", broker="a"), fault("slave_lost", "50s", "160s", broker="b")]
)
def test_without_another_broker_or_without_a_slave_nothing_escapes(other):
    assert {len(own) for own in caught(ran(True, KILL, other))} == {1}


def test_what_is_settled_before_does_not_escape():
    halves = [row for row in rows(ran(True, local="10ms"), "transactions") if row["stored_us"] < KILLED_US - S]
    assert {row["delivered"] for row in halves} == {1}


def test_the_counts_of_the_windows_have_them():
    run = ran(True)
    whole = {name: run.column("transaction_windows", name).sum() for name in ("halves", "committed")}
    last = [row["open"] for row in rows(run, "transaction_windows", window_start_us=END_US - S)]
    assert whole["halves"] - whole["committed"] == sum(last)
    assert whole["halves"] == len(rows(run, "transactions"))
