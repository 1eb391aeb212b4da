"""A job without an end, for two minutes as fast as it can: nothing of it grows. `make soak` does thirty."""

from __future__ import annotations

import pytest

from tests.endurance.soak import MOST_GROWTH, growth, soaked

MINUTES = 2
LENGTH = "batch_s"  # is a matter of the machine


@pytest.fixture(scope="module")
def figures(tmp_path_factory):
    return growth(soaked(tmp_path_factory.mktemp("soak") / "out", MINUTES))


@pytest.mark.timeout(MINUTES * 180 + 60)
def test_memory_open_files_and_state_stay_flat(figures):
    grown = {name: pair for name, pair in figures.items() if name != LENGTH and pair[1] > (1 + MOST_GROWTH) * pair[0]}
    assert grown == {}


def test_the_middle_third_is_held_against_the_last():
    series = [
        {"jvm_mb": mb, "batch_duration_seconds_sum": mb, "batch_duration_seconds_count": mb / 2} for mb in range(9)
    ]
    assert growth(series) == {"jvm_mb": (4, 7), "batch_s": (2, 2)}


def test_workers_that_are_looked_at_in_a_task_or_between_two_have_not_grown():
    looks = [750, 794, 750] * 3 + [794, 750, 794] * 3
    clock = {"batch_duration_seconds_sum": 1, "batch_duration_seconds_count": 1}
    (middle, last) = growth([clock | {"workers_mb": mb} for mb in [750] * 9 + looks])["workers_mb"]
    assert last == pytest.approx(middle, rel=0.03)
