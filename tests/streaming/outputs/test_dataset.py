"""What is read of an output folder while its job goes on."""

from __future__ import annotations

import pytest

from streaming.errors import InputError
from streaming.outputs.dataset import open_output
from streaming.outputs.summary import summarise
from tests.says import Says, raises
from tests.streaming.asked import ask
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


@pytest.mark.parametrize(("were", "removed_before_us"), [(3, 200 * SECOND), (2, 0)])
def test_rows_that_an_earlier_version_removed_are_known_by_how_many_were_written(tmp_path, were, removed_before_us):
    written = {"batch": 1, "before": {"attempts": were - 1}, "rows": {"attempts": 1}}
    folder = write_run(tmp_path / "out", written=written, keep_us=100 * SECOND)
    write_table(folder, "attempts", {"broker": "broker-a", "send_seq": [1, 2]})
    output = open_output(folder)
    assert output.removed_before_us == removed_before_us
    assert bool(summarise(folder).removed) == bool(removed_before_us)
    if removed_before_us:
        with raises(InputError, Says("output.whole-run-expected")):
            output.check_whole()


def test_a_longer_time_to_keep_does_not_bring_rows_back_that_an_earlier_version_removed(tmp_path, monkeypatch, capsys):
    written = {"batch": 1, "before": {"attempts": 2}, "rows": {"attempts": 1}}
    folder = write_run(tmp_path / "out", written=written, keep_us=100 * SECOND)
    write_table(folder, "attempts", {"broker": "broker-a", "send_seq": [1, 2], "end_us": 250 * SECOND})
    assert ask(monkeypatch, capsys, "compact", folder, "--keep", "4m")[0] == 0
    assert open_output(folder).removed_before_us == 200 * SECOND
