"""A file that is no scenario gives one sentence, which names it."""

from __future__ import annotations

import pytest

from simulator.experiments.experiment_file import load_experiment
from simulator.scenario import ScenarioError, load_scenario
from tests.says import Said, Says, raises
from tests.simulator.scenario.reading.test_scenario_error import GOOD


def file_sentence(path) -> Said:
    with pytest.raises(ScenarioError) as error:
        load_scenario(path)
    return Said(error.value)


def test_no_such_file(tmp_path):
    (tmp_path / "healthy.yaml").write_text(GOOD)
    wanted = tmp_path / "healty.yaml"
    assert file_sentence(wanted) == Says("reading.no-such-file", str(wanted), near=str(tmp_path / "healthy.yaml"))


def test_a_directory_is_no_scenario(tmp_path):
    assert file_sentence(tmp_path) == Says("reading.a-directory", str(tmp_path))


def test_a_binary_file_is_no_scenario(tmp_path):
    path = tmp_path / "x.yaml"
    path.write_bytes(b"\x89PNG\r\n")
    assert file_sentence(path) == Says("reading.not-utf8", str(path), byte=0x89, offset=0)


def test_a_file_with_zero_bytes_is_no_scenario(tmp_path):
    path = tmp_path / "x.yaml"
    path.write_bytes(b"name: x\0\0")
    assert file_sentence(path) == Says("reading.a-binary-file", str(path), language="YAML")


def test_the_file_is_named_in_the_sentence(tmp_path):
    path = tmp_path / "x.yaml"
    path.write_text(GOOD.replace("count: 2", "count: many"))
    assert file_sentence(path) == Says("field.expected", f"{path}:4: producers.count")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name: x\nscenario: y.yaml\narms: {a: {}}\n", "reading.an-experiment"),
        ("name: x\nscenario: y.yaml\nhunt: {}\n", "reading.a-hunt"),
    ],
)
def test_a_file_of_another_kind_says_what_takes_it(tmp_path, text, said):
    path = tmp_path / "x.yaml"
    path.write_text(text)
    assert file_sentence(path) == Says(said, str(path), file=str(path))


def test_a_scenario_is_no_experiment(tmp_path):
    path = tmp_path / "x.yaml"
    path.write_text(GOOD)
    with raises(ScenarioError, Says("reading.a-scenario", str(path), file=str(path))):
        load_experiment(path)
