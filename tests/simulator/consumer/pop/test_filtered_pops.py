"""Pops of a group whose tag is rare: what wakes one that waits, by the release of the broker."""

from __future__ import annotations

import pytest

from tests.simulator.small import ran_tables, rows

RARE = {"topics": {"orders": "rare"}, "count": 1, "threads": 4, "service": "1ms", "consume_mode": "POP"}


def latest_s(release, per_s=1_000, **keys):
    """Seconds until the message that waits longest is handled, of one in `per_s`."""
    run = ran_tables(
        duration="20s", client={"release": "5.3.3"}, producers={"rate": "1000/s", "threads": 8, "count": 2},
        brokers={"a": {"latency": {"constant": "200us"}, "release": release}},
        topics={"orders": {"queues": 1, "tags": {"bulk": per_s - 1, "rare": 1}}}, consumers={"billing": RARE | keys},
    )  # fmt: skip
    found = rows(run, "consumed")
    assert len(found) > 1
    return max(row["end_us"] - row["arrival_us"] for row in found) / 1e6


@pytest.mark.parametrize("release", ["5.2.0", "5.3.1", "5.5.0"])
def test_a_pop_looks_on_while_messages_are_left(release):
    assert latest_s(release, per_s=4_000) < 0.1


def test_in_5_3_0_it_waits_with_messages_left():
    assert latest_s("5.3.0", per_s=4_000) > 2


def test_where_fewer_than_800_messages_lie_between_two_that_pass_no_release_waits():
    assert latest_s("5.3.0", per_s=50) < 0.1
