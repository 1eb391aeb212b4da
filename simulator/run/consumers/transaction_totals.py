"""What the transactions of a run come to: check-backs by broker, and how long messages took to become readable."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from simulator.compiled.records import Array
from simulator.kernel import histogram
from simulator.run.consumers.consumer_tables import FATES
from state.columns import places
from state.later_tables import TRANSACTION_WINDOWS, TRANSACTIONS

TRANSACTION_TABLES = (TRANSACTIONS.name, TRANSACTION_WINDOWS.name)


class TransactionCounts:
    """check_backs: [brokers], of windows from `from_us` on; visible: [producer groups, histogram.CELLS], from the
    intended send time until the message is readable, of committed half messages with one from then on. Of the same
    never_visible: [producer groups], given up after all checks; open_ages: as visible, of those that are open at
    `end_us`, from the intended send time until then.

    group_of_thread: group of producers by sender thread.
    """

    def __init__(self, brokers: Sequence[str], groups: int, group_of_thread: Array, from_us: int, end_us: int) -> None:
        self._brokers, self._group_of_thread, self._from_us, self._end_us = brokers, group_of_thread, from_us, end_us
        self.check_backs = np.zeros(len(brokers), np.int64)
        self.visible = np.zeros((groups, histogram.CELLS), np.int64)
        self.open_ages = np.zeros((groups, histogram.CELLS), np.int64)
        self.never_visible = np.zeros(groups, np.int64)

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
        fate, counted = places(rows.column("fate"), FATES), arrival_us >= self._from_us
        settled_us = rows.column("settled_us").fill_null(0).to_numpy()
        group = self._group_of_thread[rows.column("sender").to_numpy()]
        is_open, is_committed, is_given_up = (fate == FATES.index(one) for one in ("open", "committed", "given up"))
        for number in range(len(self.visible)):
            own = counted & (group == number)
            seen, waits = own & is_committed, own & is_open
            histogram.add(self.visible[number], settled_us[seen] - arrival_us[seen])
            histogram.add(self.open_ages[number], np.maximum(self._end_us - arrival_us[waits], 0))
            self.never_visible[number] += int((own & is_given_up).sum())
