"""YAML's merge keys: `<<: *other` gives a mapping the keys of another that it has not itself."""

import pytest

from simulator.scenario import ScenarioError, parse_scenario
from tests.says import Said, Says, below, raises
from tests.simulator.scenario.reading.test_scenario_error import GOOD

MARKED = GOOD.replace("broker-a: {", "broker-a: &a {send_threads: 3, ")


def brokers_with(written: str):
    return parse_scenario(MARKED.replace("broker-b: {like: broker-a}", f"broker-b: {written}")).brokers


def sentence(written: str) -> str:
    with pytest.raises(ScenarioError) as error:
        parse_scenario(MARKED.replace("broker-b: {like: broker-a}", f"broker-b: {written}"), source="x.yaml")
    return Said(error.value)


def test_a_merge_gives_the_keys_of_the_other():
    brokers = brokers_with("{<<: *a}")
    assert brokers["broker-b"] == brokers["broker-a"]


@pytest.mark.parametrize("written", ["{<<: *a, send_threads: 5}", "{send_threads: 5, <<: *a}"])
def test_its_own_keys_win(written):
    assert brokers_with(written)["broker-b"].send_threads == 5


def test_of_several_the_first_wins():
    broker = brokers_with("{<<: [{send_threads: 7}, *a]}")["broker-b"]
    assert (broker.send_threads, broker.latency) == (7, brokers_with("{<<: *a}")["broker-a"].latency)


def test_a_merged_mapping_may_merge_itself_another():
    assert brokers_with("{<<: {<<: *a, send_threads: 9}}")["broker-b"].send_threads == 9


def test_a_problem_of_a_merged_key_has_the_line_where_it_is_written():
    text = MARKED.replace("send_threads: 3", "send_thread: 3").replace("{like: broker-a}", "{<<: *a}")
    with pytest.raises(ScenarioError) as error:
        parse_scenario(text, source="x.yaml")
    assert (
        Says("reading.unknown-meant", "x.yaml:8: brokers.broker-b.send_thread", near="send_threads")
        in error.value.sentences
    )


def test_what_is_no_mapping_is_not_merged():
    found = Says("reading.nothing-to-merge")
    assert sentence("{<<: 3, like: broker-a}") == below("x.yaml:9: brokers.broker-b.<<: ", found)


def test_a_quoted_merge_key_is_a_key():
    assert Says("reading.unknown", "...brokers.broker-b.<<") in sentence('{"<<": *a, like: broker-a}')


def test_a_mapping_that_merges_itself_is_refused():
    assert sentence("&b {<<: &c {<<: *c}}") == Says("reading.write-it-out", "x.yaml:9")


def test_merges_cannot_blow_the_scenario_up(monkeypatch):
    monkeypatch.setattr("simulator.scenario.reading.document.VALUES_MAX", 3000)
    layers = "".join(f"a{i + 1}: &a{i + 1} {{<<: [{', '.join([f'*a{i}'] * 10)}]}}\n" for i in range(9))
    with raises(ScenarioError, Says("reading.write-it-out", most=3000)):
        parse_scenario(f"a0: &a0 {{x: 1}}\n{layers}")


def test_merges_work_in_large_files():
    brokers = "".join(f"  b{i}: {{<<: *a, send_threads: {i % 7 + 1}}}\n" for i in range(2000))
    scenario = parse_scenario(MARKED.replace("faults:", f"{brokers}faults:"))
    assert (len(scenario.brokers), scenario.brokers["b4"].send_threads) == (2003, 5)
