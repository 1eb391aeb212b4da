"""What a scenario compiles to: for each cell the constants of its loop, its workload and its state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from simulator.client.releases import Client
from simulator.engine.arrays import Cluster
from simulator.engine.layout import Ints
from simulator.run.row_tables import Names
from simulator.run.workload import Streams


@dataclass(frozen=True)
class ClientMemory:
    """The client memory at the start: `cells` (int64), and the blocks in it.

    views: offset of the first of threads x topics views; faults: offset of the first producer's fault table.
    """

    cells: Ints
    views: int
    faults: int
    fault_size: int


@dataclass(frozen=True)
class CellPlan:
    """One cell: a slice of the producers with their share of every broker.

    producer_routes: what each producer knows at the start, int64[producers * (1 + topics)]; empty if routes are fixed.
    closed: whether each sender thread is a closed loop; first_sends_us: when each begins, FAR for all other threads.
    loop_sends_per_window: about as many messages of closed loops begin in a window, at most.
    own_selectors: function and source text by the number of the group that has a selector of its own.
    takes_records: some messages have a record of their own (engine/layout.py, region SENDING).
    number_permits, byte_permits: of each producer's back-pressure.  callback_threads: of each producer.
    key_orders: cells of region KEY_ORDERS.
    """

    number: int
    digest: str
    cluster: Cluster
    client: Client
    strategy_on: bool
    memory: ClientMemory
    streams: Streams
    closed: npt.NDArray[np.bool_]
    first_sends_us: Ints
    loop_sends_per_window: float
    names: Names
    in_route: Ints
    producer_routes: Ints
    threads_of_producer: Ints
    rings: int
    servers: int
    own_selectors: Mapping[int, tuple[str, str]]
    takes_records: bool
    number_permits: int
    byte_permits: int
    callback_threads: int
    key_orders: int


@dataclass(frozen=True)
class Plan:
    """A whole run. `observations`: int64[n, 5] rows of timetable.py, sorted by time."""

    run: str
    digest: str
    seed: int
    window_us: int
    duration_us: int
    cells: tuple[CellPlan, ...]
    observations: Ints
    settings: Mapping[str, object]

    @property
    def windows(self) -> int:
        """Number of windows in which messages arrive."""
        return -(-self.duration_us // self.window_us)
