"""What decides how an orderly group locks and consumes its queues, and what its queue is waiting for."""

from __future__ import annotations

from simulator.compiled.records import Ms, Record, Us

# what a queue of an orderly group waits for: its ConsumeRequest
NO_TURN = 0  # a message
WAITS = 1  # a thread
WORKS = 2  # the thread that is at its messages
RESTS = 3  # until it waits for a thread again
ASKS_LOCK = 4  # until the client asks for its lock


class OrderlySettings(Record):
    """The settings of an orderly group."""

    suspend_us: Us  # suspendCurrentQueueTimeMillis as it counts
    renew_us: Us  # between two renewals of the locks
    continuous_us: Us  # MAX_TIME_CONSUME_CONTINUOUSLY
    lock_life_ms: Ms  # rebalanceLockMaxLiveTime of the brokers
    locks_at_once: int  # 1: a queue that was locked as it was taken counts as locked
    unlocks_late: int  # 1: of a queue with cached messages the lock is given back later
    unlock_wait_us: Us  # how long a round waits for the thread at a queue
    unlock_later_us: Us
    waits_at_reset: int  # 1: a reset of its offsets waits for the threads at its queues, else it sleeps
