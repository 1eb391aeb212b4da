"""Recorded groups against simulated runs: what is derived, what is compared, and what is refused."""

import json
import math

import pytest
from rich.console import Console

from simulator.run.simulate import simulate
from streaming.commands.replays.consumers_command import predict_consumers_command
from streaming.errors import InputError
from streaming.recorded_consumers.consumer_recording import load_consumer_recording
from streaming.recorded_consumers.group_figures import GroupFigure, figures_of
from streaming.recorded_consumers.group_prediction import broker_actions, compared, missing, scenario_of_group
from streaming.recorded_consumers.simulated_group import TABLES, seen_in_run

SCENARIO = "conf/scenarios/live/consumers.yaml"


@pytest.fixture
def recorded(root):
    def load(name):
        return load_consumer_recording(root / "conf/traces/consumers" / name)

    return load


@pytest.fixture
def derived(root, recorded):
    """The scenario that a recording's group is predicted with."""

    def derive(name, group, **changes):
        return scenario_of_group(recorded(name), group, root / SCENARIO, changes)[0]

    return derive


def test_the_recording_says_release_instances_service_rate_length_and_faults(derived, recorded):
    found = derived("brokerkill-r1", "g498")
    group = found.consumers["billing"]
    assert (group.release, group.count, group.threads) == ("4.9.8", 3, 4)
    assert found.duration_us == recorded("brokerkill-r1").end_ms * 1000
    (fault,) = found.fault_periods()
    assert (fault.broker, fault.at_us, fault.until_us) == ("broker-b", 30_015_000, 82_607_000)


def test_a_run_is_measured_as_a_recording(derived, recorded):
    scenario = derived("brokerstop-r1", "g533")
    seen = seen_in_run(simulate(scenario, tables=TABLES), "billing")
    found = {one.name: one.value for one in figures_of(seen, broker_actions(recorded("brokerstop-r1")))}
    assert 30 < found["broker-b sigstop: silence of its queues, median"] < 32
    assert len(seen.queues) == 8
    assert found["not consumed by the end"] == 0
    assert seen.lag[1].min() >= 0


@pytest.mark.parametrize(
    ("name", "of", "recorded", "predicted", "is_met"),
    [
        ("drained at", "s", 60.0, 61.0, True),
        ("drained at", "s", 60.0, 61.1, False),
        ("silence, median", "s", 60.0, 63.0, True),
        ("lag, maximum", "messages", 50, 70, True),
        ("lag, maximum", "messages", 500, 601, False),
        ("silence, median", "s", math.inf, 60.0, False),
    ],
)
def test_moments_are_met_within_a_second_and_the_rest_in_parts(name, of, recorded, predicted, is_met):
    assert compared(GroupFigure(name, predicted, of), GroupFigure(name, recorded, of)).is_met is is_met


def test_what_a_run_does_not_have_did_not_happen():
    assert missing(GroupFigure("takeover", 3.0, "s")).value == math.inf
    assert missing(GroupFigure("twice", 3, "messages")).value == 0


@pytest.mark.parametrize(
    ("name", "group", "why"),
    [("backlog-kill533-r2", "g533", "instances that start or end"), ("ordered-r1", "g498", "c2-498 kill9 at 30.109 s")],
)
def test_what_no_scenario_can_say_is_refused_in_a_sentence(derived, name, group, why):
    with pytest.raises(InputError, match=why):
        derived(name, group)


def test_a_topic_with_several_producers_is_refused(root, recorded):
    recording = recorded("brokerkill-r1")
    recording.about["clients"]["p2-533"] = dict(recording.client("p-533"))
    with pytest.raises(InputError, match=r"g533 cannot be predicted: expected one producer of topic T533 .* got 2"):
        scenario_of_group(recording, "g533", root / SCENARIO, {})


def test_other_brokers_than_the_recording_s_are_refused(root, recorded, tmp_path):
    path = tmp_path / "other.yaml"
    path.write_text((root / SCENARIO).read_text().replace("broker-b", "broker-c"))
    with pytest.raises(InputError, match=r"the brokers differ.*broker-b, broker-c"):
        scenario_of_group(recorded("brokerkill-r1"), "g533", path, {})


def test_a_miss_is_exit_1_and_in_the_json(root, capsys):
    trace = root / "conf/traces/consumers/brokerstop-r1"
    code = predict_consumers_command(
        trace, root / SCENARIO, changes=(), runs=2, as_json=True, console=Console(width=160)
    )
    document = json.loads(capsys.readouterr().out)
    verdicts = {row["figure"]: row["verdict"] for row in document["groups"]["g498"]}
    assert (code, document["ok"]) == (1, False)
    assert verdicts["broker-b sigstop: silence of its queues, median"] == "within tolerance"
