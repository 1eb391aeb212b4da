"""A policy decides for asynchronous sends, too: which queue, whom to avoid, whether and when to try again."""

import numpy as np
import pytest

from tests.simulator.small import ran

REFUSED = [{"at": "0s", "for": "2s", "broker": "b", "kind": "refuse"}]


def attempts(policy, release="5.3.3", **more):
    """The attempts of ten asynchronous messages a second while broker b refuses."""
    client = {"release": release, "send_latency_fault_enable": False, "policy": policy}
    result = ran(client=client, producers={"mode": "async", "rate": "50/s"}, faults=REFUSED, **more)
    return result.attempts.to_pandas()


@pytest.mark.parametrize("release", ["4.2.0", "4.9.8", "5.3.3"])
def test_the_part_that_chooses_is_asked_for_every_attempt(release):
    assert set(attempts({"choose": "round_robin"}, release).pick_reason) == {"round_robin"}


def test_a_broker_that_the_policy_avoids_gets_no_more():
    found = attempts({"choose": "round_robin", "avoid": {"failure_accrual": {"failures": 3}}})
    assert (found.broker == "b").sum() == 3


def test_the_policy_says_how_often_to_try():
    found = attempts({"choose": "round_robin", "retry": {"attempts": {"attempts": 1}}})
    assert found.attempt.max() == 1
    assert (found.broker == "b").sum() > 10


def test_a_retry_waits_for_as_long_as_the_policy_says():
    found = attempts({"choose": "round_robin", "retry": {"resilience4j": {"interval": "70ms"}}})
    key = ["producer", "thread", "topic", "send_seq"]
    found["before_us"] = found.sort_values("attempt").groupby(key, observed=True).end_us.shift(1)
    waits_us = (found.begin_us - found.before_us).dropna()
    assert len(waits_us) > 10
    assert np.allclose(waits_us, 70_000)


def test_a_retry_takes_the_queue_that_the_policy_chooses():
    found = attempts({"choose": "round_robin"})
    again = found[found.attempt > 1]
    assert len(set(zip(again.broker, again.queue_id, strict=True))) > 1
    assert (again.broker != "b").any()


def test_messages_whose_retry_would_come_after_the_time_out_fail():
    policy = {"choose": "round_robin", "retry": {"resilience4j": {"interval": "5s"}}}
    client = {"release": "5.3.3", "send_latency_fault_enable": False, "policy": policy}
    sends = ran(client=client, producers={"mode": "async", "rate": "50/s"}, faults=REFUSED).sends.to_pandas()
    assert len(sends) == 100
    assert (sends.result != "SEND_OK").sum() > 10
