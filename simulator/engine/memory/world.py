"""Everything that the event loop reads and writes, in one record: its memory, its rules, its input and output."""

from __future__ import annotations

from typing import Annotated, Protocol

from simulator.client.view import RouteHold, RouteVersion, View
from simulator.compiled.memory_marks import Growing, MayDiffer, Pooled, Remembered, Renewed, part_of, pools
from simulator.compiled.records import AnyRecord, Cells, Directory, Ms, Region, Us, Within
from simulator.engine.memory.broker_state import Broker, BrokerState, LimitChange, QueueLimit
from simulator.engine.memory.client_kind import ClientKind
from simulator.engine.memory.links import (
    CachedRoute,
    ConnectionOrder,
    GrpcClient,
    Link,
    LocalClient,
    Proxy,
    Travelling,
    Ways,
)
from simulator.engine.memory.output import Output
from simulator.engine.memory.periods_table import Period
from simulator.engine.memory.replica import Replica, RoleChange
from simulator.engine.memory.routes import AutoTopic, Delivery, Poller, RouteTimes
from simulator.engine.memory.script import Script
from simulator.engine.memory.send import (
    AppendingCopy,
    AsyncPart,
    Attempt,
    KeyOrder,
    Message,
    ProxiedPart,
    Queue,
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
    Silence,
    ThreadKind,
)
from simulator.engine.memory.settings import Clock, Settings
from simulator.engine.memory.topic import Topic, WindowPair
from simulator.kernel.histogram import Histogram
from simulator.kernel.latency import LatencyTable
from simulator.kernel.machine_memory import Event
from simulator.policies.policy import Ask, PolicyRules


class ArrivalRows(Directory):
    """The messages that arrive, a cell each in order of time."""

    at_us: Cells
    thread: Cells
    topic: Cells
    draw: Cells
    count: int
    next: int  # row of the next one


class InOtherWay(Protocol):
    """An event of that kind happens to `number`, or with BEGINNING a message begins on that idle thread."""

    def __call__(
        self, world: World, kind: int, number: int, now_us: Us, arrival_us: Us, topic: int, draw: int, /
    ) -> int: ...


class OfEvent(Protocol):
    """An event of that kind happens to what has that number."""

    def __call__(self, world: World, kind: int, number: int, now_us: Us, /) -> int: ...


class OfTimer(Protocol):
    """A timer fires: gives when it does so next."""

    def __call__(self, world: World, kind: int, now_us: Us, /) -> int: ...


class OfRequest(Protocol):
    """What becomes of the request of an attempt, whose answer is waited for `wait_ms`."""

    def __call__(self, world: World, send: Attempt, now_us: Us, wait_ms: Ms, /) -> int: ...


class OfAttempt(Protocol):
    """What follows for an attempt."""

    def __call__(self, world: World, send: Attempt, now_us: Us, /) -> int: ...


class OfEnding(Protocol):
    """A message has ended so (Ending), its last attempt in that record."""

    def __call__(
        self, world: World, send: Attempt, now_us: Us, result: int, code: int, attempts: int, broker: int,
        queue_id: int, /
    ) -> int: ...  # fmt: skip


class LateRules(Directory):
    """Rules that are compiled when they are first called (engine/late_rules.py)."""

    in_other_way: InOtherWay
    over_proxy: InOtherWay
    happen_at_broker: OfEvent
    move_request: OfEvent
    fire_timer: OfTimer
    send_over_network: OfRequest
    wait_unread: OfRequest
    find_route: OfAttempt
    take_broker: OfAttempt
    end_apart: OfEnding
    go_on_in_way: OfEnding


