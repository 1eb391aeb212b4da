"""Which synchronous time-outs close the connection, by release."""

from __future__ import annotations

import pytest

from simulator.client.sending.closing import closes
from simulator.releases.producer_release import CLIENTS


@pytest.mark.parametrize(("release", "closed"), [("4.2.0", 0), ("4.9.0", 0), ("4.9.1", 1), ("5.1.3", 1), ("5.3.3", 1)])
def test_a_time_out_closes_the_connection_since_4_9_1(release, closed):
    assert closes(CLIENTS[release].closes_on_timeout, 3_000, 3_000) == closed


@pytest.mark.parametrize(
    ("timeout_ms", "left_ms", "closed"), [(3_000, 101, 1), (3_000, 100, 0), (300, 76, 1), (300, 75, 0), (0, 0, 0)]
)
def test_since_5_1_4_not_if_hardly_anything_was_left(timeout_ms, left_ms, closed):
    assert closes(CLIENTS["5.1.4"].closes_on_timeout, timeout_ms, left_ms) == closed
    assert closes(CLIENTS["5.1.3"].closes_on_timeout, timeout_ms, left_ms) == 1


def test_requests_end_with_their_connection_since_4_3_0():
    assert [CLIENTS[release].fails_fast for release in ("4.2.0", "4.3.0", "5.3.3")] == [False, True, True]
