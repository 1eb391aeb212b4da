"""What is wrong with an experiment is said in one sentence with file, line and key."""

from __future__ import annotations

import pytest
import yaml

from simulator.experiments.experiment_file import load_experiment, parse_experiment
from simulator.scenario import ScenarioError
from tests.simulator.experiments.small import SCENARIO, loaded

HANG = {"at": "2s", "for": "1s", "broker": "broker-b", "kind": "hang"}
COUNTED = SCENARIO | {"brokers": {"broker": {"count": 3, "latency": {"constant": "1ms"}}}}
BROKERS = {"smallest": "brokers.broker.count", "in": "2..9", "such_that": ["share_percent[broker-3] < 30"]}
CELLS = {"smallest": "cells", "in": "1..2", "such_that": ["p99_ms < 5"]}


def refused(**keys):
    with pytest.raises(ScenarioError) as error:
        loaded(**keys)
    return str(error.value)


def test_a_grid_makes_an_arm_of_every_pair():
    arms = loaded(grid={"client.release": ["4.9.8", "5.3.3"], "duration": ["5s", "6s"]}).arms
    assert list(arms)[1] == "release=4.9.8, duration=6s"
    assert [arm.duration_us for arm in arms.values()] == [5_000_000, 6_000_000] * 2


def test_what_is_set_holds_for_all_arms_and_an_arm_has_the_last_word():
    arms = loaded(set={"duration": "9s"}, arms={"a": {}, "b": {"duration": "7s"}}).arms
    assert [arm.duration_us for arm in arms.values()] == [9_000_000, 7_000_000]


@pytest.mark.parametrize(
    ("keys", "answer"),
    [
        ({"arms": {}}, "arms: expected at least one arm"),
        ({"arms": {"a": {"client.relase": "4.9.8"}}}, "client.relase: unknown key; did you mean release?"),
        ({"arms": {"a": {"clent.release": "4.9.8"}}}, "arms.a.clent.release: clent: unknown key; did you mean client?"),
        ({"arms": {"a": {"brokers.broker-x.send_threads": 4}}}, "no broker named broker-x"),
        ({"objectives": ["p9_ms < 20"]}, "objectives[0]: no measure named p9_ms"),
        ({"objectives": ["share_percent < 20"]}, "name one, such as share_percent[broker-a]"),
        (
            {"objectives": ["isolated_s[broker-z] < 20"]},
            "no measure named isolated_s[broker-z]; known: isolated_s[broker-a]",
        ),
        ({"objectives": ["recovery_s < 9"]}, "no run can measure recovery_s: it counts from the end of the last fault"),
        (
            {"objectives": ["recovery_s < 9"], "set": {"faults": [HANG]}},
            "no run can measure recovery_s: expected at least 5s between the warm-up and the first fault",
        ),
        ({"objectives": ["out_of_order < 1"]}, "it is counted where a topic has check_order: true"),
        ({"precision": {"share_percent": "2%"}}, "precision.share_percent: share_percent is measured by broker"),
        ({"precision": {"recovery_s": 1}}, "precision.recovery_s: no run can measure recovery_s"),
        ({"find": CELLS | {"such_that": ["isolated_s[broker-z] < 5"]}}, "find.such_that[0]: no measure named isolated"),
        ({"scenario": COUNTED, "find": BROKERS}, "find.such_that[0]: no measure named share_percent[broker-3]"),
        ({"objectives": ["p99_ms is low"]}, "expected a measure and a bound such as p99_ms < 200, got "),
        ({"base": "olf"}, "base: no arm named olf; known: old, new; did you mean old?"),
        ({"judged": ["new", "olf"]}, "judged[1]: no arm named olf; known: old, new; did you mean old?"),
        ({"judged": []}, "judged: expected all or a list of arms such as [new], got"),
        ({"judged": "new"}, 'judged: expected all or a list of arms such as [new], got "new"'),
        ({"warm_up": "5s"}, "warm_up: expected less than the duration, 5s, got 5s"),
        ({"seeds": 0}, "seeds: expected a whole number from 1 to 10000, got 0"),
        ({"precision": {"p99_ms": "much"}}, "precision.p99_ms: expected half a width above 0"),
        ({"sets": {}}, "sets: unknown key; did you mean set?"),
        ({"find": {"smallest": "cells", "in": "9..2", "such_that": ["p99_ms < 5"]}}, "find.in: expected a range that"),
        ({"find": {"smallest": "cels", "in": "1..2", "such_that": ["p99_ms < 5"]}}, "did you mean cells?"),
        ({"find": {"in": "1..2", "such_that": ["p99_ms < 5"]}}, "expected one of smallest and largest"),
        ({"find": {"smallest": "cells", "in": "1..2"}}, "find.such_that: missing; expected a list of objectives such"),
        (
            {"find": CELLS | {"in": "1..999999999"}},
            "find.in: expected at most 10,000 values to search, got 999,999,999",
        ),
        ({"find": CELLS | {"step": 0}}, "find.step: expected a distance above 0 such as 1, got 0"),
        ({"find": CELLS | {"step": "1/s"}}, 'find.step: expected a distance above 0 such as 1, got "1/s"'),
        ({"find": CELLS | {"step": 9}}, "find.step: expected at most the range's length, 1"),
        ({"arms": {"a": {}, "b": [1]}}, "arms.b: expected keys of the scenario with values"),
        ({"arms": None, "grid": {"cells": [1, 2, 1]}}, "grid.cells: 1 is given twice"),
        ({"arms": None, "grid": {"cells": list(range(1001))}}, "grid: expected at most 1,000 arms, got 1,001"),
    ],
)
def test_bad_input_gets_one_sentence(keys, answer):
    sentence = refused(**keys)
    assert answer in sentence
    assert sentence.startswith("experiment.yaml:")
    assert "\n" not in sentence


