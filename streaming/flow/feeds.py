"""What feeds the source with a run, by its kind."""

from __future__ import annotations

import json
from dataclasses import replace

from simulator.plan.run_plan import Plan
from streaming.flow.reloaded_feed import ReloadedFeed, Turns
from streaming.flow.run_spec import RunSpec
from streaming.flow.scenario_feed import Feed, ScenarioFeed, plan_of
from streaming.texts.flow_texts import FlowTexts


def turns_of(run: RunSpec) -> Turns:
    """The plans of a scenario that was changed while it ran."""
    return [(step, replace(plan_of(spec), run=run.run)) for step, spec in ((0, run.spec), *run.later)]


def plan_of_run(run: RunSpec) -> Plan:
    """The compiled scenario of a run that has one."""
    return plan_of(json.loads(run.spec)["scenario"] if run.kind == "kafka" else run.spec)


def feed_of(run: RunSpec) -> Feed:
    """What feeds the source with a run. Raises ValueError for a kind that has no feed."""
    if run.later:
        return ReloadedFeed(turns_of(run))
    if run.kind == "scenario":
        return ScenarioFeed(plan_of(run.spec))
    if run.kind == "recording":
        from streaming.flow.recording_feed import RecordingFeed, replay_of

        return RecordingFeed(replay_of(run.spec))
    raise ValueError(FlowTexts.NO_KIND_OF_RUN(kind=run.kind))
