"""What steps through the blocks of a run in the operator, by the kind of the run."""

from __future__ import annotations

import json
from collections.abc import Iterable

from state.row import StateRow
from streaming.flow.feeds import plan_of_run, turns_of
from streaming.flow.run_spec import RunSpec
from streaming.flow.scenario_feed import plan_of
from streaming.operator.reloaded_stepper import ReloadedStepper
from streaming.operator.scenario_stepper import ScenarioStepper
from streaming.operator.stepper import Stepper
from streaming.texts.flow_texts import FlowTexts


def stepper_of(run: RunSpec, cell: int, stored: StateRow | None, wanted: Iterable[str]) -> Stepper:
    """The stepper of one cell of a run, as it was when `stored` was taken."""
    if run.later:
        return ReloadedStepper(turns_of(run), cell, stored, wanted)
    if run.kind == "scenario":
        return ScenarioStepper(plan_of(run.spec), cell, stored, wanted)
    if run.kind == "kafka":
        from streaming.kafka.intake.kafka_stepper import Intake, KafkaStepper

        said = json.loads(run.spec)
        return KafkaStepper(plan_of_run(run), cell, stored, wanted, Intake.of(said))
    if run.kind == "recording":
        from streaming.flow.recording_feed import replay_of
        from streaming.operator.replay_stepper import ReplayStepper

        return ReplayStepper(replay_of(run.spec).plan, cell, stored)
    raise ValueError(FlowTexts.NO_KIND_OF_RUN(kind=run.kind))