def test_an_empty_file_is_reported_what_an_experiment_begins_with():
    with pytest.raises(ScenarioError, match="the experiment is empty; expected a mapping with name, scenario, arms"):
        parse_experiment("")


def test_nothing_to_compare_is_refused():
    with pytest.raises(ScenarioError, match="expected arms, a grid or something to find"):
        parse_experiment("name: x\nscenario: {name: y}\n", "e.yaml")


def test_a_key_of_the_command_line_is_reported_as_it_was_given():
    with pytest.raises(ScenarioError, match=r"^--set client\.relase: unknown key; did you mean release\?"):
        parse_experiment(f"name: x\narms: {{a: {{}}}}\nscenario: {SCENARIO}\n", "e.yaml", given={"client.relase": "1"})


def test_a_key_of_the_command_line_that_every_arm_sets_itself_is_refused():
    text = f"name: x\narms: {{a: {{cells: 1}}, b: {{cells: 2}}}}\nscenario: {SCENARIO}\n"
    with pytest.raises(
        ScenarioError, match=r"^--set cells: every arm sets this key itself, so it would change nothing"
    ):
        parse_experiment(text, given={"cells": "3"})


def test_a_scenario_that_is_not_there_is_reported_with_the_line(tmp_path):
    file = tmp_path / "experiment.yaml"
    file.write_text("name: x\nscenario: nowhere.yaml\narms: {a: {}}\n")
    with pytest.raises(ScenarioError, match=r"experiment\.yaml:2: scenario: .*nowhere\.yaml: no such file"):
        load_experiment(file)


def test_an_arm_that_does_not_fit_the_scenario_is_named_with_its_own_line(tmp_path):
    client = {"release": "5.3.3", "send_msg_max_timeout_per_request": "1s"}
    (tmp_path / "s.yaml").write_text(yaml.safe_dump(SCENARIO | {"client": client}))
    (tmp_path / "e.yaml").write_text("name: x\nscenario: s.yaml\narms:\n  a: {}\n  b: {client.release: 4.2.0}\n")
    with pytest.raises(
        ScenarioError, match=r"e\.yaml:5: arms\.b\.client\.release: client\.send_msg_max_timeout_per_req"
    ):
        load_experiment(tmp_path / "e.yaml")


def test_a_key_of_counted_brokers_is_reported_at_the_arm(tmp_path):
    brokers = {"b": {"count": 6, "latency": {"constant": "1ms"}}}
    (tmp_path / "s.yaml").write_text(yaml.safe_dump(SCENARIO | {"brokers": brokers}))
    (tmp_path / "e.yaml").write_text("name: x\nscenario: s.yaml\narms:\n  a: {}\n  b: {brokers.b.send_threads: 0}\n")
    with pytest.raises(ScenarioError) as error:
        load_experiment(tmp_path / "e.yaml")
    (text,) = error.value.sentences
    assert "e.yaml:5: arms.b.brokers.b.send_threads: expected a whole number from 1 to 1024, got 0" in text


@pytest.mark.parametrize(
    ("keys", "judged"),
    [
        ({}, ["new"]),
        ({"base": "new"}, ["old"]),
        ({"judged": "all"}, ["old", "new"]),
        ({"judged": ["old"]}, ["old"]),
        ({"arms": {"as it is": {}}}, ["as it is"]),
        ({"find": CELLS}, ["as it is"]),
    ],
)
def test_the_arms_beside_the_base_decide_unless_others_are_named(keys, judged):
    assert loaded(**keys).experiment.judged_arms == judged
