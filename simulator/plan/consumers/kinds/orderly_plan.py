"""How orderly groups lock and consume their queues, as the machine reads it."""

from __future__ import annotations

from simulator.compiled.records import Array, Region
from simulator.compiled.region_store import filled
from simulator.consumer.memory.consumer_group import ReadingGroup
from simulator.consumer.rules.pull_delays import pull_in_order
from simulator.consumer.rules.queue_lock import LOCK_MAX_LIVE_MS, QueueLock
from simulator.consumer.rules.reconsume import CONSUMER_SUSPENDS, suspend_ms
from simulator.releases.consumer_release import NEVER, ConsumerClient
from simulator.scenario.consuming.consumers import ConsumerGroup


def put_orderly(group: ReadingGroup, own: ConsumerGroup, client: ConsumerClient) -> None:
    """Fill what only an orderly group has."""
    pull_in_order(group.pull)
    group.handling.counts_last_try = int(client.orderly_counts_last_try)
    orderly = group.orderly
    orderly.suspend_us = suspend_ms(own.suspend_current_queue_time_ms, CONSUMER_SUSPENDS) * 1000
    orderly.renew_us = client.lock_interval * 1000
    orderly.continuous_us = client.max_time_consume_continuously * 1000
    orderly.lock_life_ms = LOCK_MAX_LIVE_MS
    orderly.locks_at_once, orderly.unlocks_late = int(client.locks_at_once), int(client.unlocks_late)
    orderly.unlock_wait_us = client.unlock_wait * 1000
    orderly.unlock_later_us = client.unlock_delay_time_mills * 1000
    orderly.waits_at_reset = int(not client.sleeps_at_orderly_reset)
    if client.rebalance_later != NEVER:
        # a queue whose lock was refused is asked for again soon, but not sooner than two rounds may follow each other
        again_us = max(client.rebalance_later * 1000, group.least_rebalance_us)
        group.unbalanced_us = min(group.unbalanced_us, again_us)


def fresh_locks(groups: Array, progress: int) -> Array:
    """Region `locks` at the start: nobody has any, and without orderly groups there are none."""
    rows = Region.of(ReadingGroup, groups)
    is_any = any(rows[number].pull.needs_lock for number in range(len(rows)))
    return filled(QueueLock, progress if is_any else 0)
