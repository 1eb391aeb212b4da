"""What a scenario compiles to: for each cell the constants of its loop, its workload and its state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from simulator.compiled.records import Array
from simulator.engine.memory.routes import Poller
from simulator.engine.memory.settings import Settings
from simulator.plan.clients.proxy_plan import ProxyPlan
from simulator.plan.consumers.consumer_plan import ConsumerPlan
from simulator.plan.failover.planned_election import PlannedElection, ReplicaState
from simulator.plan.policy_plan import PolicyPlan
from simulator.releases.producer_release import Client
from simulator.workload import Arrivals, Streams

MODES = ("sync", "async", "oneway")


@dataclass(frozen=True)
class Names:
    """What the numbers of a cell stand for.

    producer, thread and group are int64 arrays over the cell's sender threads, producer_of_view and number_of_view over
    those and then the threads of the clients' own pools. modes (places in MODES) and batches (messages a send) are
    those of the groups; the last two are bool[producers].
    """

    cell: int
    producer_of_thread: Array
    number_of_thread: Array
    producer_of_view: Array
    number_of_view: Array
    group_of_thread: Array
    first_producer: int
    topics: Sequence[str]
    brokers: Sequence[str]
    groups: Sequence[str]
    proxies: Sequence[str]
    modes: Array
    batches: Array
    window_us: int
    unreachable_is_unavailable: npt.NDArray[np.bool_]
    has_reachable_flag: npt.NDArray[np.bool_]


@dataclass(frozen=True)
class ClientMemory:
    """The client memory at the start.

    regions: first cell and number of records of each region of the World that lies in it; faults: first cell of the
    first producer's fault table; fault_size: cells of each.
    """

    cells: Array
    regions: Mapping[str, tuple[int, int]]
    faults: int
    fault_size: int


@dataclass(frozen=True)
class CellPlan:
    """One cell: a slice of the producers with their share of every broker.

    cluster: what does not change, by region of the World.
    replicas: that region at the start.
    name_servers, known_routes: those regions at the start; empty if routes are fixed.
    closed: whether each sender thread is a closed loop; first_sends_us: when each begins, FAR for all other threads.
    loop_sends_per_window: about as many messages of closed loops begin in a window, at most.
    own_selectors: function and source text by the number of the group that has a selector of its own.
    takes_records: some attempts are taken by number, or messages outlive theirs; see Message.
    clients, strategy_on: of each group of producers.
    number_permits, byte_permits, callback_threads: int64[producers], the first two of back-pressure.
    key_orders: places of region `key_orders`.
    load_changes: (from when, streams instead of `streams`) of each change of a rate, in order of time.
    recorded: what arrives in the whole run, in time order, instead of what the streams make.
    consumers: of whoever reads what is stored, None where nobody does.
    silent: rows (producer, from when, until when) of processes that send nothing, None where all do.
    elections, replica_states: of all brokers, in the first cell only.
    """

    number: int
    digest: str
    cluster: Mapping[str, Array]
    clients: Sequence[Client]
    strategy_on: Sequence[bool]
    memory: ClientMemory
    streams: Streams
    closed: npt.NDArray[np.bool_]
    first_sends_us: Array
    loop_sends_per_window: float
    names: Names
    in_route: Array
    name_servers: Array
    known_routes: Array
    threads_of_producer: Array
    rings: int
    servers: int
    replicas: Array
    own_selectors: Mapping[int, tuple[str, str]]
    takes_records: bool
    number_permits: Array
    byte_permits: Array
    callback_threads: Array
    key_orders: int
    policy: PolicyPlan
    proxies: ProxyPlan
    load_changes: tuple[tuple[int, Streams], ...] = ()
    recorded: Arrivals | None = None
    consumers: ConsumerPlan | None = None
    silent: Array | None = None
    elections: Sequence[PlannedElection] = ()
    replica_states: Sequence[ReplicaState] = ()

    @property
    def settings(self) -> Settings:
        """The settings of its loop."""
        return Settings.at(self.cluster["settings"])

    def streams_at(self, at_us: int) -> Streams:
        """The streams of the window that begins then."""
        found = [streams for begin_us, streams in self.load_changes if begin_us <= at_us]
        return found[-1] if found else self.streams

    @property
    def first_poll_us(self) -> int:
        """When the first producer polls for the first time, if any does."""
        return int(Poller.at(self.cluster["pollers"]).phase_us)


@dataclass(frozen=True)
class Plan:
    """A whole run. `run` tells it from others, `name` is its scenario's, which records from elsewhere give.

    `observations`: int64[n, 5] rows of timetable.py, sorted by time.
    """

    run: str
    name: str
    digest: str
    seed: int
    window_us: int
    duration_us: int
    cells: tuple[CellPlan, ...]
    observations: Array
    settings: Mapping[str, object]

    @property
    def windows(self) -> int:
        """Number of windows in which messages arrive."""
        return -(-self.duration_us // self.window_us)
