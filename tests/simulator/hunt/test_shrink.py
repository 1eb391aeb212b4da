"""What is left of a schedule: only what it needs to miss."""

from __future__ import annotations

from simulator.hunt.schedule import Schedule, Strike
from simulator.hunt.shrink import Shrinking
from tests.simulator.hunt.hunted import SCENARIO, longest, small_space

HANG = Strike(0, "hang", "broker", "a", 121_000_000, (("for", 60_000_000),))
SLOW = Strike(1, "slow", "broker", "b", 150_000_000, (("factor", 90.0), ("for", 60_000_000)))

SPACE = small_space(settings=[("client.send_latency_fault_enable", (False,))])
SETTING = (("client.send_latency_fault_enable", False),)


def least(schedule, misses):
    return Shrinking(SPACE, SCENARIO, schedule, lambda many: [misses(one) for one in many]).run()


def test_faults_that_are_not_needed_go():
    assert [one.kind for one in least(Schedule((HANG, SLOW)), lambda one: longest(one, "slow") > 0).strikes] == ["slow"]


def test_lengths_and_factors_become_the_least():
    def misses(schedule):
        return any(one.kind == "slow" and float(one.value("factor") or 0) >= 20 for one in schedule.strikes)

    (strike,) = least(Schedule((SLOW,)), misses).strikes
    assert (strike.length_us, 20 <= float(strike.value("factor")) <= 21) == (5_000_000, True)


def test_a_fault_moves_to_a_later_ten_seconds():
    (strike,) = least(Schedule((HANG,)), lambda one: one.strikes and one.strikes[0].at_us <= 300_000_000).strikes
    assert (250_000_000 < strike.at_us <= 300_000_000, strike.at_us % 10_000_000) == (True, 0)


def test_brokers_and_producers_that_are_not_needed_go():
    found = least(Schedule((HANG,)), lambda one: longest(one, "hang") > 0)
    assert (found.dropped, dict(found.settings)["producers.0.count"]) == (("c", "b"), 1)


def test_a_cluster_that_misses_by_itself_is_not_taken():
    found = least(Schedule((HANG,)), lambda one: longest(one, "hang") > 0 or "b" in one.dropped)
    assert found.dropped == ("c",)


def test_a_cluster_in_which_one_of_the_faults_is_enough_is_not_taken():
    def misses(schedule):
        struck = {one.kind for one in schedule.strikes}
        return struck == {"hang", "slow"} or ("c" in schedule.dropped and "slow" in struck)

    assert least(Schedule((HANG, SLOW)), misses).dropped == ()


def test_no_fault_moves_to_where_it_is_enough_alone():
    def misses(schedule):
        late = any(one.kind == "slow" and one.at_us > 200_000_000 for one in schedule.strikes)
        return late or {one.kind for one in schedule.strikes} == {"hang", "slow"}

    found = least(Schedule((HANG, SLOW)), misses)
    assert {one.kind: one.at_us > 200_000_000 for one in found.strikes} == {"hang": True, "slow": False}


def test_the_run_ends_soon_after_the_fault():
    found = least(Schedule((HANG,)), lambda one: longest(one, "hang") > 0)
    assert dict(found.settings)["duration"] != "10m"


def test_a_shorter_run_in_which_one_of_the_faults_is_enough_is_not_taken():
    def misses(schedule):
        struck = {one.kind for one in schedule.strikes}
        return struck == {"hang", "slow"} or ("duration" in dict(schedule.settings) and "slow" in struck)

    found = least(Schedule((HANG, SLOW)), misses)
    assert ({one.kind for one in found.strikes}, "duration" in dict(found.settings)) == ({"hang", "slow"}, False)


def test_a_setting_that_misses_without_a_fault_is_left_alone():
    found = least(Schedule((HANG,), SETTING), lambda one: set(SETTING) <= set(one.settings))
    assert (found.strikes, dict(SETTING).items() <= dict(found.settings).items()) == ((), True)


def test_settings_go_back_to_the_scenarios():
    schedule = Schedule((HANG,), (("client.send_latency_fault_enable", False),))
    found = least(schedule, lambda one: longest(one, "hang") > 0)
    assert "client.send_latency_fault_enable" not in dict(found.settings)
