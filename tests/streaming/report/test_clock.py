"""Lengths of time as text."""

from __future__ import annotations

import pytest

from streaming.clock import length


@pytest.mark.parametrize(
    ("us", "text"),
    [
        (0, "0 ms"),
        (500_000, "500 ms"),
        (1_000_000, "1 s"),
        (90_500_000, "90.5 s"),
        (120_000_000, "2 min"),
        (232_300_000, "3 min 52.3 s"),
        (7_200_000_000, "120 min"),
    ],
)
def test_from_two_minutes_on_the_seconds_stand_beside_the_minutes(us, text):
    assert length(us) == text
