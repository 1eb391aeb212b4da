"""What a POP group handles again after it had handled it already counts as consumed twice, wherever it was stored."""

from __future__ import annotations

import pytest

from state.group_table import HANDLED_RESULTS
from tests.simulator.consumer.pop.test_pop_groups import billing, struck
from tests.simulator.consumer.proxied.test_simple_consumers import simple
from tests.simulator.small import fault, rows


def counted_again(run):
    return sum(row["consumed_again"] for row in rows(run, "consumer_windows"))


def repeats(run):
    """Consumptions beyond the first of each message."""
    consumed = rows(run, "consumed")
    return len(consumed) - len({(row["sender"], row["send_seq"]) for row in consumed})


def handled_first(run):
    """Of each message the row of the delivery that handled it first."""
    first = {}
    for row in sorted(rows(run, "consumed"), key=lambda row: row["end_us"]):
        if row["result"] in HANDLED_RESULTS:
            first.setdefault((row["sender"], row["send_seq"]), row)
    return first


def handled_before(run):
    """Deliveries of messages that the group had handled before."""
    first = handled_first(run)
    ended = ((first.get((row["sender"], row["send_seq"])), row["end_us"]) for row in rows(run, "consumed"))
    return sum(row is not None and row["end_us"] < end_us for row, end_us in ended)


def longest_ms(run):
    """By window, the longest time until a message was handled for the first time."""
    longest = {}
    for row in handled_first(run).values():
        window, took_ms = row["end_us"] // 1_000_000, (row["end_us"] - row["arrival_us"]) / 1000
        longest[window] = max(longest.get(window, 0), took_ms)
    return longest


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


FAILING = {"service": "1s", "threads": 20}
FROZEN = {"faults": [struck("hang", "billing-1", "5s", "30s")], "pop_invisible_time": "5s"} | FAILING
KILLED = {"faults": [fault("kill", "8s", "6s", "a")]}


@pytest.mark.parametrize(
    ("group", "keys"),
    [
        (billing, FROZEN | {"fails": 0.5}),  # its copy failed, and was stored again
        (billing, FROZEN | {"fails": 0.5, "faults": [*FROZEN["faults"], fault("kill", "12s", "8s", "a")]}),
        (simple, KILLED | {"service": "500ms", "threads": 4, "rate": "5/s", "fails": 0.1}),
        (simple, KILLED | {"service": "6s", "threads": 4, "rate": "5/s", "fails": 0.1}),
    ],
    ids=[
        "frozen",
        "frozen, and offsets went back",
        "offsets went back",
        "nobody had received it before offsets went back",
    ],
)
def test_the_first_delivery_that_handles_a_message_counts_and_those_behind_it_are_consumed_again(group, keys):
    run = group(duration="60s", **keys)
    windows = rows(run, "consumer_windows")
    assert counted_again(run) == handled_before(run) > 0
    shown = {row["window_start_us"] // 1_000_000: row["max_ms"] for row in windows if row["max_ms"]}
    assert shown == pytest.approx(longest_ms(run), abs=0.01)


def test_a_row_of_what_was_handled_before_says_so_wherever_it_was_popped():
    run = simple(duration="60s", **KILLED, service="500ms", threads=4, rate="5/s", fails=0.1)
    assert sum(row["times"] > 1 for row in rows(run, "consumed")) == handled_before(run) > 0
