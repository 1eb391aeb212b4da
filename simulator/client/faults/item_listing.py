"""The order in which the fault table lists its items: that of a ConcurrentHashMap over broker names.

The order decides ties in the sort of `pick_one_at_least` and the sequence of detector probes. Slots are kept
in order, a slot's items in order of arrival; the map doubles when three quarters full and never shrinks.
Source: java.util.concurrent.ConcurrentHashMap.putVal, addCount, transfer (JDK 8-17). Not modelled: a slot
with more than 8 items, which real maps answer by growing early.
"""

from __future__ import annotations

import numpy as np

from simulator.client.memory import (
    BROKER_COUNT,
    ITEM_COUNT,
    ITEM_LIST,
    ITEM_SIZE,
    PENALTY,
    PENALTY_STEPS,
    PENALTY_TABLE,
    PRESENT,
    SHOWN,
    TABLE_SIZE,
)
from simulator.compiled.jit import rule

FIRST_TABLE_SIZE = 32  # what `new ConcurrentHashMap<>(16)` makes of its 16


@rule()
def item_of(faults: int, broker: int) -> int:
    """Offset of that broker's item in the faults block."""
    return faults + ITEM_LIST + broker * ITEM_SIZE


@rule()
def listing_of(m: np.ndarray, faults: int) -> int:
    """Offset of the brokers of the present items in listing order."""
    return faults + ITEM_LIST + m[faults + BROKER_COUNT] * ITEM_SIZE


@rule()
def ranking_of(m: np.ndarray, faults: int) -> int:
    """Offset of the brokers of the present items in the order of the last sort."""
    return faults + ITEM_LIST + m[faults + BROKER_COUNT] * (ITEM_SIZE + 1)


@rule()
def slot_of(m: np.ndarray, faults: int, broker: int, table_size: int) -> int:
    """Slot of that broker's item in a hash table of that size."""
    penalty = m[faults + PENALTY]
    return m[penalty + PENALTY_TABLE + 2 * m[penalty + PENALTY_STEPS] + broker] & (table_size - 1)


@rule()
def add_item(m: np.ndarray, faults: int, broker: int) -> None:
    """Put an absent broker's item into the table: behind the items of its slot."""
    m[item_of(faults, broker) + PRESENT] = 1
    count = m[faults + ITEM_COUNT]
    table_size = max(m[faults + TABLE_SIZE], FIRST_TABLE_SIZE)
    listed = listing_of(m, faults)
    slot = slot_of(m, faults, broker, table_size)
    place = listed + count
    while place > listed and slot_of(m, faults, m[place - 1], table_size) > slot:
        m[place] = m[place - 1]
        place -= 1
    m[place] = broker
    m[faults + ITEM_COUNT] = count + 1
    while count + 1 >= table_size - table_size // 4:
        double_table(m, faults, table_size)
        table_size *= 2
    m[faults + TABLE_SIZE] = table_size


@rule()
def remove_item(m: np.ndarray, faults: int, broker: int) -> int:
    """Take a broker's item out of the table and forget what it held; 0 if it was not there."""
    item = item_of(faults, broker)
    if m[item + PRESENT] == 0:
        return 0
    for cell in range(item, item + SHOWN):
        m[cell] = 0
    listed = listing_of(m, faults)
    place = listed
    while m[place] != broker:
        place += 1
    last = listed + m[faults + ITEM_COUNT] - 1
    while place < last:
        m[place] = m[place + 1]
        place += 1
    m[faults + ITEM_COUNT] = last - listed
    return 1


@rule()
def double_table(m: np.ndarray, faults: int, table_size: int) -> None:
    """Relist every item as if moved from `table_size` slots to twice as many."""
    listed = listing_of(m, faults)
    spare = ranking_of(m, faults)
    end = listed + m[faults + ITEM_COUNT]
    for high in range(2):
        first = listed
        while first < end:
            after = first + 1
            slot = slot_of(m, faults, m[first], table_size)
            while after < end and slot_of(m, faults, m[after], table_size) == slot:
                after += 1
            new_slot = slot + high * table_size
            spare = move_slot(m, faults, first, after, 2 * table_size, new_slot, spare)
            first = after
    spare = ranking_of(m, faults)
    for place in range(end - listed):
        m[listed + place] = m[spare + place]


@rule()
def move_slot(m: np.ndarray, faults: int, first: int, after: int, doubled: int, new_slot: int, to: int) -> int:
    """Copy those items of one old slot that belong into `new_slot` to `to`; the place after them.

    The last run of items that stay together moves as it is, the items before it one by one and so reversed.
    """
    run = after - 1
    while run > first and slot_of(m, faults, m[run - 1], doubled) == slot_of(m, faults, m[run], doubled):
        run -= 1
    for place in range(run - 1, first - 1, -1):
        if slot_of(m, faults, m[place], doubled) == new_slot:
            m[to] = m[place]
            to += 1
    if slot_of(m, faults, m[run], doubled) == new_slot:
        for place in range(run, after):
            m[to] = m[place]
            to += 1
    return to
