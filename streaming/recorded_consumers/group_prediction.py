"""A recorded group against simulated runs of its set-up: the scenario, the figures, and how far they may differ.

The recording says the group's release, instances, threads and service time, the rate of its producer, the length, and
what was done to brokers when; the scenario says the rest. Tolerances are what repeats differ by: of two recordings of
one set-up until their first difference (backlog-plain533-r2 and backlog-kill533-r2 until 60 s), lag by 2 % and times of
a handover by 0.7 s; of two groups that follow the same rules through one broker failure (brokerkill-r1), times by 0.8 s
and messages consumed twice by 14 %. Figures that the model's own runs spread more are compared with those runs.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from simulator.run.simulate import simulate
from simulator.scenario import Scenario, load_scenario
from streaming.errors import InputError
from streaming.predict.predicted import Predicted, over_runs
from streaming.predict.prediction import Compared
from streaming.recorded_consumers.consumer_recording import PRODUCER, Action, ConsumerRecording
from streaming.recorded_consumers.group_figures import BROKER_ENDS, GroupFigure, figures_of
from streaming.recorded_consumers.group_seen import seen_in
from streaming.recorded_consumers.simulated_group import TABLES, seen_in_run

TIME_S, TIME_PART = 1.0, 0.05
MESSAGES, MESSAGES_PART = 20, 0.2
MOMENT = " at"  # how the name of a figure ends that is a moment of the run
KINDS = {"kill9": "kill", "sigstop": "hang"}
MS_US = 1000
# What a client of a recording may be set to and a scenario's group cannot.
OTHERWISE = {"mode": "consumes in order", "stuckkey": "has a message that blocks its thread", "failpct": "fails"}


def predicted_figures(
    recording: ConsumerRecording, group: str, path: Path, changes: Mapping[str, str], runs: int | None
) -> list[Predicted]:
    """Every figure of a recorded group against that many runs. Raises ScenarioError and InputError."""
    scenario, name = scenario_of_group(recording, group, path, changes)
    actions = broker_actions(recording)
    recorded = {figure.name: figure for figure in figures_of(seen_in(recording, group), actions)}

    def compared_in(one: Scenario) -> Sequence[Compared]:
        found = figures_of(seen_in_run(simulate(one, tables=TABLES), name), actions)
        by_name = {figure.name: figure for figure in found}
        return [compared(by_name.get(each, missing(figure)), figure) for each, figure in recorded.items()]

    return over_runs(scenario, runs, compared_in)


def missing(figure: GroupFigure) -> GroupFigure:
    """A figure that a run does not have: what it counts did not happen."""
    return GroupFigure(figure.name, 0.0 if figure.of == "messages" else math.inf, figure.of)


def compared(run: GroupFigure, recorded: GroupFigure) -> Compared:
    """One figure of a run against the recorded one."""
    least, part = (TIME_S, TIME_PART) if recorded.of == "s" else (MESSAGES, MESSAGES_PART)
    is_moment = recorded.name.endswith(MOMENT)
    allowed = least if is_moment or math.isinf(recorded.value) else max(least, part * abs(recorded.value))
    unit = "s" if recorded.of == "s" else ""
    return Compared(recorded.name, unit, run.value, recorded.value, round(allowed, 2))


def broker_actions(recording: ConsumerRecording) -> list[Action]:
    """What was done to brokers, and what ended it."""
    brokers = set(recording.about["brokers"])
    kinds = {*BROKER_ENDS, *BROKER_ENDS.values()}
    return [one for one in recording.actions if one.target in brokers and one.kind in kinds]


def scenario_of_group(
    recording: ConsumerRecording, group: str, path: Path, changes: Mapping[str, str]
) -> tuple[Scenario, str]:
    """The scenario of a prediction and the name of its group; `changes` (dotted key to YAML) go over everything else.

    Raises ScenarioError for a file or key that is wrong, InputError for what does not fit the recording.
    """
    plain = load_scenario(path)
    if len(plain.consumers) != 1 or len(plain.producers) != 1:
        raise InputError(f"{path}: expected one group of producers and one of consumers to compare with {group}")
    unknown = sorted(set(recording.about["brokers"]) ^ set(plain.brokers))
    masters = [name for name in unknown if not name.endswith(".s")]
    if masters:
        raise InputError(f"{path}: the brokers differ from those of {recording.name}: {', '.join(masters)}")
    _must_be_simulated(recording, group)
    (name,) = plain.consumers
    instances = recording.groups[group]
    client = recording.client(instances[0])
    producer = _producer_of(recording, group, str(client["topic"]))
    settings: dict[str, Any] = {
        "duration": f"{recording.end_ms}ms",
        "client.release": producer["release"],
        "producers.0.rate": f"{producer['rate'] / plain.producers[0].count:g}/s",
        f"consumers.{name}.release": client["release"],
        f"consumers.{name}.count": len(instances),
        f"consumers.{name}.threads": client["threads"],
        f"consumers.{name}.service": f"{client['service']}ms",
    }
    if producer["dur"] < recording.end_ms:
        settings["producers.0.rate_changes"] = {f"{producer['dur']}ms": "0/s"}
    if not plain.faults:
        settings["faults"] = _faults(recording)
    overrides = {key: json.dumps(value) for key, value in settings.items()} | dict(changes)
    return load_scenario(path, overrides), name


def _producer_of(recording: ConsumerRecording, group: str, topic: str) -> Mapping[str, Any]:
    """The settings of the one client that sends to a topic. Raises InputError if there are none or several."""
    clients = recording.about["clients"].values()
    found = [one for one in clients if one.get("program") == PRODUCER and one.get("topic") == topic]
    if len(found) != 1 or found[0].get("start", 0) > 0:
        text = f"expected one producer of topic {topic} from the beginning on, got {len(found)}"
        raise InputError(f"{recording.name}: {group} cannot be predicted: {text}")
    return found[0]


def _must_be_simulated(recording: ConsumerRecording, group: str) -> None:
    """Raise InputError for what was done to instances and what they do that no scenario can say."""
    instances = recording.groups[group]
    done = [one for one in recording.actions if one.target in instances and (one.at_ms > 0 or one.kind != "start")]
    if done:
        text = ", ".join(f"{one.target} {one.kind} at {one.at_ms / MS_US:g} s" for one in done)
        raise InputError(f"{recording.name}: {group} cannot be predicted: instances that start or end ({text})")
    for who in instances:
        for key, words in OTHERWISE.items():
            if recording.client(who).get(key):
                raise InputError(f"{recording.name}: {group} cannot be predicted: {who} {words}")


def _faults(recording: ConsumerRecording) -> list[dict[str, str]]:
    """What was done to brokers as faults of a scenario."""
    actions = broker_actions(recording)
    faults = []
    for place, action in enumerate(actions):
        if action.kind in BROKER_ENDS:
            ends = [
                one.at_ms
                for one in actions[place:]
                if one.kind == BROKER_ENDS[action.kind] and one.target == action.target
            ]
            until_ms = min(ends, default=recording.end_ms)
            faults.append(
                {
                    "at": f"{action.at_ms}ms",
                    "for": f"{until_ms - action.at_ms}ms",
                    "broker": action.target,
                    "kind": KINDS[action.kind],
                }
            )
    return faults
