"""`sendlab verify predictions`: does a simulated run of the same set-up show what real producers recorded?"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from simulator.run.simulate import simulate
from simulator.scenario import Scenario
from streaming.errors import InputError
from streaming.options.changes import overrides_of
from streaming.proof.predictions.predict_scenario import scenario_for, troubles_in
from streaming.proof.predictions.predicted import (
    CHANCE_RUNS,
    INSIDE,
    MISSED,
    OUTSIDE,
    RUNS,
    WITHIN,
    Predicted,
    counted,
    over_runs,
)
from streaming.proof.predictions.prediction import (
    SEEN_TABLES,
    Compared,
    compared,
    seen_in_recording,
    seen_in_run,
    topics_of,
)
from streaming.proof.texts.proof_texts import ProofTexts
from streaming.recording.recording import Recording, load_recording

SHORT = {WITHIN: "ok", INSIDE: "inside", OUTSIDE: "OUTSIDE", MISSED: "NO"}
QUANTILES = (0.025, 0.25, 0.5, 0.75, 0.975)


def predictions(
    recording: Recording, path: Path, changes: dict[str, str], runs: int | None, shown_on: Console | None = None
) -> tuple[str, list[Predicted]]:
    """The release that was simulated, and every figure; `shown_on` shows progress. Raises ScenarioError and InputError.

    runs: None for 20, and 199 where chance decides a figure.
    """
    scenario = scenario_for(recording, path, changes)
    recorded, topics = seen_in_recording(recording), topics_of(recording)
    own_table = scenario.client.penalty_tables_ms[1]
    step_ms = min((ms for ms in own_table if ms), default=0)
    troubles, brokers = troubles_in(scenario), list(scenario.brokers)
    with Progress(console=shown_on, transient=True, disable=shown_on is None or not shown_on.is_terminal) as bar:
        task = bar.add_task("runs", total=runs or RUNS)

        def compared_in(one: Scenario) -> list[Compared]:
            found = compared(
                seen_in_run(simulate(one, tables=SEEN_TABLES), topics), recorded, brokers, troubles, step_ms
            )
            if bar.tasks[task].finished:
                bar.update(task, total=CHANCE_RUNS)
            bar.advance(task)
            return found

        return scenario.client.release, over_runs(scenario, runs, compared_in)


def _shown(value: float, unit: str) -> str:
    if math.isinf(value):
        return "never"
    return f"{value:,.2f} {unit}" if unit == "s" else f"{value:,.1f} {unit}".rstrip()


def predictions_table(figures: Sequence[Predicted]) -> Table:
    """One row a figure."""
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    for heading in ("figure", "predicted", "in runs", "recorded", "≤ %", "±", "ok"):
        table.add_column(heading, justify="left" if heading in ("figure", "ok") else "right", no_wrap=True)
    for figure in figures:
        one, (low, high) = figure.typical, figure.central
        spread = f"{_shown(low, '')}..{_shown(high, '')}".replace(" ", "")
        colour = "bold red" if figure.is_missed else "yellow" if figure.is_by_chance else "green"
        verdict = f"[{colour}]{SHORT[figure.verdict]}[/{colour}]"
        recorded, above = _shown(one.recorded, one.unit), f"{100 * figure.up_to_recorded:.0f}"
        allowed = f"{one.tolerance:g}"
        table.add_row(one.figure, _shown(one.predicted, one.unit), spread, recorded, above, allowed, verdict)
    return table


def distribution(figure: Predicted) -> str:
    """A figure that chance decides, as a line: what parts of the runs have at most."""
    one = figure.typical
    parts = ", ".join(f"{_shown(figure.quantile(part), one.unit)} ({part * 100:g} %)" for part in QUANTILES)
    return ProofTexts.BY_CHANCE(figure=one.figure, parts=parts, recorded=_shown(one.recorded, one.unit))


def _plain(value: float) -> float | str:
    return "never" if math.isinf(value) else value


def figure_row(figure: Predicted) -> dict[str, Any]:
    """A figure as JSON."""
    one, (low, high) = figure.typical, figure.central
    runs = {name: getattr(figure, name) for name in ("least", "greatest", "up_to_recorded")}
    numbers = asdict(one) | runs | {"central_low": low, "central_high": high}
    row = {key: _plain(value) if isinstance(value, float) else value for key, value in numbers.items()}
    quantiles = {f"{part * 100:g}": _plain(figure.quantile(part)) for part in QUANTILES}
    said = {"ok": not figure.is_missed, "by_chance": figure.is_by_chance, "verdict": figure.verdict}
    return row | {"runs": len(figure.of_runs), "quantiles": quantiles} | said


def _document(recording: Recording, scenario: Path, release: str, figures: Sequence[Predicted]) -> dict[str, Any]:
    return {
        "recording": recording.name,
        "scenario": str(scenario),
        "release": release,
        "ok": not any(figure.is_missed for figure in figures),
        "figures": [figure_row(figure) for figure in figures],
    }


def predict_command(
    trace: Path, scenario: Path, *, changes: Sequence[str], runs: int | None, as_json: bool, console: Console
) -> int:
    """Compare a recording with simulated runs; 1 if a figure is missed, else 0.

    Raises InputError and ScenarioError, one sentence each, for what cannot be read.
    """
    if trace.is_dir():
        raise InputError(ProofTexts.RECORDING_EXPECTED().at(trace))
    recording = load_recording(str(trace.resolve()))
    shown_on = None if as_json else console
    release, figures = predictions(recording, scenario, overrides_of(changes), runs, shown_on)
    if as_json:
        print(json.dumps(_document(recording, scenario, release, figures), indent=1))
    else:
        print_prediction(recording, scenario, release, figures, console)
    return 1 if any(figure.is_missed for figure in figures) else 0


def print_prediction(
    recording: Recording, scenario: Path, release: str, figures: Sequence[Predicted], console: Console
) -> None:
    """What was recorded, what was simulated, and every figure of both."""
    said = f"{recording.name}: {recording.about.get('description', '')}"
    console.print(said, highlight=False, markup=False, soft_wrap=True)
    text = ProofTexts.SIMULATED_RUNS(release=release, runs=len(figures[0].of_runs)).at(scenario)
    console.print(text, highlight=False, style="dim", soft_wrap=True)
    console.print(predictions_table(figures))
    for figure in figures:
        if figure.is_by_chance:
            console.print(distribution(figure), highlight=False, soft_wrap=True)
    console.print(counted(figures), highlight=False)
