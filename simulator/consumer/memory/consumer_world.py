"""Everything that the consumer machine reads and writes, in one record: its memory, its rules, its input and output."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from simulator.compiled.memory_marks import Growing, Pooled, Remembered
from simulator.compiled.records import Cells, Directory, Region, Us, Within
from simulator.consumer.allocation.sharing import Sharing
from simulator.consumer.consumer_rules import ConsumerRules
from simulator.consumer.memory.consume_task import ConsumeTask, Worker
from simulator.consumer.memory.consumer_group import (
    ConsumerTally,
    DrawnProperty,
    ReadingGroup,
    Scaler,
    SqlReading,
    SqlTerm,
    SubscribedTopic,
    TagReading,
)
from simulator.consumer.memory.consumer_output import ConsumerOutput
from simulator.consumer.memory.consumer_settings import ConsumerClock, ConsumerSettings, MachineAction
from simulator.consumer.memory.consumer_side import (
    CheckPoint,
    Member,
    OffsetReport,
    PopPlace,
    PopWaits,
    QueueProgress,
    ReviveService,
    ServingBroker,
)
from simulator.consumer.memory.delay_queue import DelayPage, DelayQueue, DelayService, Deliverer
from simulator.consumer.memory.half_message import (
    HalfMessage,
    HalfQueue,
    HalfRequest,
    TransactionGroup,
    TransactionProducer,
)
from simulator.consumer.memory.held_queue import Holding
from simulator.consumer.memory.instance import Instance
from simulator.consumer.memory.proxied.proxied_client import KnownRoute, ProxiedClient, ProxySide
from simulator.consumer.memory.queue_log import BrokerFiles, LogFile, LogPage, LogTopic, QueueLog, StoreRules
from simulator.consumer.memory.seen_message import SeenMessage
from simulator.consumer.rules.process_queue import ProcessQueue
from simulator.consumer.rules.queue_lock import QueueLock
from simulator.engine.memory.output import AnswerRow, AppendRow, LossRow
from simulator.engine.memory.routes import Delivery, RouteTimes
from simulator.kernel.histogram import Histogram
from simulator.kernel.latency import LatencyTable
from simulator.kernel.machine_memory import Event


class SubscriptionRules(Directory, ConsumerRules):
    """How a subscription is read: the rules of its group's release, and how its queues are shared."""

    sharing: Sharing


class AppendRows(Directory):
    """What was appended, in order of time."""

    rows: Region[AppendRow]
    count: int
    next: int


class LossRows(Directory):
    """What was lost, in order of time."""

    rows: Region[LossRow]
    count: int
    next: int


class AnswerRows(Directory):
    """What producers got as answers to half messages, in order of time."""

    rows: Region[AnswerRow]
    count: int
    next: int


class ActionRows(Directory):
    """What happens to instances and brokers, in order of time."""

    rows: Region[MachineAction]
    count: int
    next: int


class OfInstance(Protocol):
    """What an instance of that number does at a moment."""

    def __call__(self, world: ConsumerWorld, number: int, now_us: Us, /) -> int: ...


class OfQueue(Protocol):
    """What becomes of a queue that an instance holds, of that number in world.holdings."""

    def __call__(self, world: ConsumerWorld, at: int, now_us: Us, /) -> int: ...


class OfThread(Protocol):
    """What a consume thread of that number in world.workers does."""

    def __call__(self, world: ConsumerWorld, number: int, now_us: Us, /) -> int: ...


class MayTake(Protocol):
    """1 if an instance may take a queue that is allocated to it; `log`: its number in world.logs."""

    def __call__(self, world: ConsumerWorld, number: int, subscription: int, log: int, now_us: Us, /) -> int: ...


class Share(Protocol):
    """A round of an instance for a topic whose queues its broker shares out; 0 if it could not take all of them."""

    def __call__(self, world: ConsumerWorld, number: int, subscription: int, now_us: Us, /) -> int: ...


