"""A recorded failover against simulated runs of its set-up: the scenario, the figures, and how far they may differ.

Polls of routes decide most times, so that chance does: their phases are those of processes that started whenever they
did. Tolerances are what repeats of one set-up differ by where they do not hang on a poll: elections and routes by
0.5 s, messages lost or skipped by 4 or a fifth, what fails by 20 or a fifth.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from simulator.run.simulate import simulate
from simulator.scenario import Scenario, load_scenario
from simulator.scenario.brokers.replica_set import MASTER_SLAVE
from streaming.errors import InputError
from streaming.proof.consumers.consumer_recording import PROCESS_FAULTS, ConsumerRecording
from streaming.proof.consumers.group_figures import GroupFigure
from streaming.proof.consumers.recorded_set_up import simulated_names
from streaming.proof.failovers.failover_seen import (
    TABLES,
    acting_in_plan,
    elected_in_recording,
    elected_in_run,
    most_at_once,
    seen_in_recording,
    seen_in_run,
)
from streaming.proof.predictions.predicted import Predicted, over_runs
from streaming.proof.predictions.prediction import Compared

MODES = {"ctl": "controller", "dl": "dledger", "act": "master_slave"}
ELECTIONS = "elections"  # what the figures of no client stand under
MESSAGES, RARE = (20, 0.2), (4, 0.2)
TIME_S, ELECTED_S = (1.0, 0.05), (0.5, 0.1)
BEFORE_MS = 1_000
SETTINGS = {
    "inSyncReplicas": "in_sync_replicas", "minInSyncReplicas": "min_in_sync_replicas",
    "allAckInSyncStateSet": "all_ack_in_sync_state_set", "enableSlaveActingMaster": "slave_acting_master",
    "slaveReadEnable": "slave_read_enable",
}  # fmt: skip


def is_failover_recording(recording: ConsumerRecording) -> bool:
    """Whether a replica set lost its master."""
    return recording.about.get("scenario", {}).get("mode") in MODES


def predicted_failover(
    recording: ConsumerRecording, path: Path, changes: Mapping[str, str], runs: int | None
) -> dict[str, list[Predicted]]:
    """Every figure by group of consumers, and of the elections. Raises ScenarioError and InputError."""
    target = str(recording.about["scenario"]["target"])
    name, begin_ms = target.partition(".")[0], _begin_ms(recording)
    scenario = _scenario_of(recording, path, changes, begin_ms)
    at_ms = next(one["time_ms"] for one in recording.about["actions"] if one["who"] == target and one["time_ms"] > 0)
    groups = {group: group.removeprefix("g") for group in recording.groups if group in scenario.consumers}
    recorded = {
        (group, figure.name): figure
        for group, release in groups.items()
        for figure in seen_in_recording(recording, release, name, target).figures()
    }
    recorded |= {(ELECTIONS, figure.name): figure for figure in elected_in_recording(recording, name, at_ms)}

    def compared_in(one: Scenario) -> Sequence[Compared]:
        run = simulate(one, tables=TABLES)
        found = {
            (group, figure.name): figure
            for group, release in groups.items()
            for figure in seen_in_run(run, f"p-{release}", group, name, begin_ms).figures()
        }
        at_us = 1000 * (at_ms - begin_ms)
        acts = one.brokers[name].is_acted_for
        elected = [acting_in_plan(one, name, at_us)] if acts else elected_in_run(run, name, at_us)
        found |= {(ELECTIONS, figure.name): figure for figure in elected}
        return [_compared(found[place], figure) for place, figure in recorded.items()]

    figures: dict[str, list[Predicted]] = {}
    for (group, _), figure in zip(recorded, over_runs(scenario, runs, compared_in), strict=True):
        figures.setdefault(group, []).append(figure)
    return figures


def _compared(run: GroupFigure, recorded: GroupFigure) -> Compared:
    rare = recorded.name.startswith("acknowledged")
    least, part = {True: RARE if rare else MESSAGES, False: TIME_S}[recorded.of == "messages"]
    if recorded.name.endswith(" after"):
        least, part = ELECTED_S
    allowed = least if math.isinf(recorded.value) else max(least, part * abs(recorded.value))
    return Compared(recorded.name, "s" if recorded.of == "s" else "", run.value, recorded.value, round(allowed, 2))


def _begin_ms(recording: ConsumerRecording) -> int:
    return min(0, *recording.starts_ms.values()) - BEFORE_MS


def _scenario_of(recording: ConsumerRecording, path: Path, changes: Mapping[str, str], begin_ms: int) -> Scenario:
    plain = load_scenario(path)
    processes = [str(name) for name in recording.about["brokers"]]
    sets = {name: [one for one in processes if one.partition(".")[0] == name] for name in plain.brokers}
    if unknown := sorted({one.partition(".")[0] for one in processes} ^ set(plain.brokers)):
        raise InputError(f"{path}: the brokers differ from those of {recording.name}: {', '.join(unknown)}")
    settings: dict[str, Any] = {"duration": f"{recording.end_ms - begin_ms}ms"}
    if "supportActingMaster=true" in recording.about["name_server"]:
        settings["name_servers.support_acting_master"] = True
    for name, own in sets.items():
        settings |= _set_keys(recording, name, own)
    for number, group in enumerate(plain.producers):
        settings |= _sending(recording, number, group.group, begin_ms)
    if not plain.faults:
        faults = [*_broker_faults(recording, sets), *_starts(recording)]
        settings["faults"] = [one | {"at": f"{one['at'] - begin_ms}ms"} for one in faults]
    return load_scenario(path, {key: json.dumps(value) for key, value in settings.items()} | dict(changes))


def _set_keys(recording: ConsumerRecording, name: str, processes: Sequence[str]) -> dict[str, Any]:
    own, machines = recording.about["brokers"][processes[0]], len(processes)
    mode = MODES[recording.about["scenario"]["mode"]]
    found: dict[str, Any] = {}
    if mode == MASTER_SLAVE:
        found[f"brokers.{name}.slaves"] = machines - 1
    elif machines > 1:
        found |= {f"brokers.{name}.replicas": machines, f"brokers.{name}.mode": mode}
    for theirs, key in SETTINGS.items():
        if theirs in own:
            found[f"brokers.{name}.{key}"] = json.loads(str(own[theirs]).lower())
    return found


def _sending(recording: ConsumerRecording, number: int, who: str, begin_ms: int) -> dict[str, Any]:
    client = recording.client(who)
    begin, end = int(client.get("start", 0)), int(client.get("start", 0)) + int(client["dur"])
    changes = {f"{begin - begin_ms}ms": f"{client['rate']}/s"}
    if end < recording.end_ms:
        changes[f"{end - begin_ms}ms"] = "0/s"
    return {
        f"producers.{number}.rate": "0.000001/s",
        f"producers.{number}.rate_changes": changes,
        f"producers.{number}.threads": most_at_once(recording, who),
    }


def _broker_faults(recording: ConsumerRecording, sets: Mapping[str, Sequence[str]]) -> Iterator[dict[str, Any]]:
    """Faults of masters; slaves that stood still together lag."""
    masters, lagging = set[str](), set[str]()
    target = str(recording.about["scenario"]["target"])
    seconds = {target, str(recording.about["scenario"].get("second", target))}
    for action in recording.actions:
        name = action.target.partition(".")[0]
        if action.kind not in PROCESS_FAULTS or name not in sets:
            continue
        end, kind = PROCESS_FAULTS[action.kind]
        lasts = {"for": f"{recording.until_ms(action, end) - action.at_ms}ms"}
        if action.target in seconds and action.target not in masters:
            masters.add(action.target)
            yield {"at": action.at_ms, "broker": name, "kind": kind} | lasts
        elif kind == "hang" and name not in lagging:
            lagging.add(name)
            yield {"at": action.at_ms, "broker": name, "kind": "slave_lag"} | lasts


def _starts(recording: ConsumerRecording) -> Iterator[dict[str, Any]]:
    for group in recording.groups:
        for who, name in simulated_names(recording, group, group).items():
            yield {"at": recording.starts_ms[who], "consumer": name, "kind": "scale_out"}
