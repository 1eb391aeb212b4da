"""An instance of a consumer group: its timers, its threads, the queues that it holds."""

from __future__ import annotations

from simulator.compiled.records import Record, Us, Within
from simulator.consumer.client.pull_delays import PullSettings
from simulator.consumer.handling.fate import FailedHandling
from simulator.consumer.handling.seen_message import Deduplication
from simulator.consumer.orderly.orderly_group import OrderlySettings

NOBODY = -1  # no further record in a list

# what a holding's pull is doing
NO_PULL = 0  # nothing: the queue was lost
WAITING = 1  # the pull service tries when it is due
ASKED = 2  # the request is on its way
HELD = 3  # the broker holds it until something is appended
ANSWERED = 4  # the answer is on its way
FAILED = 5  # an exception is on its way
MOVED = 6  # "offset illegal" is on its way, with the right one
ILLEGAL = 7  # the client waits until it lets go of the queue, with that offset committed


# consumeFromWhere
FROM_LAST, FROM_FIRST, FROM_TIMESTAMP = range(3)

# what limits the lag that a group is scaled by: nothing, its queues, those of them that have a lag
NO_CAP, CAP_QUEUES, CAP_LAGGING = range(3)


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
    beats_anew: int  # 1: a client sends a heartbeat over each new connection
    closes_on_timeout: int  # 1: a synchronous request that is not answered closes its connection
    forgets_offsets: int  # 1: ConsumerClient.forgets_offsets, of one that is broadcasting
    from_where: int  # consumeFromWhere
    consume_timestamp_us: Us


class ConsumerTally(Record):
    """What a group did in the open window."""

    consumed: int
    again: int
    busy_us: Us
    max_us: Us  # from the wish to send until handled
    handled: int  # messages that were handled for the first time
    failed: int  # deliveries
    sent_back: int
    dead_letters: int
    expired: int  # sent back by sweeps for consumeTimeout
    deduplicated: int  # deliveries that were skipped
    out_of_order: int  # messages whose first delivery ended after that of a later one of their queue
    handled_again: int  # that deduplicate let through
    seen: int  # messages that deduplicate remembers
    oldest_seen: int  # place of the oldest in the group's ring
    born_us: Us  # when its retry topic came to be
    verdict: int  # on the lag of its worst queue
    from_disk: int  # messages that brokers read from their disks for it
    from_slave: int  # messages that slaves gave it


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
    filters: int  # 1: it does not take every tag
    times_by_tag: int  # 1: threads are at some tags for other times
    first_tag: int  # in world.tag_readings, one for each tag of the topic
    is_retry: int  # 1: the retry topic of the group


class TagReading(Record):
    """What a subscription does with a tag."""

    is_passed: int  # 1: by the broker, which compares codes
    is_kept: int  # 1: by the client as well
    service: int  # number of its table in world.latencies


class Instance(Record):
    """A client of a group."""

    group: int
    id_number: int  # its client id among those of the group: several have the same where ids collide
    first_subscription: int  # what it reads: the group's, or where it is broadcasting its own
    subscriptions: int
    first_worker: int
    workers: int
    is_up: int
    frozen_until_us: Us
    slowness_ppm: int
    stuck_until_us: Us  # when the listener returns from the message that a thread takes next, 0: as ever
    fails_ppm: int  # of deliveries, by a fault
    name_server: int
    rebalance_us: Us  # next round, FAR if none is due
    rebalanced_us: Us  # last round
    suspended_us: Us  # until when it does not balance, after a reset of its offsets
    reason: int  # of the next round
    phase_us: Us  # until the second round of what runs from the start, 0: as after any round
    persist_us: Us
    heartbeat_us: Us
    poll_us: Us
    again_us: Us  # when the first of those that were not taken back is consumed again
    sweep_us: Us  # when it looks next for what takes longer than consumeTimeout, FAR: never
    asked: int  # member lists asked for so far
    first_holding: int
    first_task: int  # of those that wait for a thread
    last_task: int
    tasks: int
    idle: int  # first idle worker
    first_again: int  # of those that were not taken back
    last_again: int
    lives: int  # how often it was started
    started_us: Us  # when, the last time
    locks_us: Us  # when it renews its locks, FAR: its group is not orderly
    first_turn: int  # queue of an orderly group that waits for a thread, linked by next_turn
    last_turn: int


class Holding(Record):
    """A queue in the hands of an instance, its ProcessQueue in world.process_queues."""

    instance: int
    subscription: int
    log: int
    next_holding: int  # of the instance, or of the free ones
    next_held: int  # of the log
    is_dropped: int
    state: int
    due_us: Us
    offset: int  # of the next pull
    scanned: int  # messages that the answer is behind, taken or not
    found: int  # of those, the ones in the answer
    looked: int  # held: offset up to which nothing was found
    page: int  # of that offset, or one before
    moved_to: int  # offset that the broker named instead
    suggested_slave: int  # 1: the next pull goes to the slave
    from_slave: int  # 1: this one did
    until_us: Us  # how long the broker may hold the pull
    memory: int  # offset in the instance's offset table, -1: none
    tasks: int  # messages that wait for a thread or are with one
    owned_us: Us  # since when
    # of an orderly group
    turn: int  # what it waits for
    turn_us: Us  # until when it rests
    next_turn: int  # that waits for a thread of the instance
    worker: int  # the thread that is at it
    run_us: Us  # since when a thread is at it
    client: int  # that has its lock
    unlock_us: Us  # when the lock is given back, FAR: it is not
    was_locked: int  # 1: it was pulled, which asks for its offset again


class ConsumeTask(Record):
    """A message that waits for a thread, or is with one."""

    holding: int
    offset: int
    body_bytes: int
    page: int
    stored_us: Us
    arrival_us: Us
    draw: int
    sender: int
    next_task: int
    batch: int  # of the first of a batch: how many messages
    reconsume_times: int  # deliveries that failed
    origin: int  # subscription that it came through first
    due_us: Us  # of one that was not taken back
    fate: int  # of this delivery


class Worker(Record):
    """A consume thread."""

    instance: int
    number: int  # among those of the instance
    next_idle: int
    first_task: int
    began_us: Us
    counted_us: Us  # until when it is counted as busy
    ends_us: Us  # FAR: it is idle
