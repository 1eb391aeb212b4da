"""Locks of an orderly group's queues at their broker: each of one client, until it is given back or not renewed.

Source: rocketmq 4.2.0-5.3.3, broker.client.rebalance.RebalanceLockManager.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Ms, Record

LOCK_MAX_LIVE_MS = 60_000
NO_CLIENT = 0


class QueueLock(Record):
    """The lock of one queue for one group; zeros: nobody's."""

    client: int  # numbered from 1, or NO_CLIENT
    renewed_ms: Ms


@rule()
def is_expired(lock: QueueLock, now_ms: Ms, max_live_ms: Ms) -> int:
    """1 if the owner has not renewed it for too long."""
    return 1 if now_ms - lock.renewed_ms > max_live_ms else 0


@rule()
def try_lock(lock: QueueLock, client: int, now_ms: Ms, max_live_ms: Ms) -> int:
    """1 if the client has the lock from now on: it had it, nobody has, or the owner's has expired."""
    if lock.client not in (NO_CLIENT, client) and is_expired(lock, now_ms, max_live_ms) == 0:
        return 0
    lock.client = client
    lock.renewed_ms = now_ms
    return 1


@rule()
def unlock(lock: QueueLock, client: int) -> int:
    """1 if the client gave its lock back; that of another stays."""
    if lock.client != client:
        return 0
    lock.client = NO_CLIENT
    return 1
