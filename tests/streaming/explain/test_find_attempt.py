"""The first attempt at or after a moment, in tables whose old rows were removed."""

from __future__ import annotations

import pytest

from streaming.errors import InputError
from streaming.explain.find_attempt import Asked, find_attempt
from streaming.outputs.dataset import open_output
from tests.says import Says, raises
from tests.streaming.report.fake_output import SECOND, write_run, write_table


def left(folder, cells=1):
    """What is left of a run after rows from before 0:10 were removed: message 5, 5 s to 6 s, to message 14."""
    write_run(folder, cells=cells, removed_before_us=10 * SECOND)
    at = list(range(5, 15))
    times = {"begin_us": [one * SECOND for one in at], "end_us": [(one + 1) * SECOND for one in at]}
    write_table(folder, "attempts", {"broker": "broker-a", "topic": "orders", "attempt": 1, "send_seq": at} | times)
    return open_output(folder)


@pytest.mark.parametrize(("at_s", "found"), [(5, 5), (6.5, 7), (8, 8), (10, 10), (12.5, 13)])
def test_an_attempt_whose_row_is_left_is_found(tmp_path, at_s, found):
    assert find_attempt(left(tmp_path), Asked(at_us=int(at_s * SECOND))).row["send_seq"] == found


@pytest.mark.parametrize("at_s", [4, 5.5])
def test_a_moment_after_which_attempts_may_be_removed_is_refused(tmp_path, at_s):
    with raises(InputError, Says("output.rows-removed", until="0:10")):
        find_attempt(left(tmp_path), Asked(at_us=int(at_s * SECOND)))


def test_rows_of_one_cell_do_not_show_that_none_of_another_is_removed(tmp_path):
    with raises(InputError, Says("output.rows-removed")):
        find_attempt(left(tmp_path, cells=2), Asked(at_us=7 * SECOND + 1))
