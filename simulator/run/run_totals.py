"""What a run comes to, without its rows: counts, a latency histogram, load, isolation, series and a digest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import reduce

import numpy as np
import pyarrow as pa

from simulator.compiled.records import Array, Cells, Region, layout_of, size_of
from simulator.engine.memory.settings import FAR
from simulator.engine.memory.tally import MARKS, Avoided, Bin, GroupTally, Isolation
from simulator.kernel import histogram
from simulator.plan.compile import compile_scenario
from simulator.plan.run_plan import CellPlan, Plan
from simulator.run.cell import Cell
from simulator.run.consumers.consumer_totals import CONSUMER_COUNTS, ConsumerCounts
from simulator.run.consumers.transaction_totals import TRANSACTION_TABLES, TransactionCounts
from simulator.run.driver import drive
from simulator.scenario import Scenario
from state.group_table import CONSUMER_WINDOWS
from state.later_tables import POPS
from state.packing import StatePart, pack, unpack

BINS_MAX = 300
QUEUE_BINS_MAX, QUEUE_CELLS_MAX = 60, 4_096  # bins of every queue; fewer for many queues, none below a tenth of them
QUEUES_LEAST = 8  # a topic that is created on the way
GROUP_COUNTS = tuple(layout_of(GroupTally).fields)
BIN_COUNTS = tuple(layout_of(Bin).fields)
WEIGHED = ("p50_half_us", "p99_half_us")


@dataclass(frozen=True)
class Totals:
    """Totals of a cell, or of the cells of a run together; all arrays int64.

    groups: [producer groups, GROUP_COUNTS], messages of batches counted one by one. latency: [producer groups,
    histogram.CELLS], a count a send. queue_attempts: [topics, brokers, queue ids]; isolated_us: [brokers], summed over
    producers. bins: [bins, BIN_COUNTS] by the message's end; bin_attempts, bin_isolated_us: [bins, brokers].
    queue_bins: [longer bins, brokers, queue ids], attempts of all topics, no bins where they would be too many cells.
    digest: [1], of every decision; skipped: [1], arrivals that met a blocked thread.

    The following are [0, ...] where there are none. consumers: [consumer groups, CONSUMER_COUNTS]; consumer_latency:
    [consumer groups, histogram.CELLS], first consumptions; consumer_lag: [windows, consumer groups]. late: [brokers,
    histogram.CELLS], delayed messages. overdue: [brokers] and retries: [consumer groups], what waits at the end
    (still_waiting.py). check_backs: [brokers]. visible: [producer groups, histogram.CELLS], messages sent in
    transactions; open_ages and never_visible: those that are not readable (transaction_totals.py).
    """

    groups: Array
    latency: Array
    queue_attempts: Array
    isolated_us: Array
    bins: Array
    bin_attempts: Array
    bin_isolated_us: Array
    queue_bins: Array
    digest: Array
    skipped: Array
    consumers: Array = field(default_factory=lambda: np.zeros((0, len(CONSUMER_COUNTS)), np.int64))
    consumer_latency: Array = field(default_factory=lambda: np.zeros((0, histogram.CELLS), np.int64))
    consumer_lag: Array = field(default_factory=lambda: np.zeros((0, 0), np.int64))
    late: Array = field(default_factory=lambda: np.zeros((0, histogram.CELLS), np.int64))
    check_backs: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    visible: Array = field(default_factory=lambda: np.zeros((0, histogram.CELLS), np.int64))
    open_ages: Array = field(default_factory=lambda: np.zeros((0, histogram.CELLS), np.int64))
    never_visible: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    overdue: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    retries: Array = field(default_factory=lambda: np.zeros(0, np.int64))

    def plus(self, other: Totals) -> Totals:
        """The totals of two cells, or runs, of a scenario. Percentiles of a bin become weighed means."""
        names = [field.name for field in fields(self) if field.name != "queue_bins"]
        sums = {name: getattr(self, name) + getattr(other, name) for name in names}
        known = min(len(self.queue_bins), len(other.queue_bins))
        sums["queue_bins"] = self.queue_bins[:known] + other.queue_bins[:known]
        for name in WEIGHED:
            column = BIN_COUNTS.index(name)
            ours, theirs = (np.maximum(one.bins[:, 0], 0) for one in (self, other))
            weighed = self.bins[:, column] * ours + other.bins[:, column] * theirs
            sums["bins"][:, column] = np.where(ours + theirs > 0, weighed // np.maximum(ours + theirs, 1), -1)
        return Totals(**sums | {"digest": self.digest ^ other.digest})

    def packed(self) -> bytes:
        """The arrays as bytes; `Totals.unpacked` reads them back."""
        return pack({field.name: StatePart(getattr(self, field.name).reshape(-1)) for field in fields(self)})

    @classmethod
    def unpacked(cls, packed: bytes, topics: int, brokers: int) -> Totals:
        """The totals of bytes. Raises LayoutError for bytes that are none."""
        shapes = {
            "groups": (-1, len(GROUP_COUNTS)),
            "latency": (-1, histogram.CELLS),
            "queue_attempts": (topics, brokers, -1),
            "bins": (-1, len(BIN_COUNTS)),
            "bin_attempts": (-1, brokers),
            "bin_isolated_us": (-1, brokers),
        }
        found = {name: part.values.reshape(shapes.get(name, (-1,))) for name, part in unpack(packed).items()}
        queues = found["queue_attempts"].shape[2]
        queue_bins = found.get("queue_bins", np.empty(0, np.int64))  # totals of an earlier version have none
        found["queue_bins"] = queue_bins.reshape(-1, brokers, queues)
        nothing = np.empty(0, np.int64)
        found["consumers"] = found.get("consumers", nothing).reshape(-1, len(CONSUMER_COUNTS))
        for name in ("consumer_latency", "late", "visible", "open_ages"):
            found[name] = found.get(name, nothing).reshape(-1, histogram.CELLS)
        groups = len(found["consumers"])
        found["consumer_lag"] = found.get("consumer_lag", nothing).reshape(-1 if groups else 0, groups)
        return cls(**found)


def bin_us_of(duration_us: int, window_us: int) -> int:
    """Virtual time of a bin: as many windows as make at most BINS_MAX bins."""
    windows = -(-duration_us // window_us)
    return window_us * -(-windows // BINS_MAX)


def queue_bins_of(duration_us: int, brokers: int, queues: int) -> tuple[int, int]:
    """Virtual time and number of the bins in which every queue is counted; none if each could hold too few."""
    count = min(QUEUE_BINS_MAX, QUEUE_CELLS_MAX // (brokers * queues))
    if count < QUEUE_BINS_MAX // 10:
        return duration_us, 0
    return -(-duration_us // count), count


def queue_ids(scenario: Scenario) -> int:
    """Queue ids that a topic has on a broker, at most."""
    routes = [entry for topic in scenario.topics for entry in scenario.route(topic)]
    ordered = [queues for topic in scenario.topics.values() for _, queues in topic.order_topic_conf or ()]
    faults = [fault.queues or 0 for fault in scenario.faults]
    return max([QUEUES_LEAST, *(max(e.read_queues, e.write_queues) for e in routes), *ordered, *faults])


def _count(cell: Cell, plan: Plan, queues: int, warm_up_us: int) -> dict[str, Array]:
    """Let a cell count from its start on; gives the arrays that it counts in, by field of the Tally."""
    own, names = cell.plan, cell.plan.names
    brokers, groups, producers = len(names.brokers), len(names.groups), len(own.threads_of_producer)
    bin_us = bin_us_of(plan.duration_us, plan.window_us)
    bins = -(-plan.duration_us // bin_us)
    queue_bin_us, queue_bins = queue_bins_of(plan.duration_us, brokers, queues)
    cells = {
        "latencies": groups * histogram.CELLS,
        "queue_attempts": len(names.topics) * brokers * queues,
        "isolated_us": brokers,
        "avoiding": -(-producers * brokers // MARKS),
        "bin_latency": histogram.CELLS,
        "bin_attempts": bins * brokers,
        "queue_bins": queue_bins * brokers * queues,
    }
    records = {
        "groups": (GroupTally, groups),
        "isolations": (Isolation, producers * brokers),
        "bins": (Bin, bins),
        "bin_isolated": (Avoided, bins * brokers),
    }
    tally, found = cell.world.output.tally, {}
    found["unreachable_is_out"] = names.unreachable_is_unavailable.astype(np.int64)
    tally.unreachable_is_out = Cells.of(found["unreachable_is_out"])
    for name, size in cells.items():
        found[name] = np.zeros(size, np.int64)
        setattr(tally, name, Cells.of(found[name]))
    for name, (record, count) in records.items():
        found[name] = np.zeros((count, size_of(record)), np.int64)
        setattr(tally, name, Region.of(record, found[name].reshape(-1)))
    tally.from_us, tally.until_us, tally.bin_us, tally.bin_count = warm_up_us, plan.duration_us, bin_us, bins
    tally.open_end_us = bin_us if bins > 1 else FAR
    tally.queue_bin_us, tally.queue_bin_count = queue_bin_us, queue_bins
    tally.queues, tally.broker_count, tally.isolation_count = queues, brokers, producers * brokers
    tally.first_thread = int(own.streams.stream[0])
    tally.wanted = 1
    return found


def _read(cell: Cell, found: Mapping[str, Array], plan: Plan) -> Totals:
    names, tally = cell.plan.names, cell.world.output.tally
    brokers, bins, bin_us = len(names.brokers), int(tally.bin_count), int(tally.bin_us)
    once = [GROUP_COUNTS.index("attempts"), GROUP_COUNTS.index("took_us")]
    weights = np.repeat(names.batches[:, None], len(GROUP_COUNTS), axis=1)
    weights[:, once] = 1  # a batch is attempted once for all its messages
    begun, left_us = found["bin_isolated"].reshape(bins, brokers, 2).transpose(2, 0, 1)
    widths = np.full((bins, 1), bin_us)
    widths[-1] = plan.duration_us - (bins - 1) * bin_us
    before = np.cumsum(begun, axis=0) - begun
    return Totals(
        groups=found["groups"] * weights,
        latency=found["latencies"].reshape(len(names.groups), histogram.CELLS),
        queue_attempts=found["queue_attempts"].reshape(len(names.topics), brokers, -1),
        isolated_us=found["isolated_us"],
        bins=found["bins"],
        bin_attempts=found["bin_attempts"].reshape(bins, brokers),
        bin_isolated_us=before * widths + left_us,
        queue_bins=found["queue_bins"].reshape(-1, brokers, int(tally.queues)),
        digest=np.array([int(tally.digest)], np.int64),
        skipped=np.array([cell.skipped], np.int64),
    )


def total_cell(plan: Plan, own: CellPlan, queues: int, warm_up_us: int = 0) -> Totals:
    """Run one cell from its start until nothing is in flight, and give what it came to. It is used up."""
    return total_on(plan, Cell(own, tables_counted(own), uses_up=True), queues, warm_up_us)


def tables_counted(own: CellPlan) -> tuple[str, ...]:
    """The tables that a cell must put out to be counted by `total_on`."""
    if own.consumers is None:
        return ()
    pops = (POPS.name,) if own.consumers.settings.pops else ()
    return (CONSUMER_WINDOWS.name, *pops, *(TRANSACTION_TABLES if own.consumers.settings.half_queues else ()))


def total_on(
    plan: Plan, cell: Cell, queues: int, warm_up_us: int, take: Callable[[str, pa.Table], None] | None = None
) -> Totals:
    """Run a cell from where it is until nothing is in flight, and give what it came to from then on.

    It puts out `tables_counted`; what is read of a table that it does not put out is not counted.
    `take`: is given the rows of the tables that the cell puts out, as they are finished.
    """
    found = _count(cell, plan, queues, warm_up_us)
    _begin_isolations(cell, found)
    groups = () if cell.plan.consumers is None else tuple(cell.plan.consumers.names.groups)
    consumers = ConsumerCounts(groups, plan.windows, plan.window_us, warm_up_us)
    transactions = _transaction_counts(cell.plan, warm_up_us, plan.duration_us)
    began = began_late = np.zeros((0, histogram.CELLS), np.int64)
    if cell.consumers is not None:
        cell.consumers.count_from(warm_up_us)
        began, began_late = cell.consumers.latency, cell.consumers.late
    for name, rows in drive(plan, cell):
        consumers.take(name, rows)
        transactions.take(name, rows)
        if take is not None:
            take(name, rows)
    totals = _read(cell, found, plan)
    if cell.consumers is None:
        return totals
    waiting = cell.consumers.still_waiting(plan.duration_us)
    return replace(
        totals, consumers=consumers.counts, consumer_latency=cell.consumers.latency - began, consumer_lag=consumers.lag,
        late=cell.consumers.late - began_late, check_backs=transactions.check_backs, visible=transactions.visible,
        open_ages=transactions.open_ages, never_visible=transactions.never_visible, **waiting._asdict(),
    )  # fmt: skip


def _transaction_counts(own: CellPlan, warm_up_us: int, end_us: int) -> TransactionCounts:
    if own.consumers is None or not own.consumers.settings.half_queues:
        return TransactionCounts((), 0, np.empty(0, np.int64), warm_up_us, end_us)
    groups = own.consumers.delays.group_of_thread
    return TransactionCounts(tuple(own.names.brokers), len(own.names.groups), groups, warm_up_us, end_us)


def _begin_isolations(cell: Cell, found: Mapping[str, Array]) -> None:
    """Have the producers avoid those whom they avoid already."""
    if cell.clock_us:
        for place, until_us in cell.avoided():
            found["isolations"][place] = cell.clock_us, until_us
            found["avoiding"][place // MARKS] |= 1 << place % MARKS


def total_run(scenario: Scenario, warm_up_us: int = 0) -> Totals:
    """What a whole run comes to."""
    return total_plan(compile_scenario(scenario), queue_ids(scenario), warm_up_us)


def total_plan(plan: Plan, queues: int, warm_up_us: int = 0) -> Totals:
    """What a whole run of a plan comes to; `queues`: ids that a topic has on a broker. The plan is used up."""
    return reduce(Totals.plus, (total_cell(plan, own, queues, warm_up_us) for own in plan.cells))
