"""A job without an end, for three minutes as fast as it can: nothing of it grows. `make soak` does thirty."""

from __future__ import annotations

import pytest

from tests.endurance.soak import growth, soaked

MINUTES = 3
MOST_GROWTH = 0.1  # a process takes memory in steps of up to 40 MB, which three minutes do not even out
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