class World(Directory):
    """The memory of a cell. What is indexed by two numbers is row-major: world.views[row * topics + topic]."""

    arrivals: Within[ArrivalRows]
    output: Within[Output]
    late: Within[LateRules]
    script: Within[Script]
    settings: Settings
    clock: Remembered[Clock]
    # what does not change
    threads: Region[SenderThread]
    thread_kinds: Region[ThreadKind]  # group of producers
    brokers: Region[Broker]
    role_changes: Region[RoleChange]  # of each broker, in order of time
    latencies: Region[LatencyTable]
    client_kinds: Region[ClientKind]  # group of producers
    retry_codes: Cells
    limits: Region[QueueLimit]  # topic, broker
    limit_changes: Region[LimitChange]
    pollers: Region[Poller]
    versions: Region[RouteVersion]  # in the client memory
    masters: Cells  # version, broker: NOT_NAMED, NAMED_SLAVES or NAMED_MASTER + machine
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
    silences: Region[Silence]  # settings.silences of them, by producer
    first_silences: Cells  # producer, and one behind the last: number of its first silence
    loop_topics: Cells  # loop, topic: upper thresholds of the topic choice over 2**31
    # what is remembered
    views: Region[View]  # row, topic; in the client memory, as the next
    held_views: Region[View]  # row, topic, generation % held_count
    thread_states: Remembered[Region[ThreadState]]
    begun: Remembered[Cells]  # sender thread: messages of its closed loop so far; none without such
    attempts: Annotated[Growing[Region[Attempt]], pools("blocking", "asynchronous", "messages")]
    messages: Annotated[Growing[Region[Message]], part_of("attempts")]
    sync_parts: Annotated[Growing[Region[SyncPart]], part_of("attempts")]
    async_parts: Annotated[Growing[Region[AsyncPart]], part_of("attempts")]
    proxied_parts: Annotated[Growing[Region[ProxiedPart]], part_of("attempts")]
    asides: Pooled[Region[Attempt]]
    appending: Pooled[Region[AppendingCopy]]
    unflushed: Pooled[Region[UnflushedCopy]]
    batches: Pooled[Region[MadeBatch]]
    travelling: Pooled[Region[Travelling]]
    send_seqs: Remembered[Cells]  # thread, topic: number of the next message
    heap: Growing[Region[Event]]
    servers: Remembered[Cells]  # when each send thread is free, us
    rings: Remembered[Cells]  # when the last requests of each broker leave its send queue, us
    broker_states: Remembered[Region[BrokerState]]
    replicas: Remembered[Region[Replica]]  # broker
    timetable: Region[Period]
    backlog: Growing[Region[Waiting]]
    histograms: Remembered[Region[Histogram]]  # topic, broker
    window_pairs: Remembered[Region[WindowPair]]  # topic, broker
    name_servers: Renewed[Cells]  # producer: the one that it asks
    known_routes: Renewed[Cells]  # producer, topic: the version, plus version_count for each broker that had created it
    addresses: Renewed[Cells]  # producer, broker: 0, or 1 + machine that a route which it took has named
    taken_us: Renewed[Cells]  # producer: when it took a route last
    created_counts: Renewed[Cells]  # topic that sends create: how many brokers have it
    created: Renewed[Cells]  # topic, broker: it was the first, second, ... to create it, 0 if it has not
    connections: Remembered[Cells]  # producer, broker: 0 = open, else closed from that time on
    opened: Remembered[
        Cells
    ]  # producer, broker: since when it is, 0 = from the start; only where heartbeats close connections
    links: Remembered[Region[Link]]  # group, broker
    connection_orders: Remembered[Region[ConnectionOrder]]  # producer, broker; none without a network that takes time
    producer_states: Remembered[Region[ProducerState]]  # none where nobody sends asynchronously, nor idle senders
    change_seqs: Remembered[Cells]  # producer: changes of its fault items put out so far
    accumulators: Remembered[Region[Batching]]  # producer; none without auto_batch
    idle_senders: Remembered[
        Cells
    ]  # producer: its sending threads that are idle, the longest first from sender_idle on
    key_orders: Remembered[Region[KeyOrder]]
    sockets: Remembered[Region[Queue]]  # producer, broker: attempts whose requests lie there, unread
    route_holds: Renewed[Region[RouteHold]]  # producer, topic
    grpc_clients: Remembered[Region[GrpcClient]]  # producer; none without proxies, as the next two
    proxies: Remembered[Region[Proxy]]
    proxy_routes: Remembered[Region[CachedRoute]]  # proxy, topic
    local_clients: Remembered[Region[LocalClient]]  # producer; none but in local mode, as the next
    balancers: Remembered[Cells]  # producer, topic: the index of its load balancer
    scratch: Cells  # 4 * brokers, to work in
    unknown_events: Cells  # none
    policy: Within[PolicyRules]
    ask: Within[Ask]
    choose_records: MayDiffer[Region[AnyRecord]]  # by cells: producer * choose_cells
    avoid_records: MayDiffer[Region[AnyRecord]]  # producer * avoid_cells, or (producer, broker) * avoid_cells
    retry_records: MayDiffer[Region[AnyRecord]]  # producer * retry_cells
    in_flight: Remembered[Cells]  # producer, broker: requests of a policy's that have no answer yet
    allowed: Cells  # broker: see Ask
