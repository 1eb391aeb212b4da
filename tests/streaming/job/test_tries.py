"""What fails begins again, later and later, as often in a row as it may."""

from __future__ import annotations

from streaming.job.tries import Tries


def test_each_failure_in_a_row_waits_twice_as_long_up_to_a_minute():
    tries = Tries(9)
    assert [tries.wait_s(5) for _ in range(9)] == [1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert (tries.told, tries.wait_s(5)) == ("9 of 9", None)


def test_what_ran_well_for_long_counts_from_one_again():
    tries = Tries(2)
    assert [tries.wait_s(5), tries.wait_s(5), tries.wait_s(3600), tries.wait_s(5)] == [1, 2, 1, 2]


def test_nothing_begins_again_unless_asked_for():
    assert Tries(0).wait_s(5) is None
