"""A change of the send path does not go unnoticed: a sample of `python -m tests.endurance.mutations`."""

import pytest

from tests.endurance.mutations import copied_tree, noticed_by, places


@pytest.mark.parametrize("place", places(), ids=lambda place: place.name)
def test_every_change_has_its_place(root, place):
    assert (root / place.file).read_text().count(place.before) == 1


def test_a_budget_that_the_loop_ignores_is_noticed(tmp_path):
    (place,) = (place for place in places() if place.name == "the budget is ignored")
    assert noticed_by(copied_tree(str(tmp_path)), place) == "call-sync 154, operation 0: updates"
