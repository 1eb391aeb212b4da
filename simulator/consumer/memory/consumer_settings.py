"""The consumer machine's settings, its clock and its events."""

from __future__ import annotations

from simulator.compiled.records import Record, Us

# kind of an event: at the same moment the lower comes first
ACTION = 0  # somebody is started, killed ...: not in the heap
WINDOW_END = 1  # the open window closes
APPEND = 2  # a broker has appended a message: not in the heap
HELD_TICK = 3  # a broker looks at the pulls that it holds
SILENCE_SCAN = 4  # a broker looks for clients that it did not hear of
OFFSET_FLUSH = 5  # a broker writes its offset table
DELIVER = 6  # a broker's thread delivers a delayed message
DELAY_FLUSH = 7  # a broker writes down how far it has delivered
WORKED = 8  # a consume thread ends what it is at
PULL = 9  # a holding's pull goes on
REBALANCE = 10
PERSIST = 11
HEARTBEAT = 12
ROUTE_POLL = 13
SCALE = 14  # a group's scaler looks at its lag
CONSUME_AGAIN = 15  # an instance consumes what nobody took back
SWEEP = 16  # an instance looks for what its threads are at for too long
ERRAND = 17  # a request about a half message is where it goes
CHECK_ROUND = 18  # a broker looks at its half messages
CHECK_NEXT = 19  # it looks at the next one of the round
CLEAN_FILES = 20  # a broker looks which files of its commit log it may delete
RENEW_LOCKS = 21  # an instance asks for the locks of all its queues
QUEUE_TURN = 22  # a queue of an orderly group goes on
UNLOCK = 23  # a lock is given back
SLAVE_SYNC = 24  # a slave copies the offsets of its master
KIND_SHIFT = 40  # of an event's kind, beyond its number

# kind of an action
START, STOP, KILL, FREEZE, THAW, SLOW, STICK, RESET, FAIL = range(9)  # of an instance
BACK, AWAY, RESUME, HANG = range(9, 13)  # of a broker: at one moment the end of an outage comes before the next
PRODUCER_KILL, PRODUCER_START, PRODUCER_FREEZE, PRODUCER_THAW = range(13, 17)  # of a transactional producer
LINK_RISES, LINK_FALLS = range(17, 19)  # of the network between an instance and a broker, by their place in members
PRODUCER_LINK_RISES, PRODUCER_LINK_FALLS = range(19, 21)  # between a group of producers and a broker
MASTER_LINK_RISES, MASTER_LINK_FALLS = range(21, 23)  # between a master and everybody else
SLAVE_BACK, SLAVE_AWAY = range(23, 25)  # of the slave of a broker

# what made an instance balance
BY_START, BY_NOTICE, BY_PERIOD, BY_UNBALANCED, BY_ROUTE, BY_RESET, BY_ILLEGAL = range(7)


class ConsumerSettings(Record):
    """The settings of the machine."""

    seed: int
    window_us: Us
    duration_us: Us
    counted_from_us: Us  # windows before do not count in world.overall and world.late_overall
    groups: int
    instances: int
    subscriptions: int
    logs: int
    brokers: int
    topics: int
    workers: int
    link_us: Us  # a request or an answer on its way
    reput_us: Us  # from the append until it can be read
    notice_us: Us  # from a change of the members until a client hears of it
    hold_us: Us  # brokerSuspendMaxTimeMillis
    pull_timeout_us: Us  # consumerTimeoutMillisWhenSuspend
    persist_us: Us
    heartbeat_us: Us
    poll_us: Us
    flush_us: Us  # flushConsumerOffsetInterval
    tick_us: Us  # of the held pulls
    scan_us: Us  # for silent clients
    expires_us: Us  # a client that was silent for so long is no member any more
    idle_pull_us: Us  # a queue that was not pulled for so long is dropped
    transfer_count: int  # maxTransferCountOnMessageInMemory
    transfer_bytes: int
    delay_queues: int  # 0: nothing is delayed
    delay_flush_us: Us  # flushDelayOffsetInterval
    keep_from_us: Us  # what is stored from then on is not forgotten before keep_until_us: offsets are reset to it
    keep_until_us: Us
    half_queues: int  # 0: there are no transactions
    transaction_producers: int  # producers of all groups, 0 without transactions
    end_us: Us  # what a broker takes for an end request
    begins_at_us: Us  # time of day at the beginning
    disk_count: int  # maxTransferCountOnMessageInDisk
    disk_bytes: int
    pull_threads: int  # of the broker with the most
    queue_stride: int  # of the process queues, in their own records


class Least(Record):
    """What must be free for any one event; heap_size: at most so many events."""

    pages: int
    tasks: int
    holdings: int
    delay_pages: int
    halves: int
    errands: int
    files: int
    heap_size: int


class ConsumerClock(Record):
    """What moves on with every event."""

    now_us: Us
    window: int  # that is open
    heap_size: int
    free_page: int
    free_pages: int
    free_task: int
    free_tasks: int
    free_holding: int
    free_holdings: int
    free_delay_page: int
    free_delay_pages: int
    free_half: int
    free_halves: int
    free_errand: int
    free_errands: int
    free_file: int
    free_files: int
    is_stocked: int  # 1: what was stored before the run is in the logs
    ended: int  # 1: what is held at the end was put out
    consumed: int  # messages, in all
    again: int  # of those, not for the first time


class MachineAction(Record):
    """What happens to an instance or a broker, in order of time."""

    at_us: Us
    kind: int
    place: int
    value: int
