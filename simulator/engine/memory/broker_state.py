"""A broker: what does not change of it, and what is remembered."""

from __future__ import annotations

from typing import Annotated

from simulator.compiled.records import Ms, Record, Region, Us, several
from simulator.engine.memory.periods_table import PERIOD_TABLES, PeriodTable


class Broker(Record):
    """What does not change of a broker."""

    first_server: int  # of its send threads in world.servers
    server_count: int
    occupancy_ppm: int  # how long a request occupies a send thread, in parts per million of its service time
    queue_capacity: int
    first_place: int  # of its ring in world.rings
    latency: int  # number of its table in world.latencies
    has_master: int
    features: int  # 0: plain service and fast failure, no more
    expiry_ms: Ms  # a request that waited that long is answered by fast failure, NEVER_MS if it is off
    scan_phase_us: Us  # of all its timers, below their longest period
    lock_busy_ms: Ms  # the page cache is busy if the commit log's lock is held for longer
    lock_busy_code: int  # answer to a put that meets a busy page cache
    append_us: Us
    append_per_kib_us: Us
    refusal_code: int  # answer to every put, 0 if the store can be written
    slave_code: int  # answer to every put while it is a slave
    slave_rejects: int  # 1: that answer needs no send thread
    queue_id_code: int  # answer to a queue id that the topic has not
    sync_flush: int
    flush_latency: int  # number of its table in world.latencies
    flush_timeout_us: Us
    frees_thread: int  # 1: no send thread waits for a flush or a slave
    flush_timed: int  # 1: the asynchronous flush sleeps its interval out, 0: every put wakes it
    transient_pool: int
    slaves: int
    slave_latency: int  # number of its table in world.latencies
    machine_latencies: int  # number of that of the set's first machine, the others' follow; 0: all have slave_latency
    copied_per_s: int  # bytes that a slave is sent a second at most, 0: any
    slave_per_kib_us: Us
    acks: int  # slaves that must have a message before it is answered
    slave_timeout_us: Us
    checks_slave: int  # 1: without a slave that keeps up nothing is waited for (releases up to 4.9.8)
    is_set: int  # 1: its master can change
    confirms: int  # 1: nobody reads what the sync set has not; without a slave in it nothing is waited for
    counts_replicas: int  # 1: too few replicas are refused before anything is written
    disk_lost_us: Us  # when the disk is lost for the last time, 0 = never
    power_lost_us: Us  # the same of the power, where the flush is asynchronous
    first_change: int  # of its role, in world.role_changes
    role_changes: int
    number: int  # its own


class BrokerState(Record):
    """What is remembered of a broker."""

    ring_place: int  # where in its ring the next request goes
    lock_free_us: Us  # when the commit log's lock is free
    busy_from_us: Us  # the page cache is, was or will be busy from then
    busy_until_us: Us
    flush_begin_us: Us  # of the last group commit
    flush_end_us: Us
    copied_us: Us  # when slaves have all that was appended so far
    taker_us: Us  # when the next master has all that was appended so far, where slaves have latencies of their own
    sent_us: Us  # when all that was appended so far is sent to slaves that copy slowly
    lag_since_us: Us  # begin of the last period in which the slaves lagged
    # of the asynchronous flush, where the power will be lost
    flushed_bytes: int  # of its log covered by the last flush
    flush_done_us: Us  # when that is done
    flushed_before: int  # covered by the one before, which is done
    check_us: Us  # when the flush thread looks next, 0: it never did
    thorough_us: Us  # when it last flushed whatever there was
    outage_us: Us  # when the process goes away next
    restart_us: Us  # when it is back, 0: nothing is known; below 0: what was not flushed is lost
    periods: Annotated[Region[PeriodTable], several(PERIOD_TABLES)]


class QueueLimit(Record):
    """What a queue id must be below on a (topic, broker), 0 if the topic is not on it."""

    limit: int  # as long as it does not change
    first: int  # of its changes in world.limit_changes
    count: int  # 0: it does not change


class LimitChange(Record):
    """From when on it is what."""

    at_us: Us
    limit: int