class Cached(Protocol):
    """What follows when messages were cached, offset, bytes and task of each in world.messages.

    `is_first`: what `put_messages` of the release gave, 0 if there is no message.
    """

    def __call__(self, world: ConsumerWorld, at: int, count: int, is_first: int, now_us: Us, /) -> int: ...


class OwnEvent(Protocol):
    """What happens at an event of that kind (consumer_events) that only these groups have, `number` as it says."""

    def __call__(self, world: ConsumerWorld, kind: int, number: int, now_us: Us, /) -> int: ...


@dataclass(frozen=True, kw_only=True)
class ConsumptionRules:
    """The rules of a kind of consumption. One that only acts gives 0."""

    share: Share  # where brokers share queues out
    may_take: MayTake
    taken: OfQueue  # an instance holds it from now on
    first_pull: OfQueue  # its first pull goes to the broker, where the queue needs a lock (PullSettings)
    cached: Cached
    ended: OfThread  # its listener returned: what failed, what is committed, what the thread takes next
    own_event: OwnEvent
    let_go: OfQueue  # the instance lives on without it
    lost: OfQueue  # what the instance cached of it is lost, too
    stopped: OfInstance  # a shutdown begins, offsets are not reported yet
    gone: OfInstance  # its process is gone, with what waited and what its threads were at


class ConsumptionKind(Directory, ConsumptionRules):
    """How the instances of a group handle messages."""


class OfRow(Protocol):
    """What follows from the row of that number, of actions, appends or answers."""

    def __call__(self, world: ConsumerWorld, at: int, now_us: Us, /) -> int: ...


class OfWindow(Protocol):
    """A window closes."""

    def __call__(self, world: ConsumerWorld, now_us: Us, /) -> int: ...


class LateConsumerRules(Directory):
    """Rules that are compiled when they are first called (machine/late_consumer_rules.py)."""

    act_now: OfRow
    put_later: OfRow
    lose_later: OfRow
    answer_half: OfRow
    follow_transaction: OwnEvent
    deliver_delayed: OfInstance
    scale_group: OfInstance
    keep_store: OwnEvent
    revive: OfInstance
    note_flush: OfInstance
    crash_pops: OfInstance
    close_others: OfWindow


