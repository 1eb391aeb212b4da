"""The circuit breaker of resilience4j: when it opens, what its probes decide, and what late results do."""

from simulator.compiled.records import size_of
from simulator.policies.avoid import circuit_breaker as breakers
from simulator.policies.avoid.call_window import COUNT_BASED, TIME_BASED, CallCounts
from tests.simulator.policies.made import made

BUCKETS = 4


def closed(**fields):
    """A closed breaker: half of four calls failed opens it, for 1 s; two probes."""
    limits = {"window_kind": COUNT_BASED, "window_size": BUCKETS, "min_calls": BUCKETS, "probes": 2}
    rates = {"failure_percent": 50, "slow_percent": 100, "slow_ms": 60_000, "wait_ms": 1_000, "wait_multiplier": 1}
    breaker = made(breakers.Breaker, cells_behind=BUCKETS * size_of(CallCounts), **(limits | rates | fields))
    breaker.window.bucket_count = BUCKETS
    breakers.turn(breaker, breakers.CLOSED, 0)
    return breaker


def results(breaker, *failed, at_ms=0):
    """The state after those results."""
    for one in failed:
        breakers.note_result(breaker, 5, one, at_ms)
    return breaker.state


def opened(**fields):
    breaker = closed(**fields)
    results(breaker, 0, 0, 1, 1)
    return breaker


def test_half_of_the_calls_failed_opens_it():
    assert results(closed(), 0, 0, 1, 1) == breakers.OPEN


def test_below_the_minimum_of_calls_it_stays_closed():
    assert results(closed(), 1, 1, 1) == breakers.CLOSED


def test_slow_calls_open_it_too():
    breaker = closed(slow_ms=4)
    assert results(breaker, 0, 0, 0, 0) == breakers.OPEN


def test_a_call_is_permitted_strictly_after_the_wait():
    breaker = opened()
    assert [bool(breakers.permit(breaker, ms)) for ms in (1_000, 1_001)] == [False, True]


def test_no_more_probes_than_there_are_permissions():
    breaker = opened()
    assert [bool(breakers.permit(breaker, 1_001)) for _ in range(3)] == [True, True, False]


def test_good_probes_close_it():
    breaker = opened()
    breakers.permit(breaker, 1_001)
    assert results(breaker, 0, 0, at_ms=1_002) == breakers.CLOSED


def test_late_results_of_calls_from_before_count_as_probes():
    breaker = opened(min_calls=1)
    breakers.permit(breaker, 1_001)
    assert results(breaker, 1, at_ms=1_002) == breakers.OPEN


def test_each_opening_in_a_row_waits_longer():
    breaker = opened(wait_multiplier=2)
    breakers.permit(breaker, 1_001)
    results(breaker, 1, 1, at_ms=2_000)
    assert breaker.turns_at_ms == 4_000


def test_a_window_of_time_forgets_at_whole_seconds():
    breaker = closed(window_kind=TIME_BASED, window_size=2, min_calls=2)
    results(breaker, 1, at_ms=999)
    assert results(breaker, 1, at_ms=2_000) == breakers.CLOSED


def test_a_window_without_room_takes_no_result():
    breaker = closed()
    breakers.turn(breaker, breakers.DISABLED, 0)
    breakers.turn(breaker, breakers.OPEN, 0)
    assert not breakers.note_result(breaker, 5, 0, 0)
