"""A large file that is no scenario is refused soon; a large scenario is read like any other."""

from __future__ import annotations

import pytest

from simulator.scenario import ScenarioError, load_scenario, parse_scenario
from tests.says import Says, raises


def test_a_wrong_file_of_10_mb_is_refused_by_its_size_alone(tmp_path):
    file = tmp_path / "export.yaml"
    file.write_bytes(b"a,b,c\n1,2,3\n" * 900_000)
    with raises(ScenarioError, Says("reading.too-large", "...export.yaml", most=4194304, kind="YAML")):
        load_scenario(file)


def test_a_log_is_given_up_after_some_lines_that_are_alike():
    with raises(ScenarioError, Says("reading.and-so-on", "...INFO x")):
        parse_scenario("2024-01-01 12:00:00 INFO x: y\n" * 20_000)


def test_ten_thousand_brokers_are_read_with_the_same_words():
    brokers = "".join(f"  b{i:05}: {{like: b00000, relase: 5.3.3}}\n" for i in range(1, 5_000))
    text = "name: many\nbrokers:\n  b00000: {latency: {constant: 1ms}}\n" + brokers
    with pytest.raises(ScenarioError) as refused:
        parse_scenario(text)
    assert Says("reading.unknown-meant", "<text>:4: brokers.b00001.relase", near="release") in refused.value.sentences
