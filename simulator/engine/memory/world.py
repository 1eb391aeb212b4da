"""Everything that the event loop reads and writes, in one record: its memory, its rules, its input and output."""

from __future__ import annotations

from simulator.client.view import RouteHold, RouteVersion, View
from simulator.compiled.records import AnyRecord, Cells, Directory, Region, Within
from simulator.engine.memory.broker_state import Broker, BrokerState, LimitChange, QueueLimit
from simulator.engine.memory.client_kind import ClientKind
from simulator.engine.memory.links import ConnectionOrder, Link, Travelling, Ways
from simulator.engine.memory.output import Output
from simulator.engine.memory.periods_table import Period
from simulator.engine.memory.replica import Replica
from simulator.engine.memory.routes import AutoTopic, Delivery, Poller, RouteTimes
from simulator.engine.memory.script import Script
from simulator.engine.memory.send import (
    AppendingCopy,
    AsyncPart,
    KeyOrder,
    OpenMessage,
    Queue,
    Send,
    SetAside,
    SyncPart,
    ThreadState,
    UnflushedCopy,
    Waiting,
)
from simulator.engine.memory.sender_thread import (
    Batching,
    ClosedLoop,
    MadeBatch,
    Producer,
    ProducerState,
    SenderThread,
    ThreadKind,
)
from simulator.engine.memory.settings import Clock, Settings
from simulator.engine.memory.topic import Topic, WindowPair
from simulator.histogram import Histogram
from simulator.kernel.machine_memory import Event
from simulator.latency import LatencyTable
from simulator.policies.policy import Ask, PolicyRules


class ArrivalRows(Directory):
    """The messages that arrive, a cell each in order of time."""

    at_us: Cells
    thread: Cells
    topic: Cells
    draw: Cells
    count: int
    next: int  # row of the next one


class World(Directory):
    """The memory of a cell. What is indexed by two numbers is row-major: world.views[row * topics + topic]."""

    arrivals: Within[ArrivalRows]
    output: Within[Output]
    script: Within[Script]
    settings: Settings
    clock: Clock
    # what does not change
    threads: Region[SenderThread]
    thread_kinds: Region[ThreadKind]  # group of producers
    brokers: Region[Broker]
    latencies: Region[LatencyTable]
    client_kinds: Region[ClientKind]  # group of producers
    retry_codes: Cells
    limits: Region[QueueLimit]  # topic, broker
    limit_changes: Region[LimitChange]
    pollers: Region[Poller]
    versions: Region[RouteVersion]  # in the client memory
    masters: Cells  # version, broker: NOT_NAMED, NAMED_MASTER or NAMED_SLAVES
    route_times: Region[RouteTimes]  # name server, topic
    deliveries: Region[Delivery]
    auto_topics: Region[AutoTopic]
    topics: Region[Topic]
    names_refused: Cells  # group of producers, topic: 1 = its clients refuse the name
    producers: Region[Producer]
    sizes: Region[LatencyTable]  # of message bodies, in bytes
    keys: Cells  # thresholds
    ways: Region[Ways]  # group, broker; none without a network that takes time
    loops: Region[ClosedLoop]
    loop_topics: Cells  # loop, topic: upper thresholds of the topic choice over 2**31
    # what is remembered
    views: Region[View]  # row, topic; in the client memory, as the next
    held_views: Region[View]  # row, topic, generation % held_count
    route_holds: Region[RouteHold]  # producer, topic
    thread_states: Region[ThreadState]
    begun: Cells  # sender thread: messages of its closed loop so far; none without such
    sends: Region[Send]
    sync_parts: Region[SyncPart]  # send
    async_parts: Region[AsyncPart]  # send
    asides: Region[SetAside]
    appending: Region[AppendingCopy]
    unflushed: Region[UnflushedCopy]
    open_messages: Region[OpenMessage]
    batches: Region[MadeBatch]
    travelling: Region[Travelling]
    send_seqs: Cells  # thread, topic: number of the next message
    heap: Region[Event]
    servers: Cells  # when each send thread is free, us
    rings: Cells  # when the last requests of each broker leave its send queue, us
    broker_states: Region[BrokerState]
    replicas: Region[Replica]  # broker
    timetable: Region[Period]
    backlog: Region[Waiting]
    histograms: Region[Histogram]  # topic, broker
    window_pairs: Region[WindowPair]  # topic, broker
    name_servers: Cells  # producer: the one that it asks
    known_routes: Cells  # producer, topic: the version, plus version_count for each broker that had created it
    addresses: Cells  # producer, broker: 1 if a route that it took has given it the address of the master
    taken_us: Cells  # producer: when it took a route last
    created_counts: Cells  # topic that sends create: how many brokers have it
    created: Cells  # topic, broker: it was the first, second, ... to create it, 0 if it has not
    connections: Cells  # producer, broker: 0 = open, else closed from that time on
    opened: Cells  # producer, broker: since when it is, 0 = from the start; only where heartbeats close connections
    links: Region[Link]  # group, broker
    connection_orders: Region[ConnectionOrder]  # producer, broker; none without a network that takes time
    producer_states: Region[ProducerState]  # none where nobody sends asynchronously, nor idle senders
    change_seqs: Cells  # producer: changes of its fault items put out so far
    accumulators: Region[Batching]  # producer; none without auto_batch
    idle_senders: Cells  # producer: its sending threads that are idle, the longest first from sender_idle on
    key_orders: Region[KeyOrder]
    sockets: Region[Queue]  # producer, broker: sends whose requests lie there, unread
    scratch: Cells  # 4 * brokers, to work in
    unknown_events: Cells  # none
    policy: Within[PolicyRules]
    ask: Within[Ask]
    choose_records: Region[AnyRecord]  # by cells: producer * choose_cells
    avoid_records: Region[AnyRecord]  # producer * avoid_cells, or (producer, broker) * avoid_cells
    retry_records: Region[AnyRecord]  # producer * retry_cells
    in_flight: Cells  # producer, broker: requests of a policy's that have no answer yet
    allowed: Cells  # broker: see Ask
