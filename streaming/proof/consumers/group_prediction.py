"""A recorded group against simulated runs of its set-up: the scenario, the figures, and how far they may differ.

Tolerances are what repeats differ by. Three recordings of one set-up until their first difference (backlog-
plain533-r2, backlog-kill533-r2 until 90 s, and g498 of backlog-plain-r1, whose releases follow the same rules there):
moments by 2.9 %, waits by 15 %. Times of a handover differ by 0.7 s, the longest of its queues by 3.5 s, so a sum over
queues by 0.35 s a queue. Two groups that follow the same rules through one broker failure (brokerkill-r1): times by
0.8 s and messages consumed twice by 14 %. Of eight groups of transactional producers (tx-ab, tx-kill, tx-stop):
messages are readable 11 to 24 ms after their local end, so 20 ms are allowed (the model knows no busy processors). By
a check they are 24.7 to 27.0 s after the send where broker and producers live, 9 % apart; what only a fault does to
messages, 4 of 80. What was popped and not acknowledged comes again as a second of its broker's clock is over, so
within 1 s.
Figures that the model's own runs spread more are compared with those runs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from simulator.run.simulate import Result, simulate
from simulator.scenario import Scenario
from streaming.proof.consumers.consumer_recording import Action, ConsumerRecording
from streaming.proof.consumers.dead_connections import TABLE, dead_in, dead_in_run, hung_broker
from streaming.proof.consumers.group_figures import GroupFigure, figures_of
from streaming.proof.consumers.group_seen import seen_in
from streaming.proof.consumers.pop_figures import POP_TABLES, pop_figures, pops_in, pops_in_run
from streaming.proof.consumers.recorded_set_up import begin_of, group_actions, scenario_of_group, simulated_names
from streaming.proof.consumers.recorded_transactions import transactional_producers
from streaming.proof.consumers.retry_figures import retries_in, retries_in_run, retry_figures
from streaming.proof.consumers.simulated_group import TABLES, seen_in_run
from streaming.proof.consumers.transaction_figures import (
    RARE_FIGURES,
    TRANSACTION_TABLES,
    transaction_figures,
    transactions_in,
    transactions_in_run,
)
from streaming.proof.predictions.predicted import Predicted, over_branch, over_runs
from streaming.proof.predictions.prediction import Compared

MESSAGES = (20, 0.2)  # at least so much is allowed, or that part of what is recorded
TIME_S = (1.0, 0.05)
MOMENT_S = (1.0, 0.03)  # of " at": a moment of the run
WAIT_S = (1.0, 0.15)
READABLE_S = (0.02, 0.15)  # after the local end
CHECKED_S = (1.0, 0.1)  # after the send
RARE = (4, 0.2)
RARE_POPS = ("come again",)  # in groups of POP
AGAIN_S = (1.0, 0.0)
LONGEST_JOIN_S = (3.5, 0.05)
SUM_S = (2.8, 0.05)  # of eight queues


def predicted_figures(
    recording: ConsumerRecording, group: str, path: Path, changes: Mapping[str, str], runs: int | None
) -> list[Predicted]:
    """Every figure of a recorded group against that many runs. Raises ScenarioError and InputError.

    Where a broker stood still they are those of runs with as many dead connections on its list as recorded.
    """
    scenario, name = scenario_of_group(recording, group, path, changes)
    actions = group_actions(recording, group)
    recorded_names = {own: who for who, own in simulated_names(recording, group, name).items()}
    begin_ms = begin_of(recording, group)
    fails, pops = any(recording.client(who).get("failpct") for who in recording.groups[group]), recording.pops(group)
    figures = measured_figures(recording, group, actions)
    figures += retry_figures(retries_in(recording, group)) if fails else []
    producers = transactional_producers(recording, str(recording.client(recording.groups[group][0])["topic"]))
    figures += transaction_figures(transactions_in(recording, group)) if producers else []
    recorded = {figure.name: figure for figure in figures}

    back = hung_broker(recording, group)
    tables = (*TABLES, *(POP_TABLES if pops else ()), *(TRANSACTION_TABLES if producers else ()))

    def figures_in(run: Result) -> Sequence[Compared]:
        found = (
            list(pop_figures(pops_in_run(run, name, recorded_names)))
            if pops
            else list(figures_of(seen_in_run(run, name, recorded_names, begin_ms), actions))
        )
        found += retry_figures(retries_in_run(run, name)) if fails else []
        found += transaction_figures(transactions_in_run(run, name, producers)) if producers else []
        by_name = {figure.name: figure for figure in found}
        return [compared(by_name.get(each, missing(figure)), figure) for each, figure in recorded.items()]

    if back is None:
        return over_runs(scenario, runs, lambda one: figures_in(simulate(one, tables=tables)))
    dead, hung = dead_in(recording, group, back), back

    def branch_in(one: Scenario) -> tuple[Compared, Sequence[Compared]]:
        run = simulate(one, tables=(*tables, TABLE))
        own = dead_in_run(run, name, hung, begin_ms)
        return Compared(dead.name, "", own.value, dead.value, 0.0), figures_in(run)

    return over_branch(scenario, runs, branch_in)


def measured_figures(recording: ConsumerRecording, group: str, actions: Sequence[Action]) -> list[GroupFigure]:
    """What is measured of a recorded group, by how it consumes; `actions`: what was done to it and to brokers."""
    if recording.pops(group):
        return list(pop_figures(pops_in(recording, group)))
    return list(figures_of(seen_in(recording, group), actions))


def missing(figure: GroupFigure) -> GroupFigure:
    """A figure that a run does not have: what it counts did not happen."""
    return GroupFigure(figure.name, 0.0 if figure.of == "messages" else math.inf, figure.of)


def _allowed(name: str, of: str) -> tuple[float, float]:
    """How far a figure may differ: at least so much, or that part of what is recorded."""
    if of == "messages":
        return RARE if name in (*RARE_FIGURES, *RARE_POPS) else MESSAGES
    if name.startswith("come again after"):
        return AGAIN_S
    if name.endswith(" at"):
        return MOMENT_S
    if name.startswith("stored until consumed"):
        return WAIT_S
    if name.startswith("readable after"):
        return READABLE_S
    if name.startswith("readable by a check"):
        return CHECKED_S
    if name.endswith(", sum"):
        return SUM_S
    return LONGEST_JOIN_S if " joins: " in name and name.endswith("longest") else TIME_S


def compared(run: GroupFigure, recorded: GroupFigure) -> Compared:
    """One figure of a run against the recorded one."""
    least, part = _allowed(recorded.name, recorded.of)
    allowed = least if math.isinf(recorded.value) else max(least, part * abs(recorded.value))
    unit = "s" if recorded.of == "s" else ""
    return Compared(recorded.name, unit, run.value, recorded.value, round(allowed, 2))
