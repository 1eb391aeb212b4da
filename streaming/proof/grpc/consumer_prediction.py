"""Recorded gRPC consumers against simulated runs of their set-up: how far each figure may differ.

The tolerances are those of other groups (group_prediction.py): 1 s or a twentieth of a time, and of what a fault does
to messages 4 or a fifth.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from simulator.run.simulate import simulate
from simulator.scenario import Scenario
from streaming.proof.consumers.consumer_recording import Action, ConsumerRecording
from streaming.proof.consumers.group_figures import GroupFigure
from streaming.proof.grpc.consumer_set_up import grpc_groups, is_in_order, members_of
from streaming.proof.grpc.deliveries_seen import DeliveriesSeen, deliveries_recorded, deliveries_simulated
from streaming.proof.grpc.delivery_figures import GroupSetUp, delivery_figures
from streaming.proof.grpc.order_figures import order_figures
from streaming.proof.grpc.producer_set_up import scenario_of_clients
from streaming.proof.grpc.proxy_trouble import proxy_troubles
from streaming.proof.predictions.predicted import RUNS, Predicted, over_runs
from streaming.proof.predictions.prediction import Compared

TIME_S, TIME_PART = 1.0, 0.05
MESSAGES, PART = 4, 0.2
INVISIBLE_MS = 60_000


def predicted_consumers(
    recording: ConsumerRecording, path: Path, changes: Mapping[str, str], runs: int | None
) -> dict[str, list[Predicted]]:
    """Every figure of each group of gRPC consumers against that many runs, 20 by default.

    Raises ScenarioError and InputError.
    """
    scenario, groups = scenario_of_clients(recording, path, changes), grpc_groups(recording)
    found = {group: _figures(recording, group, deliveries_recorded(recording, group)) for group in groups}
    every = [(group, figure) for group, figures in found.items() for figure in figures]
    if not every:
        return {}

    def compared_in(one: Scenario) -> Sequence[Compared]:
        run = simulate(one, tables=("consumed",))
        seen = {group: _figures(recording, group, deliveries_simulated(run, group)) for group in found}
        of_run = {(group, figure.name): figure.value for group, figures in seen.items() for figure in figures}
        return [_compared(of_run.get((group, figure.name)), figure) for group, figure in every]

    figures = over_runs(scenario, runs or RUNS, compared_in)
    by_group: dict[str, list[Predicted]] = {}
    for (group, _), figure in zip(every, figures, strict=True):
        by_group.setdefault(group, []).append(figure)
    return by_group


def _figures(recording: ConsumerRecording, group: str, seen: DeliveriesSeen) -> list[GroupFigure]:
    members = members_of(recording, group)
    actions: list[Action] = [
        one for one in recording.actions if one.target in members and one.kind in ("kill9", "sigstop")
    ]
    client = recording.client(members[0])
    invisible_ms = int(client.get("invisible", INVISIBLE_MS))
    own = GroupSetUp(invisible_ms, int(client.get("slowms", 0)) > invisible_ms)
    figures = delivery_figures(seen, proxy_troubles(recording), actions, set(recording.about["brokers"]), own)
    return [*figures, *order_figures(seen, actions)] if is_in_order(recording, group) else figures


def _compared(predicted: float | None, recorded: GroupFigure) -> Compared:
    """A figure of a run; one that the run does not have did not happen."""
    is_time = recorded.of == "s"
    value = (math.inf if is_time else 0.0) if predicted is None else predicted
    least, part = (TIME_S, TIME_PART) if is_time else (MESSAGES, PART)
    allowed = round(max(least, part * recorded.value), 2)
    return Compared(recorded.name, "s" if is_time else "", value, recorded.value, allowed)
