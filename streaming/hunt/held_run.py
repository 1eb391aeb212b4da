"""A schedule's run, held against what no run may break where SENDLAB_CHECKED=1 asks for it."""

from __future__ import annotations

from collections.abc import Sequence

from simulator.compiled.records import CHECKED
from simulator.hunt import schedule_outcome
from simulator.hunt.goal import RUNS
from simulator.hunt.schedule import Schedule, scenario_with
from simulator.hunt.schedule_outcome import HuntOutcome
from simulator.hunt.texts.hunt_texts import HuntTexts
from streaming.invariants.invariants import broken_in


def run_schedule(text: str, wanted: Sequence[str], schedule: Schedule, *, checked: bool = CHECKED) -> HuntOutcome:
    """What a schedule comes to in a scenario's canonical text; rows that break a rule are an error of the simulator.

    checked: look at the rows, which takes several times as long. Raises MemoryError.
    """
    outcome = schedule_outcome.run_schedule(text, wanted, schedule)
    if not checked or outcome.refused or outcome.failure:
        return outcome
    broken = broken_in(scenario_with(text, schedule))
    if not broken:
        return outcome
    return HuntOutcome({RUNS.measure: 1.0}, failure=HuntTexts.SIMULATOR_FAILED(error=broken[0]))
