"""When a consumer learns that its set has another master."""

from __future__ import annotations

import pytest

from tests.simulator.small import fault, ran_tables, rows

SET = {"latency": {"constant": "1ms"}, "release": "5.3.3", "replicas": 3, "mode": "controller"}
GROUP = {"topic": "orders", "service": "100ms", "threads": 1, "pull_threshold_for_queue": 5}
KILL = fault("kill", "50s", "90s")
DOWN = {"at": "40s", "for": "72s", "controller": 1, "kind": "controller_down"}
POLL_S = 131.6  # the last of every 30 s
OF_SECOND, OF_THIRD = [0, 1, 2], [0, 2, 1]  # broker_election_priority: who is elected, the smallest first


def new_master_and_first_read(priority=OF_THIRD, more=(), **keys):
    """When a set has a master again after more than a minute, and its group consumes again, seconds."""
    run = ran_tables(
        duration="150s", producers={"rate": "20/s", "threads": 8}, topics={"orders": {"queues": 4}},
        brokers={"b": SET | {"broker_election_priority": priority}}, controllers={"embedded": False},
        consumers={"billing": GROUP | keys}, faults=[KILL, DOWN, *more],
    )  # fmt: skip
    begun = run.column("consumed", "begin_us") / 1e6
    return rows(run, "elections")[-1]["at_us"] / 1e6, begun[begun > 100].min()


@pytest.mark.parametrize("mode", ["CONCURRENTLY", "ORDERLY"])
@pytest.mark.parametrize("release", ["4.9.3", "4.9.8"])
def test_a_commit_of_4_9_3_to_4_9_8_finds_the_new_master_within_five_seconds(release, mode):
    elected_s, read_s = new_master_and_first_read(release=release, consume_mode=mode)
    assert elected_s == pytest.approx(114.4, abs=0.1)
    assert elected_s < read_s < elected_s + 5 + 1.1  # the next pull comes up to a second after the commit


@pytest.mark.parametrize("release", ["4.2.0", "4.9.2", "5.0.0", "5.3.3"])
def test_other_releases_find_it_with_their_poll_of_the_route(release):
    _, read_s = new_master_and_first_read(release=release)
    assert POLL_S < read_s < POLL_S + 1.1


def test_an_instance_that_is_broadcasting_commits_to_a_file_and_waits_for_its_poll():
    _, read_s = new_master_and_first_read(release="4.9.8", message_model="BROADCASTING")
    assert POLL_S < read_s < POLL_S + 1.1


@pytest.mark.parametrize("release", ["4.2.0", "4.9.2", "4.9.8", "5.0.0", "5.3.3"])
def test_the_slave_of_the_smallest_id_answers_the_pulls_that_it_refused_as_soon_as_it_is_the_master(release):
    """A route without a master names machines 2 and 3, and pulls go to machine 2, once a second."""
    elected_s, read_s = new_master_and_first_read(OF_SECOND, release=release)
    assert elected_s == pytest.approx(114.4, abs=0.1)
    assert elected_s < read_s < elected_s + 2.1


def test_an_orderly_group_has_its_locks_from_a_master_that_its_route_names():
    _, read_s = new_master_and_first_read(OF_SECOND, release="5.3.3", consume_mode="ORDERLY")
    assert POLL_S < read_s < POLL_S + 3.1  # a queue that is not locked looks every 3 s


@pytest.mark.parametrize(("release", "taken"), [("4.9.2", 0), ("4.9.3", 4), ("5.3.3", 4)])
def test_who_takes_a_queue_reads_a_route_without_a_master_again(release, taken):
    """A broker beside the set tells the other instance that it is alone now, as the set has a new master."""
    gone = {"at": "116s", "consumer": "billing-1", "kind": "kill"}
    brokers = {
        "b": SET | {"broker_election_priority": OF_THIRD},
        "c": {"latency": {"constant": "1ms"}, "release": "5.3.3"},
    }
    run = ran_tables(
        seed=4, duration="121s", producers={"rate": "20/s", "threads": 8}, topics={"orders": {"queues": 4}},
        brokers=brokers, controllers={"embedded": False}, faults=[KILL, DOWN, gone],
        consumers={"billing": GROUP | {"release": release, "count": 2}},
    )  # fmt: skip
    assert [(one["instance"], one["taken"]) for one in rows(run, "rebalances") if one["at_us"] > 112e6] == [
        ("billing-2", taken)
    ]
