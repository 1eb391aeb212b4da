"""A recorded failover against simulated runs of its set-up: the scenario, the figures, and how far they may differ.

Polls of routes decide most times, so that chance does: their phases are those of processes that started whenever they
did. Tolerances are what repeats of one set-up differ by where they do not hang on a poll: elections and routes by
0.5 s, messages lost or skipped by 4 or a fifth, what fails by 20 or a fifth.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from simulator.run.simulate import Result, simulate
from simulator.scenario import Scenario
from streaming.proof.consumers.consumer_recording import ConsumerRecording
from streaming.proof.consumers.group_figures import GroupFigure
from streaming.proof.failovers.failover_seen import (
    TABLES,
    acting_in_plan,
    elected_in_recording,
    elected_in_run,
    led_in_plan,
    led_in_recording,
    seen_in_recording,
    seen_in_run,
)
from streaming.proof.failovers.failover_set_up import (
    MODES,
    NAME_SERVER,
    begin_of,
    scenario_of_failover,
    server_gone,
)
from streaming.proof.failovers.name_server_seen import (
    INSTANCES,
    Placed,
    without_name_server_in_recording,
    without_name_server_in_run,
)
from streaming.proof.predictions.predicted import Predicted, over_runs
from streaming.proof.predictions.prediction import Compared

ELECTIONS = "elections"  # what the figures of no client stand under
MESSAGES, RARE = (20, 0.2), (4, 0.2)
TIME_S, ELECTED_S = (1.0, 0.05), (0.5, 0.1)
Measured = Callable[[Result], Iterator[Placed]]


def is_failover_recording(recording: ConsumerRecording) -> bool:
    """Whether a replica set lost its master, or all its name server."""
    about = recording.about.get("scenario", {})
    return about.get("mode") in MODES or about.get("how") == NAME_SERVER


def predicted_failover(
    recording: ConsumerRecording, path: Path, changes: Mapping[str, str], runs: int | None
) -> dict[str, list[Predicted]]:
    """Every figure by group of consumers, and of the elections. Raises ScenarioError and InputError."""
    scenario = scenario_of_failover(recording, path, changes)
    measure = _of_name_server if recording.about["scenario"]["how"] == NAME_SERVER else _of_set
    seen, measured = measure(recording, scenario)
    recorded = {(of, figure.name): figure for of, figure in seen}

    def compared_in(one: Scenario) -> Sequence[Compared]:
        found = {(of, figure.name): figure for of, figure in measured(simulate(one, tables=TABLES))}
        return [_compared(found[place], figure) for place, figure in recorded.items()]

    figures: dict[str, list[Predicted]] = {}
    for (group, _), figure in zip(recorded, over_runs(scenario, runs, compared_in), strict=True):
        figures.setdefault(group, []).append(figure)
    return figures


def _struck_ms(recording: ConsumerRecording, target: str) -> int:
    return next(one["time_ms"] for one in recording.about["actions"] if one["who"] == target and one["time_ms"] > 0)


def _releases(recording: ConsumerRecording, scenario: Scenario) -> Mapping[str, str]:
    """The group of each release's consumers: its name, such as g533, and what names of its clients end with."""
    return {group: group.removeprefix("g") for group in recording.groups if group in scenario.consumers}


def _of_set(recording: ConsumerRecording, scenario: Scenario) -> tuple[list[Placed], Measured]:
    target, groups = str(recording.about["scenario"]["target"]), _releases(recording, scenario)
    name, begin_ms, at_ms = target.partition(".")[0], begin_of(recording), _struck_ms(recording, target)
    seen = [
        (group, figure)
        for group, release in groups.items()
        for figure in seen_in_recording(recording, release, name, target).figures()
    ]
    seen += [(ELECTIONS, figure) for figure in elected_in_recording(recording, name, at_ms)]
    killed = recording.about["scenario"].get("controller")
    led_ms = _struck_ms(recording, killed) if killed else None
    if led_ms is not None:
        seen += [(ELECTIONS, figure) for figure in led_in_recording(recording, led_ms)]

    def measured(run: Result) -> Iterator[Placed]:
        for group, release in groups.items():
            for figure in seen_in_run(run, f"p-{release}", group, name, begin_ms).figures():
                yield group, figure
        at_us = 1000 * (at_ms - begin_ms)
        acts = run.scenario.brokers[name].is_acted_for
        for figure in [acting_in_plan(run.scenario, name, at_us)] if acts else elected_in_run(run, name, at_us):
            yield ELECTIONS, figure
        for figure in () if led_ms is None else led_in_plan(run.scenario, 1000 * (led_ms - begin_ms)):
            yield ELECTIONS, figure

    return seen, measured


def _of_name_server(recording: ConsumerRecording, scenario: Scenario) -> tuple[list[Placed], Measured]:
    killed, releases = str(recording.about["scenario"]["killed"]), _releases(recording, scenario).values()
    begin_ms, gone = begin_of(recording), server_gone(recording, killed)
    seen = [one for release in releases for one in without_name_server_in_recording(recording, release, gone)]

    def measured(run: Result) -> Iterator[Placed]:
        for release in releases:
            yield from without_name_server_in_run(run, release, begin_ms, gone)

    return seen, measured


def _compared(run: GroupFigure, recorded: GroupFigure) -> Compared:
    rare = recorded.name.startswith("acknowledged")
    least, part = {True: RARE if rare else MESSAGES, False: TIME_S}[recorded.of == "messages"]
    if recorded.name.endswith(" after"):
        least, part = ELECTED_S
    if recorded.name == INSTANCES:
        least, part = 0, 0
    allowed = least if math.isinf(recorded.value) else max(least, part * abs(recorded.value))
    return Compared(recorded.name, "s" if recorded.of == "s" else "", run.value, recorded.value, round(allowed, 2))
