"""What the report and the terminal say of delay levels and of transactions."""

from __future__ import annotations

import pytest

from streaming.report.cards import shown_cards
from streaming.report.collected.data import collect
from streaming.report.consumers.transaction_cards import transaction_figures
from streaming.report.fault_times import ReportFault
from streaming.report.figures import figures
from streaming.report.findings.about_delays import about_delays
from streaming.report.findings.about_transactions import about_transactions
from streaming.report.text_report import report_markdown
from streaming.report.texts.group_finding_texts import GroupFindingTexts
from tests.says import Says
from tests.streaming.report.fake_output import SECOND, write_run, write_table

SCENARIO = """
name: later
duration: 100s
client: {release: 4.9.2}
producers: {count: 1, rate: 10/s, delay: {level: 1}}
topics: {orders: {queues: 4}}
brokers:
  broker-a: {latency: {constant: 1ms}, message_delay_level: 1s 5s, delayed_delivery: 100ms, release: RELEASE}
  broker-b: {like: broker-a}
consumers: {billing: {topic: orders, service: 5ms}}
"""
BROKERS = {"brokers": ["broker-a", "broker-b"], "consumer_groups": ["billing"], "clock_us": 100 * SECOND}
KILLED = ReportFault("F1", "broker-b", "broker-b is killed", ((0, 3 * SECOND),), "kill", brokers=("broker-b",))


@pytest.fixture
def delays(tmp_path):
    """Level 1 of broker-a delivers 9 a second from 1 s to 3 s and is up to 4 s late, that of broker-b is on time."""

    def write(release="4.9.2", delivered=9, broker="broker-a"):
        write_run(tmp_path, scenario_yaml=SCENARIO.replace("RELEASE", release), **BROKERS)
        write_table(
            tmp_path, "delays",
            {
                "window_start_us": [SECOND, SECOND, 2 * SECOND, 2 * SECOND], "broker": [broker, "broker-b"] * 2,
                "delay_level": 1, "added": 10, "delivered": [delivered, 10] * 2, "waiting": [5, 1, 8, 2],
                "late_p99_ms": [2_000.0, 5.0, 3_900.0, 5.0], "late_max_ms": [2_100.0, 6.0, 4_000.0, 6.0],
            },
        )  # fmt: skip
        return collect(tmp_path)

    return write


def test_a_level_that_is_late_is_found_with_its_thread(delays):
    (found,) = about_delays(delays(), [KILLED])
    assert found.text == Says(
        "group-finding.late-level", level="level 1 (1 s)", broker="broker-a", late="4 s", begin="0:01", end="0:03"
    )
    thread = GroupFindingTexts.ONE_TIMER(release="4.9.2")
    assert found.cause == Says("group-finding.thread-delivers", thread=thread, most_per_s=10.0)
    assert found.text.endswith(f": {found.cause}.")
    assert (found.size, found.place) == (4.0, "delays")


def test_a_broker_that_was_away_is_the_cause(delays):
    (found,) = about_delays(delays(broker="broker-b"), [KILLED])
    assert found.cause == "broker-b is killed (F1, 0:00 to 0:03)"


def test_a_thread_with_time_left_is_not_blamed(delays):
    (found,) = about_delays(delays("5.3.3", delivered=4), [])
    assert found.text.endswith("late, from 0:01 to 0:03.")


def test_waiting_messages_are_those_of_all_brokers(delays):
    data = delays()
    assert data.delays.waiting[1].max() == 10
    (level,) = data.summary.delays
    assert (level.delay_level, level.added, level.delivered, level.waiting) == (1, 40, 38, 10)
    assert (level.late_p99_ms, level.late_max_ms) == (3_900.0, 4_000.0)
    assert "| 1 | 40 | 38 | 0 | 10 | 3,900 | 4,000 |" in report_markdown(data)


@pytest.fixture
def transactions(tmp_path):
    """Six half messages: committed, committed by a check twice readable, rolled back, given up, open; 30 checks."""
    write_run(tmp_path, scenario_yaml=SCENARIO, **BROKERS)
    fates = ["committed", "committed", "rolled back", "given up", "open", "rolled back"]
    write_table(
        tmp_path, "transactions",
        {
            "sender": [0, 0, 1, 1, 2, 2], "send_seq": [0, 1, 0, 1, 0, 1],
            "broker": "broker-a", "topic": "orders", "fate": fates,
            "by_check": [False, True, False, False, False, False], "delivered": [1, 2, 0, 0, 0, 1],
            "arrival_us": [SECOND] * 6, "settled_us": [SECOND + 20_000, 31 * SECOND, *[2 * SECOND] * 4],
        },
    )  # fmt: skip
    write_table(
        tmp_path, "transaction_windows",
        {"window_start_us": [n * SECOND for n in range(4)], "broker": "broker-a", "checks": [2, 26, 0, 2], "open": 3},
    )  # fmt: skip
    return collect(tmp_path)


