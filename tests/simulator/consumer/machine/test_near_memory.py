"""A large group, whose machine fetches ahead what it will touch: it consumes what a small group does."""

from __future__ import annotations

import pytest

from simulator.consumer.machine.near_memory import LARGE
from tests.simulator.small import fault, ran_tables, rows

QUEUES = 32
GROUP = {"topic": "orders", "threads": 2, "service": "5ms"}


def offsets_consumed(count, mode):
    """Of each queue, once each; two instances are killed or stand still meanwhile."""
    run = ran_tables(
        duration="30s", topics={"orders": {"queues": QUEUES}}, producers={"rate": "40/s"},
        consumers={"billing": GROUP | {"count": count, "consume_mode": mode}},
        faults=[
            fault("kill", "3s", "4s", broker=None, consumer="billing-07"),
            fault("hang", "5s", "4s", broker=None, consumer="billing-09"),
        ],
    )  # fmt: skip
    found: dict[tuple[str, int], set[int]] = {}
    for row in rows(run, "consumed"):
        found.setdefault((row["broker"], row["queue_id"]), set()).add(row["queue_offset"])
    return found


@pytest.mark.parametrize("mode", ["CONCURRENTLY", "ORDERLY"])
def test_a_group_that_is_large_consumes_every_message_too(mode):
    large = offsets_consumed(LARGE, mode)
    assert large == offsets_consumed(LARGE - 1, mode)
    assert all(own == set(range(len(own))) for own in large.values())
