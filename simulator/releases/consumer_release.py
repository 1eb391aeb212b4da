"""The consumer of every release: its rules and defaults, each declared once with what releases change.

Source: rocketmq tags rocketmq-all-4.2.0 to rocketmq-all-5.5.0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from simulator.consumer.allocation.allocate import allocate_4_2_0, allocate_4_8_0, allocate_4_9_3
from simulator.consumer.consumer_rules import Allocate, CommitTaken, ConsumerRules, PutMessages, RemoveMessages
from simulator.consumer.rules import process_queue, reconsume, tags
from simulator.releases.ledger import compiled, every_release, since

NEVER = -1


@dataclass(frozen=True, kw_only=True)
class ConsumerClient(ConsumerRules):
    """The consumer of one release: its rules, its defaults and peculiarities."""

    release: str

    allocate: Allocate = since(allocate_4_2_0, {"4.8.0": allocate_4_8_0, "4.9.3": allocate_4_9_3})
    put_messages: PutMessages = since(process_queue.put_messages)
    # 5.0.0 to 5.1.4 do not have what 4.9.8, which is younger, set right
    remove_messages: RemoveMessages = since(
        process_queue.remove_messages_4_2_0,
        {
            "4.9.8": process_queue.remove_messages_4_9_8,
            "5.0.0": process_queue.remove_messages_4_2_0,
            "5.2.0": process_queue.remove_messages_4_9_8,
        },
    )
    commit_taken: CommitTaken = since(
        process_queue.commit_taken_4_2_0,
        {
            "4.9.8": process_queue.commit_taken_4_9_8,
            "5.0.0": process_queue.commit_taken_4_2_0,
            "5.2.0": process_queue.commit_taken_4_9_8,
        },
    )

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
    # a popped message that was retried too often is acknowledged and not handled (processPopResult)
    acknowledges_spent: bool = since(False, {"5.3.1": True})
    # how long it waits for the answer to a pop: popPollTime and as long as a pull may take
    pop_timeout_millis: int = since(25_000)
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
    # a reset of offsets sleeps for 10 s in an orderly group, too; else it waits for the threads that are at its queues
    sleeps_at_orderly_reset: bool = since(True, {"5.5.0": False})
    # a message that an orderly group gives up is stored with its last try counted
    orderly_counts_last_try: bool = since(False, {"5.1.1": True})

    # consumeTimeout: a sweep that meets a message whose consumption has not begun goes on; else there is none again
    sweep_goes_on: bool = since(False, {"4.9.3": True})
    # a message that failed is sent back only while the instance still holds it
    sends_back_only_held: bool = since(False, {"5.1.0": True})
    # a connection that closes fails the pulls that brokers hold on it at once, else they time out
    fails_held: bool = since(False, {"5.0.0": True})
    # any error of the broker that is asked for the group's offset counts as "no offset yet"
    any_error_is_no_offset: bool = since(True, {"5.0.0": False})
    # a commit looks for the master alone, and reads the topic's route again where that names none
    commits_look_for_master: bool = since(False, {"4.9.3": True, "5.0.0": False})
    # one that takes a queue looks for the master alone as it asks for the offset, and reads the route again likewise
    fetches_look_for_master: bool = since(False, {"4.9.3": True})
    # ms until a queue whose offset the broker called illegal is dropped, with the broker's offset committed
    illegal_offset_delay: int = since(10_000, {"5.2.0": 0})

    # an instance that is broadcasting writes only the queues into its file that it holds then, and forgets the others
    forgets_offsets: bool = since(True, {"4.9.8": False, "5.0.0": True, "5.2.0": False})

    # what the type of a tag expression is called
    tag_expression_type: str | None = since(None, {"4.3.0": tags.TAG})
    # AllocateMachineRoomNearby
    has_machine_room_nearby: bool = since(False, {"4.3.0": True})


CONSUMERS: Mapping[str, ConsumerClient] = every_release(ConsumerClient)


def consumer_of(release: str) -> ConsumerClient:
    """The consumer of that release, its functions compiled. Raises ValueError for an unknown one."""
    return compiled(CONSUMERS, release)
