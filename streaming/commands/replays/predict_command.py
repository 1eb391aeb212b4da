"""`sendlab replay TRACE --predict SCENARIO`: does a simulated run of the same set-up show what was recorded?"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from simulator.run.simulate import simulate
from streaming.changes import overrides_of
from streaming.errors import InputError
from streaming.predict.predict_scenario import scenario_for, troubles_in, with_seeds
from streaming.predict.prediction import Compared, compared, seen_in_recording, seen_in_run, topics_of
from streaming.recording.recording import Recording, load_recording

RUNS = 20
TABLES = ("attempts", "sends", "fault_items")


@dataclass(frozen=True)
class Predicted:
    """A figure over all runs: `typical` against the recording, the least and greatest of the runs, and where between
    them the recording is: `up_to_recorded`, the part of the runs with at most its figure, 0..1.
    """

    typical: Compared
    least: float
    greatest: float
    up_to_recorded: float


def summed_up(figures: Sequence[Compared]) -> Predicted:
    """One figure of several runs: the mean of a share or a number, the median of a time (it may be never)."""
    first = figures[0]
    values = sorted(figure.predicted for figure in figures)
    typical = values[len(values) // 2] if first.unit == "s" else float(np.mean(values))
    whole = Compared(first.figure, first.unit, typical, first.recorded, first.tolerance)
    up_to_recorded = sum(value <= first.recorded for value in values) / len(values)
    return Predicted(whole, values[0], values[-1], up_to_recorded)


def predictions(recording: Recording, path: Path, changes: dict[str, str], runs: int) -> tuple[str, list[Predicted]]:
    """The release that was simulated, and every figure. Raises ScenarioError and InputError."""
    scenario = scenario_for(recording, path, changes)
    recorded, topics = seen_in_recording(recording), topics_of(recording)
    own_table = scenario.client.penalty_tables_ms[1]
    step_ms = min((ms for ms in own_table if ms), default=0)
    troubles = troubles_in(scenario)
    found = [
        compared(seen_in_run(simulate(one, tables=TABLES), topics), recorded, list(scenario.brokers), troubles, step_ms)
        for one in with_seeds(scenario, runs)
    ]
    return scenario.client.release, [summed_up(figures) for figures in zip(*found, strict=True)]


def _shown(value: float, unit: str) -> str:
    if math.isinf(value):
        return "never"
    return f"{value:,.2f} {unit}" if unit == "s" else f"{value:,.1f} {unit}".rstrip()


def predictions_table(figures: Sequence[Predicted]) -> Table:
    """One row a figure."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("figure", "predicted", "in runs", "recorded", "above", "±", "ok"):
        table.add_column(heading, justify="left" if heading in ("figure", "ok") else "right", no_wrap=True)
    for figure in figures:
        one = figure.typical
        spread = f"{_shown(figure.least, '')}..{_shown(figure.greatest, '')}".replace(" ", "")
        ok = "[green]ok[/green]" if one.is_met else "[bold red]NO[/bold red]"
        recorded, above = _shown(one.recorded, one.unit), f"{100 * figure.up_to_recorded:.0f} %"
        table.add_row(one.figure, _shown(one.predicted, one.unit), spread, recorded, above, f"{one.tolerance:g}", ok)
    return table


def _plain(value: float) -> float | str:
    return "never" if math.isinf(value) else value


def _document(recording: Recording, scenario: Path, release: str, figures: Sequence[Predicted]) -> dict[str, Any]:
    rows = []
    for figure in figures:
        one = figure.typical
        runs = {name: getattr(figure, name) for name in ("least", "greatest", "up_to_recorded")}
        numbers = asdict(one) | runs
        row = {key: _plain(value) if isinstance(value, float) else value for key, value in numbers.items()}
        rows.append(row | {"ok": one.is_met})
    return {
        "recording": recording.name,
        "scenario": str(scenario),
        "release": release,
        "ok": all(figure.typical.is_met for figure in figures),
        "figures": rows,
    }


def predict_command(
    trace: Path, scenario: Path, *, changes: Sequence[str], runs: int, as_json: bool, console: Console
) -> int:
    """Compare a recording with simulated runs; 1 if a figure is out of its tolerance, else 0.

    Raises InputError and ScenarioError, one sentence each, for what cannot be read.
    """
    if trace.is_dir():
        raise InputError(f"{trace}: expected a recording, got a folder")
    recording = load_recording(str(trace.resolve()))
    release, figures = predictions(recording, scenario, overrides_of(changes), runs)
    wrong = sum(not figure.typical.is_met for figure in figures)
    if as_json:
        print(json.dumps(_document(recording, scenario, release, figures), indent=1))
        return 1 if wrong else 0
    print_prediction(recording, scenario, release, figures, runs, console)
    return 1 if wrong else 0


def print_prediction(
    recording: Recording, scenario: Path, release: str, figures: Sequence[Predicted], runs: int, console: Console
) -> None:
    """What was recorded, what was simulated, and every figure of both."""
    wrong = sum(not figure.typical.is_met for figure in figures)
    said = f"{recording.name}: {recording.about.get('description', '')}"
    console.print(said, highlight=False, markup=False, soft_wrap=True)
    console.print(
        f"{scenario}: client {release}, {runs} runs with the recording's client, rate and length", highlight=False,
        style="dim", soft_wrap=True,
    )  # fmt: skip
    console.print(predictions_table(figures))
    console.print("as recorded, within the tolerance" if not wrong else f"{wrong} out of tolerance")
