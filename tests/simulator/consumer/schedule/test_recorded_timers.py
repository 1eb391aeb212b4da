"""Timer messages as a 5.3.3 broker delivered them: each in the slot that the model says, in its first tenth."""

from __future__ import annotations

import pytest

from simulator.compiled.region_store import filled
from simulator.consumer.memory.delay_queue import DelayQueue
from simulator.consumer.schedule import delivering

MOST_US = 115_000  # a look every 100 ms, and what delivering takes
# ms of a wall clock: sent, the delay asked for, readable
RECORDED = (
    (832, 500, 2062), (1008, 1500, 3112), (1149, 1501, 3079), (1289, 2000, 4021), (1433, 3300, 5023),
    (1573, 100, 2061), (1992, 1000, 3079), (2131, 3000, 6035), (2272, 2500, 5023), (3123, 500, 4021),
    (3341, 1500, 5023), (3542, 1501, 6035), (3744, 2000, 6035), (3944, 3300, 8052), (4146, 100, 5023),
    (4748, 1000, 6035), (4950, 3000, 8052), (5151, 2500, 8052), (5955, 500, 7050), (6219, 1500, 8052),
    (6481, 1501, 8052), (6743, 2000, 9055), (7005, 3300, 11058), (7268, 100, 8052), (8054, 1000, 10056),
    (8317, 3000, 12060), (8579, 2500, 12060), (9636, 500, 11058), (9961, 1500, 12061), (10285, 1501, 12061),
    (10608, 2000, 13068), (10932, 3300, 15071), (11255, 100, 12061), (12224, 1000, 14069), (12549, 3000, 16074),
    (12871, 2500, 16074),
)  # fmt: skip


@pytest.mark.parametrize(("sent_ms", "delay_ms", "readable_ms"), RECORDED)
def test_a_recorded_message_came_in_the_first_tenth_after_its_slot(sent_ms, delay_ms, readable_ms):
    queue = DelayQueue.at(filled(DelayQueue, 1, precision_us=1_000_000, delay_us=1_000 * delay_ms).reshape(-1))
    due_us = delivering._due_us(queue, 1_000 * sent_ms)
    assert 0 <= 1_000 * readable_ms - due_us <= MOST_US
