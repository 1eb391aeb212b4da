"""Messages of transactions that became readable again: who counts, when, where, and because of what."""

from __future__ import annotations

import pyarrow as pa
import pytest

from simulator.causes.proof import prove
from simulator.causes.transactions.readable_again import ReadableHalves
from tests.simulator.consumer.transactions.test_escaping_halves import BACK_US, KILL, S, ran, scenario
from tests.simulator.small import rows

NAMES = ("sender", "send_seq", "arrival_us", "broker", "settled_us", "delivered", "stored_us")
HALVES = (
    (0, 0, 5, "b", 90, 1, 10),  # its second commit: it escaped, and its own broker asked, too
    (0, 0, 5, "a", 60, 1, 50),
    (0, 1, 5, "a", 20, 1, 10),  # once
    (0, 1, 6, "a", 20, 0, 10),  # rolled back
    (3, 1, 5, "b", 30, 3, 10),  # three times at one broker
    (3, 2, 7, "b", None, 1, 10),  # open again, after its commit
    (3, 2, 7, "b", 40, 1, 12),
)


def again_in(*parts):
    readable = ReadableHalves(["a", "b"])
    for part in parts:
        readable.add(pa.table({name: [row[place] for row in part] for place, name in enumerate(NAMES)}))
    return readable.again()


@pytest.mark.parametrize("cut", range(len(HALVES) + 1))
def test_what_follows_the_first_time_counts_however_the_rows_are_cut(cut):
    again = again_in(HALVES[:cut], HALVES[cut:])
    assert again.sender.tolist() == [0, 3, 3]
    assert again.at_us.tolist() == [90, 30, 40]
    assert again.times.tolist() == [1, 2, 1]
    assert again.is_elsewhere.tolist() == [True, False, False]
    assert len(set(again.message.tolist())) == 3


def test_without_rows_nothing_became_readable_again():
    assert len(again_in()) == len(again_in(HALVES[2:4])) == 0


def test_what_escapes_is_readable_twice_because_of_the_kill_and_of_the_key():
    (one,) = [one for one in prove(scenario(True, KILL)).answer() if one.kind == "readable_twice"]
    escaped = [row for row in rows(ran(True), "transactions") if row["local_end_us"] is None and row["delivered"]]
    assert (one.place, one.size, one.because) == ("producers", len(escaped), ("F1", "escape"))
    assert [one.without[name] for name in one.because] == [0, 0]
    assert BACK_US + 30 * S <= one.from_us < one.until_us <= BACK_US + 33 * S
