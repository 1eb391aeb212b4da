"""How causes are said: a line a cause, the worst first, and each fault in full once."""

from __future__ import annotations

from dataclasses import replace

from simulator.causes.by_cause import grouped
from simulator.causes.consequence import Consequence
from streaming.report.causes import cause_lines
from streaming.report.causes.cause_lines import CauseLine, cause_text, joined_loads
from streaming.report.fault_times import ReportFault
from streaming.report.findings.finding import ReportFinding
from tests.says import Says

M = 60_000_000
HANG = ReportFault("F1", "broker-b hangs", "broker-b hangs", ((M, 2 * M),), kind="hang", place="broker-b")
KILL = ReportFault("F2", "broker-a is killed", "broker-a is killed", ((M, 2 * M),), kind="kill", place="broker-a")
TEXTS = {"rate shop 1:00": "the rate of shop rises from 5/s to 10/s"}


def test_a_fault_is_said_in_full_where_it_is_first_named():
    said: set[str] = set()
    assert cause_text(("F1",), TEXTS, [HANG], False, said) == "broker-b hangs (F1, 1:00 to 2:00)"
    both = cause_text(("F1", "rate shop 1:00"), TEXTS, [HANG], False, said)
    assert both == "F1 and the rate of shop rises from 5/s to 10/s at 1:00"


def test_two_of_which_either_would_do_are_said_to():
    text = cause_text(("F1", "F2"), TEXTS, [HANG, KILL], True)
    causes = "broker-b hangs (F1, 1:00 to 2:00) or broker-a is killed (F2, 1:00 to 2:00)"
    assert text == Says("consequence.either-would-do", causes=causes)


def test_a_cause_that_was_not_left_out_is_said_to_be_untested():
    line = CauseLine("broker-b hangs (F1, 1:00 to 2:00)", ("F1",), True, ())
    assert line.head == Says("consequence.because", cause="broker-b hangs (F1, 1:00 to 2:00)")
    assert replace(line, proven=False).head == Says("consequence.untested", cause=line.text)


def test_what_says_itself_how_it_came_about_is_noted_and_no_cause_is_missed():
    swept = ReportFinding("expired", "swept", "backlog", 2.0)
    unexplained = CauseLine(
        "", (), True, (ReportFinding("retries", "97 messages needed two attempts", "retries", 97.0),)
    )
    first, last = cause_lines._with([unexplained], [swept], [])
    assert (first, last.consequences) == (unexplained, (swept,))
    (guessed,) = cause_lines._as_guessed([swept])
    assert last.head == guessed.head == Says("consequence.noted")


def test_a_broker_that_is_always_slow_is_a_cause_that_nobody_tested():
    slow = ReportFinding("latency", "p99 is 900 ms", "latency", 900.0, cause="broker-b is slow")
    (line,) = cause_lines._with([], [slow], [])
    assert line.head == Says("consequence.untested", cause="broker-b is slow")


def test_what_is_lost_comes_before_what_failed_is_late_or_shifted_and_what_nothing_explains_last():
    found = [
        Consequence("load", "broker-b", M, 2 * M, 40.0, because=("F4",)),
        Consequence("backlog", "billing", M, 2 * M, 9_000.0, because=("F3",)),
        Consequence("failed", "shop", M, 2 * M, 5.0, because=("F2",)),
        Consequence("skipped", "billing", M, 2 * M, 1.0, because=("F1",)),
        Consequence("lost", "shop", M, 2 * M, 500.0),
    ]
    assert [group.because for group in grouped(found)] == [("F1",), ("F2",), ("F3",), ("F4",), ()]


def test_further_shifts_of_a_brokers_load_are_not_called_further_brokers():
    loads = [ReportFinding("load", f"{broker} got less", "load", 1.0) for broker in "abcab"]
    (joined,) = joined_loads(loads)
    assert joined.text == "a got less; b got less; c got less; 2 more shifts of load."
