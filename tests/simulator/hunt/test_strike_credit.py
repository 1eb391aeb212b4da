"""What is put together from the faults that brought schedules near."""

from __future__ import annotations

from collections import Counter

from simulator.hunt.drawn_values import Draws
from simulator.hunt.strike_credit import StrikeCredits
from tests.simulator.hunt.hunted import small_space


def taught(kind: str) -> StrikeCredits:
    """Credits of a space in which schedules with that kind came near, and others did not."""
    space = small_space()
    credits = StrikeCredits(space)
    for number in range(64):
        schedule = space.random(Draws(3, number))
        credits.take(schedule, [0.6 if any(one.kind == kind for one in schedule.strikes) else 0.1])
    return credits


def put_together(credits: StrikeCredits, count: int = 100):
    return [credits.put_together(0, Draws(4, number)) for number in range(count)]


def test_what_brought_schedules_near_is_drawn_most():
    kinds = Counter(one.kind for schedule in put_together(taught("kill")) for one in schedule.strikes)
    assert kinds["kill"] > 0.6 * kinds.total()


def test_a_sign_goes_by_what_it_has_seen_itself():
    credits = StrikeCredits(small_space())
    for number in range(64):
        schedule = credits.space.random(Draws(3, number))
        credits.take(schedule, [float(any(one.kind == kind for one in schedule.strikes)) for kind in ("hang", "kill")])
    for sign, kind in enumerate(("hang", "kill")):
        found = [credits.put_together(sign, Draws(4, number)) for number in range(60)]
        assert sum(any(one.kind == kind for one in schedule.strikes) for schedule in found) > 45


def test_no_fault_strikes_the_same_place_twice():
    found = put_together(taught("kill"))
    assert (
        sum(len({(one.kind, one.place) for one in schedule.strikes}) < len(schedule.strikes) for schedule in found) < 5
    )


def test_all_faults_are_drawn_where_nothing_is_known():
    kinds = {one.kind for schedule in put_together(StrikeCredits(small_space())) for one in schedule.strikes}
    assert kinds == {"hang", "slow", "kill", "rolling_restart"}


def test_what_is_put_together_happens_at_about_the_same_time():
    pairs = [one.strikes for one in put_together(taught("hang")) if len(one.strikes) == 2]
    near = sum(first.until_us + 30_000_000 >= second.at_us for first, second in pairs)
    assert near > 0.95 * len(pairs) > 50


def test_the_same_draws_put_the_same_together():
    assert [one.key for one in put_together(taught("slow"), 9)] == [one.key for one in put_together(taught("slow"), 9)]
