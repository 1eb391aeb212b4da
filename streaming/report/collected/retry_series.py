"""What consumer groups failed to handle over time: retries by delay level, and dead letters."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from simulator.consumer.rules.delay_levels import parse_delay_level
from simulator.scenario import Scenario
from streaming.outputs.dataset import RunOutput, codes, numbers


@dataclass
class RetrySeries:
    """One consumer group. levels: delay level -> messages that failed and come again with it, by bin of the report.

    dead: messages given up, by bin; sent_until_us: delay level -> end of the last window in which it was used.
    """

    group: str
    dead: np.ndarray
    levels: dict[int, np.ndarray] = field(default_factory=dict)
    sent_until_us: dict[int, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.levels) or bool(self.dead.any())

    @property
    def retries(self) -> int:
        """Messages that failed and come again, each as often as it does."""
        return sum(int(counts.sum()) for counts in self.levels.values())


def level_delays_ms(scenario: Scenario | None) -> dict[int, int]:
    """Delay of each level; empty where brokers differ."""
    tables = {broker.message_delay_level for broker in scenario.brokers.values()} if scenario is not None else set()
    return dict(parse_delay_level(tables.pop()).delays_ms) if len(tables) == 1 else {}


def retry_series(output: RunOutput, bin_us: int, bins: int) -> list[RetrySeries]:
    """Of each group, in the order of run.json."""
    groups = list(output.about.get("consumer_groups", ()))
    found = [RetrySeries(group, np.zeros(bins, np.int64)) for group in groups]
    if groups:
        places = {name: place for place, name in enumerate(groups)}
        _read_dead_letters(output, found, places, bin_us)
        _read_retries(output, found, places, bin_us)
    return found


def _read_dead_letters(output: RunOutput, found: list[RetrySeries], places: dict[str, int], bin_us: int) -> None:
    for batch in output.batches("consumer_windows", ["consumer_group", "window_start_us", "dead_letters"]):
        group = codes(batch.column("consumer_group"), places)
        place, dead = numbers(batch.column("window_start_us")) // bin_us, numbers(batch.column("dead_letters"))
        for number, own in enumerate(found):
            inside = (group == number) & (place < len(own.dead))
            np.add.at(own.dead, place[inside], dead[inside])


def _read_retries(output: RunOutput, found: list[RetrySeries], places: dict[str, int], bin_us: int) -> None:
    window_us = int(output.about["window_us"])
    for batch in output.batches("retries", ["consumer_group", "window_start_us", "delay_level", "messages"]):
        group, start_us = codes(batch.column("consumer_group"), places), numbers(batch.column("window_start_us"))
        level, messages = numbers(batch.column("delay_level")), numbers(batch.column("messages"))
        for number, which in {*zip(group.tolist(), level.tolist(), strict=True)}:
            own, seen = found[number], (group == number) & (level == which)
            counts = own.levels.setdefault(which, np.zeros(len(own.dead), np.int64))
            inside = seen & (start_us // bin_us < len(counts))
            np.add.at(counts, start_us[inside] // bin_us, messages[inside])
            until_us = int(start_us[seen].max()) + window_us
            own.sent_until_us[which] = max(own.sent_until_us.get(which, 0), until_us)