def test_half_messages_are_counted_by_fate(transactions):
    (group,) = transactions.summary.transactions
    assert (group.halves, group.committed, group.rolled_back, group.given_up, group.open) == (6, 2, 2, 1, 1)
    assert (group.by_check, group.twice, group.readable_rolled_back) == (1, 1, 1)
    assert group.visible_p50_ms == pytest.approx(20, rel=0.02)
    assert group.visible_p99_ms == pytest.approx(30_000, rel=0.02)


def test_what_should_not_be_is_found_the_worst_first(transactions):
    found = {one.kind: one.text for one in about_transactions(transactions, [KILLED])}
    one = {"group": "orders-producer", "count": 1}
    assert found["readable_rolled_back"] == Says("group-finding.readable-rolled-back", **one)
    assert found["given_up"] == Says("group-finding.halves-given-up", **one)
    assert found["readable_twice"] == Says("group-finding.readable-twice", **one, when="at 0:31", elsewhere="")


LATE = {
    "sender": [0, 0, 1, 1, 2], "broker": "broker-a", "topic": "orders",
    "fate": ["committed", "committed", "committed", "rolled back", "open"],
    "by_check": [True, True, False, True, False], "delivered": [1, 1, 1, 0, 0], "arrival_us": [SECOND] * 5,
    "local_end_us": [SECOND, 2 * SECOND, 2 * SECOND, SECOND, 90 * SECOND],
    "settled_us": [31 * SECOND, 12 * SECOND, 2 * SECOND + 900_000, 31 * SECOND, 0],
}  # fmt: skip


def late_ones(folder, **changes):
    """The finding of half messages that were ended late."""
    write_run(folder, scenario_yaml=SCENARIO.replace("RELEASE", "5.3.3"), **BROKERS)
    write_table(folder, "transactions", LATE | changes)
    found = [one for one in about_transactions(collect(folder), [KILLED]) if one.kind == "late_transactions"]
    return found[0] if found else None


def test_messages_that_are_readable_late_are_counted_with_how_late_and_what_makes_it_sooner(tmp_path):
    found = late_ones(tmp_path)
    assert found.size == 3
    assert found.what == Says(
        "group-finding.late-transactions", group="orders-producer", count=2, least="1 s", when="0:01 to 1:30",
        median="20 s", most="30 s", checks=GroupFindingTexts.LATE_CHECKS(checked=2, every="30 s"),
        still=GroupFindingTexts.LATE_OPEN(left=1, beyond="", waited="10 s"),
    )  # fmt: skip
    assert found.cause == "broker-b is killed (F1, 0:00 to 0:03)"


def test_half_messages_that_are_all_still_open_are_said_to_be_so_for_more_than_a_second(tmp_path):
    settled_us, just_ended = [None] * 5, 99 * SECOND + 500_000  # of the last one, half a second before the end
    found = late_ones(
        tmp_path, fate="open", settled_us=settled_us, local_end_us=[*LATE["local_end_us"][:4], just_ended]
    )
    beyond = GroupFindingTexts.LATE_BEYOND(least="1 s")
    assert found.what == Says(
        "group-finding.late-all-open", group="orders-producer", count=4, when="0:01 to 0:02", beyond=beyond, most="99 s"
    )
    assert beyond == "more than 1 s and up to "


def test_half_messages_that_are_ended_at_once_are_no_finding(tmp_path):
    assert late_ones(tmp_path, fate="committed", settled_us=LATE["local_end_us"]) is None


def test_a_storm_of_check_backs_is_found_after_its_fault(transactions):
    found = [one for one in about_transactions(transactions, [KILLED]) if one.kind == "check_backs"]
    (storm,) = found
    cause = ", after broker-b is killed (F1, 0:00 to 0:03)"
    assert storm.text == Says("group-finding.check-backs", most=26, at="0:01", percent=100 * 26 / 30, cause=cause)


def test_the_pictures_stack_half_messages_by_fate_and_check_backs_by_broker(transactions):
    made = transaction_figures(transactions)
    names = [trace["name"] for trace in made["transactions"]["data"]]
    assert names == ["committed", "committed after a check", "rolled back", "given up"]
    assert {trace["meta"]["set"] for trace in made["check_backs"]["data"]} == {"rate", "open"}
    notes = {card.name: card.note for card in shown_cards(transactions, figures(transactions))}
    assert notes["check_backs"] == Says("card.check-backs-note", count=30)


def test_a_run_without_them_has_no_card_of_them(tmp_path):
    data = collect(write_run(tmp_path, **BROKERS))
    assert not data.delays
    assert not data.transactions
    assert not {"delays", "transactions", "visible", "check_backs"} & set(figures(data))
