import pytest

from simulator.fit.fitted_cluster import Around, Figures, measured_in
from simulator.fit.fitting import Guess, fit_cluster, predicted
from simulator.fit.measured_point import Point
from tests.says import Says, raises

AROUND = Around(brokers=2)
TRUTH = Figures(service_p50_us=200, service_p99_us=800, append_base_us=0, append_per_kib_us=0, wait_us=500)


def measured(threads):
    return Point(1024, 8, threads, *measured_in(TRUTH, AROUND, Point(1024, 8, threads, 1.0, 1.0)))


def test_a_cluster_that_made_the_points_is_found_and_predicts_the_others():
    seen, unseen = [measured(n) for n in (1, 6, 120)], [measured(n) for n in (3, 12)]
    fit = fit_cluster(seen, AROUND)
    assert fit.figures.service_mean_us == pytest.approx(TRUTH.service_mean_us, rel=0.05)
    assert fit.figures.wait_us == pytest.approx(500, rel=0.08)
    assert all(each.is_within for each in predicted(fit, AROUND, unseen, seen))


def test_what_two_points_cannot_show_is_assumed_and_named():
    guess = Guess.of([Point(1024, 8, 1, 4000.0, 0.25), Point(1024, 8, 100, 50_000.0, 2.0)], AROUND)
    assert guess.fitted == 2
    assert list(guess.assumed) == [Says("fitting.spread-assumed", sigma=1.0), Says("fitting.size-assumed")]


def test_one_number_of_threads_cannot_be_fitted():
    with raises(ValueError, Says("fitting.one-number-of-threads")):
        Guess.of([Point(1024, 8, 10, 4000.0, 2.5)], AROUND)


def test_a_larger_message_holds_the_brokers_for_longer():
    small, large = Point(1024, 8, 40, 1.0, 1.0), Point(8192, 8, 40, 1.0, 1.0)
    growing = Figures(100, 300, 50, 20, 500)
    assert measured_in(growing, AROUND, large)[0] < 0.8 * measured_in(growing, AROUND, small)[0]


def test_a_wait_that_grows_with_the_message_is_distinguished_from_a_service_that_does():
    truth = Figures(200, 800, 0, 0, 500, wait_per_kib_us=60)
    asked = [Point(1024 * kib, 8, threads, 1.0, 1.0) for kib in (1, 5) for threads in (1, 120)]
    seen = [Point(p.message_bytes, 8, p.threads, *measured_in(truth, AROUND, p)) for p in asked]
    found = fit_cluster(seen, AROUND).figures
    assert found.wait_per_kib_us == pytest.approx(60, rel=0.15)
    assert found.append_per_kib_us <= 15
