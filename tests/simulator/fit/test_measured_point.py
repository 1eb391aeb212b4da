from simulator.fit.measured_point import FittedPoint, Point, points_to_fit


def point(threads, size=1024, queues=8):
    return Point(size, queues, threads, threads * 1000.0, 1.0)


def test_up_to_six_points_are_all_fitted():
    points = [point(n) for n in (1, 2, 4, 8, 16, 32)]
    assert points_to_fit(points) == points


def test_of_many_points_the_ends_and_a_middle_are_fitted_and_the_others_predicted():
    points = [point(n) for n in (1, 2, 5, 10, 14, 50, 100, 200)] + [point(n, 3072) for n in (1, 100, 200)]
    chosen = points_to_fit(points)
    assert [(p.message_bytes, p.threads) for p in chosen] == [
        (1024, 1),
        (1024, 14),
        (1024, 200),
        (3072, 1),
        (3072, 200),
    ]


def test_a_prediction_is_within_only_if_both_figures_are():
    measured = point(10)
    assert FittedPoint(measured, 10_900.0, 1.14, is_fitted=False).is_within
    assert not FittedPoint(measured, 11_100.0, 1.0, is_fitted=False).is_within
    assert not FittedPoint(measured, 10_000.0, 1.16, is_fitted=False).is_within
