"""The broker of every release: how it stores, and what consumers meet there, each with what releases change.

Source: rocketmq tags rocketmq-all-4.2.0 to rocketmq-all-5.5.0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from simulator.codes import INVALID_PARAMETER, SYSTEM_BUSY, SYSTEM_ERROR
from simulator.consumer.rules import delay_levels, queue_lock, reconsume
from simulator.consumer.sql.sql_parser import PLAIN_SQL, SQL_WITH_TEXT_WORDS, SqlDialect
from simulator.releases.ledger import every_release, since

# that a client asks for the route of new topics with, and that a broker of the same release makes topics from
KEY_OF_NEW_TOPICS: str = since("TBW102", {"4.3.0": "AUTO_CREATE_TOPIC_KEY", "4.3.1": "TBW102"})


@dataclass(frozen=True, kw_only=True)
class StoreSide:
    """How a broker of one release takes and stores messages, and registers."""

    # BrokerConfig.sendMessageThreadPoolNums on four or more processors
    send_threads: int = since(1, {"4.9.1": 4})
    # SendMessageProcessor.handlePutMessageResult, OS_PAGECACHE_BUSY
    page_cache_busy_code: int = since(SYSTEM_ERROR, {"5.3.0": SYSTEM_BUSY})
    # AbstractSendMessageProcessor.msgCheck
    queue_id_code: int = since(SYSTEM_ERROR, {"5.3.2": INVALID_PARAMETER})
    # asyncPutMessage: no send thread waits
    frees_thread: bool = since(False, {"4.7.0": True})
    # MessageStoreConfig.flushCommitLogTimed
    flush_timed: bool = since(False, {"4.9.1": True})
    # submitFlushRequest, whose answer nothing hastens until flushDiskWatcher
    flush_times_out: bool = since(True, {"4.7.0": False, "4.9.3": True})
    # slaveTimeout; None: that of the flush
    slave_timeout_us: int | None = since(None, {"4.9.3": 3_000_000})
    # handleHA counts acknowledgements (inSyncReplicas)
    counts_acks: bool = since(False, {"5.0.0": True})
    # enableDLegerCommitLog
    has_dledger: bool = since(False, {"4.5.0": True})
    # SendMessageProcessor.rejectRequest
    slave_rejects: bool = since(False, {"5.0.0": True})
    # BrokerOuterAPI.registerBrokerAll
    registers_at_start: bool = since(True, {"5.0.0": False})
    # TopicConfigManager
    create_topic_key: str = KEY_OF_NEW_TOPICS


@dataclass(frozen=True, kw_only=True)
class BrokerSide:
    """What consumers meet at a broker of one release: defaults (ms) and peculiarities."""

    # long polling: held pulls are looked at; a broker without long polling looks after
    hold_check_interval: int = since(5_000)
    short_polling_time_mills: int = since(1_000)
    long_polling_enable: bool = since(True)
    pull_thread_pool_queue_capacity: int = since(100_000)
    wait_time_mills_in_pull_queue: int = since(5_000)
    # the most that a pull transfers
    max_transfer_bytes_on_message_in_memory: int = since(262_144)
    max_transfer_count_on_message_in_memory: int = since(32)
    max_transfer_bytes_on_message_in_disk: int = since(65_536)
    max_transfer_count_on_message_in_disk: int = since(8)
    # SelectorParser
    sql_dialect: SqlDialect = since(PLAIN_SQL, {"5.1.3": SQL_WITH_TEXT_WORDS})
    access_message_in_memory_max_ratio: int = since(40)  # percent
    slave_read_enable: bool = since(False)
    # members and offsets
    channel_expired_timeout: int = since(120_000)
    channel_scan_interval: int = since(10_000)
    notify_consumer_ids_changed_enable: bool = since(True)
    flush_consumer_offset_interval: int = since(5_000)
    # a slave copies its master's offsets (SlaveSynchronize); from 5.0.0 on in ticks of 3 s, more than 60 s apart
    slave_sync_interval: int = since(60_000, {"4.5.0": 10_000, "5.0.0": 63_000})
    rebalance_lock_max_live_time: int = since(queue_lock.LOCK_MAX_LIVE_MS)
    # what a group may do
    retry_max_times: int = since(reconsume.MAX_CONCURRENTLY)
    retry_queue_nums: int = since(1)
    # a dead letter keeps the delay level of its last retry, and comes late by it
    delays_dead_letters: bool = since(True, {"4.9.2": False})
    # a retry that the client sends itself is a dead letter one delivery sooner
    counts_sent_retry_sooner: bool = since(True, {"5.0.0": False})
    # a pull beyond the end of a queue that begins at 0 is sent to its beginning, else to its end
    corrects_to_first: bool = since(True, {"4.9.4": False})
    # a queue begins at 0 for a group without an offset while the page cache has its first message; before, while that
    # is within access_message_in_memory_max_ratio of the memory
    asks_page_cache: bool = since(False, {"5.1.0": True})
    # delays
    message_delay_level: str = since(delay_levels.DEFAULT_LEVELS)
    schedule_first_delay: int = since(1_000)
    schedule_delay_for_a_while: int = since(100)
    schedule_delay_for_a_period: int = since(10_000)
    # each level has a thread of its own, which looks every schedule_delay_for_a_while; before, one Timer has them all
    delivers_levels_apart: bool = since(False, {"4.9.3": True})
    flush_delay_offset_interval: int = since(10_000)
    # a graceful stop writes down how far each level is delivered
    persists_delay_offsets_at_stop: bool = since(False, {"4.9.3": True})
    # transactions; None: not checked
    transaction_time_out: int | None = since(None, {"4.3.0": 3_000, "4.3.1": 6_000})
    transaction_check_max: int | None = since(None, {"4.3.0": 5, "4.3.1": 15})
    transaction_check_interval: int | None = since(None, {"4.3.0": 60_000, "5.1.1": 30_000})
    # op messages, which say that a half message is ended, are written for all that were ended so long; None: for each
    transaction_op_batch_interval: int | None = since(None, {"5.1.0": 3_000})
    # a round of checks that has read op messages sleeps so long before it asks; None: it does not
    transaction_check_pause: int | None = since(None, {"5.1.0": 1_000})
    # an end request that no check asked for is refused after CHECK_IMMUNITY_TIME_IN_SECONDS
    refuses_late_ends: bool = since(False, {"5.1.1": True})
    # storage
    file_reserved_time: int = since(72)  # hours
    # POP: ms between two looks of the revive service, None: it knows no POP
    revive_interval: int | None = since(None, {"5.0.0": 1_000})
    # percent of the pops that look at the retry topic first (a fifth before the setting)
    pop_from_retry_probability: int | None = since(None, {"5.0.0": 20})
    # which pop a message ends the wait of that comes again: one of all queues, none (the next message or its own end
    # does), any
    wakes_pops_on_retry: str | None = since(None, {"5.0.0": "all queues", "5.2.0": "none", "5.4.0": "any"})
    # where a group begins that has no offset: at 0 while the first message is in memory, else at the last message
    pops_from_memory: bool | None = since(None, {"5.0.0": False, "5.1.4": True})
    # a retry topic without an offset is popped from its first message, else as any topic
    pops_all_retries: bool | None = since(None, {"5.0.0": False, "5.3.1": True})
    # from the queue that is drawn a pop goes through those before it (priorityOrderAsc)
    pops_descending: bool | None = since(None, {"5.0.0": False, "5.4.0": True})
    # a message that the filter of a waiting pop leaves out does not wake it
    wakes_pops_filtered: bool | None = since(None, {"5.0.0": False, "5.3.0": True})
    # a pop that found nothing, and has passed over 800 messages of a queue that has more, wakes a waiting pop
    wakes_pops_on_rest: bool | None = since(None, {"5.0.0": False, "5.3.1": True})
    # a waiting pop looks as the last message that was popped of a queue in order is acknowledged
    # (enableNotifyAfterPopOrderLockRelease); before, it waits for the next message, or for its own end
    wakes_pops_unblocked: bool | None = since(None, {"5.0.0": False, "5.1.0": True})
    # what was stored after the begin of the pop that took it is not revived (apache/rocketmq#7914)
    loses_younger_messages: bool | None = since(None, {"5.0.0": True, "5.3.0": False})
    # a queue of which too much is popped and not acknowledged gives nothing (enablePopMessageThreshold)
    limits_pops_in_flight: bool | None = since(None, {"5.0.0": False, "5.2.0": True})
    # without its timer wheel it refuses every pop; before, what was not acknowledged never came again
    refuses_pops_without_wheel: bool | None = since(None, {"5.0.0": False, "5.1.1": True})
    timer_wheel_enable: bool | None = since(None, {"5.0.0": True})
    timer_precision_ms: int | None = since(None, {"5.0.0": 1_000})
    timer_max_delay_sec: int | None = since(None, {"5.0.0": 259_200})


@dataclass(frozen=True, kw_only=True)
class ReplicaSide:
    """What a broker of one release does as a member of a set whose master a controller elects."""

    # a master looks every checkSyncStateSetPeriod who lags; from 5.1.1 to 5.1.3 its first look throws, and there is no
    # other (apache/rocketmq#7219)
    checks_sync_set: bool = since(False, {"5.0.0": True, "5.1.1": False, "5.1.4": True})


@dataclass(frozen=True, kw_only=True)
class BrokerRelease(StoreSide, BrokerSide, ReplicaSide):
    """The broker of one release."""

    release: str


BROKERS: Mapping[str, BrokerRelease] = every_release(BrokerRelease)
