"""What a schedule came to: the measures that goals look at, and the states that the run reached."""

from __future__ import annotations

import math
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from simulator.experiments.experiment_measures import MEASURES, WAIT, MeasuredRun, measures_of, plain
from simulator.hunt.goal import RUNS, Goal
from simulator.hunt.schedule import Schedule, reason_of, scenario_with
from simulator.hunt.texts.hunt_texts import HuntTexts
from simulator.plan.compile import compile_scenario
from simulator.plan.run_plan import Plan
from simulator.run.consumers.consumer_totals import CONSUMER_COUNTS
from simulator.run.run_totals import BIN_COUNTS, GROUP_COUNTS, Totals, bin_us_of, queue_ids, total_plan
from simulator.scenario import Scenario, ScenarioError

MOSTLY = 0.5  # of the producers, and of a bin
ROUTE_EXPIRY_US = 120_000_000  # name server, brokerChannelExpiredTime
ROOM, LONGEST = "simulator", 200  # the package; characters of an error's words
SILENT = ("hang", "silent_death", "power_loss", "disk_loss", "partition")  # no heartbeat, and the connection stays


@dataclass(frozen=True)
class HuntOutcome:
    """values: measures by name; marks: states that were reached; messages: simulated; refused: why it cannot be run.

    at_least: measures without an end within the run, whose value is what was seen of them. failure: with which error
    the run ended, which is a miss of RUNS; there are no other values then.
    """

    values: Mapping[str, float] = field(default_factory=dict)
    marks: tuple[str, ...] = ()
    messages: int = 0
    refused: str = ""
    failure: str = ""
    at_least: tuple[str, ...] = ()

    def misses(self, goal: Goal) -> bool:
        """Whether it misses a goal, wherever the end of what has none within the run may be."""
        if goal.measure in self.at_least:
            return goal.is_missed_from(self.values[goal.measure])
        return goal.is_missed(self.values)

    def shows(self, goal: Goal) -> bool:
        """Whether it misses or holds a goal: neither, where that was not measured or depends on an end not seen."""
        if goal.measure in self.at_least:
            return goal.is_missed_from(self.values[goal.measure]) or goal.is_met_from(self.values[goal.measure])
        return goal.is_measured(self.values)

    def missed(self, goals: Sequence[Goal]) -> list[Goal]:
        """The goals that it misses."""
        return [goal for goal in goals if self.misses(goal)]

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return {"values": dict(self.values), "marks": list(self.marks), "messages": self.messages,
                "refused": self.refused, "failure": self.failure, "at_least": list(self.at_least)}  # fmt: skip

    @classmethod
    def of_json(cls, content: Mapping[str, Any]) -> HuntOutcome:
        """What `as_json` gave. Raises KeyError, TypeError and ValueError for anything else."""
        values = {str(name): float(value) for name, value in content["values"].items()}
        marks, messages = tuple(map(str, content["marks"])), int(content["messages"])
        at_least = tuple(map(str, content["at_least"]))
        return cls(values, marks, messages, str(content["refused"]), str(content["failure"]), at_least)


def run_schedule(text: str, wanted: Sequence[str], schedule: Schedule) -> HuntOutcome:
    """What a schedule comes to in a scenario's canonical text. Raises MemoryError."""
    try:
        scenario = scenario_with(text, schedule)
    except ScenarioError as error:
        return HuntOutcome(refused=reason_of(error))
    except Exception as error:  # there is no scenario that a case could be kept as
        return HuntOutcome(refused=HuntTexts.CANNOT_BE_READ(error=in_a_line(error)))
    try:
        return outcome_of(scenario, wanted)
    except MemoryError:
        raise
    except ScenarioError as error:  # of a function of the user's own
        return HuntOutcome({RUNS.measure: 1.0}, failure=HuntTexts.RUN_FAILED(error=str(error)))
    except Exception as error:  # a fault of the simulator's own, which a hunt keeps as a case
        return HuntOutcome({RUNS.measure: 1.0}, failure=HuntTexts.SIMULATOR_FAILED(error=in_a_line(error)))


