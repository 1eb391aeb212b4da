"""Burrow's verdict on the lag of a group, and how long after a fault it fires."""

from __future__ import annotations

import numpy as np
import pytest

from simulator.run.simulate import simulate
from simulator.scenario import parse_scenario
from tests.simulator.small import text_of

GROUP = {"topic": "orders", "count": 2, "threads": 4, "service": "10ms"}


def verdicts(seconds=170, fault=None, **group):
    """The verdict on the group at the end of each second."""
    faults = [] if fault is None else [{"at": "60s", "for": "100s", "consumer": "billing-2", **fault}]
    producers = {"count": 4, "rate": "10/s"}
    text = text_of(duration=f"{seconds}s", producers=producers, consumers={"billing": GROUP | group}, faults=faults)
    run = simulate(parse_scenario(text), tables=("consumer_windows", "stored"))
    return np.array(run.column("consumer_windows", "lag_verdict"))


def test_a_group_that_keeps_up_is_ok():
    assert set(verdicts()) == {"OK"}


def test_a_frozen_consumer_without_lag_stops_90_s_later():
    found = verdicts(fault={"kind": "hang"})
    assert int(np.flatnonzero(found == "STOP")[0]) + 1 in (60 + 90, 60 + 91)
    assert "STALL" not in set(found)


def test_a_group_that_is_too_slow_is_warned_of():
    found = verdicts(threads=1, service="100ms")
    assert found[-1] == "WARN"
    assert int(np.flatnonzero(found == "WARN")[0]) >= 45


def test_a_consumer_that_never_ends_a_message_stalls():
    assert verdicts(threads=20, service="400ms", fault={"kind": "slow", "factor": 1000})[-1] == "STALL"


def test_a_consumer_that_resumes_rewinds_what_others_committed_meanwhile():
    found = verdicts(seconds=240, fault={"kind": "hang", "for": "150s"})
    assert set(found[180:205]) == {"OK"}  # others have its queues since 120 s of silence
    assert "REWIND" in set(found[210:])


@pytest.mark.parametrize("name", ["stored", "consumer_windows"])
def test_a_verdict_is_one_of_burrows(name):
    run = simulate(
        parse_scenario(text_of(duration="5s", consumers={"billing": GROUP})), tables=("consumer_windows", "stored")
    )
    assert set(run.column(name, "lag_verdict")) == {"OK"}
