"""What a POP group handles again after it had handled it already counts as consumed twice, wherever it was stored."""

from __future__ import annotations

import pytest

from tests.simulator.consumer.pop.test_pop_groups import billing, struck
from tests.simulator.small import fault, rows


def counted_again(run):
    return sum(row["consumed_again"] for row in rows(run, "consumer_windows"))


def repeats(run):
    """Consumptions beyond the first of each message."""
    consumed = rows(run, "consumed")
    return len(consumed) - len({(row["sender"], row["send_seq"]) for row in consumed})


SLOW = {"threads": 20, "rate": "5/s", "pop_invisible_time": "6s"}


@pytest.mark.parametrize(
    ("faults", "keys"),
    [
        ([fault("kill", "5s", "3s", "a")], {"threads": 20, "pop_invisible_time": "10s", "service": "1s"}),
        ([struck("hang", "billing-1", "5s", "20s")], {"threads": 20, "pop_invisible_time": "10s", "service": "1s"}),
        ([], SLOW | {"service": "6500ms"}),  # ends before its copy is stored
        ([], SLOW | {"service": "12s", "rate": "1/s"}),  # and behind that
    ],
    ids=["its acknowledgement was lost", "its instance stood still", "a little too late", "much too late"],
)
def test_what_is_handled_again_counts_as_consumed_twice(faults, keys):
    run = billing(faults=faults, duration="40s", **keys)
    assert counted_again(run) == repeats(run) > 0


def test_what_failed_and_comes_again_does_not_count_as_consumed_twice():
    run = billing(duration="40s", fails_always=0.3, rate="10/s", threads=20)
    assert repeats(run) > 0
    assert counted_again(run) == 0
