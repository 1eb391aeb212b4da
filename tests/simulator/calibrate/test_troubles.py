"""Error answers, slow spells, absences, and all of them together."""

from __future__ import annotations

import numpy as np
import pytest

from simulator.calibrate.error_answers import error_answers
from simulator.calibrate.slow_spells import slow_spells
from simulator.calibrate.troubles import find_troubles
from simulator.codes import SYSTEM_BUSY
from simulator.scenario.client_settings import ClientSettings
from tests.says import Said, Says
from tests.simulator.calibrate.made import BUSY, CUT, MS, OK, REFUSED, TIMEOUT, attempts_of, ordinary


def busy_from(rows):
    made = attempts_of(rows)
    made.code[made.outcome == BUSY] = SYSTEM_BUSY
    return list(error_answers(made, 0))


def test_busy_answers_are_a_period_from_the_first_to_the_last():
    (one,) = busy_from(ordinary(5_000) + [(at, 1, 0, BUSY) for at in range(5_000, 6_000, 10)] + ordinary(20_000, 6_000))
    assert (one.kind, one.value, one.sure) == ("code", SYSTEM_BUSY, "certain")
    assert (one.at_range_us, one.until_range_us) == ((4_988 * MS, 5_003 * MS), (5_988 * MS, 6_003 * MS))


def test_busy_answers_with_no_other_answer_in_between_are_one_period():
    (one,) = busy_from(ordinary(5_000) + [(at, 1, 0, BUSY) for at in (5_001, 5_100, 9_001)] + ordinary(20_000, 9_100))
    assert one.until_range_us == (8_999 * MS, 9_103 * MS)


def test_busy_answers_seconds_apart_are_periods_of_their_own():
    assert len(busy_from([*ordinary(20_000), (5_001, 1, 0, BUSY), (9_001, 1, 0, BUSY)])) == 2


@pytest.mark.parametrize(("length_ms", "factor"), [(20, 20), (80, 80)])
def test_a_slow_spell_has_its_factor(length_ms, factor):
    slow = [(at, length_ms, 0, OK) for at in range(6_000, 12_000, 10)]
    (one,) = slow_spells(attempts_of(ordinary(6_000) + slow + ordinary(20_000, 12_000)), 0, [])
    assert one.value == pytest.approx(factor * 1_000_000, rel=0.02)
    assert abs(one.at_us - 6_000 * MS) <= 10 * MS
    assert abs(one.until_us - 12_000 * MS) <= 100 * MS


def test_twice_as_slow_is_no_slow_spell():
    rows = ordinary(6_000) + [(at, 2, 0, OK) for at in range(6_000, 12_000, 10)]
    assert list(slow_spells(attempts_of(rows), 0, [])) == []


def test_latencies_in_whole_milliseconds_are_no_slow_spells():
    rows = [(at, at // 700 % 2, at // 10 % 4, OK) for at in range(0, 20_000, 10)]
    assert find_troubles(attempts_of(rows), None) == []


def killed(back_ms):
    gone = [(5_000, 1, 0, CUT), (5_000, 1, 1, CUT), (5_010, 1, 2, REFUSED), (5_020, 1, 3, REFUSED)]
    return attempts_of(ordinary(5_000) + gone + ordinary(200_000, back_ms), duration_ms=200_000)


def test_a_broker_that_stays_away_for_longer_than_it_is_isolated_was_in_no_route():
    client = ClientSettings(release="5.3.3", send_latency_fault_enable=True)
    (one,) = find_troubles(killed(back_ms=75_000), client)
    assert one.until_range_us == (45_003 * MS, 75_003 * MS)


def test_a_broker_that_comes_back_when_its_isolation_ends_may_have_been_there_all_the_time():
    client = ClientSettings(release="5.3.3", send_latency_fault_enable=True)
    (one,) = find_troubles(killed(back_ms=16_000), client)
    assert one.until_range_us == (5_018 * MS, 16_003 * MS)


def answered_only():
    """Two brokers in turn; from 5 s to 8 s nobody sends anything, and then the second never answers again."""
    rows = ordinary(5_000) + [row for row in ordinary(20_000, 8_000) if row[0] // 10 % 2 == 0]
    made = attempts_of(rows, answered_only=True, brokers=("broker-a", "broker-b"))
    made.broker[(made.begin_us // (10 * MS)) % 2 == 1] = 1
    return made


def test_an_absence_with_producers_that_waited_is_a_hang():
    (one,) = [one for one in find_troubles(answered_only(), None) if one.broker == "broker-b"]
    assert (one.kind, one.at_range_us[0]) == ("hang", 4_988 * MS)
    assert one.until_range_us == (7_820 * MS, 20_000 * MS)


def test_an_absence_of_which_nobody_felt_anything_is_no_trouble():
    made = attempts_of(
        [(at, 1, at // 10 % 4, OK) for at in range(0, 20_000, 10)], answered_only=True, brokers=("broker-a", "broker-b")
    )
    made.broker[:] = np.where((made.begin_us // (10 * MS)) % 2 == 1, np.where(made.begin_us < 5_000 * MS, 1, 0), 0)
    assert find_troubles(made, None) == []


def test_a_time_out_in_a_trace_of_every_attempt_is_used_as_it_is():
    rows = ordinary(5_000) + [(5_000, 3_000, number, TIMEOUT) for number in range(4)] + ordinary(20_000, 9_000)
    (one,) = find_troubles(attempts_of(rows), None)
    assert one.evidence == Says("evidence.waited", requests=4, producers=4)
    assert Says("evidence.timed-out", count=4) in Said(one.evidence)
