"""Labels of the advice's picture can be read, whatever settings come out alike."""

from streaming.advice.advice_picture import joined_labels

LABELS = {"as it is": "as it is", "retries 0": "1", "retries 5": "2"}


def test_points_on_each_other_share_a_label():
    points = [("as it is", 0.0, 12.0), ("retries 0", 0.0, 12.1), ("retries 5", 0.5, 40.0), ("other", 1.0, 90.0)]
    assert joined_labels(points, LABELS) == {"retries 0": "1, as it is", "retries 5": "2"}


def test_points_apart_have_labels_of_their_own():
    points = [("as it is", 0.0, 12.0), ("retries 0", 0.5, 30.0), ("retries 5", 1.0, 50.0)]
    assert joined_labels(points, LABELS) == LABELS


def test_a_single_point_has_its_label():
    assert joined_labels([("as it is", 0.0, 12.0)], LABELS) == {"as it is": "as it is"}
