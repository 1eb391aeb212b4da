"""A policy of three parts decides instead of the client's strategy."""

import random
from collections import Counter

import pytest

from simulator.policies.catalogue import AVOID, CHOOSE, RETRY
from simulator.run.simulate import simulate
from simulator.scenario import parse_scenario
from simulator.scenario.reading.scenario_error import ScenarioError
from tests.says import Said, Says, raises
from tests.simulator.hashed import hashes_of
from tests.simulator.run.test_cuts import cut_run
from tests.simulator.small import fault, text_of


def text_with(policy, **changes):
    """A cluster of four brokers, of which b refuses connections from 2 s to 6 s."""
    changes = {
        "duration": "12s",
        "client": {"send_latency_fault_enable": False, "policy": policy},
        "producers": {"count": 2, "threads": 2, "rate": "40/s"},
        "brokers": {name: {"latency": {"constant": "2ms"}} for name in "abcd"},
        "faults": [fault("refuse", "2s", "4s")],
    } | changes
    return text_of(**changes)


def run(policy, **changes):
    return simulate(parse_scenario(text_with(policy, **changes)))


def attempts_to(policy, broker="b", **changes):
    """How many attempts went to a broker."""
    return Counter(run(policy, **changes).tables["attempts"]["broker"].to_pylist())[broker]


@pytest.fixture(scope="module")
def unavoided():
    return attempts_to({})


@pytest.mark.parametrize("name", CHOOSE)
def test_the_reason_of_a_choice_is_the_name_of_the_part(name):
    assert set(run({"choose": name}).tables["attempts"]["pick_reason"].to_pylist()) == {name}


def test_in_turn_every_queue_gets_the_same_number_of_attempts():
    attempts = run({"choose": "round_robin"}, faults=[]).tables["attempts"].to_pylist()
    found = Counter((row["producer"], row["broker"], row["queue_id"]) for row in attempts)
    assert max(found.values()) - min(found.values()) <= 1


def test_two_choices_leave_a_slow_broker_alone():
    slow = fault("slow", "0s", "12s", factor=50)
    assert attempts_to({"choose": "p2c_peak_ewma"}, faults=[slow]) < attempts_to({}, faults=[slow]) / 2


def test_ten_percent_of_four_brokers_are_none_to_eject(unavoided):
    assert attempts_to({"avoid": "outlier_ejection"}) == unavoided


@pytest.mark.parametrize(
    "avoid",
    [
        {"outlier_ejection": {"always_one": 1}},
        {"outlier_ejection": {"percent": 25}},
        {"circuit_breaker": {"calls": 10, "wait": "3s"}},
        "failure_accrual",
    ],
)
def test_a_broker_that_refuses_is_avoided(avoid, unavoided):
    assert attempts_to({"avoid": avoid}) < unavoided * 0.8


def test_in_a_panic_nobody_is_avoided():
    everywhere = [fault("refuse", "2s", "4s", broker=name) for name in "abc"]
    avoid = {"outlier_ejection": {"percent": 100, "failures": 1, "panic_percent": 80}}
    calm = {"outlier_ejection": {"percent": 100, "failures": 1, "panic_percent": 0}}
    found = [attempts_to({"avoid": reported}, faults=everywhere) for reported in (avoid, calm)]
    assert found[0] > found[1]


@pytest.mark.parametrize(("retry", "most"), [("none", 1), ({"attempts": {"attempts": 2}}, 2), ("attempts", 3)])
def test_no_send_has_more_attempts_than_its_discipline_allows(retry, most):
    assert max(run({"retry": retry}).tables["sends"]["attempts"].to_pylist()) == most


def test_a_retry_begins_when_its_interval_is_over():
    attempts = run({"retry": {"resilience4j": {"interval": "70ms"}}}).tables["attempts"].to_pylist()
    again = {(row["producer"], row["thread"], row["send_seq"]): row for row in attempts if row["attempt"] == 2}
    first = [row for row in attempts if row["attempt"] == 1 and row["outcome"] != "SEND_OK"]
    waits = [again[row["producer"], row["thread"], row["send_seq"]]["begin_us"] - row["end_us"] for row in first]
    assert set(waits) == {70_000}


def test_a_throttle_ends_retries_when_many_requests_fail():
    everywhere = [fault("refuse", "2s", "4s", broker="all")]
    found = [run({"retry": retry}, faults=everywhere).tables["attempts"].num_rows for retry in ("throttle", "attempts")]
    assert found[0] < found[1] * 0.7


@pytest.mark.parametrize("avoid", AVOID)
@pytest.mark.parametrize("retry", ["resilience4j", "budget"])
def test_a_run_that_is_stored_and_restored_decides_the_same(avoid, retry):
    text = text_with({"choose": "p2c_peak_ewma", "avoid": avoid, "retry": retry})
    tables, _ = cut_run(text, [3, 5, 8], random.Random(1))
    assert hashes_of(tables) == hashes_of(simulate(parse_scenario(text)).tables)


@pytest.mark.parametrize("retry", RETRY)
def test_every_discipline_ends_every_send(retry):
    result = run({"retry": retry})
    assert result.tables["sends"].num_rows == 2 * 40 * 12


@pytest.mark.parametrize(
    ("policy", "sentence"),
    [
        ({"choose": "rand"}, Says("reading.not-known", what="choose part", name="rand", near="random")),
        ({"avoid": {"vegas": {"initail": 5}}}, Says("reading.not-known", near="initial")),
        ({"avoid": {"vegas": {"initial": "5s"}}}, Says("policy.a-number-expected", key="initial")),
        ({"avoid": {"circuit_breaker": {"calls": 500}}}, Says("parameter.outside-window", most=100)),
        ({"retry": {"resilience4j": {"interval": 5}}}, "unit"),
        ({"choose": {"random": {}, "round_robin": {}}}, Says("field.expected", first="random")),
    ],
)
def test_a_policy_that_cannot_be_is_refused_in_a_sentence(policy, sentence):
    with pytest.raises(ScenarioError) as refused:
        parse_scenario(text_with(policy))
    assert sentence in Said(refused.value)


def test_a_policy_and_the_strategy_exclude_each_other():
    with raises(ScenarioError, Says("client.policy-and-strategy")):
        parse_scenario(text_with({}, client={"send_latency_fault_enable": True, "policy": {}}))


def test_asynchronous_sends_that_wait_for_their_retry_are_stored_and_restored():
    policy = {
        "choose": "least_outstanding",
        "avoid": "failure_accrual",
        "retry": {"resilience4j": {"interval": "1500ms"}},
    }
    text = text_with(policy, producers={"count": 2, "rate": "40/s", "mode": "async"})
    tables, _ = cut_run(text, [3, 5, 8], random.Random(1))
    assert hashes_of(tables) == hashes_of(simulate(parse_scenario(text)).tables)


def test_another_parameter_is_another_scenario():
    digests = {parse_scenario(text_with({"avoid": avoid})).digest() for avoid in ("vegas", {"vegas": {"initial": 5}})}
    assert len(digests) == 2