def in_a_line(error: Exception) -> str:
    """The kind of an error, its words, and where in the simulator it came from."""
    places = [one for one in traceback.extract_tb(error.__traceback__) if ROOM in Path(one.filename).parts]
    said = " ".join(str(error).split())[:LONGEST]
    found = f"{type(error).__name__}: {said}" if said else type(error).__name__
    return f"{found} ({Path(places[-1].filename).name}:{places[-1].lineno})" if places else found


def outcome_of(scenario: Scenario, wanted: Sequence[str]) -> HuntOutcome:
    """Run a scenario, and give the measures that are wanted of it."""
    plan = compile_scenario(scenario)
    totals = total_plan(plan, queue_ids(scenario))
    measures = measures_of(MeasuredRun(totals, scenario, 0), wanted)
    at_least = tuple(
        name for name, value in measures.items() if MEASURES[plain(name)].kind == WAIT and math.isinf(value)
    )
    seen = dict.fromkeys(at_least, _seen_s(scenario) if at_least else 0.0)
    values = {name: seen.get(name, measures[name]) for name in wanted if name in measures}
    messages = int(totals.groups[:, GROUP_COUNTS.index("messages")].sum())
    marks = tuple(sorted(marks_of(scenario, plan, totals)))
    return HuntOutcome(values, marks, messages, at_least=at_least)


def _seen_s(scenario: Scenario) -> float:
    """How long the run went on after the last fault: what is seen of a time without an end within it."""
    ends_us = [period.until_us for period in scenario.fault_periods()]
    ends_us += [at_us for group in scenario.producers for at_us, _ in group.rate_changes]
    last_us = min(max(ends_us, default=0), scenario.duration_us)
    return (scenario.duration_us - last_us) / 1e6


def marks_of(scenario: Scenario, plan: Plan, totals: Totals) -> set[str]:
    """The states that a run reached, of those that matter: they distinguish schedules."""
    groups = totals.groups.sum(axis=0)
    count = {name: int(groups[place]) for place, name in enumerate(GROUP_COUNTS)}
    found = {
        "failures": count["failed"] > 0, "losses": count["lost"] > 0, "unstored": count["not_stored"] > 0,
        "retries": count["attempts"] > count["messages"], "duplicates": count["copies"] > count["messages"],
        "waits": bool((totals.bins[:, BIN_COUNTS.index("p99_half_us")] > 2_000_000).any()),
        "left in flight": count["drained"] > 0,
        "election": any(row.at_us > 0 for row in plan.cells[0].elections), "expiry": _expires(scenario),
    }  # fmt: skip
    return {name for name, reached in found.items() if reached} | _isolation(scenario, totals) | _groups(totals)


def _isolation(scenario: Scenario, totals: Totals) -> set[str]:
    if not totals.isolated_us.any():
        return set()
    whole = bin_us_of(scenario.duration_us, scenario.window_us) * scenario.producer_count
    mostly = (totals.bin_isolated_us >= MOSTLY * whole).sum(axis=1)
    brokers = totals.bin_isolated_us.shape[1]
    found = {"isolation"}
    if int(mostly.max(initial=0)) > 1:
        found.add("several isolated")
    if brokers and int(mostly.max(initial=0)) == brokers:
        found.add("fallback")
    return found


def _groups(totals: Totals) -> set[str]:
    """States of consumers, of any group."""
    found: set[str] = set()
    for name, mark in (
        ("unowned_us", "no owner"), ("double_owned_us", "two owners"), ("skipped", "skipped"), ("missed", "missed"),
        ("consumed_again", "consumed again"), ("dead_letters", "dead letters"),
    ):  # fmt: skip
        if totals.consumers[:, CONSUMER_COUNTS.index(name)].any():
            found.add(mark)
    for column in totals.consumer_lag.T:
        peak = int(column.max(initial=0))
        found.add(f"lag 10^{int(np.log10(max(peak, 1)))}")
    return found


def _expires(scenario: Scenario) -> bool:
    """Whether something is silent for so long that its registration expires."""
    return any(
        period.kind in SILENT and period.until_us - period.at_us > ROUTE_EXPIRY_US
        for period in scenario.fault_periods()
    )
