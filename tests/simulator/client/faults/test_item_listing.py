"""The fault table lists its items as a ConcurrentHashMap over broker names does."""

import gzip
import json

import pytest

from simulator.client.faults.hash_order import java_hash, spread

SLOTS = 32


@pytest.mark.parametrize(
    ("text", "value"), [("", 0), ("a", 97), ("polygenelubricants", 2**31), ("\U0001f600", 1772899)]
)
def test_java_hash(text, value):
    assert java_hash(text) == value


def test_recorded_tables_are_listed_in_slot_order(root):
    rows = 0
    for line in gzip.decompress((root / "tests/golden/select-4.9.8.jsonl.gz").read_bytes()).splitlines():
        case = json.loads(line)
        for table in (op[-1]["f"] for op in case["ops"] if isinstance(op[-1], dict) and "f" in op[-1]):
            slots = [spread(case["names"][item[0]]) % SLOTS for item in table]
            assert slots == sorted(slots)
            rows += len(slots)
    assert rows > 10_000


def in_slot(slot, count, size=SLOTS):
    names = (f"b{number}" for number in range(100_000))
    found = (name for name in names if spread(name) % size == slot)
    return [next(found) for _ in range(count)]


def test_items_of_one_slot_are_listed_in_order_of_arrival(producer):
    names = in_slot(7, 3)
    p = producer("4.9.8", dict.fromkeys(names, 1))
    for name in (names[2], names[0], names[1]):
        p.update(name)
    assert p.known == [names[2], names[0], names[1]]


def test_the_table_doubles_with_its_24th_item(producer):
    names = [f"broker-{number}" for number in range(24)]
    p = producer("4.9.8", dict.fromkeys(names, 1))
    for name in names[:23]:
        p.update(name)
    assert p.faults.table_size == SLOTS
    p.update(names[23])
    assert p.faults.table_size == 2 * SLOTS
    slots = [spread(name) % (2 * SLOTS) for name in p.known]
    assert slots == sorted(slots)


def test_doubling_reverses_what_comes_before_the_last_run_of_a_slot(producer):
    low, high = in_slot(7, 4, 64), in_slot(7 + SLOTS, 1, 64)
    others = [name for name in (f"x{number}" for number in range(200)) if spread(name) % SLOTS > 7][:19]
    chain = [low[0], low[1], high[0], low[2], low[3]]
    p = producer("4.9.8", dict.fromkeys([*chain, *others], 1))
    for name in (*chain, *others):
        p.update(name)
    assert [name for name in p.known if name in chain] == [low[1], low[0], low[2], low[3], high[0]]
