"""A slave that becomes the master goes on from where it copied the tables of the old one last."""

from __future__ import annotations

import collections

import numpy as np
import pytest

from tests.simulator.small import fault, ran_tables, rows

S = 1_000_000
READER = {"topic": "orders", "threads": 20, "service": "1ms", "release": "5.3.3"}
SET = {"latency": {"constant": "1ms"}, "release": "5.3.3", "replicas": 3, "mode": "controller"}
PLAIN = {"a": {"latency": {"constant": "1ms"}, "release": "5.3.3"}}
KILL_S = 40


def ran_set(kind="kill", lasts="60s", seed=3, release="5.3.3", group=None, mode="controller", **producers):
    """One set of three replicas whose master is struck after 40 s, until 120 s."""
    return ran_tables(
        duration="120s", seed=seed, client={"release": "5.3.3"},
        brokers={"a": SET | {"release": release, "mode": mode}}, consumers={"billing": READER | (group or {})},
        producers={"count": 2, "threads": 8, "rate": "20/s", **producers},
        faults=[fault(kind, f"{KILL_S}s", lasts, "a")],
    )  # fmt: skip


def twice(run):
    """When each message was stored first and last, of those that stand in the log more than once."""
    stored = collections.defaultdict(set)
    for row in rows(run, "consumed"):
        stored[row["sender"], row["send_seq"]].add(row["stored_us"])
    return [(min(own), max(own)) for own in stored.values() if len(own) > 1]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_delay_level_delivers_again_what_the_old_master_delivered_in_the_12_s_before(seed):
    found = twice(ran_set(seed=seed, delay={"level": 2}))
    firsts = [first for first, _ in found]
    assert len(found) > 5
    assert KILL_S * S - 12.2 * S < min(firsts) < max(firsts) < KILL_S * S
    assert all(1 * S < again - KILL_S * S < 3 * S for _, again in found)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_timer_wheel_delivers_again_what_it_delivered_in_the_3_s_before(seed):
    firsts = [first for first, _ in twice(ran_set(seed=seed, delay={"delay_time": "5s"}))]
    assert not firsts or KILL_S * S - 4.2 * S < min(firsts) < max(firsts) < KILL_S * S


def test_a_master_that_stands_still_delivers_nothing_until_another_one_has_taken_over():
    run = ran_set("hang", delay={"level": 2})
    elected_us = run.column("elections", "at_us")[0]
    stored_us = run.column("consumed", "stored_us")
    assert not ((stored_us > KILL_S * S + 10_000) & (stored_us < elected_us)).any()
    assert (stored_us > elected_us).any()
    assert twice(run)


def test_a_graceful_stop_of_the_master_delivers_again_as_a_kill_does():
    assert len(twice(ran_set("restart", "20s", delay={"level": 2}))) > 5


def test_the_window_counts_what_is_delivered_again():
    run = ran_set(delay={"level": 2})
    assert run.column("delays", "delivered_again").sum() == len(twice(run)) > 0


@pytest.mark.parametrize(("release", "again"), [("5.0.0", False), ("5.3.3", True)])
def test_a_transaction_that_was_ended_in_the_3_s_before_is_asked_about_again_from_5_1_0_on(release, again):
    run = ran_set(release=release, transaction={"local": "10ms", "outcome": "commit"})
    delivered = [row for row in rows(run, "transactions") if row["delivered"] > 1]
    assert bool(delivered) is again
    assert all(KILL_S * S - 3.1 * S < row["stored_us"] < KILL_S * S and row["by_check"] for row in delivered)
    assert len(twice(run)) == len(delivered)


def test_a_producer_with_the_address_of_the_old_master_ends_no_transaction_at_the_new_one():
    run = ran_set(transaction={"local": "5s", "outcome": "commit"})
    running = [row for row in rows(run, "transactions") if 35.1 * S < row["stored_us"] < 39.9 * S]
    settled = [row["settled_us"] for row in running if row["settled_us"] is not None]
    assert len(settled) > 8
    assert {row["by_check"] for row in running if row["settled_us"] is not None} == {True}
    assert min(settled) > KILL_S * S + 30 * S


