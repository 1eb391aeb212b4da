"""The consumer machine's settings, its clock, and what the scenario does to instances and brokers."""

from __future__ import annotations

from simulator.compiled.records import Record, Us, Within
from simulator.kernel.machine_memory import MachineClock
from simulator.kernel.pools import Pool

# kind of an action
START, STOP, KILL, FREEZE, THAW, SLOW, STICK, RESET, FAIL = range(9)  # of an instance
BACK, AWAY, RESUME, HANG = range(9, 13)  # of a broker: at one moment the end of an outage comes before the next
PRODUCER_KILL, PRODUCER_START, PRODUCER_FREEZE, PRODUCER_THAW = range(13, 17)  # of a transactional producer
LINK_RISES, LINK_FALLS = range(17, 19)  # of the network between an instance and a broker, by their place in members
PRODUCER_LINK_RISES, PRODUCER_LINK_FALLS = range(19, 21)  # between a group of producers and a broker
MASTER_LINK_RISES, MASTER_LINK_FALLS = range(21, 23)  # between a master and everybody else
SLAVE_BACK, SLAVE_AWAY = range(23, 25)  # of the slave of a broker
MASTER_LEFT, EPOCH_BEGINS = range(25, 27)  # of a replica set
PROXY_BACK, PROXY_AWAY, PROXY_RESUME, PROXY_HANG = range(27, 31)  # of a proxy

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
    name_servers: int
    topics: int
    workers: int
    link_us: Us  # a request or an answer on its way
    reput_us: Us  # from the append until it can be read
    notice_us: Us  # from a change of the members until a client hears of it
    flush_us: Us  # flushConsumerOffsetInterval
    tick_us: Us  # of the held pulls
    scan_us: Us  # for silent clients
    expires_us: Us  # a client that was silent for so long is no member any more
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
    pops: int  # POP groups
    merges_pops: int  # 1: a broker keeps check points in memory
    producer_groups: int
    queue_stride: int  # of the process queues, in their own records
    proxies: int  # that groups consume over, 0: none does
    proxy_lists: int  # 1: a client's endpoints are all proxies of its list
    proxies_local: int  # 1: each broker has one in its own process, of the broker's number
    proxy_refresh_us: Us  # topicRouteServiceCacheRefreshSeconds
    hop_us: Us  # how long a receive takes longer over a proxy


class ConsumerClock(MachineClock):
    """What moves on with every event."""

    window: int  # that is open
    heap_most: int  # events beyond which one event might find no room for those that it adds
    pages: Within[Pool]
    tasks: Within[Pool]
    holdings: Within[Pool]
    delay_pages: Within[Pool]
    halves: Within[Pool]
    half_requests: Within[Pool]
    log_files: Within[Pool]
    check_points: Within[Pool]
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
