"""What the transactions of a run come to: check-backs by broker, and how long messages took to become readable."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from simulator import histogram
from simulator.compiled.records import Array
from simulator.run.consumers.consumer_tables import FATES
from state.columns import places
from state.later_tables import TRANSACTION_WINDOWS, TRANSACTIONS

TRANSACTION_TABLES = (TRANSACTIONS.name, TRANSACTION_WINDOWS.name)


class TransactionCounts:
    """check_backs: [brokers], of windows from `from_us` on; visible: [producer groups, histogram.CELLS], from the wish
    to send until the message is readable, of committed half messages that were wished for from then on.

    group_of_thread: group of producers by sender thread.
    """

    def __init__(self, brokers: Sequence[str], groups: int, group_of_thread: Array, from_us: int) -> None:
        self._brokers, self._group_of_thread, self._from_us = brokers, group_of_thread, from_us
        self.check_backs = np.zeros(len(brokers), np.int64)
        self.visible = np.zeros((groups, histogram.CELLS), np.int64)

    def take(self, name: str, rows: pa.Table) -> None:
        """Take finished rows of any table."""
        if name == TRANSACTION_WINDOWS.name and rows.num_rows:
            counted = rows.column("window_start_us").to_numpy() >= self._from_us
            broker = places(rows.column("broker"), self._brokers)
            np.add.at(self.check_backs, broker[counted], rows.column("checks").to_numpy()[counted])
        elif name == TRANSACTIONS.name and rows.num_rows:
            self._count_visible(rows)

    def _count_visible(self, rows: pa.Table) -> None:
        arrival_us = rows.column("arrival_us").to_numpy()
        is_committed = places(rows.column("fate"), FATES) == FATES.index("committed")
        seen = is_committed & (arrival_us >= self._from_us)
        settled_us = rows.column("settled_us").fill_null(0).to_numpy()
        group = self._group_of_thread[rows.column("sender").to_numpy()]
        for number, counts in enumerate(self.visible):
            own = seen & (group == number)
            histogram.add(counts, settled_us[own] - arrival_us[own])
