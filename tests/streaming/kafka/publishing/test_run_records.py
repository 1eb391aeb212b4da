"""Published records are those of the run, out of order no further than was asked."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from simulator.plan.compile import compile_text
from streaming.kafka.publishing.run_records import PARTS, Disorder, disordered, records_of
from tests.simulator.small import text_of

LATENESS_US = 700_000


@pytest.fixture(scope="module")
def records():
    return list(records_of(compile_text(text_of(duration="5s", producers={"count": 4, "rate": "50/s"}))))


def test_a_message_is_named_by_its_thread_and_number(records):
    arrivals = [json.loads(r.value) for r in records if r.of is not None]
    keys = Counter((said["producer"], said["thread"], said["seq"]) for said in arrivals)
    assert len(arrivals) == len(keys) == 1000
    assert {max(seq for producer, _, seq in keys if producer == number) for number in range(4)} == {249}


def test_without_disorder_records_come_in_order_of_time(records):
    times = [record.at_us for record in disordered(iter(records), Disorder())]
    assert times == sorted(times)


@pytest.mark.parametrize("seed", [1, 2])
def test_disorder_keeps_within_its_bounds(records, seed):
    found = list(disordered(iter(records), Disorder(LATENESS_US, PARTS // 20, seed)))
    latest = 0
    for record in found:
        assert record.at_us >= latest - LATENESS_US
        latest = max(latest, record.at_us)
    assert [record.at_us for record in found] != [record.at_us for record in records]
    assert (found[-1].is_end, sum(record.is_end for record in found)) == (True, 1)
    assert set(found) == set(records)
    assert 20 < len(found) - len(records) < 90
