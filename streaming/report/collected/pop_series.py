"""What POP groups popped over time: messages that come again by the reason, and those that are invisible."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from streaming.outputs.dataset import RunOutput, codes, numbers

# why a message comes again, in the order of the areas
REASONS = ("instance away or unanswered", "instance too slow", "acknowledgement lost", "failed")


@dataclass
class PopSeries:
    """One POP group. again: [REASONS, bins], messages stored in the retry topic; invisible: [bins], most of the bin."""

    group: str
    again: np.ndarray
    invisible: np.ndarray

    def __bool__(self) -> bool:
        return bool(self.again.any() or self.invisible.any())


def pop_series(output: RunOutput, bin_us: int, bins: int) -> list[PopSeries]:
    """Of each consumer group, in the order of run.json; those that pull have nothing."""
    groups = list(output.about.get("consumer_groups", ()))
    window_us = int(output.about["window_us"])
    windows = -(-output.end_us // window_us) + 1
    again = np.zeros((len(groups), len(REASONS), bins), np.int64)
    invisible = np.zeros((len(groups), windows), np.int64)
    columns = ["consumer_group", "window_start_us", "revived", "revived_slow", "revived_unheard", "revived_failed",
               "invisible"]  # fmt: skip
    places = {name: place for place, name in enumerate(groups)}
    for batch in output.batches("pops", columns):
        start_us = numbers(batch.column("window_start_us"))
        seen = start_us // bin_us < bins
        group = codes(batch.column("consumer_group"), places)[seen]
        counts = [numbers(batch.column(name))[seen] for name in columns[2:]]
        rows = (counts[0] - counts[1] - counts[2] - counts[3], *counts[1:4])
        for reason, values in enumerate(rows):
            np.add.at(again[:, reason], (group, start_us[seen] // bin_us), values)
        np.add.at(invisible, (group, start_us[seen] // window_us), counts[4])
    highest = [_most(values, window_us, bin_us, bins) for values in invisible]
    return [PopSeries(name, again[place], highest[place]) for name, place in places.items()]


def _most(values: np.ndarray, window_us: int, bin_us: int, bins: int) -> np.ndarray:
    """The highest window of each bin."""
    found = np.zeros(bins, np.int64)
    place = np.arange(len(values)) * window_us // bin_us
    inside = place < bins
    np.maximum.at(found, place[inside], values[inside])
    return found
