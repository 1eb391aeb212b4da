"""What a group goes past without consuming it is skipped: counted once, no lag, and taken back when it is consumed."""

from __future__ import annotations

import pytest

from simulator.run.simulate import simulate
from simulator.scenario import parse_scenario
from tests.simulator.small import ran_tables, rows

BROKER = {"a": {"latency": {"constant": "1ms"}}}
GROUP = {"topic": "orders", "service": "1ms", "release": "5.3.3"}
STEADY = {"rate": "40/s", "threads": 4}
NEWS = """
name: a new broadcasting instance begins at the end
duration: 2m
client: {release: 5.3.1}
producers: {count: 1, threads: 4, rate: 100/s, arrivals: steady}
topics: {orders: {queues: 4}}
brokers: {broker-a: {latency: {constant: 1ms}, release: 5.3.1}}
consumers:
  news: {topic: orders, count: 1, service: {constant: 1ms}, message_model: BROADCASTING}
faults: [{at: 60s, consumer: news-1, kind: scale_out}]
"""


def last(run, name, table="consumer_windows"):
    """A column of a table, of its last row."""
    return int(run.column(table, name)[-1])


def adds_up(run):
    """Whether every message is consumed, missed, skipped or lag, at the end."""
    first = (run.column("consumed", "times") == 1).sum()
    rest = sum(last(run, name) for name in ("missed", "skipped", "lag"))
    ends = run.column("stored", "window_start_us") == run.column("stored", "window_start_us").max()
    return first + rest == run.column("stored", "max_offset")[ends].sum()


def test_a_broadcasting_instance_that_is_new_skips_what_is_stored_before_its_first_round():
    run = simulate(parse_scenario(NEWS), tables=("consumer_windows", "stored", "consumed"))
    assert [last(run, name) for name in ("lag", "skipped", "skipped_since_start")] == [0, 6_100, 100]
    assert run.column("consumer_windows", "lag").max() <= 2
    assert run.column("stored", "committed_lag").max() < 400
    assert adds_up(run)


def test_a_queue_that_another_instance_skipped_is_its_own_matter():
    joins = [{"at": "20s", "consumer": "cache-2", "kind": "scale_out"}]
    cache = {"cache": GROUP | {"count": 2, "message_model": "BROADCASTING"}}
    run = ran_tables(duration="40s", brokers=BROKER, producers=STEADY, consumers=cache, faults=joins)
    ends = run.column("stored", "window_start_us") == 39_000_000
    skipped = {
        name: run.column("stored", "skipped")[ends & (run.column("stored", "instance") == name)].sum()
        for name in ("cache-1", "cache-2")
    }
    assert skipped == {"cache-1": 0, "cache-2": 21 * 40}


@pytest.mark.parametrize(("second", "skipped"), [("40s", 39 * 30), ("0s", 0)])
def test_a_reset_forward_skips_the_backlog_and_one_back_skips_nothing(second, skipped):
    slow = {"billing": GROUP | {"threads": 1, "service": "100ms"}}
    reset = [{"at": "40s", "to": second, "consumer": "billing", "kind": "reset_offset"}]
    run = ran_tables(duration="60s", brokers=BROKER, producers=STEADY, consumers=slow, faults=reset)
    assert last(run, "skipped") == pytest.approx(skipped, abs=60)
    assert adds_up(run) or second == "0s"  # what is consumed again is lag again


def test_what_a_group_comes_back_to_is_lag_again_and_consumed_for_the_first_time():
    slow = {"billing": GROUP | {"threads": 1, "service": "24ms", "pull_threshold_for_queue": 10}}
    reset = {"consumer": "billing", "kind": "reset_offset"}
    resets = [reset | {"at": "20s", "to": "20s"}, reset | {"at": "40s", "to": "0s"}]
    load = STEADY | {"rate": "80/s", "rate_changes": {"25s": "0/s"}}
    run = ran_tables(duration="150s", brokers=BROKER, producers=load, consumers=slow, faults=resets)
    assert run.column("consumer_windows", "skipped").max() > 700
    assert [last(run, name) for name in ("skipped", "skipped_since_start", "lag")] == [0, 0, 0]
    assert adds_up(run)


def test_a_timestamp_skips_what_is_older():
    begins = {"consume_from_where": "CONSUME_FROM_TIMESTAMP", "consume_timestamp": "15s"}
    late = GROUP | begins | {"message_model": "BROADCASTING"}
    joins = [{"at": "20s", "consumer": "billing-1", "kind": "scale_out"}]
    run = ran_tables(duration="40s", brokers=BROKER, producers=STEADY, consumers={"billing": late}, faults=joins)
    assert [last(run, name) for name in ("skipped", "skipped_since_start", "lag")] == [15 * 40, 0, 0]


def test_only_messages_that_a_group_reads_can_be_skipped():
    topics = {"orders": {"queues": 2, "tags": {"new": 1, "paid": 1}}}
    news = GROUP | {"topics": {"orders": "paid"}, "message_model": "BROADCASTING"}
    del news["topic"]
    joins = [{"at": "20s", "consumer": "news-1", "kind": "scale_out"}]
    run = ran_tables(
        duration="40s", brokers=BROKER, producers=STEADY, topics=topics, consumers={"news": news}, faults=joins
    )
    assert last(run, "skipped") == pytest.approx(21 * 20, rel=0.15)
    assert last(run, "lag") <= 40


def test_what_is_deleted_after_it_was_skipped_is_not_missed_as_well():
    whole = 8 * (1024 + 91 + 42 + 10 + len("orders"))
    at_once = {"file_reserved_time": "0h", "delete_when": ";".join(map(str, range(24)))}
    short = BROKER["a"] | at_once | {"mapped_file_size_commit_log": f"{whole}B"}
    joins = [{"at": "6s", "consumer": "news-1", "kind": "scale_out"}]
    news = {"news": GROUP | {"message_model": "BROADCASTING"}}
    run = ran_tables(duration="60s", brokers={"a": short}, producers=STEADY, consumers=news, faults=joins)
    assert last(run, "missed") + last(run, "skipped") == 7 * 40
    assert last(run, "lag") <= 1


FROZEN = {"at": "49900ms", "for": "50s", "consumer": "billing-1", "kind": "hang"}


@pytest.mark.parametrize("more", [[], [FROZEN]], ids=["pulls at once", "has messages cached that are gone"])
def test_new_messages_at_offsets_that_a_crash_took_back_are_skipped(more):
    run = ran_tables(
        duration="120s", brokers={"a": BROKER["a"] | {"release": "5.3.3"}}, topics={"orders": {"queues": 1}},
        producers={"rate": "40/s", "threads": 8}, consumers={"billing": GROUP},
        faults=[{"at": "50s", "for": "20s", "broker": "a", "kind": "power_loss"}, *more],
    )  # fmt: skip
    lag = run.column("consumer_windows", "lag")
    assert lag[run.column("consumer_windows", "window_start_us") > 110_000_000].max() <= 2
    cut = rows(run, "stored", window_start_us=60_000_000)[0]["max_offset"]
    still_there = [row for row in rows(run, "consumed") if row["queue_offset"] < cut or row["stored_us"] > 60_000_000]
    known = {row["queue_offset"] for row in still_there}
    assert last(run, "skipped") == last(run, "max_offset", "stored") - len(known) > 0
    assert run.column("consumer_windows", "consumed_again").sum() == len(still_there) - len(known)
