"""Timers of a broker: what it does every so often. One that stands still or is away skips its turn.

A timer is declared here, and handled in `machine/consumer_dispatch.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.memory import consumer_events as kinds
from simulator.consumer.memory.consumer_settings import ConsumerSettings
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.queue_log import StoreRules
from simulator.consumer.shared import due_heap

CLEAN_US = 10_000_000  # cleanResourceInterval
RENEW_US = 5_000_000  # renewSchedulePeriodMillis
ORDER_US = 1_000_000  # within which a waiting pop sees what is visible again
WHEEL_SYNC_US = 3_000_000  # ReplicasManager.handleSlaveSynchronize

# by kind of event: us from one time to the next, of the machine's settings and the broker's; 0: it has no such timer
BROKER_TIMERS: Mapping[int, Callable[[ConsumerSettings, StoreRules], int]] = {
    kinds.HELD_TICK: lambda own, broker: own.tick_us,
    kinds.SILENCE_SCAN: lambda own, broker: own.scan_us,
    kinds.OFFSET_FLUSH: lambda own, broker: own.flush_us,
    kinds.DELAY_FLUSH: lambda own, broker: own.delay_flush_us if own.delay_queues else 0,
    kinds.CLEAN_FILES: lambda own, broker: CLEAN_US,
    kinds.ORDER_EXPIRY: lambda own, broker: ORDER_US if own.pops and broker.revive_us else 0,
    kinds.RENEW: lambda own, broker: RENEW_US if own.proxies else 0,
    kinds.SLAVE_SYNC: lambda own, broker: broker.slave_sync_us if broker.slaves else 0,
    kinds.OP_BATCH: lambda own, broker: broker.op_batch_us * broker.elects if own.half_queues else 0,
    kinds.WHEEL_SYNC: lambda own, broker: WHEEL_SYNC_US * max(broker.elects, broker.escapes) if own.delay_queues else 0,
}
_COUNT = len(BROKER_TIMERS)
_PLACES = np.array([[*BROKER_TIMERS].index(kind) if kind in BROKER_TIMERS else -1 for kind in range(len(kinds.ACTORS))])


@rule()
def set_broker_timer_again(world: ConsumerWorld, broker: int, kind: int, now_us: Us) -> None:
    """Set the timer that is due now for its next time."""
    due_heap.push(world, now_us + world.broker_periods[broker * _COUNT + _PLACES[kind]], kind, broker)
