"""Recorded gRPC producers against simulated runs of their set-up, and how far each figure may differ.

Of every figure only one or two recordings exist, so the tolerances are those of remoting producers: 5 points of a
share, 20 % or 10 of failed messages, and 1 s, as the recorder's machine was busy. When a proxy reads its route
again, and when a client asks for its own, is not recorded; what depends on it is compared with the runs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from simulator.run.simulate import simulate
from simulator.scenario import Scenario
from simulator.tolerance import SHARE_POINTS, of_failed
from streaming.proof.consumers.consumer_recording import ConsumerRecording
from streaming.proof.consumers.group_figures import GroupFigure
from streaming.proof.grpc.producer_figures import producer_figures
from streaming.proof.grpc.producer_set_up import grpc_producers, scenario_of_producers
from streaming.proof.grpc.proxy_trouble import proxy_troubles
from streaming.proof.grpc.sends_seen import sends_recorded, sends_simulated
from streaming.proof.predictions.predicted import Predicted, over_runs
from streaming.proof.predictions.prediction import Compared

TIME_S = 1.0


def _allowed(figure: GroupFigure) -> float:
    if figure.of == "messages":
        return of_failed(int(figure.value))
    return TIME_S if figure.of == "s" else SHARE_POINTS


def predicted_producers(
    recording: ConsumerRecording, path: Path, changes: Mapping[str, str], runs: int | None
) -> dict[str, list[Predicted]]:
    """Every figure of each gRPC producer against that many runs. Raises ScenarioError and InputError."""
    scenario, troubles = scenario_of_producers(recording, path, changes), proxy_troubles(recording)
    found = {who: producer_figures(sends_recorded(recording, who), troubles) for who in grpc_producers(recording)}
    every = [(who, figure) for who, figures in found.items() for figure in figures]

    def compared_in(one: Scenario) -> Sequence[Compared]:
        run = simulate(one, tables=("sends",))
        seen = {who: producer_figures(sends_simulated(run, who), troubles) for who in found}
        of_run = {(who, figure.name): figure.value for who, figures in seen.items() for figure in figures}
        return [_compared(of_run.get((who, figure.name)), figure) for who, figure in every]

    figures = over_runs(scenario, runs, compared_in)
    return {who: [figure for (of, _), figure in zip(every, figures, strict=True) if of == who] for who in found}


def _compared(predicted: float | None, recorded: GroupFigure) -> Compared:
    """A figure of a run; one that the run does not have did not happen."""
    never = math.inf if recorded.of == "s" else 0.0
    value = never if predicted is None else predicted
    unit = "" if recorded.of == "messages" else recorded.of
    return Compared(recorded.name, unit, value, recorded.value, _allowed(recorded))