class ConsumerWorld(Directory):
    """The memory of the machine. What is indexed by two numbers is row-major."""

    appends: Within[AppendRows]
    losses: Within[LossRows]
    answers: Within[AnswerRows]
    actions: Within[ActionRows]
    output: Within[ConsumerOutput]
    late: Within[LateConsumerRules]
    settings: ConsumerSettings
    clock: Remembered[ConsumerClock]
    # what does not change
    groups: Region[ReadingGroup]
    consumption: Region[ConsumptionKind]  # group
    subscriptions: Region[SubscribedTopic]
    readers: Region[SubscriptionRules]  # subscription
    log_topics: Region[LogTopic]
    tag_edges: Cells  # topic, tag: upper threshold over 2**32
    tag_readings: Region[TagReading]  # subscription, tag of its topic
    sent_by: Cells  # sender thread: its group of producers; none without SQL92 filters, nor of what follows
    drawn_properties: Region[DrawnProperty]
    property_edges: Cells  # property, value: upper threshold over 2**32
    sql_readings: Region[SqlReading]
    sql_terms: Region[SqlTerm]
    sql_classes: Cells  # term, value: its class
    sql_answers: Cells  # reading, classes of its terms: 1 if it takes them
    log_numbers: Cells  # topic, broker: its first log, -1 if it has none
    store_rules: Region[StoreRules]  # broker
    latencies: Region[LatencyTable]
    route_times: Region[RouteTimes]  # name server, topic
    deliveries: Region[Delivery]
    route_queues: Cells  # version, broker: queues that can be read
    route_masters: Cells  # version, broker: 1 + machine of the master that the route names, see address_of
    timer_periods: Cells  # group, timer of an instance: us from one time to the next, 0: its handler sets it
    first_times: Cells  # group, timer of an instance: us from the start to the first time, FAR: none is set
    broker_periods: Cells  # broker, timer of a broker: us from one time to the next
    # what is remembered
    logs: Remembered[Region[QueueLog]]
    pages: Pooled[Region[LogPage]]
    serving: Remembered[Region[ServingBroker]]  # broker
    members: Remembered[Region[Member]]  # broker, instance
    listed_counts: Remembered[Cells]  # broker, group: instances that it lists
    progress: Remembered[Region[QueueProgress]]  # subscription, log of its topic
    instances: Remembered[Region[Instance]]
    timers: Remembered[Cells]  # instance, timer: when it is due, FAR: it is not
    known_versions: Remembered[Cells]  # instance, topic: the version of its route, -1: none
    workers: Remembered[Region[Worker]]
    holdings: Pooled[Region[Holding]]
    process_queues: Growing[Region[ProcessQueue]]  # holding * settings.queue_stride
    tasks: Pooled[Region[ConsumeTask]]
    locks: Remembered[Region[QueueLock]]  # as progress; none where no group is orderly
    reports: Remembered[Region[OffsetReport]]  # REPORTS_KEPT of each progress, in turn
    tallies: Remembered[Region[ConsumerTally]]  # group
    scalers: Remembered[Region[Scaler]]  # group
    sent_back: Remembered[Cells]  # group, delay level: of the open window; none where every message is handled
    histograms: Remembered[Region[Histogram]]  # group, of the open window
    overall: Remembered[Region[Histogram]]  # group, of all windows
    delay_services: Region[DelayService]  # broker; none where nothing is delayed, nor of what follows
    delay_queues: Remembered[Region[DelayQueue]]  # broker, level
    deliverers: Remembered[Region[Deliverer]]
    delay_pages: Pooled[Region[DelayPage]]
    late_histograms: Remembered[Region[Histogram]]  # delay queue: how late, in the open window
    late_overall: Remembered[Region[Histogram]]  # broker, of all windows
    group_of_thread: Cells  # sender thread: its group of producers; none without transactions, nor of what follows
    producer_of_thread: Cells
    transaction_groups: Region[TransactionGroup]  # group of producers
    answering: Cells  # producers over proxies that answer the checks of a group of producers, one group after the other
    local_times: Region[LatencyTable]
    half_queues: Remembered[Region[HalfQueue]]  # broker
    transaction_producers: Remembered[Region[TransactionProducer]]
    transaction_links: Remembered[Cells]  # group of producers, broker: since when the network is cut, 0: it is not
    halves: Pooled[Region[HalfMessage]]
    half_requests: Pooled[Region[HalfRequest]]
    popping: Cells  # topic: subscriptions that pop it
    pop_places: Region[PopPlace]  # subscription, broker; none where no group pops, nor of what follows
    pop_waits: Remembered[Region[PopWaits]]
    ordered_pops: Remembered[Cells]  # as progress: first check point of its last pop; none where nobody pops in order
    check_points: Pooled[Region[CheckPoint]]
    revive_services: Remembered[Region[ReviveService]]  # broker, service; none where no group pops, nor of what follows
    revive_log: Remembered[Cells]  # broker, service, check points or acknowledgements: tenths of a second, a bit each
    proxies: Remembered[Region[ProxySide]]  # none where no group consumes over them, nor of what follows
    known_routes: Remembered[Region[KnownRoute]]  # proxy, topic
    proxied: Remembered[Region[ProxiedClient]]  # instance
    broker_files: Remembered[Region[BrokerFiles]]  # broker
    log_files: Pooled[Region[LogFile]]
    pull_threads: Remembered[Cells]  # broker, thread: when it is free
    seen_messages: Remembered[Region[SeenMessage]]  # of groups that deduplicate, entries of one after the other
    seen_buckets: Remembered[Cells]
    heap: Growing[Region[Event]]
    # to work in
    listed_queues: Cells
    listed_members: Cells
    marks: Cells  # log
    messages: Cells  # of a pull or a batch, three numbers each
