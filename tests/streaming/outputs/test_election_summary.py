"""The elections of a run, summed up."""

from __future__ import annotations

import pyarrow as pa

from streaming.outputs.tables.election_summary import ElectionTotals
from streaming.outputs.tables.later_columns import ELECTION_COLUMNS, later_tables


def row(at_us, machine, named_us):
    return {
        "at_us": at_us, "broker": "a", "machine": machine, "epoch": 2, "reason": "its connection closed",
        "gone_us": 30_000_000, "named_us": named_us,
    }  # fmt: skip


def test_elections_stand_in_order_of_time_with_how_long_nobody_was_master():
    totals = ElectionTotals()
    totals.add(pa.RecordBatch.from_pylist([row(35_500_000, 3, 35_600_000), row(30_100_000, None, None)]))
    nobody, elected = totals.summaries()
    assert (nobody.machine, round(nobody.without_s, 3), nobody.named_after_s) == (None, 0.1, None)
    assert (elected.machine, elected.without_s, round(elected.named_after_s, 3)) == (3, 5.5, 0.1)
    assert [text(nobody) for _, text in ELECTION_COLUMNS][:3] == ["a", "0:30", "nobody"]


def test_a_run_without_elections_has_no_table_of_them():
    assert list(later_tables((), (), (), ())) == []
