"""What is read of an output folder while its job goes on."""

from __future__ import annotations

import pytest

from streaming.outputs.dataset import open_output
from tests.streaming.report.fake_output import SECOND, write_run, write_table


@pytest.mark.parametrize(("finished", "read"), [(False, [0, 1]), (True, [0, 1, 2])])
def test_rows_of_a_micro_batch_that_the_run_has_not_counted_wait(tmp_path, finished, read):
    written = {"batch": 1, "before": {}, "rows": {"attempts": 2}}
    folder = write_run(tmp_path / "out", finished=finished, written=written)
    for batch in range(3):
        at_us = batch * SECOND
        write_table(
            folder,
            "attempts",
            {"broker": "broker-a", "send_seq": [batch], "begin_us": [at_us], "end_us": [at_us]},
            batch,
        )
    rows = open_output(folder).batches("attempts", ["send_seq"])
    assert [seq for some in rows for seq in some[0].to_pylist()] == read
