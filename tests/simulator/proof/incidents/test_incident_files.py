"""An incident's file is checked key by key; what is wrong is one sentence with its line."""

from __future__ import annotations

import pytest
import yaml

from simulator.proof.incidents import load_incident, load_incidents
from simulator.scenario.reading.scenario_error import ScenarioError

SOUND = """\
title: a queue is full
references: [apache/rocketmq#1]
reported: it is full
cause: too much
scenario:
  duration: 2s
  producers: {count: 1, rate: 10/s}
  topics: {orders: {queues: 2}}
  brokers: {broker-a: {latency: {constant: 1ms}}}
faulty: {releases: [4.8.0]}
mended: {releases: [4.9.0], change: {producers: {rate: 5/s}}}
figures:
  - figure: failed_share
    broker: broker-a
    faulty: {value: 10, tolerance: 1}
    mended: {at_most: 5}
    because: of it
"""


@pytest.fixture
def load(tmp_path):
    def loaded(old="", new=""):
        assert old in SOUND
        file = tmp_path / "full.yaml"
        file.write_text(SOUND.replace(old, new))
        return load_incident(file)

    return loaded


def test_a_side_is_the_scenario_with_its_release_and_its_changes(load):
    scenarios = load().scenarios
    assert [(*key, one.client.release, one.producers[0].rate_per_s) for key, one in scenarios.items()] == [
        ("faulty", "4.8.0", "4.8.0", 10),
        ("mended", "4.9.0", "4.9.0", 5),
    ]


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("cause: too much", "cause: it\nfigurs: []", "full.yaml:5: figurs: unknown key; did you mean figures?"),
        ("failed_share", "failed_shares", "figures[0].figure: no figure named failed_shares; known: "),
        ("broker: broker-a", "broker: broker-b", "full.yaml:14: figures[0].broker: no broker named broker-b"),
        ("[4.8.0]", "[4.8.9]", "full.yaml:10: faulty.releases[0]: no release \"4.8.9\""),
        ("rate: 5/s", "rat: 5/s", "full.yaml:11: mended.change.producers.rat: unknown key; did you mean rate?"),
        ("queues: 2", "queues: 0", "full.yaml:8: scenario.topics.orders.queues: expected a whole number from 1"),
        ("at_most: 5", "at_most: 9", "full.yaml:16: figures[0].mended: allows what faulty allows"),
        (", tolerance: 1", "", "full.yaml:15: figures[0].faulty: value and tolerance belong together"),
        ("    mended: {at_most: 5}\n", "", "full.yaml:12: figures: none says what to expect of both sides"),
        ("    because: of it\n", "", "figures[0].because: missing; expected the report or the theory"),
        ("duration: 2s", "like: no.yaml", "no.yaml: no such file"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_line(load, old, new, sentence):
    with pytest.raises(ScenarioError) as error:
        load(old, new)
    assert sentence in str(error.value)


def test_like_takes_over_a_scenario_file(load, tmp_path):
    keys = {"duration": "7s", "topics": {"orders": {"queues": 3}}}
    (tmp_path / "base.yaml").write_text(yaml.safe_dump(keys))
    scenario = load("duration: 2s", "like: base.yaml").scenarios["faulty", "4.8.0"]
    assert (scenario.duration_us, scenario.topics["orders"].queues) == (7_000_000, 2)


def test_an_unknown_incident_is_refused_with_the_nearest(load, tmp_path):
    load()
    with pytest.raises(ScenarioError, match=r"no incident named fill; known: full; did you mean full\?"):
        load_incidents(tmp_path, ["fill"])


def test_an_empty_catalogue_is_refused(tmp_path):
    with pytest.raises(ScenarioError, match="no incidents in it"):
        load_incidents(tmp_path)
