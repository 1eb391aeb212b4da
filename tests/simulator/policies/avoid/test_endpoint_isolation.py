"""Isolation of RocketMQ's gRPC clients: any failure isolates, an answered heartbeat heals."""

import pytest

from simulator import codes
from simulator.policies.avoid.endpoint_isolation import PART
from simulator.policies.policy import NO_ANSWER
from tests.simulator.policies.made import RulesOf, part_with
from tests.simulator.small import fault, ran, rows

RULES = RulesOf(PART)

S = 1_000_000


@pytest.fixture
def broker():
    """A broker that failed at the first second."""
    state = part_with(PART)
    end(state, 1 * S, codes.RESPONSE_TIMEOUT)
    return state


def end(state, at_us, outcome):
    RULES.ended(state, 0, 1, at_us, 1000, outcome)


def test_a_failure_isolates(broker):
    assert RULES.allowed(broker, 0, 1 * S) == 0


def test_time_alone_does_not_heal(broker):
    assert RULES.allowed(broker, 0, 3600 * S) == 0


def test_nor_does_an_answer_to_a_request_that_was_under_way(broker):
    end(broker, 2 * S, codes.SEND_OK)
    assert RULES.allowed(broker, 0, 2 * S) == 0


def test_the_answer_to_a_heartbeat_heals_when_it_is_there(broker):
    RULES.heartbeat(broker, 0, 10 * S, 2 * S)
    assert [RULES.allowed(broker, 0, at_s * S) for at_s in (11, 12)] == [0, 1]


def test_a_heartbeat_without_answer_does_not(broker):
    RULES.heartbeat(broker, 0, 10 * S, NO_ANSWER)
    assert RULES.allowed(broker, 0, 14 * S) == 0


def test_a_failure_after_the_answer_isolates_again(broker):
    RULES.heartbeat(broker, 0, 10 * S, 0)
    end(broker, 11 * S, codes.RESPONSE_TIMEOUT)
    assert RULES.allowed(broker, 0, 12 * S) == 0


def test_a_broker_that_refuses_is_asked_once_until_it_answers_a_heartbeat():
    client = {"send_latency_fault_enable": False, "policy": {"choose": "round_robin", "avoid": "rocketmq_grpc"}}
    run = ran(client=client, duration="25s", faults=[fault("refuse", "12s", "4s")])
    assert len(rows(run, "attempts", broker="b", outcome="RemotingConnectException")) == 1
