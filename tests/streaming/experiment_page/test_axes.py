"""An axis of times has several marks among its values, however near they are."""

import pytest

from streaming.experiment_page.pictures import spread_axis


@pytest.mark.parametrize("values", [[3.0, 70.0], [1.2, 45.0, 900.0], [0.4, 8_000.0], [12.0, 260.0]])
def test_far_apart_it_is_logarithmic_with_marks_among_the_values(values):
    axis = spread_axis(values)
    among = [mark for mark in axis["tickvals"] if min(values) <= mark <= max(values)]
    assert axis["type"] == "log"
    assert len(among) >= 3
    assert len(axis["ticktext"]) == len(axis["tickvals"])


@pytest.mark.parametrize("values", [[3.0, 9.0], [12.0, 12.5], [0.0, 40.0], [7.0]])
def test_near_each_other_it_is_not(values):
    assert "type" not in spread_axis(values)
