"""What a running experiment tells of itself."""

from __future__ import annotations

import pytest

from streaming.experiments.live_progress import in_millions


@pytest.mark.parametrize(
    ("count", "expected"), [(4_128_000, "4.13 M"), (2_300.4, "2,300"), (99_999, "99,999"), (0, "0")]
)
def test_a_few_sends_are_not_reported_as_no_millions(count, expected):
    assert in_millions(count) == expected
