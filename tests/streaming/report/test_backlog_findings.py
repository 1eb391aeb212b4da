"""What the terminal and the findings say of consumer groups."""

from __future__ import annotations

import pytest

from streaming.outputs.consumer_lags import GroupTotals
from streaming.outputs.dataset import open_output
from streaming.report.collected.data import collect
from streaming.report.consumers.consumer_cards import backlog_cards
from streaming.report.fault_times import ReportFault
from streaming.report.findings.about_backlog import about_backlog
from streaming.report.findings.about_skipped import about_skipped, skipped_since_start
from streaming.report.texts.card_texts import CardTexts
from streaming.report.texts.consequence_texts import ConsequenceTexts
from streaming.report.texts.group_finding_texts import GroupFindingTexts
from tests.says import Says
from tests.streaming.report.fake_output import SECOND, write_run, write_table

FROZEN = ReportFault(
    "F1", "billing-2 hangs", "billing-2 hangs", ((SECOND, 3 * SECOND),), kind="hang", place="billing-2"
)


def billing(folder, lags, again=1, **columns):
    """The summary of a group with these lags at the ends of its windows, which consumes 10 messages in each."""
    write_run(folder, consumer_groups=["billing"], clock_us=len(lags) * SECOND)
    starts, many = [number * SECOND for number in range(len(lags))], len(lags)
    rows = {"window_start_us": starts, "consumer_group": "billing", "lag": lags}
    write_table(
        folder,
        "consumer_windows",
        rows | {"consumed": [10] * many, "lag_verdict": "OK"} | {"consumed_again": [again] * many} | columns,
    )
    totals, output = GroupTotals(open_output(folder)), open_output(folder)
    output.feed("consumer_windows", totals)
    return totals.summaries()


def left_of_billing(folder, **columns):
    """The summary of a group whose windows before 0:02 were removed."""
    write_run(folder, consumer_groups=["billing"], clock_us=5 * SECOND, removed_before_us=2 * SECOND)
    rows = {"window_start_us": [2 * SECOND, 3 * SECOND, 4 * SECOND], "consumer_group": "billing", "lag_verdict": "OK"}
    write_table(folder, "consumer_windows", rows | columns)
    totals, output = GroupTotals(open_output(folder)), open_output(folder)
    output.feed("consumer_windows", totals)
    return totals.summaries()[0]


def test_the_summary_of_a_group_has_its_greatest_lag_and_when(tmp_path):
    (found,) = billing(tmp_path, [0, 400, 90, 10])
    assert (found.consumed, found.consumed_again, found.lag_end) == (40, 4, 10)
    assert (found.lag_max, found.lag_max_at_s, found.began_s, found.gone_s) == (400, 2.0, 1.0, 4.0)


def test_a_backlog_is_found_with_its_top_and_its_end(tmp_path):
    backlog, twice = about_backlog(billing(tmp_path, [0, 400, 90, 10]), [])
    gone = GroupFindingTexts.BACKLOG_GONE(gone="0:04")
    assert backlog.text == GroupFindingTexts.BACKLOG(group="billing", most=400, at="0:02", left=gone, cause="")
    why = f": {GroupFindingTexts.WHY_NOT_SHOWN()}"
    assert twice.text == GroupFindingTexts.TWICE(group="billing", count=4, percent="10.00", why=why)


def test_a_backlog_that_is_never_gone_says_what_is_left(tmp_path):
    backlog, _ = about_backlog(billing(tmp_path, [0, 400, 390, 380]), [])
    left = GroupFindingTexts.BACKLOG_LEFT(count=380)
    assert backlog.text == Says("group-finding.backlog", most=400, at="0:02", left=left, cause="")


def test_starts_that_no_name_server_answered_are_found_with_the_fault(tmp_path):
    gone = ReportFault("F2", "NS 1", "name server 1 is down", ((SECOND, 3 * SECOND),), kind="name_server_down")
    groups = billing(tmp_path, [0, 0, 0, 0], again=0, failed_starts=[0, 2, 1, 0])
    (found,) = about_backlog(groups, [FROZEN, gone])
    assert (found.kind, found.size, found.from_us, found.until_us) == ("failed_starts", 3.0, SECOND, 3 * SECOND)
    assert found.text == Says(
        "group-finding.failed-starts", count=3, when="from 0:01 to 0:03", cause=f": {found.cause}"
    )
    assert found.cause == "name server 1 is down (F2, 0:01 to 0:03)"


def test_a_lag_of_a_few_windows_is_no_backlog(tmp_path):
    assert [one.kind for one in about_backlog(billing(tmp_path, [0, 50, 0]), [])] == ["consumed_twice"]


def test_messages_consumed_twice_have_the_last_thing_that_happened_before_as_their_cause(tmp_path):
    again = [0, 3, 0, 0, 0, 0, 0, 0, 0, 5]
    (found,) = about_backlog(billing(tmp_path, [0] * 10, consumed_again=again), [FROZEN])
    resumed, stood = (
        text(place="billing-2", number="F1") for text in (GroupFindingTexts.RESUMED, GroupFindingTexts.STOOD_STILL)
    )
    why = f": 5 {resumed}; 3 {stood}"
    assert found.text == GroupFindingTexts.TWICE(group="billing", count=8, percent="8.00", why=why)
    assert (found.from_us, found.until_us) == (SECOND, 10 * SECOND)


