"""Producers, rates and latencies of a trace, and the scenario that is written of them."""

from __future__ import annotations

import numpy as np
import pytest

from simulator.calibrate.calibrate_texts import FittedTexts
from simulator.calibrate.calibration import calibrate
from simulator.calibrate.producers.rates import periods
from simulator.calibrate.producers.senders import groups_of
from simulator.calibrate.scenario_text import scenario_text
from simulator.calibrate.service_times import held_us
from simulator.scenario.loading.scenario_file import parse_scenario
from tests.says import Says, raises
from tests.simulator.calibrate.made import OK, TIMEOUT, attempts_of, ordinary


def sends(producer, gap_ms, jitter=0.0, until_ms=20_000):
    draw = np.random.default_rng(producer)
    gaps = gap_ms * (1 + jitter * draw.uniform(-1, 1, int(until_ms / gap_ms)))
    return [(int(at), 1, producer, OK) for at in np.cumsum(gaps) if at < until_ms]


def test_producers_of_one_rate_are_one_group():
    (group,) = groups_of(attempts_of(sends(0, 20) + sends(1, 20) + sends(2, 21)))
    assert (len(group.producers), group.arrivals) == (3, "steady")
    assert group.rate_per_s == pytest.approx(49.2, rel=0.02)


def test_producers_of_other_rates_are_groups_of_their_own():
    slow, fast = groups_of(attempts_of(sends(0, 20) + sends(1, 80)))
    assert (slow.name, fast.name) == ("orders", "orders.2")
    assert fast.rate_per_s / slow.rate_per_s == pytest.approx(4, rel=0.05)


@pytest.mark.parametrize(("jitter", "arrivals"), [(0.0, "steady"), (0.5, "uniform")])
def test_the_gaps_tell_how_messages_arrive(jitter, arrivals):
    assert groups_of(attempts_of(sends(0, 40, jitter)))[0].arrivals == arrivals


def test_exponential_gaps_are_poisson_arrivals():
    at = np.cumsum(np.random.default_rng(1).exponential(20, 1_000)).astype(int)
    assert groups_of(attempts_of([(int(ms), 1, 0, OK) for ms in at]))[0].arrivals == "poisson"


def test_a_producer_that_was_blocked_did_not_want_to_send_less():
    rows = [row for row in sends(0, 20) if not 5_000 <= row[0] < 8_000] + [(5_000, 3_000, 0, TIMEOUT)]
    (group,) = groups_of(attempts_of(rows))
    assert group.rate_per_s == pytest.approx(50, rel=0.02)
    assert group.when_blocked == "skip"


def test_where_threads_are_not_known_messages_at_once_tell_them():
    (group,) = groups_of(attempts_of(sends(0, 20) + [(5_001 + at, 300, 0, OK) for at in range(5)]))
    assert group.threads == 6
    assert group.rate_per_s == pytest.approx(50, rel=0.02)


def test_an_asynchronous_thread_has_many_messages_at_once():
    (group,) = groups_of(attempts_of(sends(0, 20) + [(5_001 + at, 300, 0, OK) for at in range(5)]), mode="async")
    assert group.threads == 1


def test_a_load_that_doubles_is_two_periods():
    counts = np.random.default_rng(2).poisson([100.0] * 60 + [200.0] * 40)
    (_, cut, low), (_, end, high) = periods(counts.astype(float))
    assert (cut, end) == (60, 100)
    assert (low, high) == (pytest.approx(100, rel=0.05), pytest.approx(200, rel=0.05))


def test_chance_is_no_change_of_load():
    assert len(periods(np.random.default_rng(3).poisson([100.0] * 200).astype(float))) == 1


def fitted(rows, client, **more):
    text = scenario_text(calibrate(attempts_of(rows, **more), client), "log of monday", None)
    return text, parse_scenario(text)


def test_the_scenario_loads_and_says_where_every_fault_comes_from():
    rows = ordinary(5_000) + [(5_000, 3_000, number, TIMEOUT) for number in range(4)] + ordinary(20_000, 9_000)
    text, scenario = fitted(rows, {"release": "4.9.8"})
    assert "# certain: 4 requests of 4 producers waited: 4 timed out." in text
    (period,) = scenario.fault_periods()
    assert (period.broker, period.kind) == ("broker-a", "hang")
    assert scenario.client.release == "4.9.8"
    assert max(map(len, text.splitlines())) <= 120


def test_what_the_trace_does_not_say_is_named_as_assumed():
    text, scenario = fitted(ordinary(20_000), {})
    assert f"# {FittedTexts.CLIENT_UNKNOWN()}" in text.splitlines()
    assert f"# {FittedTexts.NO_FAULT()}" in text.splitlines()
    assert scenario.client.release == "5.5.0"


def test_a_load_that_changed_is_in_the_scenario():
    rows = [*ordinary(20_000), *((at, 1, at // 5 % 4, OK) for at in range(20_000, 40_000, 5))]
    text, scenario = fitted(rows, {}, duration_ms=40_000)
    (group,) = scenario.producers
    assert float(group.rate_per_s) == pytest.approx(25, rel=0.1)
    ((at_us, rate),) = group.rate_changes
    assert (at_us, float(rate)) == (20_000_000, pytest.approx(50, rel=0.1))
    changed = FittedTexts.LOAD_CHANGED(steps="100/s from 0s to 20s, 200/s from 20s to 40s")
    assert f"  # {changed}" in text.splitlines()


@pytest.mark.parametrize("name", ["no", "10.0.0.1", "007", "%a"])
def test_names_that_yaml_reads_as_something_else_are_quoted(name):
    _, scenario = fitted(ordinary(20_000), {"release": "4.9.8"}, brokers=(name,))
    assert list(scenario.brokers) == [name]


def test_a_trace_without_any_answer_cannot_be_fitted():
    with raises(ValueError, Says("calibrate.no-answers")):
        calibrate(attempts_of([(10, 3_000, 0, TIMEOUT)]), {})


def late(producer, over_ms, order, gap_ms=1):
    """Requests of one producer in a hang from 5 s to 8 s, one every 50 ms, answered behind each other in that order."""
    return [(5_000 + 50 * place, over_ms + gap_ms * order[place] - 50 * place, producer, OK) for place in range(30)]


def test_what_a_broker_does_one_after_the_other_shows_in_the_answers_of_one_connection():
    rows = ordinary(4_990) + late(0, 3_000, range(30)) + late(1, 3_400, range(30)) + ordinary(20_000, 9_000)
    fit = calibrate(attempts_of(rows), {"release": "4.9.8"}, "async")
    assert [one.kind for one in fit.findings] == ["hang"]
    assert fit.brokers["broker-a"].drain_us == 1_000  # and not 430 ms / 59


def test_an_answer_is_held_up_by_as_much_as_one_to_a_later_request_overtakes_it():
    order = [*range(9), 29, *range(9, 29)]
    rows = ordinary(4_990) + late(0, 3_000, range(30)) + late(1, 3_400, order) + ordinary(20_000, 9_000)
    attempts = attempts_of(rows)
    held = held_us(attempts, 0, calibrate(attempts, {"release": "4.9.8"}, "async").findings)
    assert (len(held), held[held > 0].tolist()) == (60, [20_000])
