"""The kinds of run: what feeds the source and what steps in the operator."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple, Protocol

import pyarrow as pa

from simulator.plan.run_plan import Plan
from state.row import StateRow
from streaming.flow.blocks import Block
from streaming.flow.reloaded_run import ReloadedFeed, ReloadedStepper, Turns
from streaming.flow.scenario_feed import Feed, ScenarioFeed, plan_of
from streaming.flow.scenario_stepper import ScenarioStepper


class RunSpec(NamedTuple):
    """What the source and the operator rebuild a run from, wherever they are.

    Kind `scenario` with its canonical YAML, `kafka` with that and how its topics are read as JSON, or `recording` with
    its path or a Variation's JSON. later: of a scenario that was changed while it ran, from which step on it is which.
    """

    run: str
    kind: str
    spec: str
    later: tuple[tuple[int, str], ...] = ()


def spelled(runs: Iterable[RunSpec]) -> str:
    """The text that `runs_of` reads back."""
    return json.dumps([run._asdict() for run in runs])


def runs_of(text: str) -> tuple[RunSpec, ...]:
    """The runs that a text spells."""
    return tuple(
        RunSpec(**run)._replace(later=tuple((step, spec) for step, spec in run["later"])) for run in json.loads(text)
    )


class Stepper(Protocol):
    """One cell between two micro-batches."""

    def run(self, blocks: Iterable[Block]) -> Iterator[tuple[str, pa.Table]]:
        """Step through blocks: finished rows as (table name, rows)."""
        ...

    def snapshot(self) -> StateRow:
        """What is remembered."""
        ...


def _turns_of(run: RunSpec) -> Turns:
    return [(step, replace(plan_of(spec), run=run.run)) for step, spec in ((0, run.spec), *run.later)]


def feed_of(run: RunSpec) -> Feed:
    """What feeds the source with a run."""
    if run.later:
        return ReloadedFeed(_turns_of(run))
    if run.kind == "scenario":
        return ScenarioFeed(plan_of(run.spec))
    if run.kind == "recording":
        from streaming.flow.recording_feed import RecordingFeed, replay_of

        return RecordingFeed(replay_of(run.spec))
    raise ValueError(f"no kind of run {run.kind}")


def plan_of_run(run: RunSpec) -> Plan:
    """The compiled scenario of a run that has one."""
    return plan_of(json.loads(run.spec)["scenario"] if run.kind == "kafka" else run.spec)


def stepper_of(run: RunSpec, cell: int, stored: StateRow | None, wanted: Iterable[str]) -> Stepper:
    """The stepper of one cell of a run, as it was when `stored` was taken."""
    if run.later:
        return ReloadedStepper(_turns_of(run), cell, stored, wanted)
    if run.kind == "scenario":
        return ScenarioStepper(plan_of(run.spec), cell, stored, wanted)
    if run.kind == "kafka":
        from streaming.kafka.intake.kafka_stepper import Intake, KafkaStepper

        said = json.loads(run.spec)
        return KafkaStepper(plan_of_run(run), cell, stored, wanted, Intake.of(said))
    if run.kind == "recording":
        from streaming.flow.recording_feed import replay_of
        from streaming.flow.replay_stepper import ReplayStepper

        return ReplayStepper(replay_of(run.spec).plan, cell, stored)
    raise ValueError(f"no kind of run {run.kind}")
