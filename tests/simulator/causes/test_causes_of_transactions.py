"""Messages whose brokers end them late: who or what is the cause, with the figure without it."""

from __future__ import annotations

import pyarrow as pa
import pytest

from simulator.causes.proof import prove
from simulator.causes.suspects import suspects_of
from simulator.causes.transactions.late_halves import all_of, late_halves
from simulator.run.simulate import simulate
from tests.simulator.small import scenario_of

SHOP = {"group": "shop", "count": 2, "threads": 20, "rate": "20/s"}
LOCAL = {"local": "500ms", "outcome": "commit"}
KILL_PRODUCER = {"at": "20s", "for": "30s", "producer": "shop-1", "kind": "kill"}
KILL_BROKER = {"at": "20s", "for": "5s", "broker": "broker-b", "kind": "kill"}
HANG_BROKER = {"at": "20s", "for": "10s", "broker": "broker-b", "kind": "hang"}


def scenario(*faults, release="5.3.3", duration="70s", producers=None, proxies=None, **transaction):
    broker = {"latency": {"constant": "1ms"}, "release": release}
    return scenario_of(
        seed=7, duration=duration, client={"release": "5.3.3", "send_latency_fault_enable": False},
        topics={"orders": {"queues": 2}},
        producers=SHOP | {"transaction": LOCAL | transaction} | (producers or {}),
        brokers={"broker-a": broker, "broker-b": {"like": "broker-a"}},
        consumers={"billing": {"topic": "orders", "count": 1, "service": "1ms"}}, faults=list(faults),
        **({"proxies": proxies} if proxies else {}),
    )  # fmt: skip


def late_in(own):
    """The late half messages of a run, from its own table."""
    rows = simulate(own, tables=("transactions",)).tables["transactions"].to_pandas()
    waits = rows[rows["local_end_us"].notna() & rows["fate"].isin(["committed", "open"])]
    until = waits["settled_us"].fillna(own.duration_us)
    return waits[until - waits["local_end_us"] > 1_000_000]


def found(own):
    return [one for one in prove(own).answer() if one.kind == "late_transactions"]


@pytest.mark.parametrize("fault", [KILL_PRODUCER, KILL_BROKER, HANG_BROKER])
def test_messages_that_a_fault_leaves_without_their_end_are_late_because_of_it(fault):
    own = scenario(fault)
    (one,) = found(own)
    assert (one.place, one.because, one.proven) == ("shop", ("F1",), True)
    assert one.without["F1"] == 0 < one.size == len(late_in(own))


def test_what_a_hung_broker_reads_late_needs_no_check():
    late = late_in(scenario(HANG_BROKER, duration="40s"))
    assert not late["by_check"].all()
    assert late["settled_us"].min() >= 30_000_000


def test_commits_over_a_proxy_that_is_killed_are_late_because_of_it():
    fault, grpc = {"at": "20s", "for": "5s", "proxy": "proxy-1", "kind": "kill"}, {"grpc": {"proxy": "proxy-1"}}
    own = scenario(fault, producers=grpc, proxies={"count": 2})
    (one,) = found(own)
    assert one.because == ("F1",)
    assert one.size == len(late_in(own)) > 5


def test_local_transactions_that_end_in_unknown_are_the_cause_and_not_a_fault_beside_them():
    own = scenario(KILL_PRODUCER | {"at": "60s", "for": "1s"}, outcome={"commit": 80, "unknown": 20}, duration="65s")
    (one,) = found(own)
    assert one.because == ("unknown shop",)
    assert one.without["F1"] > 0.9 * one.size > 10 * one.without["unknown shop"]


def test_local_transactions_longer_than_their_immunity_end_in_vain():
    (one,) = found(scenario(local="8s", check_immunity_time="7s", duration="50s"))
    assert one.because == ("immunity shop",)
    assert one.without["immunity shop"] < one.size / 3


def test_brokers_that_take_a_late_end_are_no_suspects():
    ids = [one.id for one in suspects_of(scenario(local="8s", check_immunity_time="7s", release="5.0.0"))]
    assert "immunity shop" not in ids


def test_without_a_fault_no_message_is_late():
    own = scenario(outcome={"commit": 90, "rollback": 10}, duration="40s")
    assert found(own) == []
    assert suspects_of(own) == []


def rows(*halves):
    names = ("sender", "local_end_us", "settled_us", "fate", "by_check")
    return pa.table({name: [half[place] for half in halves] for place, name in enumerate(names)})


def test_only_what_somebody_waits_for_is_late():
    late = late_halves(rows(
        (0, 1_000_000, 2_000_000, "committed", False), (1, 1_000_000, 2_000_001, "committed", True),
        (2, None, 9_000_000, "committed", True), (3, 1_000_000, 9_000_000, "rolled back", True),
        (4, 1_000_000, None, "open", False), (5, 5_000_000, None, "open", False),
        (6, 1_000_000, 8_000_000, "given up", True),
    ), 6_000_000)  # fmt: skip
    assert late.sender.tolist() == [1, 4]
    assert late.late_us.tolist() == [1_000_001, 5_000_000]
    assert late.is_open.tolist() == [False, True]


def test_parts_of_a_table_have_the_late_ones_of_all():
    part = rows((1, 1_000_000, 3_000_000, "committed", True))
    assert all_of([late_halves(part, 0), late_halves(part, 0)]).late_us.tolist() == [2_000_000, 2_000_000]
    assert len(all_of([])) == 0
