"""`sendlab verify predictions` for a recording of consumers: what is measured of every group, and predicted."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from streaming.errors import InputError
from streaming.options.changes import overrides_of
from streaming.proof.commands.predictions_command import figure_row, predictions_table
from streaming.proof.consumers.consumer_recording import ConsumerRecording, load_consumer_recording
from streaming.proof.consumers.group_figures import GroupFigure
from streaming.proof.consumers.group_prediction import measured_figures, predicted_figures
from streaming.proof.failovers.failover_prediction import is_failover_recording, predicted_failover
from streaming.proof.grpc.grpc_prediction import is_grpc_recording, predicted_grpc
from streaming.proof.predictions.predicted import Branch, Predicted, counted
from streaming.proof.texts.proof_texts import ProofTexts
from streaming.texts.command_texts import CommandTexts


def shown(figure: GroupFigure) -> str:
    """A figure with its unit."""
    if math.isinf(figure.value):
        return "never"
    return f"{figure.value:,.2f} s" if figure.of == "s" else f"{figure.value:,.0f}"


def measured(recording: ConsumerRecording) -> dict[str, list[GroupFigure]]:
    """The figures of every group whose instances share messages."""
    return {
        group: measured_figures(recording, group, recording.actions)
        for group in recording.groups
        if recording.is_measured(group)
    }


def consumers_command(trace: Path, *, as_json: bool, console: Console) -> int:
    """Print what is measured of a recording's groups. Raises InputError for what cannot be read."""
    recording = load_consumer_recording(trace)
    found = measured(recording)
    if is_grpc_recording(recording):
        raise InputError(CommandTexts.SCENARIO_MISSING(near="conf/scenarios/live/grpc.yaml"))
    if not found:
        groups = ", ".join(recording.groups) or "none"
        raise InputError(ProofTexts.GROUPS_ARE_BROADCASTING(groups=groups).at(recording.name))
    if as_json:
        print(json.dumps(_document(recording, found), indent=1))
        return 0
    for action in recording.actions:
        if action.at_ms >= 0:
            console.print(f"{action.at_ms / 1000:8.2f} s  {action.kind} {action.target}", highlight=False)
    for group, figures in found.items():
        release = recording.client(recording.groups[group][0])["release"]
        table = Table(f"{group}, client {release}", "measured", box=None, pad_edge=False)
        table.columns[1].justify = "right"
        for figure in figures:
            table.add_row(figure.name, shown(figure))
        console.print()
        console.print(table)
    left_out = [group for group in recording.groups if group not in found]
    if left_out:
        console.print()
        console.print(ProofTexts.BROADCASTING_LEFT_OUT(groups=", ".join(left_out)), highlight=False)
    return 0


def predicted_groups(
    trace: Path, scenario: Path, changes: Sequence[str], runs: int | None
) -> tuple[ConsumerRecording, dict[str, list[Predicted]]]:
    """A recording and the figures of each of its groups against simulated runs. Raises InputError and ScenarioError."""
    recording, overrides = load_consumer_recording(trace), overrides_of(changes)
    if is_failover_recording(recording):
        return recording, predicted_failover(recording, scenario, overrides, runs)
    if is_grpc_recording(recording):
        return recording, predicted_grpc(recording, scenario, overrides, runs)
    groups = [group for group in recording.groups if recording.is_measured(group)]
    if not groups:
        raise InputError(ProofTexts.GROUPS_NOT_PREDICTED().at(recording.name))
    return recording, {group: predicted_figures(recording, group, scenario, overrides, runs) for group in groups}


def predict_consumers_command(
    trace: Path, scenario: Path, *, changes: Sequence[str], runs: int | None, as_json: bool, console: Console
) -> int:
    """Compare every group of a recording with simulated runs; 1 if a figure is missed, else 0.

    Raises InputError and ScenarioError, one sentence each, for what cannot be read or simulated.
    """
    recording, found = predicted_groups(trace, scenario, changes, runs)
    missed = any(figure.is_missed for figures in found.values() for figure in figures)
    if as_json:
        rows = {group: [figure_row(figure) for figure in figures] for group, figures in found.items()}
        about = {"recording": recording.name, "scenario": str(scenario), "ok": not missed}
        print(json.dumps(about | {"clients" if is_grpc_recording(recording) else "groups": rows}, indent=1))
    else:
        print_group_predictions(recording, found, console)
    return 1 if missed else 0


def print_group_predictions(
    recording: ConsumerRecording, found: Mapping[str, Sequence[Predicted]], console: Console
) -> None:
    """Every figure of every group, and how many are met."""
    for group, figures in found.items():
        clients = recording.groups.get(group) or [group]  # a producer stands for itself
        known = clients[0] in recording.about["clients"]
        of = f"{group}, client {recording.client(clients[0])['release']}" if known else group
        console.print(f"{recording.name}: {of}, {len(figures[0].of_runs)} runs", highlight=False)
        if isinstance(figures[0], Branch):
            console.print(branches(figures[0]), highlight=False, soft_wrap=True)
        console.print(predictions_table(figures))
        console.print(counted(figures), highlight=False)


def branches(split: Branch) -> str:
    """Which branches the runs took, which one the recording did, and that the other figures are of that one."""
    counts, runs = Counter(split.of_runs), len(split.of_runs)
    parts = ", ".join(f"{value:g} in {100 * count / runs:.0f} %" for value, count in sorted(counts.items()))
    figure, recorded = split.typical.figure, f"{split.typical.recorded:g}"
    if not split.as_recorded:
        return ProofTexts.BRANCH_NOT_TAKEN(figure=figure, parts=parts, recorded=recorded)
    return ProofTexts.BRANCHES(figure=figure, parts=parts, recorded=recorded, count=split.as_recorded)


def _document(recording: ConsumerRecording, found: dict[str, list[GroupFigure]]) -> dict[str, Any]:
    return {
        "recording": recording.name,
        "actions": [asdict(action) for action in recording.actions],
        "groups": {
            group: [
                asdict(figure) | {"value": "never" if math.isinf(figure.value) else figure.value} for figure in figures
            ]
            for group, figures in found.items()
        },
    }