def revived_twice(brokers, seed, freeze_s=16, lasts="60s"):
    """Messages that a frozen instance popped and that came again in more than one copy; when they were revived."""
    group = READER | {"consume_mode": "POP", "pop_invisible_time": "20s", "count": 2, "threads": 2, "service": "20ms"}
    run = ran_tables(
        duration="90s", seed=seed, client={"release": "5.3.3"}, brokers=brokers, consumers={"billing": group},
        producers={"count": 2, "threads": 8, "rate": "50/s"},
        faults=[
            {"at": f"{freeze_s}s", "for": "100s", "consumer": "billing-2", "kind": "hang"},
            fault("kill", f"{KILL_S}s", lasts, "a"),
        ],
    )  # fmt: skip
    copies = collections.defaultdict(set)
    for row in rows(run, "consumed"):
        if row["reconsume_times"] == 1:
            copies[row["sender"], row["send_seq"]].add(row["stored_us"])
    revived_s = {row["window_start_us"] / S for row in rows(run, "pops") if row["revived"]}
    return [own for own in copies.values() if len(own) > 1], revived_s


def test_what_was_revived_after_the_last_copy_of_the_offsets_is_revived_again():
    found, revived_s = revived_twice({"a": SET}, seed=4)
    assert {39, 41} <= revived_s
    assert len(found) == 3
    assert all(min(own) < KILL_S * S < max(own) < KILL_S * S + 3 * S for own in found)


def test_a_broker_that_starts_again_itself_revives_again_what_it_revived_since_it_wrote_its_offsets():
    found, revived_s = revived_twice(PLAIN, seed=4, lasts="5s")
    assert {39, 45} <= revived_s
    assert len(found) == 3
    assert all(min(own) < KILL_S * S and (KILL_S + 5) * S < max(own) < (KILL_S + 6) * S for own in found)


def test_what_it_revived_before_it_wrote_its_offsets_it_does_not_revive_again():
    found, revived_s = revived_twice(PLAIN, seed=4, freeze_s=10, lasts="5s")
    assert min(revived_s) < KILL_S - 5
    assert found == []


def test_a_set_that_loses_nobody_is_like_a_broker_with_slaves():
    keys = {"duration": "40s", "producers": {"rate": "20/s", "delay": {"level": 2}}, "consumers": {"billing": READER}}
    of_set = ran_tables(brokers={"a": SET}, **keys)
    plain = ran_tables(brokers={"a": {"latency": {"constant": "1ms"}, "release": "5.3.3", "slaves": 2}}, **keys)
    assert np.array_equal(of_set.column("consumed", "stored_us"), plain.column("consumed", "stored_us"))


@pytest.mark.parametrize("later", [{"delay": {"level": 4}}, {"transaction": {"local": "9s", "outcome": "commit"}}])
def test_what_waits_for_its_time_or_its_transaction_is_lost_with_the_log_of_the_old_master(later):
    run = ran_tables(
        duration="150s", client={"release": "5.3.3"}, brokers={"a": SET}, consumers={"billing": READER},
        producers={"count": 2, "threads": 200, "rate": "20/s", **later},
        faults=[fault("slave_lag", "32s", "8300ms", "a"), fault("kill", "40s", "60s", "a")],
    )  # fmt: skip
    early = run.column("sends", "arrival_us") < 100 * S
    lost = run.column("sends", "lost") & early
    kept = run.column("sends", "acknowledged") & early & ~lost
    read = {(row["sender"], row["send_seq"]) for row in rows(run, "consumed") if row["arrival_us"] < 100 * S}
    assert lost.sum() > 100
    assert len(read) == kept.sum()
