"""What the consumers of a run come to: counts and lag by group, from the rows of consumer_windows and pops."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from simulator.compiled.records import Array
from state.columns import places
from state.group_table import CONSUMER_WINDOWS
from state.later_tables import POPS

SUMMED = (
    "consumed", "consumed_again", "unowned_us", "double_owned_us", "sent_back", "failed", "dead_letters",
    "instances", "out_of_order",
)  # fmt: skip
SO_FAR = ("missed", "skipped")  # the table has them from the beginning on
OF_POPS = ("popped", "revived", "revived_failed")
# columns of the tables; invisible: at the end; scaled: instances more or fewer than a window before
CONSUMER_COUNTS = (*SUMMED, *SO_FAR, *OF_POPS, "invisible", "scaled")


class ConsumerCounts:
    """counts: [groups, CONSUMER_COUNTS] of the windows from `from_us` on; lag: [windows, groups] at their ends."""

    def __init__(self, groups: tuple[str, ...], windows: int, window_us: int, from_us: int) -> None:
        self._groups, self._window_us, self._from_us = groups, window_us, from_us
        self.counts = np.zeros((len(groups), len(CONSUMER_COUNTS)), np.int64)
        self._last = np.full(len(groups), -1, np.int64)
        # before the windows that count, and at the last one's end
        self._so_far = np.zeros((len(SO_FAR), 2, len(groups)), np.int64)
        self.lag = np.zeros((windows, len(groups)), np.int64)

    def take(self, name: str, rows: pa.Table) -> None:
        """Take finished rows of any table."""
        if rows.num_rows and name == POPS.name:
            self._take_pops(rows)
        elif rows.num_rows and name == CONSUMER_WINDOWS.name:
            self._take_windows(rows)

    def _take_pops(self, rows: pa.Table) -> None:
        begin, group = _numbers(rows, "window_start_us"), places(rows.column("consumer_group"), self._groups)
        counted = begin >= self._from_us
        for name in OF_POPS:
            column = self.counts[:, CONSUMER_COUNTS.index(name)]
            np.add.at(column, group[counted], _numbers(rows, name)[counted])
        last = begin == (len(self.lag) - 1) * self._window_us
        np.add.at(self.counts[:, CONSUMER_COUNTS.index("invisible")], group[last], _numbers(rows, "invisible")[last])

    def _take_windows(self, rows: pa.Table) -> None:
        begin = _numbers(rows, "window_start_us")
        group, counted = places(rows.column("consumer_group"), self._groups), begin >= self._from_us
        self.lag[begin // self._window_us, group] = _numbers(rows, "lag")
        for column, count in enumerate(SUMMED):
            np.add.at(self.counts[:, column], group[counted], _numbers(rows, count)[counted])
        for (before, last), count in zip(self._so_far, SO_FAR, strict=True):
            messages = _numbers(rows, count)
            before[group[~counted]] = messages[~counted]
            last[group] = messages
            self.counts[:, CONSUMER_COUNTS.index(count)] = last - before
        for place, instances in zip(
            group[counted].tolist(), _numbers(rows, "instances")[counted].tolist(), strict=True
        ):
            if self._last[place] >= 0:
                self.counts[place, -1] += abs(instances - self._last[place])
            self._last[place] = instances


def _numbers(rows: pa.Table, name: str) -> Array:
    found: Array = rows.column(name).to_numpy()
    return found
