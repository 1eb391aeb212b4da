"""A second request beside one that has no answer yet: which answer counts, and what becomes of the other."""

import random

import pytest

from simulator.run.simulate import simulate
from simulator.scenario import parse_scenario
from simulator.scenario.reading.scenario_error import ScenarioError
from tests.says import Says, raises
from tests.simulator.hashed import hashes_of
from tests.simulator.run.test_cuts import cut_run
from tests.simulator.small import fault, text_of

HEDGING = {"choose": "round_robin", "retry": {"hedging": {"extra": 0.5}}}


def text_with(**changes):
    """Brokers that answer after 2 ms, of which b hangs from 5 s to 8 s; from 3 s on requests are backed up after 1."""
    client = {"release": "5.3.3", "send_latency_fault_enable": False, "policy": HEDGING}
    changes = {"duration": "9s", "producers": {"threads": 4, "rate": "40/s"}, "faults": [fault("hang", "5s", "3s")],
               "client": client} | changes  # fmt: skip
    return text_of(**changes)


@pytest.fixture(scope="module")
def tables():
    found = simulate(parse_scenario(text_with())).tables
    return {name: found[name].to_pandas() for name in ("attempts", "sends")}


def attempts_of(tables, number):
    """Those attempts of messages that were sent twice."""
    attempts = tables["attempts"].set_index(["thread", "send_seq"])
    twice = attempts.index[attempts.attempt == 2]
    return attempts[attempts.attempt == number].loc[twice]


def test_the_second_request_leaves_when_the_wait_is_over(tables):
    assert set(attempts_of(tables, 2).begin_us - attempts_of(tables, 1).begin_us) == {1_000}


def test_the_caller_gets_the_answer_that_comes_first(tables):
    sends = tables["sends"].set_index(["thread", "send_seq"]).end_us
    first, second = attempts_of(tables, 1).end_us, attempts_of(tables, 2).end_us
    assert (first.combine(second, min) == sends.loc[first.index]).all()


def test_nobody_waits_for_a_broker_that_hangs_if_the_other_answers(tables):
    sends = tables["sends"].set_index(["thread", "send_seq"])
    first, second = attempts_of(tables, 1), attempts_of(tables, 2)
    backed_up = sends.loc[first.index[(first.latency_us > 1_000_000) & (second.latency_us // 1_000 == 2)]]
    assert set(backed_up.end_us - backed_up.begin_us) == {3_000}


def test_the_request_that_nobody_waits_for_is_put_out_when_it_ends(tables):
    assert len(tables["attempts"]) == tables["sends"].attempts.sum()


def test_both_are_stored(tables):
    twice = tables["sends"].query("attempts == 2")
    assert len(twice) > 20
    assert (twice.copies_stored == 2).all()


def test_a_hedged_run_that_is_cut_decides_the_same():
    text = text_with()
    found, _ = cut_run(text, [4, 6, 7], random.Random(1))
    assert hashes_of(found) == hashes_of(simulate(parse_scenario(text)).tables)


def test_a_message_whose_requests_all_fail_ends_once():
    everywhere = [fault("code", "4s", "4s", broker="all", response_code="SYSTEM_ERROR")]
    sends = simulate(parse_scenario(text_with(faults=everywhere))).tables["sends"].to_pandas()
    assert sends.query("result == 'MQBrokerException' or result == 'MQClientException'").attempts.max() == 3
    assert len(sends) == 360


def test_batches_that_the_client_makes_are_refused_in_a_sentence():
    client = {"release": "5.3.3", "send_latency_fault_enable": False, "policy": HEDGING, "auto_batch": True}
    with raises(ScenarioError, Says("producer.not-with-own-batches")):
        parse_scenario(text_with(client=client))
