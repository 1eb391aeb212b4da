"""What the report and the terminal say of messages that a group failed to handle."""

from __future__ import annotations

import pytest

from streaming.outputs.consumer_lags import ConsumerSummary
from streaming.outputs.summary import consumer_columns, summarise
from streaming.report.cards import shown_cards
from streaming.report.collected.data import collect
from streaming.report.consumers.retry_cards import retry_figures
from streaming.report.fault_times import ReportFault
from streaming.report.figures import figures
from streaming.report.findings.about_retries import about_retries, of_duplicates, of_expired, of_group
from streaming.report.texts.card_texts import CardTexts
from streaming.report.texts.group_finding_texts import GroupFindingTexts
from tests.says import Says
from tests.streaming.report.fake_output import SECOND, write_run, write_table
from tests.streaming.report.test_backlog_findings import billing

SCENARIO = """
name: fails
duration: 100s
client: {release: 5.3.3}
producers: {count: 1, rate: 10/s}
topics: {orders: {queues: 4}}
brokers: {broker-a: {latency: {constant: 1ms}, message_delay_level: 1s 5s 10s 30s}}
consumers: {billing: {topic: orders, count: 2, service: 5ms, fails: 0.1}}
"""
FAILS = ReportFault("F1", "billing-1 fails", "billing-1 fails", ((0, 3 * SECOND),), kind="fail", place="billing-1")
OTHER = ReportFault("F2", "audit-1 fails", "audit-1 fails", ((0, 3 * SECOND),), kind="fail", place="audit-1")


@pytest.fixture
def data(tmp_path):
    """100 windows: 8 of 10 deliveries fail in the first two, of which 3 are given up in the second."""
    write_run(tmp_path, consumer_groups=["billing"], clock_us=100 * SECOND, scenario_yaml=SCENARIO)
    counts = {"failed": [8, 8], "sent_back": [8, 5], "dead_letters": [0, 3]}
    windows = {"window_start_us": [n * SECOND for n in range(100)], "consumer_group": "billing", "consumed": [10] * 100}
    write_table(
        tmp_path, "consumer_windows",
        windows | {"lag_verdict": "OK"} | {name: [*two, *[0] * 98] for name, two in counts.items()},
    )  # fmt: skip
    retries = {"window_start_us": [0, SECOND], "consumer_group": "billing", "delay_level": [3, 4], "messages": [8, 5]}
    write_table(tmp_path, "retries", retries)
    return collect(tmp_path)


def test_dead_letters_are_found_with_the_failures_their_fault_and_the_last_retry(data):
    (found,) = about_retries(data, [FAILS, OTHER])
    due = GroupFindingTexts.RETRY_DUE(due="0:32")
    assert found.text == GroupFindingTexts.DEAD_LETTERS(
        group="billing", dead=3, failed=16, percent=1.6, begin="0:00", end="0:02", faults=" (F1)", due=due
    )
    assert (found.kind, found.size, found.place) == ("dead_letters", 3.0, "failed-0")


def test_the_table_of_groups_counts_failures_that_come_again_in_place():
    group = ConsumerSummary("billing", consumed=20, failed=8, sent_back=0, expired=0, dead_letters=2)
    cells = {title: cell(group) for title, cell in consumer_columns([group])}
    assert (cells["failed"], cells["dead\nletters"]) == ("8", "2")


def test_the_picture_stacks_retries_by_their_delay_under_dead_letters(data):
    traces = retry_figures(data)["failed-0"]["data"]
    assert [trace["name"] for trace in traces] == ["again after 10 s", "again after 30 s", "dead letter"]
    seconds = data.bin_us / SECOND
    assert [round(float(trace["y"][:-1].sum()) * seconds) for trace in traces] == [8, 5, 3]


def test_the_card_counts_retries_and_dead_letters(data):
    (card,) = (card for card in shown_cards(data, figures(data)) if card.name == "failed-0")
    assert card.note == Says("card.deliveries-failed-note", retries=13, letters=CardTexts.DEAD_LETTERS(dead=3))


def test_few_failures_without_a_dead_letter_are_not_worth_a_finding(tmp_path):
    (group,) = billing(tmp_path, [0] * 100, again=0, failed=[9, *[0] * 99])
    assert of_group(group, None, 100 * SECOND, []) is None


def test_a_retry_that_is_due_after_the_end_is_named_as_that(tmp_path):
    (group,) = billing(tmp_path, [0] * 10, again=0, failed=[5] * 10, sent_back=[5] * 10)
    found = of_group(group, 20 * SECOND, 10 * SECOND, [])
    due = GroupFindingTexts.RETRY_DUE_AFTER_END(due="0:20")
    assert found.text == GroupFindingTexts.FAILED_DELIVERIES(
        group="billing", failed=50, percent=50, begin="0:00", end="0:10", faults="", due=due
    )


@pytest.mark.parametrize(("failed", "columns"), [(0, 7), (2, 9)])
def test_a_group_that_handles_every_message_has_no_column_of_retries(tmp_path, failed, columns):
    groups = billing(tmp_path, [0] * 3, failed=[failed] * 3)
    assert len(consumer_columns(groups)) == columns


def test_instances_are_shown_where_their_number_changes(tmp_path):
    write_run(tmp_path, consumer_groups=["billing"], clock_us=4 * SECOND)
    begins = {"window_start_us": [n * SECOND for n in range(4)], "consumer_group": "billing", "lag_verdict": "OK"}
    write_table(tmp_path, "consumer_windows", begins | {"instances": [0, 2, 5, 3]})
    (group,) = summarise(tmp_path).consumers
    assert (group.instances_least, group.instances_most) == (2, 5)
    shown = [of_group(group) for title, of_group in consumer_columns([group]) if title == "instances"]
    assert shown == ["2 to 5"]


def test_what_a_sweep_sent_back_is_counted():
    found = of_expired(ConsumerSummary("billing", consumed=100, expired=2))
    assert found.text == Says("group-finding.expired", group="billing", count=2)
    assert (found.kind, found.size) == ("expired", 2)


@pytest.mark.parametrize(
    ("again", "rest"), [(0, GroupFindingTexts.LET_NONE_THROUGH()), (7, GroupFindingTexts.LET_THROUGH(again=7))]
)
def test_a_group_that_deduplicates_says_what_it_let_through(again, rest):
    found = of_duplicates(ConsumerSummary("billing", consumed=100, deduplicated=12, handled_again=again))
    assert found.text == Says("group-finding.deduplicated", group="billing", skipped=12, rest=rest)
