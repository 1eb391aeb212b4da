"""What the terminal and the findings say of consumer groups."""

from __future__ import annotations

from streaming.report.findings.about_backlog import about_backlog
from streaming.results.consumer_lags import GroupTotals
from streaming.results.dataset import open_output
from tests.streaming.report.fake_output import SECOND, write_run, write_table


def billing(folder, lags):
    """The summary of a group with these lags at the ends of its windows, which consumes 10 messages in each."""
    write_run(folder, consumer_groups=["billing"], clock_us=len(lags) * SECOND)
    starts, many = [number * SECOND for number in range(len(lags))], len(lags)
    rows = {"window_start_us": starts, "consumer_group": "billing", "lag": lags}
    write_table(folder, "consumer_windows", rows | {"consumed": [10] * many, "consumed_again": [1] * many})
    totals, output = GroupTotals(open_output(folder)), open_output(folder)
    output.feed("consumer_windows", totals)
    return totals.summaries()


def test_the_summary_of_a_group_has_its_greatest_lag_and_when(tmp_path):
    (found,) = billing(tmp_path, [0, 400, 90, 10])
    assert (found.consumed, found.consumed_again, found.lag_end) == (40, 4, 10)
    assert (found.lag_max, found.lag_max_at_s, found.began_s, found.gone_s) == (400, 2.0, 1.0, 4.0)


def test_a_backlog_is_found_with_its_top_and_its_end(tmp_path):
    backlog, twice = about_backlog(billing(tmp_path, [0, 400, 90, 10]), [])
    assert backlog.text == "backlog of billing: 400 messages at 0:02, gone at 0:04"
    assert twice.text == "billing consumed messages again 4 times (10.00 %)"


def test_a_backlog_that_is_never_gone_says_what_is_left(tmp_path):
    backlog, _ = about_backlog(billing(tmp_path, [0, 400, 390, 380]), [])
    assert backlog.text.endswith("400 messages at 0:02, 380 left at the end")


def test_a_lag_of_a_few_windows_is_no_backlog(tmp_path):
    assert [one.kind for one in about_backlog(billing(tmp_path, [0, 50, 0]), [])] == ["consumed_twice"]


def test_a_run_without_consumers_has_no_summary_of_them(tmp_path):
    write_run(tmp_path)
    assert GroupTotals(open_output(tmp_path)).summaries() == ()
