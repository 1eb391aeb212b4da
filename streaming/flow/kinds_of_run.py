"""The kinds of run: what feeds the source and what steps in the operator."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

import pyarrow as pa

from state.row import StateRow
from streaming.flow.blocks import Block
from streaming.flow.scenario_feed import Feed, ScenarioFeed, plan_of
from streaming.flow.scenario_stepper import ScenarioStepper


class Stepper(Protocol):
    """One cell between two micro-batches."""

    def run(self, blocks: Iterable[Block]) -> Iterator[tuple[str, pa.Table]]:
        """Step through blocks: finished rows as (table name, rows)."""
        ...

    def snapshot(self) -> StateRow:
        """What is remembered."""
        ...


def feed_of(kind: str, spec: str) -> Feed:
    """The feed of a run: kind `scenario` with its canonical YAML, `recording` with its path or a Variation's JSON."""
    if kind == "scenario":
        return ScenarioFeed(plan_of(spec))
    if kind == "recording":
        from streaming.flow.recording_feed import RecordingFeed, replay_of

        return RecordingFeed(replay_of(spec))
    raise ValueError(f"no kind of run {kind}")


def stepper_of(kind: str, spec: str, cell: int, stored: StateRow | None, wanted: Iterable[str]) -> Stepper:
    """The stepper of one cell of a run, as it was when `stored` was taken."""
    if kind == "scenario":
        return ScenarioStepper(plan_of(spec), cell, stored, wanted)
    if kind == "recording":
        from streaming.flow.recording_feed import replay_of
        from streaming.flow.replay_stepper import ReplayStepper

        return ReplayStepper(replay_of(spec).plan, cell, stored)
    raise ValueError(f"no kind of run {kind}")
