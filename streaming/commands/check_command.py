"""`sendlab check`: everything that is wrong with a scenario, or what it would run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from simulator.scenario import Scenario, ScenarioError, load_scenario
from simulator.units import format_duration
from streaming.changes import overrides_of
from streaming.own_policies.settled import settle


def check_command(scenario_file: Path, changes: Sequence[str], console: Console) -> int:
    """Print every problem a line, or one line of what there is; 2 if there are problems, else 0."""
    settle(scenario_file, changes)
    try:
        scenario = load_scenario(scenario_file, overrides_of(changes))
    except ScenarioError as error:
        for sentence in error.sentences:
            console.print(sentence, markup=False, highlight=False, soft_wrap=True)
        return 2
    console.print(f"{scenario_file}: fine: {told(scenario)}", markup=False, highlight=False, soft_wrap=True)
    return 0


def told(scenario: Scenario) -> str:
    """A scenario in a line."""
    groups, faults = len(scenario.producers), len(scenario.faults)
    counted = (
        (scenario.producer_count, "producer"), (groups, "group"), (len(scenario.topics), "topic"),
        (len(scenario.brokers), "broker"), (faults, "fault"),
    )  # fmt: skip
    parts = ", ".join(f"{number:,} {noun}{'s' * (number != 1)}" for number, noun in counted if number)
    return (
        f"{scenario.name}; release {scenario.client.release}; {parts}; {format_duration(scenario.duration_us)} of "
        f"virtual time, about {scenario.expected_messages:,.0f} messages"
    )
