"""Arrivals: the same for a window whatever was generated before it, at the rate that was asked for."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.plan.compile import compile_scenario
from simulator.run.simulate import simulate
from simulator.scenario.reading.scenario_error import ScenarioError
from simulator.workload import arrivals, poisson_thresholds
from tests.says import Says, raises
from tests.simulator.small import scenario_of

FIELDS = ("at_us", "thread", "topic", "draw")


def generated(windows=10, **producers):
    scenario = scenario_of(duration="10s", producers=producers, topics={"orders": {}, "clicks": {}})
    plan = compile_scenario(scenario)
    streams = plan.cells[0].streams
    return [arrivals(streams, plan.seed, w, plan.window_us, plan.duration_us) for w in range(windows)]


@pytest.mark.parametrize("kind", ["poisson", "uniform", "steady"])
def test_arrivals_are_in_time_order_and_inside_their_window(kind):
    for window, events in enumerate(generated(count=5, threads=3, rate="80/s", arrivals=kind)):
        assert (np.diff(events.at_us) >= 0).all()
        assert (events.at_us // 1_000_000 == window).all()
        same = np.diff(events.at_us) == 0
        assert (np.diff(events.thread)[same] >= 0).all()


@pytest.mark.parametrize(("kind", "spread"), [("poisson", 0.05), ("uniform", 0.01), ("steady", 0.003)])
def test_the_rate_is_the_producers_all_threads_together(kind, spread):
    events = sum(len(some) for some in generated(count=10, threads=4, rate="50/s", arrivals=kind))
    assert events == pytest.approx(5000, rel=spread)


def test_a_steady_stream_has_one_gap_and_a_phase_of_its_own():
    times = {}
    for events in generated(count=3, rate="10/s", arrivals="steady"):
        for at_us, thread in zip(events.at_us, events.thread, strict=True):
            times.setdefault(int(thread), []).append(int(at_us))
    assert {tuple(np.diff(some)) for some in times.values()} == {(100_000,) * 99}
    assert len({some[0] for some in times.values()}) == 3


def test_gaps_of_a_uniform_stream_are_within_half_the_mean():
    times = np.concatenate([events.at_us for events in generated(rate="40/s", arrivals="uniform")])
    gaps = np.diff(times) / 25_000
    assert gaps.min() >= 0.5 - 1e-3
    assert gaps.max() <= 1.5 + 1e-3
    assert gaps.std() > 0.1


def test_gaps_of_a_poisson_stream_spread_as_much_as_their_mean():
    gaps = np.diff(np.concatenate([events.at_us for events in generated(rate="400/s", arrivals="poisson")]))
    assert gaps.std() / gaps.mean() == pytest.approx(1, abs=0.1)


def test_topics_are_drawn_by_weight():
    events = generated(count=10, rate="200/s", topics={"orders": 3, "clicks": 1})
    drawn = Counter(np.concatenate([some.topic for some in events]).tolist())
    assert drawn[1] / drawn[0] == pytest.approx(3, rel=0.05)  # topics are in the order of their names


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.permutations(range(10)), st.sampled_from(["poisson", "uniform", "steady"]))
def test_a_window_does_not_depend_on_those_before_it(order, kind):
    plan = compile_scenario(scenario_of(duration="10s", producers={"rate": "30/s", "arrivals": kind, "threads": 2}))
    streams = plan.cells[0].streams
    straight = [arrivals(streams, plan.seed, w, plan.window_us, plan.duration_us) for w in range(10)]
    for window in order:
        again = arrivals(streams, plan.seed, window, plan.window_us, plan.duration_us)
        assert all(np.array_equal(getattr(again, f), getattr(straight[window], f)) for f in FIELDS)


@pytest.mark.parametrize("kind", ["poisson", "uniform", "steady"])
def test_windows_of_another_length_leave_regular_streams_as_they_are(kind):
    def times(window):
        scenario = scenario_of(duration="6s", window=window, producers={"rate": "30/s", "arrivals": kind})
        plan = compile_scenario(scenario)
        found = [
            arrivals(plan.cells[0].streams, plan.seed, w, plan.window_us, plan.duration_us) for w in range(plan.windows)
        ]
        return np.concatenate([events.at_us for events in found]).tolist()

    assert (times("1s") == times("400ms")) == (kind != "poisson")


def test_nothing_arrives_after_the_end():
    scenario = scenario_of(duration="1500ms", producers={"rate": "200/s"})
    plan = compile_scenario(scenario)
    last = arrivals(plan.cells[0].streams, plan.seed, 1, plan.window_us, plan.duration_us)
    assert 90 < len(last) < 110
    assert last.at_us.max() < 1_500_000
    assert len(arrivals(plan.cells[0].streams, plan.seed, 2, plan.window_us, plan.duration_us)) == 0


@pytest.mark.parametrize("mean", [0.001, 0.7, 12.5, 900.0, 50_000.0])
def test_poisson_thresholds_have_their_mean_and_variance(mean):
    shares = np.diff(np.concatenate([[0], poisson_thresholds(mean) / 2.0**62]))
    counts = np.arange(len(shares))
    found = (shares * counts).sum()
    assert shares.sum() == pytest.approx(1, abs=1e-12)
    assert found == pytest.approx(mean, rel=1e-9)
    assert (shares * counts**2).sum() - found**2 == pytest.approx(mean, rel=1e-6)


def test_producers_of_a_cell_send_what_they_send_in_the_whole():
    def sent(cells):
        plan = compile_scenario(scenario_of(cells=cells, producers={"count": 4, "rate": "20/s"}))
        rows = []
        for own in plan.cells:
            events = arrivals(own.streams, plan.seed, 0, plan.window_us, plan.duration_us)
            producers = own.names.producer_of_thread[events.thread]
            rows += zip(events.at_us.tolist(), producers.tolist(), events.draw.tolist(), strict=True)
        return sorted(rows)

    assert sent(1) == sent(4)


@pytest.mark.parametrize("kind", ["poisson", "uniform", "steady"])
def test_a_load_that_changes_has_each_rate_from_its_window_on(kind):
    producers = {"count": 20, "rate": "20/s", "rate_changes": {"3s": "80/s", "5500ms": "5/s"}, "arrivals": kind}
    result = simulate(scenario_of(duration="9s", producers=producers), tables=("sends",))
    seconds = np.bincount(np.asarray(result.column("sends", "arrival_us")) // 1_000_000, minlength=9)
    assert seconds[:3] == pytest.approx(400, rel=0.25)
    assert seconds[3:6] == pytest.approx(1_600, rel=0.15)
    assert seconds[6:] == pytest.approx(100, rel=0.4)
    assert result.scenario.expected_messages == pytest.approx(20 * (3 * 20 + 2.5 * 80 + 3.5 * 5))


def test_a_change_to_the_same_rate_has_its_own_messages():
    producers = {"count": 4, "rate": "50/s", "rate_changes": {"2s": "50/s"}}
    draws = simulate(scenario_of(duration="4s", producers=producers), tables=("sends",)).column("sends", "arrival_us")
    assert len(np.unique(draws)) > 0.99 * len(draws)
    assert len(draws) == pytest.approx(800, rel=0.15)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"0s": "5/s"}, Says("producer.moment-expected", "...rate_changes.0s")),
        ({"30s": "fast"}, "rate_changes.30s: expected a rate"),
        ("5/s", Says("field.expected", "...rate_changes")),
    ],
)
def test_a_change_that_cannot_be_is_one_sentence(changes, sentence):
    with raises(ScenarioError, sentence):
        scenario_of(producers={"rate_changes": changes})
