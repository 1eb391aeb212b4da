"""`sendlab check`: every problem and warning of a scenario, or a summary of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from simulator.scenario import Scenario, ScenarioError, load_scenario
from simulator.scenario.checks.effort import effort_of, effort_warnings
from simulator.scenario.checks.warnings import warnings_of
from simulator.scenario.loading.scenario_file import notes_of
from simulator.units import format_duration
from streaming.errors import InputError
from streaming.installation.machine import memory_bytes
from streaming.options.changes import checked_choice, overrides_of
from streaming.own_policies.settled import settle
from streaming.pipelines.problem_formats import ERROR, FORMATS, NOTE, WARNING, CheckFinding
from streaming.texts.command_result_texts import CommandResultTexts

TEXT = "text"
GIB = 1 << 30


def checks_command(
    files: Sequence[Path], changes: Sequence[str], console: Console, *, strict: bool = False, form: str = TEXT
) -> int:
    """Check several files: the worst exit code. Raises InputError for a format that does not exist."""
    if form == TEXT:
        return max(check_command(file, changes, console, strict=strict) for file in files)
    checked_choice(form, (TEXT, *FORMATS), f"--format {form}")
    found = [finding for file in files for finding in findings_of(file, changes)]
    console.out(FORMATS[form](found), end="", highlight=False)
    levels = {finding.level for finding in found}
    return 2 if ERROR in levels else 1 if strict and WARNING in levels else 0


def findings_of(scenario_file: Path, changes: Sequence[str]) -> list[CheckFinding]:
    """Every problem of a file, or its notes and warnings."""
    name = str(scenario_file)
    try:
        settle(scenario_file, changes)
        scenario = load_scenario(scenario_file, overrides_of(changes))
    except ScenarioError as error:
        return [CheckFinding.of(ERROR, name, sentence) for sentence in error.sentences]
    except InputError as error:
        return [CheckFinding.of(ERROR, name, str(error))]
    notes = [CheckFinding.of(NOTE, name, hint) for hint in notes_of(scenario_file, overrides_of(changes))]
    return [*notes, *(CheckFinding.of(WARNING, name, sentence) for sentence in _warnings(scenario))]


def check_command(scenario_file: Path, changes: Sequence[str], console: Console, *, strict: bool = False) -> int:
    """Print every problem a line, or one line of what there is and every warning.

    2 if there are problems, 1 if there are warnings and `strict`, else 0.
    """
    settle(scenario_file, changes)
    try:
        scenario = load_scenario(scenario_file, overrides_of(changes))
    except ScenarioError as error:
        for sentence in error.sentences:
            console.print(sentence, markup=False, highlight=False, soft_wrap=True)
        return 2
    for hint in notes_of(scenario_file, overrides_of(changes)):
        console.print(f"note: {hint}", style="dim", markup=False, highlight=False, soft_wrap=True)
    warned = show_warnings(_warnings(scenario), console)
    found = CommandResultTexts.SCENARIO_CAN_BE_RUN if warned else CommandResultTexts.SCENARIO_FINE
    text = found(summary=summary_line(scenario), takes=effort_of(scenario).text).at(scenario_file)
    console.print(text, markup=False, highlight=False, soft_wrap=True)
    return 1 if warned and strict else 0


def show_warnings(warnings: Sequence[str], console: Console) -> bool:
    """Print the warnings, a line each; whether there are any."""
    for sentence in warnings:
        console.print(f"warning: {sentence}", style="yellow", markup=False, highlight=False, soft_wrap=True)
    return bool(warnings)


def _warnings(scenario: Scenario) -> list[str]:
    """Those of the scenario, and of what it takes to run it on this machine."""
    needed, (has, _) = effort_of(scenario).memory_bytes, memory_bytes()
    found = [*warnings_of(scenario), *effort_warnings(scenario)]
    if needed > has:
        found.append(CommandResultTexts.PLAIN_NEEDS_MEMORY(needed=needed / GIB, has=has / GIB))
    return found


def summary_line(scenario: Scenario) -> str:
    """A scenario in a line."""
    groups, faults = len(scenario.producers), len(scenario.faults)
    counted = (
        (scenario.producer_count, "producer"), (groups, "group"), (len(scenario.topics), "topic"),
        (len(scenario.brokers), "broker"), (faults, "fault"),
    )  # fmt: skip
    parts = ", ".join(f"{number:,} {noun}{'s' * (number != 1)}" for number, noun in counted if number)
    return CommandResultTexts.SCENARIO_SUMMARY(
        name=scenario.name, releases=" and ".join(scenario.releases), parts=parts,
        duration=format_duration(scenario.duration_us), messages=scenario.expected_messages,
    )  # fmt: skip
