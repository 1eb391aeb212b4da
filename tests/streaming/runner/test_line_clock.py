"""Without a terminal a line is printed now and then, and seldom where nothing has moved."""

from __future__ import annotations

from streaming.runner.line_clock import LineClock


def due(places, **waits):
    """The seconds at which a line is printed, where it stands at these places second after second."""
    now_s = [0]
    clock = LineClock(0, lambda: now_s[0])
    found = []
    for now_s[0], place in enumerate(places, 1):
        if clock.is_due(place, **waits):
            found.append(now_s[0])
    return found


def test_a_line_comes_after_five_seconds_and_the_next_after_five_more():
    assert due(range(1, 20)) == [6, 12, 18]


def test_nothing_is_printed_where_nothing_has_moved():
    assert due([0] * 40 + [1]) == [41]


def test_a_job_says_seldom_that_it_stands_still():
    assert due([0] * 70, still_s=30) == [31, 62]
