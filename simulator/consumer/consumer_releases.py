"""The consumer of every release and what it meets at brokers: rules and defaults, each with what releases change.

Source: rocketmq tags rocketmq-all-4.2.0 to rocketmq-all-5.3.3.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import TypeVar

from simulator.client.by_release import ByRelease, since
from simulator.client.releases import RELEASES, nearest_release
from simulator.compiled.jit import ready
from simulator.consumer.broker import delay_levels, queue_lock
from simulator.consumer.client import process_queue, reconsume, tags
from simulator.consumer.consumer_rules import ConsumerRules

T = TypeVar("T")

NEVER = -1


@dataclass(frozen=True, kw_only=True)
class ConsumerClient(ConsumerRules):
    """The consumer of one release: its rules, its defaults and peculiarities."""

    release: str

    # DefaultMQPushConsumer, by their names there
    consume_from_where: str = since("CONSUME_FROM_LAST_OFFSET")
    message_model: str = since("CLUSTERING")
    allocate_message_queue_strategy: str = since("AVG")
    pull_batch_size: int = since(32)
    pull_batch_size_in_bytes: int | None = since(None, {"5.0.0": 262_144})
    pull_interval: int = since(0)  # ms
    pull_threshold_for_queue: int = since(1000)
    pull_threshold_size_for_queue: int = since(100)  # MiB
    pull_threshold_for_topic: int = since(-1)
    pull_threshold_size_for_topic: int = since(-1)
    consume_concurrently_max_span: int = since(2000)
    consume_message_batch_max_size: int = since(1)
    consume_thread_min: int = since(20)
    consume_thread_max: int = since(64, {"4.5.1": 20})
    consume_timeout: int = since(15)  # minutes
    max_reconsume_times: int = since(reconsume.DEFAULT_MAX_RECONSUME_TIMES)
    suspend_current_queue_time_millis: int = since(1000)
    adjust_thread_pool_nums_threshold: int = since(100_000)
    await_termination_millis_when_shutdown: int | None = since(None, {"4.7.1": 0})
    post_subscription_when_pull: bool = since(False)
    unit_mode: bool = since(False)
    client_rebalance: bool | None = since(None, {"5.0.0": True})
    pop_invisible_time: int | None = since(None, {"5.0.0": 60_000})  # ms
    pop_batch_nums: int | None = since(None, {"5.0.0": 32})
    pop_threshold_for_queue: int | None = since(None, {"5.0.0": 96})
    min_pop_invisible_time: int | None = since(None, {"5.0.0": 5_000})
    max_pop_invisible_time: int | None = since(None, {"5.0.0": 300_000})
    pop_async_timeout: int | None = since(None, {"5.0.0": 3_000})

    # ClientConfig, ms
    poll_name_server_interval: int = since(30_000)
    heartbeat_broker_interval: int = since(30_000)
    persist_consumer_offset_interval: int = since(5_000)
    # a new connection begins with a heartbeat
    enable_heartbeat_channel_event_listener: bool | None = since(None, {"5.2.0": True})
    vip_channel_enabled: bool = since(True, {"4.5.1": False})
    # a synchronous request that is not answered closes its connection (clientCloseSocketIfTimeout)
    client_close_socket_if_timeout: bool = since(False, {"4.9.1": True})

    # pulls, ms: the next after an exception (and of a queue that is not locked, or not subscribed)
    pull_time_delay_mills_when_exception: int = since(3000, {"4.6.0": 1000})
    # after a test of what is cached failed
    pull_time_delay_mills_when_flow_control: int = since(50)
    # after a broker answered SYSTEM_BUSY; NEVER: as after any exception
    pull_time_delay_mills_when_broker_flow_control: int = since(NEVER, {"4.9.5": 20, "5.0.0": NEVER, "5.1.0": 20})
    pull_time_delay_mills_when_suspend: int = since(1000)
    # how long a broker may hold a pull, and how long the client waits for its answer
    broker_suspend_max_time_millis: int = since(15_000)
    consumer_timeout_millis_when_suspend: int = since(30_000)
    # a queue that was not pulled for longer is dropped
    pull_max_idle_time: int = since(process_queue.PULL_MAX_IDLE_MS)

    # rebalancing, ms
    rebalance_wait_interval: int = since(20_000)
    # the least between two rounds, and until the next after one that left a queue over; NEVER: no such rule
    rebalance_min_interval: int = since(NEVER, {"5.2.0": 1000})
    # until the first pull of a queue that was added
    first_pull_delay: int = since(0, {"5.0.0": 500})
    # until another round where a queue could not be locked; NEVER: the next regular one
    rebalance_later: int = since(NEVER, {"5.0.0": 500})

    # orderly, ms: locks are renewed, and count at the client
    lock_interval: int = since(20_000)
    lock_max_live_time: int = since(process_queue.LOCK_MAX_LIVE_MS)
    # the lock of a queue that goes to another instance is given back later where messages are cached
    unlocks_late: bool = since(True, {"5.2.0": False})
    unlock_delay_time_mills: int = since(20_000)
    # how long a round waits for the thread that is at a queue before it gives the lock back
    unlock_wait: int = since(1_000, {"5.2.0": 500})
    max_time_consume_continuously: int = since(60_000)
    # a queue that was locked when it was taken counts as locked at once; else from the next renewal of the locks on
    locks_at_once: bool = since(False, {"4.9.5": True})
    # a message that an orderly group gives up is stored with its last try counted
    orderly_counts_last_try: bool = since(False, {"5.1.1": True})

    # consumeTimeout: a sweep that meets a message whose consumption has not begun goes on; else there is none again
    sweep_goes_on: bool = since(False, {"4.9.3": True})
    # a message that failed is sent back only while the instance still holds it
    sends_back_only_held: bool = since(False, {"5.1.0": True})
    # any error of the broker that is asked for the group's offset counts as "no offset yet"
    any_error_is_no_offset: bool = since(True, {"5.0.0": False})
    # ms until a queue whose offset the broker called illegal is dropped, with the broker's offset committed
    illegal_offset_delay: int = since(10_000, {"5.2.0": 0})

    # an instance that is broadcasting writes only the queues into its file that it holds then, and forgets the others
    forgets_offsets: bool = since(True, {"4.9.8": False, "5.0.0": True, "5.2.0": False})

    # what the type of a tag expression is called
    tag_expression_type: str | None = since(None, {"4.3.0": tags.TAG})
    # AllocateMachineRoomNearby
    has_machine_room_nearby: bool = since(False, {"4.3.0": True})


@dataclass(frozen=True, kw_only=True)
class BrokerSide:
    """What consumers meet at a broker of one release: defaults (ms) and peculiarities."""

    release: str

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
    access_message_in_memory_max_ratio: int = since(40)  # percent
    slave_read_enable: bool = since(False)
    # members and offsets
    channel_expired_timeout: int = since(120_000)
    channel_scan_interval: int = since(10_000)
    notify_consumer_ids_changed_enable: bool = since(True)
    flush_consumer_offset_interval: int = since(5_000)
    # a slave copies its master's offsets (SlaveSynchronize)
    slave_sync_interval: int = since(60_000, {"4.5.0": 10_000, "5.0.0": 60_000})
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
    # an end request that no check asked for is refused after CHECK_IMMUNITY_TIME_IN_SECONDS
    refuses_late_ends: bool = since(False, {"5.1.1": True})
    # storage
    file_reserved_time: int = since(72)  # hours
    timer_wheel_enable: bool | None = since(None, {"5.0.0": True})
    timer_precision_ms: int | None = since(None, {"5.0.0": 1_000})
    timer_max_delay_sec: int | None = since(None, {"5.0.0": 259_200})


def declared(of: type[T]) -> dict[str, ByRelease]:
    """What releases may change. Raises ValueError for an unknown release, TypeError for a rule of another name."""
    found = {each.name: each.default for each in fields(of) if isinstance(each.default, ByRelease)}  # type: ignore[arg-type]
    for name, values in found.items():
        for release in values.changes:
            if release not in RELEASES:
                raise ValueError(f"{name}: unknown release {release}, the nearest known is {nearest_release(release)}")
        for value in values.values:
            # the numbers of two rules can be of the same types: what tells them apart is what they are called
            if callable(value) and not value.__name__.startswith(name):
                raise TypeError(f"{name}: {value.__name__} is another rule")
    return found


def _by_release(of: Callable[..., T], table: Mapping[str, ByRelease]) -> dict[str, T]:
    return {
        release: of(release=release, **{name: each.after(RELEASES[: place + 1]) for name, each in table.items()})
        for place, release in enumerate(RELEASES)
    }


CONSUMERS: Mapping[str, ConsumerClient] = _by_release(ConsumerClient, declared(ConsumerClient))
BROKER_SIDES: Mapping[str, BrokerSide] = _by_release(BrokerSide, declared(BrokerSide))


def consumer_of(release: str) -> ConsumerClient:
    """The consumer of that release, its functions compiled. Raises ValueError for an unknown one."""
    return _ready(CONSUMERS, release)


def broker_side_of(release: str) -> BrokerSide:
    """What consumers meet at a broker of that release. Raises ValueError for an unknown one."""
    return _ready(BROKER_SIDES, release)


def _ready(table: Mapping[str, T], release: str) -> T:
    if release not in table:
        near = nearest_release(release)
        raise ValueError(f"unknown RocketMQ release {release!r}: the nearest known is {near}")
    found = table[release]
    for member in fields(found):  # type: ignore[arg-type]
        ready(getattr(found, member.name))
    return found
