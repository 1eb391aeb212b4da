"""Intervals that a calibration states contain the truth as often as they claim, over 204 made-up logs."""

from __future__ import annotations

from functools import cache
from random import Random

import numpy as np
import pytest

from simulator.calibrate.troubles import find_troubles
from tests.simulator.calibrate.simulated import log_of, scenario_with
from tests.simulator.small import fault

LOGS = 34  # of each kind
CLAIMED = 0.95
KINDS = {
    "hang": {},
    "hang, answered": {},
    "kill": {},
    "slow": {"factor": 60},
    "code": {"response_code": "SYSTEM_BUSY"},
    "status": {"send_status": "FLUSH_DISK_TIMEOUT"},
}


@cache
def intervals(kind):
    """Of each log the begin and end of its fault, and the intervals that were found for them, None if none was."""
    return [one_log(kind, Random(f"{kind} {number}")) for number in range(LOGS)]


def one_log(kind, draw):
    at, length = round(draw.uniform(15e6, 25e6)), round(draw.uniform(4e6, 12e6))
    client = {"release": draw.choice(["4.9.8", "5.3.3"]), "send_latency_fault_enable": draw.random() < 0.5}
    latency = {"p50": f"{draw.choice([1, 2, 4])}ms", "p99": f"{draw.choice([8, 20, 40])}ms"}
    named, _, is_answered = kind.partition(", ")
    scenario = scenario_with(
        fault(named, f"{at}us", f"{length}us", **KINDS[kind]),
        seed=draw.randrange(10**6),
        duration="50s",
        client=client,
        producers={"group": "shop", "count": draw.randint(8, 30), "threads": draw.randint(1, 3),
                   "rate": f"{draw.randint(2, 6)}/s", "arrivals": draw.choice(["poisson", "uniform"])},
        brokers={name: {"latency": {"lognormal": latency}} for name in ("a", "b", "c")},
    )  # fmt: skip
    log = log_of(scenario, draw.choice([1, 1_000]), answered_only=bool(is_answered))
    own = [one for one in find_troubles(log, scenario.client) if one.broker == "b" and one.kind == named]
    near = min(own, key=lambda one: abs(one.at_us - at), default=None)
    return at, at + length, near and near.at_range_us, near and near.until_range_us


@pytest.mark.parametrize("kind", KINDS)
def test_the_intervals_of_a_fault_contain_its_begin_and_end_as_often_as_they_claim(kind):
    found = [one for one in intervals(kind) if one[2] is not None]
    assert len(found) >= 0.75 * LOGS  # a broker that is isolated at once shows little of a slow spell
    hits = [
        low <= truth <= high
        for at, until, *ranges in found
        for truth, (low, high) in zip((at, until), ranges, strict=True)
    ]
    assert np.mean(hits) >= CLAIMED


@pytest.mark.parametrize(("kind", "most_us"), [("hang", 150_000), ("kill", 100_000), ("code", 150_000)])
def test_the_interval_of_a_begin_is_narrow(kind, most_us):
    assert np.median([one[2][1] - one[2][0] for one in intervals(kind) if one[2] is not None]) < most_us
