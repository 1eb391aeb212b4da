"""What brokers looked at for groups that filter, over time, and what they gave them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from streaming.outputs.dataset import RunOutput, codes, numbers
from streaming.report.fault_times import scenario_of

COUNTED = ("looked_at", "properties_read", "given")


@dataclass
class FilterSeries:
    """One group that filters. expressions: by topic; given, passed_by, read: [bins], messages.

    passed_by: looked at and left out without a look at properties; read: left out by properties that were read.
    """

    group: str
    expressions: dict[str, str]
    given: np.ndarray
    passed_by: np.ndarray
    read: np.ndarray

    def __bool__(self) -> bool:
        return bool(self.expressions) and bool(self.given.any() or self.passed_by.any() or self.read.any())


def filter_series(output: RunOutput, bin_us: int, bins: int) -> list[FilterSeries]:
    """Of each consumer group, in the order of run.json; those without a filter are empty."""
    groups = list(output.about.get("consumer_groups", ()))
    expressions = _expressions(output)
    counts = np.zeros((len(COUNTED), len(groups), bins), np.int64)
    places = {name: place for place, name in enumerate(groups)}
    for batch in output.batches("consumer_windows", ["consumer_group", "window_start_us", *COUNTED]):
        place = numbers(batch.column("window_start_us")) // bin_us
        seen = place < bins
        at = codes(batch.column("consumer_group"), places)[seen], place[seen]
        for number, name in enumerate(COUNTED):
            np.add.at(counts[number], at, numbers(batch.column(name))[seen])
    looked_at, properties_read, given = counts
    left_out = looked_at - given
    read = np.clip(properties_read - given, 0, left_out)
    return [
        FilterSeries(name, expressions.get(name, {}), given[place], (left_out - read)[place], read[place])
        for name, place in places.items()
    ]


def _expressions(output: RunOutput) -> dict[str, dict[str, str]]:
    """Of each group the expressions by topic, without topics that it takes whole."""
    scenario = scenario_of(output)
    groups = {} if scenario is None else scenario.consumers
    return {
        name: {topic: each.sql or each.tags for topic, each in own.readings.items() if each.is_filtered}
        for name, own in groups.items()
    }
