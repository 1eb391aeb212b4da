"""A broker that answers nothing although requests wait for it, and what only looks like it."""

from __future__ import annotations

from simulator.calibrate.found_fault import HANG, KILL, SILENT_DEATH
from simulator.calibrate.silences import silences
from tests.simulator.calibrate.made import CUT, MS, OK, REFUSED, TIMEOUT, attempts_of, ordinary


def found(rows, **more):
    return list(silences(attempts_of(rows, **more), 0))


def test_nothing_is_found_where_every_request_is_answered_at_its_time():
    assert found(ordinary(20_000)) == []


def test_a_hang_ends_before_the_first_late_answer_by_at_most_what_an_answer_takes():
    late = [(5_000 + 10 * number, 700 - 10 * number, number, OK) for number in range(4)]
    (one,) = found(ordinary(5_000) + late + ordinary(20_000, 5_701))
    assert (one.kind, one.until_us, one.sure) == (HANG, 5_700 * MS, "certain")
    assert (one.at_range_us, one.until_range_us) == ((4_988 * MS, 5_003 * MS), (5_697 * MS, 5_702 * MS))
    assert one.at_range_us[0] <= one.at_us <= one.at_range_us[1]


def test_a_hang_that_only_times_requests_out_ends_between_the_last_of_them_and_the_next_answer():
    lost = [(5_000 + 20 * number, 3_000, number, TIMEOUT) for number in range(4)]
    (one,) = found(ordinary(5_000) + lost + ordinary(20_000, 15_000))
    assert one.until_range_us == (8_049 * MS, 15_003 * MS)  # 11 ms: an answer, and those of four that gave up
    assert one.has_open_end
    assert one.until_range_us[0] <= one.until_us <= one.until_range_us[1]


def test_where_nobody_tries_again_the_end_is_open_until_the_trace_ends():
    (one,) = found(ordinary(5_000) + [(5_000, 3_000, number, TIMEOUT) for number in range(4)])
    assert one.until_range_us == (7_989 * MS, 20_000 * MS)


def test_one_slow_request_among_answered_ones_is_no_hang():
    assert found([*ordinary(20_000), (5_000, 900, 0, OK)]) == []


def test_a_time_out_that_had_no_time_left_says_nothing():
    assert found([*ordinary(20_000), (5_001, 3, 0, TIMEOUT)]) == []


def test_requests_that_never_left_say_nothing():
    rows = ordinary(20_000) + [(5_001, 0, number, REFUSED) for number in range(4)]
    asked = attempts_of(rows)
    asked.asked[asked.outcome == REFUSED] = 0
    assert list(silences(asked, 0)) == []


def test_refused_connections_are_a_kill_that_began_when_requests_were_cut_off():
    gone = [(4_999, 4, 0, CUT), (4_999, 5, 1, CUT), (5_020, 1, 2, REFUSED), (5_040, 1, 3, REFUSED)]
    (one,) = found(ordinary(4_995) + gone + ordinary(20_000, 9_000))
    assert (one.kind, one.at_us) == (KILL, 5_003 * MS)
    assert one.until_range_us == (5_038 * MS, 9_003 * MS)


def test_connections_that_a_time_out_closes_are_no_kill():
    waiting = [(5_000, 3_000, 0, TIMEOUT), (6_000, 2_000, 0, CUT), (6_500, 1_500, 0, CUT)]
    (one,) = found(ordinary(5_000) + waiting + ordinary(20_000, 9_000))
    assert one.kind == HANG


def test_connects_that_nobody_refuses_are_a_silent_death():
    gone = [(5_000, 3_000, 0, TIMEOUT), (8_000, 3_000, 0, REFUSED), (8_100, 3_000, 1, REFUSED)]
    (one,) = found(ordinary(5_000) + gone + ordinary(20_000, 15_000))
    assert one.kind == SILENT_DEATH


def test_two_silences_with_nothing_tried_in_between_for_long_are_two():
    first = [(1_000, 1_000, number, TIMEOUT) for number in range(4)]
    second = [(12_000, 1_000, number, TIMEOUT) for number in range(4)]
    one, other = found(ordinary(1_000) + first + second + ordinary(20_000, 14_000))
    assert one.until_range_us == (1_989 * MS, 12_002 * MS)
    assert other.at_range_us == (2_000 * MS, 12_003 * MS)


def test_two_silences_that_are_near_are_one():
    first = [(1_000, 3_000, number, TIMEOUT) for number in range(4)]
    second = [(9_000, 2_000, number, OK) for number in range(4)]
    (one,) = found(ordinary(1_000) + first + second + ordinary(20_000, 14_000))
    assert one.until_us == 11_000 * MS
