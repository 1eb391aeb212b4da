"""An incident's file is checked key by key; what is wrong is one sentence with its line."""

from __future__ import annotations

import pytest
import yaml

from simulator.proof.incidents import load_incident, load_incidents
from simulator.scenario.reading.scenario_error import ScenarioError
from tests.says import Says, raises

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
    ("old", "new", "says"),
    [
        ("cause: too much", "cause: it\nfigurs: []", Says("reading.unknown-meant", "...:5: figurs", near="figures")),
        ("failed_share", "failed_shares", Says("reading.not-known", "...figures[0].figure", what="figure")),
        ("broker: broker-a", "broker: broker-b", Says("reading.not-known", "...:14: figures[0].broker", what="broker")),
        ("[4.8.0]", "[4.8.9]", Says("client.no-such-release", "...:10: faulty.releases[0]", got='"4.8.9"')),
        ("rate: 5/s", "rat: 5/s", Says("reading.unknown-meant", "...:11: mended.change.producers.rat", near="rate")),
        ("queues: 2", "queues: 0", Says("field.expected", "...:8: scenario.topics.orders.queues", low=1, got=0)),
        ("at_most: 5", "at_most: 9", Says("incident.allowed-by-both", "...:16: figures[0].mended")),
        (", tolerance: 1", "", Says("incident.tolerance-with-value", "...:15: figures[0].faulty")),
        ("    mended: {at_most: 5}\n", "", Says("incident.none-of-both-sides", "...:12: figures")),
        ("    because: of it\n", "", Says("field.missing", "...figures[0].because")),
        ("duration: 2s", "like: no.yaml", Says("reading.no-such-file", "...no.yaml")),
    ],
)
def test_what_is_wrong_is_said_with_its_line(load, old, new, says):
    with raises(ScenarioError, says):
        load(old, new)


def test_like_takes_over_a_scenario_file(load, tmp_path):
    keys = {"duration": "7s", "topics": {"orders": {"queues": 3}}}
    (tmp_path / "base.yaml").write_text(yaml.safe_dump(keys))
    scenario = load("duration: 2s", "like: base.yaml").scenarios["faulty", "4.8.0"]
    assert (scenario.duration_us, scenario.topics["orders"].queues) == (7_000_000, 2)


def test_an_unknown_incident_is_refused_with_the_nearest(load, tmp_path):
    load()
    with raises(ScenarioError, Says("reading.not-known", what="incident", name="fill", known="full", near="full")):
        load_incidents(tmp_path, ["fill"])


def test_an_empty_catalogue_is_refused(tmp_path):
    with raises(ScenarioError, Says("incident.empty-catalogue", str(tmp_path))):
        load_incidents(tmp_path)
