"""Recorded transactions over proxies are predicted from their set-up, each figure within its tolerance."""

import pytest

from streaming.proof.consumers.consumer_recording import load_consumer_recording
from streaming.proof.grpc.transaction_prediction import predicted_transactions, scenario_of_transactions


@pytest.fixture(scope="module")
def recorded(root):
    return load_consumer_recording(root / "conf/traces/grpc/grpc-tx-kill-r1")


@pytest.fixture(scope="module")
def set_up(root):
    return root / "conf/scenarios/live/grpc.yaml"


@pytest.fixture(scope="module")
def figures(recorded, set_up):
    return predicted_transactions(recorded, set_up, {}, 20)["gx"]


def test_no_figure_of_a_killed_producer_is_missed(figures):
    assert len(figures) == 10
    assert [figure.typical.figure for figure in figures if figure.is_missed] == []


def test_a_check_that_goes_to_the_killed_producer_waits_for_the_next_round(figures):
    late = next(one for one in figures if one.typical.figure == "readable by a second check or later")
    assert (late.typical.recorded, late.least, late.greatest) == (1, 0, 1)


def test_the_recording_says_who_sends_and_who_only_answers(recorded, set_up):
    found = scenario_of_transactions(recorded, "gx", set_up, {})
    (senders,) = found.producers
    assert (senders.count, senders.transaction.idle, senders.grpc.proxy) == (2, 1, ("proxy-1",))
    assert [(one.kind, one.details["producer"]) for one in found.fault_periods()] == [("kill", "tx-1")]
