"""What is wrong with an experiment is said in one sentence with file, line and key."""

from __future__ import annotations

import pytest
import yaml

from simulator.experiments.experiment_file import load_experiment, parse_experiment
from simulator.scenario import ScenarioError
from tests.says import Said, Says, raises
from tests.simulator.experiments.small import SCENARIO, loaded

HANG = {"at": "2s", "for": "1s", "broker": "broker-b", "kind": "hang"}
COUNTED = SCENARIO | {"brokers": {"broker": {"count": 3, "latency": {"constant": "1ms"}}}}
BROKERS = {"smallest": "brokers.broker.count", "in": "2..9", "such_that": ["share_percent[broker-3] < 30"]}
CELLS = {"smallest": "cells", "in": "1..2", "such_that": ["p99_ms < 5"]}


def wrong(text, place="", **facts):
    return Says(f"experiment-file.{text}", place, **facts)


def unknown(place, **facts):
    return Says("reading.not-known", place, **facts)


def refused(**keys):
    with pytest.raises(ScenarioError) as error:
        loaded(**keys)
    return error.value


def test_a_grid_makes_an_arm_of_every_pair():
    arms = loaded(grid={"client.release": ["4.9.8", "5.3.3"], "duration": ["5s", "6s"]}).arms
    assert list(arms)[1] == "release=4.9.8, duration=6s"
    assert [arm.duration_us for arm in arms.values()] == [5_000_000, 6_000_000] * 2


def test_what_is_set_holds_for_all_arms_and_an_arm_has_the_last_word():
    arms = loaded(set={"duration": "9s"}, arms={"a": {}, "b": {"duration": "7s"}}).arms
    assert [arm.duration_us for arm in arms.values()] == [9_000_000, 7_000_000]


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"arms": {}}, wrong("arms-expected", "...arms")),
        (
            {"arms": {"a": {"client.relase": "4.9.8"}}},
            Says("reading.unknown-meant", "...client.relase", near="release"),
        ),
        ({"arms": {"a": {"clent.release": "4.9.8"}}}, Says("reading.unknown-meant", "...arms.a.clent.release: clent")),
        ({"arms": {"a": {"brokers.broker-x.send_threads": 4}}}, unknown("...", what="broker", name="broker-x")),
        ({"objectives": ["p9_ms < 20"]}, unknown("...objectives[0]", what="measure", name="p9_ms")),
        ({"objectives": ["share_percent < 20"]}, wrong("measure-of-one", same="share_percent[broker-a]")),
        (
            {"objectives": ["isolated_s[broker-z] < 20"]},
            unknown("...", name="isolated_s[broker-z]", known="isolated_s[broker-a], isolated_s[broker-b]"),
        ),
        ({"objectives": ["recovery_s < 9"]}, wrong("not-measurable", "...objectives[0]", name="recovery_s")),
        (
            {"objectives": ["recovery_s < 9"], "set": {"faults": [HANG]}},
            wrong("not-measurable", name="recovery_s", least="5s"),
        ),
        ({"objectives": ["out_of_order < 1"]}, wrong("not-measurable", "...objectives[0]", name="out_of_order")),
        (
            {"precision": {"share_percent": "2%"}},
            wrong("measure-of-one", "...precision.share_percent", whose="broker"),
        ),
        ({"precision": {"recovery_s": 1}}, wrong("not-measurable", "...precision.recovery_s", name="recovery_s")),
        ({"find": CELLS | {"such_that": ["isolated_s[broker-z] < 5"]}}, unknown("...find.such_that[0]")),
        ({"scenario": COUNTED, "find": BROKERS}, unknown("...find.such_that[0]", name="share_percent[broker-3]")),
        ({"objectives": ["p99_ms is low"]}, wrong("objective-expected", got='"p99_ms is low"')),
        ({"objectives": ["p99_ms = 20"]}, wrong("objective-expected", got='"p99_ms = 20"')),
        ({"objectives": ["p99_ms < 20 %"]}, wrong("objective-expected", got='"p99_ms < 20 %"')),
        ({"base": "olf"}, unknown("...base", what="arm", name="olf", known="old, new", near="old")),
        ({"judged": ["new", "olf"]}, unknown("...judged[1]", what="arm", name="olf", known="old, new", near="old")),
        ({"judged": []}, wrong("judged-expected", "...judged", all="all", got="a list")),
        ({"judged": "new"}, wrong("judged-expected", "...judged", got='"new"')),
        ({"arms": {"a": {}, "b": {"seed": 9}}}, wrong("seed-of-an-arm", "...arms.b.seed")),
        ({"arms": {"a": {"seed": 9}, "b": {}}}, wrong("seed-of-an-arm", "...arms.a.seed")),
        ({"grid": {"seed": [1, 2]}}, wrong("seed-of-an-arm", "...grid.seed")),
        ({"warm_up": "5s"}, wrong("warm-up-too-long", "...warm_up", duration="5s", got="5s")),
        ({"seeds": 0}, Says("field.expected", "...seeds", low=1, high=10000, got=0)),
        ({"precision": {"p99_ms": "much"}}, wrong("width-expected", "...precision.p99_ms", got='"much"')),
        ({"sets": {}}, Says("reading.unknown-meant", "...sets", near="set")),
        (
            {"find": {"smallest": "cells", "in": "9..2", "such_that": ["p99_ms < 5"]}},
            wrong("rising-range-expected", "...find.in", got='"9..2"'),
        ),
        (
            {"find": {"smallest": "cels", "in": "1..2", "such_that": ["p99_ms < 5"]}},
            Says("reading.unknown-meant", near="cells"),
        ),
        ({"find": {"in": "1..2", "such_that": ["p99_ms < 5"]}}, wrong("one-end", "...find")),
        ({"find": {"smallest": "cells", "in": "1..2"}}, Says("field.missing", "...find.such_that")),
        (
            {"find": CELLS | {"in": "1..999999999"}},
            wrong("too-many-values", "...find.in", most=10_000, count=999_999_999),
        ),
        ({"find": CELLS | {"step": 0}}, wrong("step-expected", "...find.step", example=1, got=0)),
        ({"find": CELLS | {"step": "1/s"}}, wrong("step-expected", "...find.step", example=1, got='"1/s"')),
        ({"find": CELLS | {"step": 9}}, wrong("step-too-large", "...find.step", length=1.0, unit="")),
        ({"arms": {"a": {}, "b": [1]}}, wrong("changes-expected", "...arms.b", got="a list")),
        ({"arms": None, "grid": {"cells": [1, 2, 1]}}, wrong("given-twice", "...grid.cells", value=1)),
        (
            {"arms": None, "grid": {"cells": list(range(1001))}},
            wrong("too-many-arms", "...grid", most=1_000, got=1_001),
        ),
    ],
)
def test_bad_input_gets_one_sentence(keys, says):
    error = refused(**keys)
    assert says in Said(error)
    assert str(error).startswith("experiment.yaml:")
    assert "\n" not in str(error)


