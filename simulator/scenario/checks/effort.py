"""What it takes to run a scenario: CPU time and memory, from its messages.

Measured with the loop and the plain engine on one core of an AMD EPYC: 2 us a message with all of its rows, of which
the loop takes 0.1 to 0.4 us. A consumption takes 0.4 us, a window 10 us. Memory: 140 bytes a message of a run whose
tables are summed up at its end; 40 bytes a message that is stored and not consumed.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from simulator.scenario.checks.group_load import group_load, load_at
from simulator.scenario.checks.rough import rough_count, rough_duration
from simulator.scenario.checks.utilisation import moments_us
from simulator.scenario.scenario import Scenario
from simulator.scenario.texts.warning_texts import WarningTexts

START_S = 2.0
SEND_S = 2e-6
SEND_OF_WINDOWS_S = 0.24e-6  # where only windows are put out: experiments, advice
CONSUMPTION_S = 0.4e-6
WINDOW_S = 10e-6
START_BYTES = 400 << 20
MESSAGE_BYTES = 140
STORED_BYTES = 40
LONG_S = 3_600.0
STORED_MOST_BYTES = 8 << 30  # what a part of a cell's memory holds (state/packing.py)


@dataclass(frozen=True)
class Effort:
    """messages, consumptions: of the run; stored: most messages that are kept for some group; and what follows."""

    messages: float
    consumptions: float
    stored: float
    windows: int

    @property
    def seconds(self) -> float:
        """CPU time of a run with all tables, on one core."""
        return START_S + self.messages * SEND_S + self._other_s

    @property
    def seconds_of_windows(self) -> float:
        """The same of a run of an experiment, which puts out windows only."""
        return self.messages * SEND_OF_WINDOWS_S + self._other_s

    @property
    def _other_s(self) -> float:
        return self.consumptions * CONSUMPTION_S + self.windows * WINDOW_S

    @property
    def memory_bytes(self) -> int:
        """Memory of a run with the plain engine."""
        return START_BYTES + int(self.messages * MESSAGE_BYTES + self.stored * STORED_BYTES)

    @property
    def text(self) -> str:
        """Time and memory in a few words."""
        gib = f"{self.memory_bytes / (1 << 30):,.1f}"
        return WarningTexts.EFFORT(time=rough_duration(self.seconds), gib=gib)


def effort_of(scenario: Scenario) -> Effort:
    """What a run of a scenario takes, about."""
    edges = [*moments_us(scenario), scenario.duration_us]
    consumptions, stored = 0.0, 0.0
    for group in scenario.consumers.values():
        readers = group.instances if group.is_broadcasting else 1
        for begin_us, end_us in pairwise(edges):
            consumptions += readers * load_at(scenario, group, begin_us)[0] * (end_us - begin_us) / 1e6
        stored = max(stored, group_load(scenario, group).behind_most)
    return Effort(scenario.expected_messages, consumptions, stored, scenario.window_count)


def effort_warnings(scenario: Scenario) -> list[str]:
    """A run that takes more than an hour, and a backlog that no cell holds."""
    found, warnings = effort_of(scenario), list[str]()
    if found.seconds > LONG_S:
        messages, time = rough_count(found.messages), rough_duration(found.seconds)
        of_windows = rough_duration(found.seconds_of_windows)
        warnings.append(WarningTexts.LONG_RUN(messages=messages, time=time, of_windows=of_windows))
    if found.stored * STORED_BYTES > STORED_MOST_BYTES:
        gib, most = f"{found.stored * STORED_BYTES / (1 << 30):,.0f}", STORED_MOST_BYTES >> 30
        messages = rough_count(found.stored)
        warnings.append(WarningTexts.LARGE_BACKLOG(messages=messages, gib=gib, bytes=STORED_BYTES, most=most))
    return warnings