def test_the_verdict_on_a_lag_is_found_with_its_time_after_the_fault(tmp_path):
    reported = ["OK", "OK", "STOP", "STOP", "REWIND", "OK", "OK"]
    group = billing(tmp_path, [0] * 7, again=0, lag_verdict=reported)
    (found,) = about_backlog(group, [FROZEN])
    assert group[0].verdicts == (("STOP", 3.0, 5.0), ("REWIND", 5.0, 6.0))
    assert found.text == GroupFindingTexts.LAG_VERDICT(
        verdict="STOP", group="billing", at="0:03",
        after=GroupFindingTexts.LAG_AFTER(seconds=2, fault="billing-2 hangs", number="F1"),
        then=GroupFindingTexts.LAG_LATER(later="REWIND"), ended=GroupFindingTexts.LAG_OK(ok="0:06"),
    )  # fmt: skip


def test_queues_without_an_owner_are_found(tmp_path):
    (found,) = about_backlog(billing(tmp_path, [0, 0], again=0, unowned_us=[4 * SECOND, 8 * SECOND]), [])
    assert found.text == GroupFindingTexts.UNOWNED(group="billing", seconds=12)


def test_a_run_without_consumers_has_no_summary_of_them(tmp_path):
    write_run(tmp_path)
    assert GroupTotals(open_output(tmp_path)).summaries() == ()


def test_messages_that_were_deleted_unread_are_a_finding_with_their_time(tmp_path):
    (group,) = billing(tmp_path, [0, 0, 0, 0], again=0, missed=[0, 30, 30, 48])
    (found,) = about_backlog([group], [])
    when = GroupFindingTexts.FROM_TO(begin="0:02", end="0:04")
    assert found.text == GroupFindingTexts.MISSED(group="billing", count=48, when=f" {when}")
    assert (group.missed, found.kind, found.size) == (48, "missed", 48.0)


def test_messages_that_a_group_went_past_are_a_finding_with_those_stored_while_it_ran(tmp_path):
    (group,) = billing(tmp_path, [0, 0, 0, 0], skipped=[0, 61, 61, 61], skipped_since_start=[0, 1, 1, 1])
    (found,) = about_skipped([group], [])
    assert (found.kind, found.size, found.from_us) == ("skipped", 61.0, 2 * SECOND)
    why = GroupFindingTexts.SKIPPED_SINCE_START(since=1)
    assert found.text == Says("group-finding.skipped", count=61, when=f" {ConsequenceTexts.AT(begin='0:02')}", why=why)


@pytest.mark.parametrize(
    ("skipped", "missed", "from_us"), [([7, 7, 9], [3, 3, 4], None), ([0, 0, 9], [0, 0, 4], 5 * SECOND)]
)
def test_what_was_skipped_in_windows_that_were_removed_has_no_time(tmp_path, skipped, missed, from_us):
    group = left_of_billing(tmp_path, skipped=skipped, missed=missed)
    (skip,), (miss,) = about_skipped([group], []), about_backlog([group], [])
    assert (skip.kind, skip.size, skip.from_us, skip.until_us) == ("skipped", 9.0, from_us, from_us)
    assert (miss.kind, miss.size, miss.from_us, miss.until_us) == ("missed", 4.0, from_us, from_us)
    when = "" if from_us is None else f" {ConsequenceTexts.AT(begin='0:05')}"
    assert skip.text == GroupFindingTexts.SKIPPED(group="billing", count=9, when=when, why="")
    assert miss.text == GroupFindingTexts.MISSED(group="billing", count=4, when=when)


def test_what_was_stored_since_a_start_is_not_known_of_windows_that_were_removed(tmp_path):
    left_of_billing(tmp_path, skipped_since_start=[7, 7, 9])
    output = open_output(tmp_path)
    assert skipped_since_start(output, "billing", [(2 * SECOND, 4 * SECOND)]) == 0
    assert skipped_since_start(output, "billing", [(3 * SECOND, 5 * SECOND)]) == 2


def test_what_a_reset_of_offsets_skips_names_the_reset(tmp_path):
    group = billing(tmp_path, [0, 0], skipped=[0, 61], skipped_since_start=[0, 61])
    reset = ReportFault(
        "F2", "offsets of billing are reset", "-", ((SECOND, SECOND),), kind="reset_offset", place="billing"
    )
    (found,) = about_skipped(group, [reset])
    assert found.text == Says("group-finding.skipped", why=GroupFindingTexts.RESETS(faults="F2"))


def test_the_note_of_the_picture_has_the_time_of_the_finding(tmp_path):
    billing(tmp_path, [0, 400, 90, 10])
    data = collect(tmp_path)
    (finding, *_) = about_backlog(data.summary.consumers, [])
    (card, *_) = backlog_cards(data)
    assert finding.text == Says("group-finding.backlog", most=400, at="0:02")
    assert (
        CardTexts.BACKLOG_MOST(group="billing", most=400, at="0:02", twice=CardTexts.BACKLOG_TWICE(again=4))
        in card.note
    )