def test_an_empty_file_is_reported_what_an_experiment_begins_with():
    with raises(ScenarioError, Says("reading.empty", what="experiment", keys="name, scenario, arms")):
        parse_experiment("")


def test_nothing_to_compare_is_refused():
    with raises(ScenarioError, wrong("nothing-to-run", "e.yaml:1: arms")):
        parse_experiment("name: x\nscenario: {name: y}\n", "e.yaml")


def test_a_key_of_the_command_line_is_reported_as_it_was_given():
    with raises(ScenarioError, Says("reading.unknown-meant", "--set client.relase", near="release")):
        parse_experiment(f"name: x\narms: {{a: {{}}}}\nscenario: {SCENARIO}\n", "e.yaml", given={"client.relase": "1"})


def test_a_key_of_the_command_line_that_every_arm_sets_itself_is_refused():
    text = f"name: x\narms: {{a: {{cells: 1}}, b: {{cells: 2}}}}\nscenario: {SCENARIO}\n"
    with raises(ScenarioError, wrong("set-by-every-arm", "--set cells")):
        parse_experiment(text, given={"cells": "3"})


def test_a_scenario_that_is_not_there_is_reported_with_the_line(tmp_path):
    file = tmp_path / "experiment.yaml"
    file.write_text("name: x\nscenario: nowhere.yaml\narms: {a: {}}\n")
    place = f"{file}:2: scenario: {tmp_path / 'nowhere.yaml'}"
    with raises(ScenarioError, Says("reading.no-such-file", place)):
        load_experiment(file)


def test_an_arm_that_does_not_fit_the_scenario_is_named_with_its_own_line(tmp_path):
    client = {"release": "5.3.3", "send_msg_max_timeout_per_request": "1s"}
    (tmp_path / "s.yaml").write_text(yaml.safe_dump(SCENARIO | {"client": client}))
    (tmp_path / "e.yaml").write_text("name: x\nscenario: s.yaml\narms:\n  a: {}\n  b: {client.release: 4.2.0}\n")
    place = "...e.yaml:5: arms.b.client.release: client.send_msg_max_timeout_per_request"
    with raises(ScenarioError, Says("client.not-in-release", place, release="4.2.0", first="5.3.3")):
        load_experiment(tmp_path / "e.yaml")


def test_a_key_of_counted_brokers_is_reported_at_the_arm(tmp_path):
    brokers = {"b": {"count": 6, "latency": {"constant": "1ms"}}}
    (tmp_path / "s.yaml").write_text(yaml.safe_dump(SCENARIO | {"brokers": brokers}))
    (tmp_path / "e.yaml").write_text("name: x\nscenario: s.yaml\narms:\n  a: {}\n  b: {brokers.b.send_threads: 0}\n")
    place = "...e.yaml:5: arms.b.brokers.b.send_threads"
    with raises(ScenarioError, Says("field.expected", place, low=1, high=1024, got=0)):
        load_experiment(tmp_path / "e.yaml")


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
