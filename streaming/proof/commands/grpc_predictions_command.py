"""`sendlab verify predictions` for a recording of gRPC producers: every producer against simulated runs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console

from streaming.changes import overrides_of
from streaming.proof.commands.predictions_command import figure_row, predictions_table
from streaming.proof.consumers.consumer_recording import ConsumerRecording, load_consumer_recording
from streaming.proof.grpc.producer_prediction import predicted_producers
from streaming.proof.predictions.predicted import Predicted, counted


def predict_grpc_command(
    trace: Path, scenario: Path, *, changes: Sequence[str], runs: int | None, as_json: bool, console: Console
) -> int:
    """Compare every gRPC producer of a recording with simulated runs; 1 if a figure is missed, else 0.

    Raises InputError and ScenarioError, one sentence each, for what cannot be read or simulated.
    """
    recording = load_consumer_recording(trace)
    found = predicted_producers(recording, scenario, overrides_of(changes), runs)
    missed = any(figure.is_missed for figures in found.values() for figure in figures)
    if as_json:
        rows = {who: [figure_row(figure) for figure in figures] for who, figures in found.items()}
        about = {"recording": recording.name, "scenario": str(scenario), "ok": not missed}
        print(json.dumps(about | {"producers": rows}, indent=1))
    else:
        print_producer_predictions(recording, found, console)
    return 1 if missed else 0


def print_producer_predictions(
    recording: ConsumerRecording, found: Mapping[str, Sequence[Predicted]], console: Console
) -> None:
    """Every figure of every producer, and how many are met."""
    for who, figures in found.items():
        release, runs = recording.client(who)["release"], len(figures[0].of_runs)
        console.print(f"{recording.name}: {who}, {release}, {runs} runs", highlight=False)
        console.print(predictions_table(figures))
        console.print(counted(figures), highlight=False)
