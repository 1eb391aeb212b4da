"""A consumer group: its settings, its topics, what it did in the open window."""

from __future__ import annotations

from simulator.compiled.records import Record, Us, Within
from simulator.consumer.memory.fate import FailedHandling
from simulator.consumer.memory.orderly_group import OrderlySettings
from simulator.consumer.memory.proxied.proxied_client import ProxiedSettings
from simulator.consumer.memory.seen_message import Deduplication
from simulator.consumer.rules.pull_delays import PullSettings

# consumeFromWhere
FROM_LAST, FROM_FIRST, FROM_TIMESTAMP = range(3)

# what a subscription filters by
TAKES_ALL, BY_TAGS, BY_PROPERTIES = range(3)

# what limits the lag that a group is scaled by: nothing, its queues, those of them that have a lag
NO_CAP, CAP_QUEUES, CAP_LAGGING = range(3)


class PopSettings(Record):
    """The settings of a POP group."""

    batch: int  # popBatchNums, 0: the group pulls
    invisible_us: Us  # popInvisibleTime
    share: int  # popShareQueueNum, 0: every instance pops all queues
    threshold: int  # popThresholdForQueue
    acknowledges_spent: int  # 1: what was retried too often is not handled
    timeout_us: Us  # how long the client waits for an answer
    in_order: int  # 1: a queue is popped again when all that was popped of it is acknowledged, or visible again


class ReadingGroup(Record):
    """What does not change of a group."""

    first_instance: int
    instances: int
    first_subscription: int
    subscriptions: int
    is_broadcasting: int
    batch: int  # consumeMessageBatchMaxSize
    pull_batch: int  # pullBatchSize
    pull_interval_us: Us
    pull: Within[PullSettings]
    handling: Within[FailedHandling]
    duplicates: Within[Deduplication]
    orderly: Within[OrderlySettings]
    pop: Within[PopSettings]
    proxied: Within[ProxiedSettings]
    hold_us: Us  # brokerSuspendMaxTimeMillis
    pull_timeout_us: Us  # consumerTimeoutMillisWhenSuspend
    persist_us: Us
    heartbeat_us: Us
    poll_us: Us
    idle_pull_us: Us  # a queue that was not pulled for so long is dropped
    first_pull_us: Us  # until the first pull of a new queue
    rebalance_us: Us  # between two rounds where nothing changes
    least_rebalance_us: Us  # between two rounds
    unbalanced_us: Us  # until the round after one that changed something
    illegal_us: Us  # from an illegal offset until the client lets go of the queue
    fails_held: int  # 1: a pull that is held fails with its connection, 0: it times out
    scale_threshold: int  # lag for each instance, 0: their number does not change
    scale_poll_us: Us
    scale_cooldown_us: Us
    scale_least: int
    scale_cap: int  # what limits the lag that counts: CAP_*
    beats_on_connect: int  # 1: a client sends a heartbeat over each new connection
    name_servers_tried: int  # at most, beyond the instance's own, until a request for a route fails
    throws_unanswered: int  # 1: such a request throws, which ends the round of polls, or the start of the instance
    closes_on_timeout: int  # 1: a synchronous request that is not answered closes its connection
    looks_for_master: int  # 1: ConsumerClient.commits_look_for_master, of one that commits to brokers
    fetches_look: int  # 1: ConsumerClient.fetches_look_for_master, of the same
    forgets_offsets: int  # 1: ConsumerClient.forgets_offsets, of one that is broadcasting
    from_where: int  # consumeFromWhere
    consume_timestamp_us: Us


class GroupCounts(Record):
    """What a group did in a window."""

    consumed: int
    again: int
    failed: int  # deliveries
    sent_back: int
    dead_letters: int
    expired: int  # sent back by sweeps for consumeTimeout
    from_disk: int  # messages that brokers read from their disks for it
    from_slave: int  # messages that slaves gave it
    looked_at: int  # messages that brokers looked at for its pulls and pops
    properties_read: int  # those whose properties were read for it
    given: int  # those that it was answered with
    deduplicated: int  # deliveries that were skipped
    out_of_order: int  # messages whose first delivery ended after that of a later one of their queue
    handled_again: int  # that deduplicate let through
    failed_starts: int  # starts of instances that no name server answered
    busy_us: Us
    max_us: Us  # from the intended send time until handled
    verdict: int  # on the lag of its worst queue


class ConsumerTally(GroupCounts):
    """What a group did in the open window."""

    handled: int  # messages that were handled for the first time
    seen: int  # messages that deduplicate remembers
    oldest_seen: int  # place of the oldest in the group's ring
    born_us: Us  # when its retry topic came to be


class Scaler(Record):
    """What scaling remembers of a group."""

    below_since_us: Us  # since when fewer instances than run were enough
    most_since: int  # the most that were recommended since


class SubscribedTopic(Record):
    """A group and one of its topics."""

    group: int
    topic: int
    first_progress: int  # in world.progress, one for each log of the topic
    shift: int  # of the bits in which a message counts its consumptions by this reader
    times_max: int  # what these bits hold
    service: int  # number of its table in world.latencies
    filters: int  # what it filters by
    times_by_tag: int  # 1: threads are at some tags for other times
    first_tag: int  # in world.tag_readings, one for each tag of the topic
    is_retry: int  # 1: the retry topic of the group
    first_sql: int  # in world.sql_readings, one for each group of producers, then that of messages that nobody sent


class TagReading(Record):
    """What a subscription does with a tag."""

    is_passed: int  # 1: by the broker, which compares codes
    is_kept: int  # 1: by the client as well
    service: int  # number of its table in world.latencies


class DrawnProperty(Record):
    """A property of messages: what its value is drawn with, and the values' thresholds."""

    purpose: int  # of the random number
    entity: int
    first_edge: int  # in world.property_edges
    values: int


class SqlTerm(Record):
    """A property that an expression asks for."""

    property: int  # in world.drawn_properties
    stride: int  # between two classes of its values, in world.sql_answers
    first_class: int  # in world.sql_classes, one for each value


class SqlReading(Record):
    """What an expression takes of the messages of one group of producers."""

    first_term: int  # in world.sql_terms
    terms: int
    first_answer: int  # in world.sql_answers
