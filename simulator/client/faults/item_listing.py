"""The order in which the fault table lists its items: that of a ConcurrentHashMap over broker names.

The order decides ties in the sort of `pick_one_at_least` and the sequence of detector probes. Slots are kept
in order, a slot's items in order of arrival; the map doubles when three quarters full and never shrinks.
Source: java.util.concurrent.ConcurrentHashMap.putVal, addCount, transfer (JDK 8-17). Not modelled: a slot
with more than 8 items, which real maps answer by growing early.
"""

from __future__ import annotations

from simulator.client.faults.fault_item import FaultTable
from simulator.compiled.jit import rule

FIRST_TABLE_SIZE = 32  # what `new ConcurrentHashMap<>(16)` makes of its 16


@rule()
def slot_of(faults: FaultTable, broker: int, table_size: int) -> int:
    """Slot of that broker's item in a hash table of that size."""
    return faults.penalty.spreads[broker] & (table_size - 1)


@rule()
def add_item(faults: FaultTable, broker: int) -> None:
    """Put an absent broker's item into the table: behind the items of its slot."""
    faults.items[broker].present = 1
    count = faults.item_count
    table_size = max(faults.table_size, FIRST_TABLE_SIZE)
    items = faults.items
    slot = slot_of(faults, broker, table_size)
    place = count
    while place > 0 and slot_of(faults, items[place - 1].listed, table_size) > slot:
        items[place].listed = items[place - 1].listed
        place -= 1
    items[place].listed = broker
    faults.item_count = count + 1
    while count + 1 >= table_size - table_size // 4:
        double_table(faults, table_size)
        table_size *= 2
    faults.table_size = table_size


@rule()
def remove_item(faults: FaultTable, broker: int) -> int:
    """Take a broker's item out of the table and forget what it held; 0 if it was not there."""
    item = faults.items[broker]
    if item.present == 0:
        return 0
    item.present = 0
    item.current_latency = 0
    item.start_timestamp = 0
    item.reachable = 0
    item.check_stamp = 0
    items = faults.items
    place = 0
    while items[place].listed != broker:
        place += 1
    last = faults.item_count - 1
    while place < last:
        items[place].listed = items[place + 1].listed
        place += 1
    faults.item_count = last
    return 1


@rule()
def double_table(faults: FaultTable, table_size: int) -> None:
    """Relist every item as if moved from `table_size` slots to twice as many."""
    items, count = faults.items, faults.item_count
    moved = 0
    for high in range(2):
        first = 0
        while first < count:
            after = first + 1
            slot = slot_of(faults, items[first].listed, table_size)
            while after < count and slot_of(faults, items[after].listed, table_size) == slot:
                after += 1
            moved = move_slot(faults, first, after, 2 * table_size, slot + high * table_size, moved)
            first = after
    for place in range(count):
        items[place].listed = faults.penalty.ranking[place]


@rule()
def move_slot(faults: FaultTable, first: int, after: int, doubled: int, new_slot: int, to: int) -> int:
    """Copy those items of one old slot that belong into `new_slot` to place `to` of the ranking; the place after them.

    The last run of items that stay together moves as it is, the items before it one by one and so reversed.
    """
    items, ranking = faults.items, faults.penalty.ranking
    run = after - 1
    last_slot = slot_of(faults, items[run].listed, doubled)
    while run > first and slot_of(faults, items[run - 1].listed, doubled) == last_slot:
        run -= 1
    for place in range(run - 1, first - 1, -1):
        if slot_of(faults, items[place].listed, doubled) == new_slot:
            ranking[to] = items[place].listed
            to += 1
    if slot_of(faults, items[run].listed, doubled) == new_slot:
        for place in range(run, after):
            ranking[to] = items[place].listed
            to += 1
    return to
