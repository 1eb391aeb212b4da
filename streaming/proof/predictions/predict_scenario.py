"""The scenario that a recording is held against: the user's file, with what the recording says of its own set-up.

The recording knows the client's release and settings, the mode, the length, the rate and what was done to the
brokers when; the scenario says the rest, and its own faults where it has any.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from simulator.scenario import Scenario, load_scenario
from streaming.errors import InputError
from streaming.proof.predictions.prediction import Trouble, topics_of, troubles_of
from streaming.proof.texts.proof_texts import ProofTexts
from streaming.recording.recorded_settings import settings_of
from streaming.recording.recording import Recording

BEGINS = {"STOP": "hang", "KILL": "kill", "TERM": "restart"}
ENDS = ("CONT", "START")
# Of the recorded machine: requests sent up to 27 ms after the kills of s5 fail 45 to 50 ms (4.9.8), 61 (5.3.3) after.
DYING = "50ms"


def recorded_faults(recording: Recording) -> list[dict[str, str]]:
    """What was done to the brokers as faults of a scenario, with the actual times. Raises InputError."""
    where = recording.name
    open_faults: dict[str, tuple[str, float]] = {}
    faults = []
    for number, done in enumerate(recording.about.get("injected") or ()):
        try:
            action, target, at_ms = done["action"], done["target"], float(done["at_ms"])
            end_ms = float(done.get("listening_ms", at_ms))
        except (KeyError, TypeError, ValueError):
            raise InputError(ProofTexts.ACTION_LACKS(number=number).at(where)) from None
        if action in BEGINS and target not in open_faults:
            open_faults[target] = (BEGINS[action], at_ms)
        elif action in ENDS and target in open_faults:
            faults.append(_fault(target, *open_faults.pop(target), end_ms))
        else:
            known = ", ".join([*BEGINS, *ENDS])
            text = ProofTexts.ACTION_EXPECTED(number=number, action=action, target=target, known=known)
            raise InputError(text.at(where))
    end_ms = float(recording.about.get("duration_s", 0)) * 1000
    for target, (kind, at_ms) in open_faults.items():
        if at_ms < end_ms:
            faults.append(_fault(target, kind, at_ms, end_ms))
    return faults


def _fault(broker: str, kind: str, at_ms: float, end_ms: float) -> dict[str, str]:
    at_us = round(at_ms * 1000)
    found = {"at": f"{at_us}us", "for": f"{round(end_ms * 1000) - at_us}us", "broker": broker, "kind": kind}
    return found | {"dying": DYING} if kind == "kill" else found


def scenario_for(recording: Recording, path: Path, changes: Mapping[str, str]) -> Scenario:
    """The scenario of a prediction; `changes` (dotted key to YAML) go over everything else.

    Raises ScenarioError for a file or a key that is wrong, InputError for a recording that does not fit.
    """
    plain = load_scenario(path)
    settings = settings_of(recording)
    producers, rate = recording.about.get("producers"), recording.about.get("target_rate_per_s")
    groups = plain.producers
    recorded = [i for i, group in enumerate(groups) if topics_of(recording) & set(group.topics)]
    if len(recorded) == 1 and producers and rate and producers == groups[recorded[0]].count:
        settings[f"producers.{recorded[0]}.rate"] = f"{rate / producers:g}/s"
    if recording.about["mode"] != "sync":
        settings |= {f"producers.{i}.mode": recording.about["mode"] for i in recorded}
    if not plain.faults:
        settings["faults"] = recorded_faults(recording)
    overrides = {key: json.dumps(value) for key, value in settings.items()} | dict(changes)
    scenario = load_scenario(path, overrides)
    topics = topics_of(recording)
    count = sum(group.count for group in scenario.producers if topics & set(group.topics))
    if count != (producers or count):
        to = ", ".join(sorted(topics))
        raise InputError(
            ProofTexts.PRODUCERS_DIFFER(
                scenario=path, count=count, topics=to, recording=recording.name, recorded=producers
            )
        )
    return scenario


def troubles_in(scenario: Scenario) -> list[Trouble]:
    """The first begin and the last end of the faults of each broker."""
    periods: dict[str, list[tuple[int, int]]] = {}
    for fault in scenario.fault_periods():
        if not fault.broker:
            continue  # a name server's
        periods.setdefault(fault.broker, []).append((fault.at_us, fault.until_us))
    return troubles_of(periods)


def with_seeds(scenario: Scenario, runs: int) -> Sequence[Scenario]:
    """The same scenario with that many seeds, its own first."""
    return [scenario.model_copy(update={"seed": scenario.seed + number}) for number in range(runs)]
