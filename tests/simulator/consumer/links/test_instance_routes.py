"""When a consumer learns that its set has another master."""

from __future__ import annotations

import pytest

from tests.simulator.small import fault, ran_tables, rows

SET = {"latency": {"constant": "1ms"}, "release": "5.3.3", "replicas": 3, "mode": "controller"}
GROUP = {"topic": "orders", "service": "100ms", "threads": 1, "pull_threshold_for_queue": 5}
KILL = fault("kill", "50s", "90s")
DOWN = {"at": "40s", "for": "72s", "controller": 1, "kind": "controller_down"}
POLL_S = 131.6  # the last of every 30 s


def new_master_and_first_read(**keys):
    """When a set has a master again after more than a minute, and its group consumes again, seconds."""
    run = ran_tables(
        duration="150s", producers={"rate": "20/s", "threads": 8}, brokers={"b": SET}, topics={"orders": {"queues": 4}},
        controllers={"embedded": False}, consumers={"billing": GROUP | keys}, faults=[KILL, DOWN],
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
