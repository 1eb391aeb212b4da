"""A job without an end: how long its scenario is taken to be, and the wall clock that its pace follows."""

from __future__ import annotations

import time

from simulator.scenario import Scenario
from streaming.errors import InputError
from streaming.job.checkpoint import PACE, Checkpoint, read_json, write_json

FOREVER = "3650d"
MOST_REPETITIONS = 5_000  # of a fault: each is planned ahead


def check_endless(scenario: Scenario) -> None:
    """Raise InputError for a scenario that cannot be planned for so long."""
    for number, fault in enumerate(scenario.faults):
        times = len(fault.starts_us(scenario.duration_us))
        if times > MOST_REPETITIONS:
            raise InputError(
                f"faults.{number}: with --forever it would come back {times:,} times, and at most "
                f"{MOST_REPETITIONS:,} can be planned; give it an `until`, or a longer `every`"
            )


def due_since_s(checkpoint: Checkpoint, speed: float, reached_us: int) -> float:
    """When virtual time 0 was due, in seconds of the wall clock since 1970; noted in the checkpoint at first.

    As long as the pace stays the same, time that passes without the job is made up for when it goes on. With another
    pace it goes on from where it is.
    """
    file = checkpoint.folder / PACE
    if file.exists():
        noted = read_json(file, "note of the job's pace")
        if noted.get("speed") == speed and isinstance(noted.get("due_since_s"), float):
            return float(noted["due_since_s"])
    since_s = time.time() - reached_us / 1e6 / speed
    write_json(file, {"speed": speed, "due_since_s": since_s})
    return since_s
