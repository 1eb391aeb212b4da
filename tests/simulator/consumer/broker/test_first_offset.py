"""Where a queue without an offset begins: the rules of brokers, and files of offsets that clients forget."""

from __future__ import annotations

import pytest

from simulator.run.simulate import simulate
from simulator.scenario import parse_scenario
from tests.simulator.small import ran_tables, rows

NEW_GROUP = """
name: a new group whose first messages are on the disk
duration: 5m
client: {{release: {release}}}
producers: {{count: 4, threads: 4, rate: 100/s, arrivals: steady}}
topics: {{orders: {{queues: 4, message_bytes: 4KiB}}}}
brokers: {{broker-a: {{latency: {{constant: 1ms}}, release: {release}, memory: {memory}}}}}
consumers: {{audit: {{topic: orders, service: {{constant: 1ms}}, consume_from_where: CONSUME_FROM_{where}_OFFSET}}}}
faults: [{{at: 240s, consumer: audit-1, kind: scale_out}}]
"""
AWAY = """
name: a broadcasting group after a broker was away
duration: 6m
client: {{release: {release}}}
producers: {{count: 8, threads: 2, rate: 10/s}}
topics: {{orders: {{queues: 4}}}}
brokers: {{broker-a: {{latency: {{constant: 1ms}}, release: 4.9.7}}, broker-b: {{like: broker-a}}}}
consumers: {{news: {{topic: orders, count: 2, service: {{constant: 1ms}}, message_model: BROADCASTING}}}}
faults: [{{at: 60s, for: 150s, broker: broker-b, kind: kill}}]
"""
ONE = {"a": {"latency": {"constant": "1ms"}}}
NEWS = {"topic": "orders", "service": "1ms", "message_model": "BROADCASTING"}
KILLED = [{"at": "20s", "for": "60s", "broker": "a", "kind": "kill"}]


def came_to(text, **given):
    """(consumed, skipped, lag) of the group at the end."""
    run = simulate(parse_scenario(text.format(**given)), tables=("consumer_windows",))
    names = ("skipped", "lag")
    last = [int(run.column("consumer_windows", name)[-1]) for name in names]
    return int(run.column("consumer_windows", "consumed").sum()), *last


@pytest.mark.parametrize("release", ["4.9.8", "5.0.0", "5.1.0", "5.3.3"])
def test_a_new_group_whose_first_messages_are_on_the_disk_begins_at_the_end(release):
    consumed, skipped, lag = came_to(NEW_GROUP, release=release, memory="256MiB", where="LAST")
    assert 23_500 < consumed < 24_000
    assert skipped == pytest.approx(96_200, abs=250)
    assert lag <= 4


@pytest.mark.parametrize(("release", "reads_all"), [("4.9.8", False), ("5.0.0", False), ("5.1.0", True)])
def test_brokers_from_5_1_0_on_ask_the_page_cache_and_the_others_forty_percent_of_the_memory(release, reads_all):
    consumed, skipped, _ = came_to(NEW_GROUP, release=release, memory="512MiB", where="LAST")
    assert (consumed > 119_000) == reads_all
    assert (skipped == 0) == reads_all


def test_who_asks_for_the_first_offset_gets_everything_from_the_disk():
    assert came_to(NEW_GROUP, release="4.9.8", memory="256MiB", where="FIRST")[1] == 0


@pytest.mark.parametrize(("release", "forgets"), [("4.9.7", 1), ("5.1.4", 1), ("4.9.8", 0), ("5.2.0", 0)])
def test_a_broadcasting_instance_forgets_the_offsets_of_queues_that_it_did_not_hold(release, forgets):
    consumed, skipped, lag = came_to(AWAY, release=release)
    assert consumed == pytest.approx(56_800 if forgets else 57_836, abs=40)
    assert skipped == pytest.approx(1_030 * forgets, abs=40)
    assert lag <= 4


def test_what_an_instance_will_skip_because_it_forgot_is_no_lag_before_either():
    run = simulate(parse_scenario(AWAY.format(release="4.9.7")), tables=("consumer_windows",))
    assert run.column("consumer_windows", "lag").max() <= 20
    kept = simulate(parse_scenario(AWAY.format(release="4.9.8")), tables=("consumer_windows",))
    assert kept.column("consumer_windows", "lag").max() > 800


def test_an_instance_that_holds_no_queue_writes_no_file_and_forgets_nothing():
    load = {"rate": "20/s", "threads": 4}
    run = ran_tables(
        duration="150s", brokers=ONE, producers=load, client={"release": "4.9.7"}, consumers={"news": NEWS},
        faults=KILLED,
    )  # fmt: skip
    assert run.column("consumer_windows", "skipped")[-1] == 0
    assert run.column("consumer_windows", "lag")[-1] <= 2


def test_what_it_begins_with_again_is_what_consume_from_where_says():
    first = NEWS | {"consume_from_where": "CONSUME_FROM_FIRST_OFFSET", "release": "4.9.7"}
    two = ONE | {"b": {"latency": {"constant": "1ms"}}}
    run = ran_tables(
        duration="170s", brokers=two, producers={"rate": "20/s", "threads": 4}, consumers={"news": first},
        faults=KILLED,
    )  # fmt: skip
    again = [row for row in rows(run, "consumed", broker="a") if row["times"] > 1]
    assert min(row["queue_offset"] for row in again) == 0
    assert run.column("consumer_windows", "skipped")[-1] == 0


def test_a_group_that_has_long_been_running_has_offsets_before_it_commits_the_first():
    small = {"a": ONE["a"] | {"memory": "64KiB"}}
    stopped = [{"at": "0s", "for": "30s", "consumer": "billing", "kind": "stop"}]
    run = ran_tables(
        duration="60s", brokers=small, producers={"rate": "20/s", "threads": 4},
        consumers={"billing": {"topic": "orders", "service": "1ms"}}, faults=stopped,
    )  # fmt: skip
    assert run.column("consumer_windows", "skipped")[-1] == 0
    assert len(rows(run, "consumed")) >= run.sends.num_rows - 2
