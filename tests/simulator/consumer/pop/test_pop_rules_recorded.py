"""What a POP group's brokers assign, as the recorded classes do (tests/golden/pop)."""

from __future__ import annotations

import pytest

from tests.golden import pop_rules as recorded
from tests.simulator.small import ran_tables, rows


def assigned(count, share, queues):
    """Queues of each instance as the model's brokers share them out."""
    run = ran_tables(
        duration="2s", client={"release": "5.3.3"}, producers={"rate": "1/s"},
        brokers={name: {"latency": {"constant": "1ms"}, "release": "5.3.3"} for name in "ab"},
        topics={"orders": {"queues": queues}},
        consumers={
            "g": {"topic": "orders", "count": count, "service": "1ms", "consume_mode": "POP"}
            | {"pop_share_queue_num": share}
        },
    )  # fmt: skip
    found = {}
    for row in rows(run, "assignments"):
        found.setdefault(row["instance"], set()).add((row["broker"], row["queue_id"]))
    return found


@pytest.mark.parametrize("count", [1, 2, 3, 5, 8, 9])
@pytest.mark.parametrize("share", [0, 1, 2, 4])
def test_brokers_assign_as_the_recorded_rules(count, share):
    mine = assigned(count, share, 4)
    queues = [(broker, queue) for broker in "ab" for queue in range(4)]
    names = sorted(mine)
    assert len(names) == count
    for name in names:
        assert mine[name] == set(recorded.assigned("AVG", share, name, queues, names))
