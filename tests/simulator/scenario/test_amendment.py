"""What of a scenario may change while it runs, and what the whole run's scenario is then."""

from __future__ import annotations

import pytest

from simulator.scenario import ScenarioError, parse_scenario
from simulator.scenario.amendment import amended, from_now_on
from tests.says import Says, raises
from tests.simulator.small import fault, scenario_of

AT_US = 21_000_000
FAULTS = [fault("hang", "5s", "4s"), fault("slow", "10s", "2s", every="10s", factor=3), fault("hang", "50s", "1s", "a")]


def of(**changes):
    return scenario_of(**{"duration": "60s", "faults": FAULTS} | changes)


def test_a_rate_changes_from_the_moment_on():
    found = amended(of(), of(producers={"rate": "20/s"}), AT_US)
    assert [found.scenario.producers[0].rate_at(us) for us in (0, AT_US - 1, AT_US)] == [10, 10, 20]
    assert found.changes == (Says("reading.rate-changed", group="producers", rate="10/s", new_rate="20/s"),)


def test_rates_that_were_to_come_are_those_of_the_new_scenario():
    running, wanted = ({"rate_changes": changes} for changes in ({"9s": "11/s", "30s": "12/s"}, {"40s": "5/s"}))
    found = amended(of(producers=running), of(producers=wanted), AT_US)
    assert [found.scenario.producers[0].rate_at(second * 1_000_000) for second in (9, 21, 30, 40)] == [11, 10, 10, 5]
    assert (
        Says("reading.later-rates-changed", group="producers", rates="30s: 12/s", new_rates="40s: 5/s") in found.changes
    )


def test_a_fault_that_has_begun_stays_and_one_that_has_not_goes():
    found = amended(of(), of(faults=[]), AT_US)
    strikes = [(period.kind, period.at_us // 1_000_000) for period in found.scenario.fault_periods()]
    assert strikes == [("hang", 5), ("slow", 10), ("slow", 20)]
    assert found.changes == (
        Says("amendment.continues-no-more", "b is slow", until="22s"),
        Says("amendment.removed", "a hangs"),
    )


def test_the_amended_scenario_is_one_that_can_be_written_and_read():
    found = amended(of(), of(faults=[*FAULTS, fault("kill", "30s", "5s", "c")]), AT_US)
    assert parse_scenario(found.scenario.to_yaml()).digest() == found.scenario.digest()
    assert found.changes == (Says("amendment.added", "c is killed", at="30s"),)


def test_a_change_to_the_same_is_none_however_it_is_spelt():
    spelt = of(topics={"orders": {"queues": 2, "brokers": ["a", "b", "c"]}})
    assert amended(of(), spelt, AT_US).changes == ()


def test_a_change_goes_back():
    there = amended(of(), of(producers={"rate": "20/s"}), AT_US).scenario
    back = amended(there, of(), 2 * AT_US).scenario
    assert [back.producers[0].rate_at(us) for us in (0, AT_US, 2 * AT_US)] == [10, 20, 10]


def test_before_the_first_window_the_rate_itself_changes():
    assert amended(of(), of(producers={"rate": "20/s"}), 0).scenario.producers[0].rate_per_s == 20


def test_moments_of_new_faults_can_count_from_now_on():
    wanted = from_now_on(of(), of(faults=[*FAULTS, fault("kill", "1s", "5s", "c", every="9s", until="20s")]), AT_US)
    assert [(one.at_us, one.until_us) for one in wanted.faults if one.kind == "kill"] == [(22_000_000, 41_000_000)]
    assert list(wanted.faults[:3]) == list(of().faults)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"seed": 4}, Says("reading.kept-by-a-run", "seed: 3 there, 4 now")),
        ({"name": "other"}, Says("reading.kept-by-a-run", "name: small there, other now")),
        ({"duration": "50s"}, Says("reading.kept-by-a-run")),
        ({"client": {"release": "5.3.3"}}, Says("reading.kept-by-a-run")),
        ({"producers": {"count": 2}}, Says("reading.kept-by-a-run")),
        ({"topics": {"orders": {"queues": 3}}}, Says("reading.kept-by-a-run")),
        (
            {"faults": [fault("hang", "1s", "1s")]},
            Says("reading.fault-in-the-past", "faults[0].at", at="1s", now="21s"),
        ),
        (
            {"faults": [fault("power_loss", "30s", "1s")]},
            Says("reading.kind-not-added", "faults[0].kind", kind="power_loss"),
        ),
    ],
)
def test_what_may_not_change_is_named(changes, sentence):
    with raises(ScenarioError, sentence):
        amended(of(), of(**changes), AT_US)


def test_faults_stay_where_the_run_alone_knows_the_routes():
    auto = {"topics": {"orders": {"auto_create": True}}}
    with raises(ScenarioError, Says("reading.brokers-of-a-made-topic", topic="orders")):
        amended(of(**auto), of(**auto, faults=[]), AT_US)


def test_drawn_targets_keep_their_draw():
    drawn = [fault("hang", "50s", "1s", "a"), fault("hang", "5s", "1s", {"any": 1})]
    with raises(ScenarioError, Says("reading.drawn-by-place")):
        amended(of(faults=drawn, seed=2), of(faults=drawn[1:], seed=2), AT_US)
