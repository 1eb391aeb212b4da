"""The figures of a run that consequences are read from: counts and peaks by place over virtual time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from simulator.causes.transactions import late_halves, readable_again
from simulator.outcomes import WELL
from simulator.plan.compile import compile_scenario
from simulator.plan.failover.role_stretches import has_sets, without_master
from simulator.releases.producer_release import CLIENTS
from simulator.run.cell import Cell
from simulator.run.driver import drive
from simulator.run.simulate import usual_tables
from simulator.scenario import Scenario
from state.group_table import CONSUMER_WINDOWS
from state.later_tables import POPS, TRANSACTIONS
from state.sums import add_at
from state.tables import DELAYS, FAULT_ITEMS, SENDS, WINDOWS

Series = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64]
BINS_MAX = 2_000
CELLS_AN_OCTAVE, CELLS = 8, 320  # of waits: 1 us to 2**40 us
COLUMNS: dict[str, tuple[str, ...]] = {
    SENDS.name: (
        "producer_group",
        "arrival_us",
        "messages",
        "result",
        "lost",
        "copies_kept",
        "copies_stored",
        "attempts",
        "latency_us",
        "topic",
        "broker",
        "queue_id",
    ),
    WINDOWS.name: ("broker", "window_start_us", "attempts"),
    FAULT_ITEMS.name: ("broker", "producer", "at_us", "available", "start_timestamp_ms", "reachable", "change_seq"),
    CONSUMER_WINDOWS.name: (
        "consumer_group",
        "window_start_us",
        "consumed",
        "consumed_again",
        "failed",
        "dead_letters",
        "failed_starts",
        "missed",
        "skipped",
        "unowned_us",
        "double_owned_us",
        "lag",
        "p99_ms",
    ),
    DELAYS.name: ("broker", "window_start_us", "delay_level", "delivered_again", "late_max_ms"),
    POPS.name: (
        "consumer_group",
        "window_start_us",
        "revived",
        "revived_failed",
        "revived_unheard",
        "revived_slow",
        "refused",
        "lost",
    ),
    TRANSACTIONS.name: tuple(dict.fromkeys((*late_halves.COLUMNS, *readable_again.COLUMNS))),
}  # what is read of each table
POP_KINDS = (
    ("unheard", "revived_unheard"), ("slow", "revived_slow"), ("refused_pops", "refused"), ("lost_pops", "lost"),
)  # fmt: skip
ONE_WAY = "SENT_ONEWAY"


@dataclass
class RunFigures:
    """What a run came to. `series`: kind -> place -> a value a bin of `bin_us`; `waits`: producer group -> [bins,
    CELLS], messages by how long they took; `isolations`: rows (broker, producer, from_us, until_us).

    Kinds that are counts, by producer group: messages, failed, lost, duplicates, retries, late_transactions,
    readable_twice. By broker: attempts, delivered_again, no_master (seconds). By `TOPIC BROKER QUEUE`: queue.
    By consumer group: consumed, consumed_twice, failed_deliveries, dead_letters, failed_starts, missed, skipped,
    unowned, double_owned (seconds), revived (not those that failed), unheard, slow (parts of these), refused_pops,
    lost_pops. Peaks of a bin: lag and late_ms by consumer group, delay_ms and timer_ms by broker.
    """

    bin_us: int
    bins: int
    series: dict[str, dict[str, Series]] = field(default_factory=dict)
    waits: dict[str, npt.NDArray[np.int64]] = field(default_factory=dict)
    isolations: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 4), np.int64))
    never_sent: int = 0

    def of(self, kind: str, place: str) -> Series:
        """A series; zeros where nothing happened."""
        found = self.series.get(kind, {}).get(place)
        return np.zeros(self.bins) if found is None else found

    def places(self, kind: str) -> Mapping[str, Series]:
        """The series of a kind by place."""
        return self.series.get(kind, {})

    def add(self, kind: str, place: str, at_us: npt.NDArray[np.int64], values: npt.NDArray[np.generic]) -> None:
        """Add values at moments."""
        add_at(self._series(kind, place), self._bins(at_us), values)

    def peak(self, kind: str, place: str, at_us: npt.NDArray[np.int64], values: npt.NDArray[np.generic]) -> None:
        """Keep the highest of the values at moments."""
        np.fmax.at(self._series(kind, place), self._bins(at_us), values)

    def _series(self, kind: str, place: str) -> Series:
        return self.series.setdefault(kind, {}).setdefault(place, np.zeros(self.bins))

    def _bins(self, at_us: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        return np.minimum(at_us // self.bin_us, self.bins - 1)


Beat = Callable[[], None]  # called now and then during a run


class FigureReader:
    """Reads the rows of a run's tables, in the order of time, into its figures."""

    def __init__(self, scenario: Scenario, until_us: int) -> None:
        windows = -(-until_us // scenario.window_us)
        bin_us = scenario.window_us * max(-(-windows // BINS_MAX), 1)
        self.scenario, self.until_us = scenario, until_us
        self.figures = RunFigures(bin_us, max(-(-until_us // bin_us), 1))
        self._so_far: dict[str, dict[str, int]] = {}
        self._isolations = Isolations(list(scenario.brokers), until_us, _unreachable_is_out(scenario))
        self._readable = readable_again.ReadableHalves(list(scenario.brokers))
        self._consumers_until_us = 0

    def add(self, name: str, rows: pa.Table) -> None:
        """Take the next rows of a table of COLUMNS."""
        if name == SENDS.name:
            _take_sends(self.figures, rows)
        elif name == WINDOWS.name:
            for place, part in _parts(rows, "broker"):
                self.figures.add("attempts", place, _ints(part, "window_start_us"), _ints(part, "attempts"))
        elif name == FAULT_ITEMS.name:
            self._isolations.add(rows)
        elif name == CONSUMER_WINDOWS.name:
            _take_consumers(self.figures, rows, self._so_far)
            last_us = int(_ints(rows, "window_start_us").max(initial=0))
            self._consumers_until_us = max(self._consumers_until_us, last_us + self.scenario.window_us)
        elif name == DELAYS.name:
            _take_delays(self.figures, rows)
        elif name == POPS.name:
            _take_pops(self.figures, rows)
        elif name == TRANSACTIONS.name:
            self._take_halves(rows)

    def _take_halves(self, rows: pa.Table) -> None:
        self._readable.add(rows)
        late = late_halves.late_halves(rows, self.until_us)
        self._add_halves("late_transactions", late.sender, late.since_us, np.ones(len(late), np.int64))

    def _add_halves(self, kind: str, sender: Numbers, at_us: Numbers, values: Numbers) -> None:
        groups = self.scenario.producers
        group_of = np.repeat(np.arange(len(groups)), [g.count * g.threads for g in groups])[sender]
        for number in np.unique(group_of):
            own = group_of == number
            self.figures.add(kind, groups[number].group, at_us[own], values[own])

    def done(self, never_sent: int) -> RunFigures:
        """The figures, after the last row. never_sent: arrivals that met a blocked thread."""
        found = self.figures
        found.never_sent = never_sent
        seen = min(-(-self._consumers_until_us // found.bin_us), found.bins)
        for lag in found.places("lag").values():  # of a run under way a window can be missing, which is no lag of 0
            lag[seen:] = lag[seen - 1]
        for kind in SO_FAR:
            for group, changes in found.places(kind).items():
                found.series[kind][group] = _staying(changes)
        found.isolations = self._isolations.all()
        again = self._readable.again()
        self._add_halves("readable_twice", again.sender, again.at_us, again.times)
        if has_sets(self.scenario):
            _take_gaps(found, self.scenario, self.until_us)
        twice = found.series.get("consumed_twice", {})
        for group in [name for name, own in self.scenario.consumers.items() if own.mode.in_place and name in twice]:
            twice[group] = _beyond(twice[group], found.of("failed_deliveries", group))
        return found


def figures_of(scenario: Scenario, beat: Beat = lambda: None) -> RunFigures:
    """Run a scenario and read its figures. `beat` is called now and then."""
    plan = compile_scenario(scenario)
    reader, names, never_sent = FigureReader(scenario, plan.duration_us), tables_read(scenario), 0
    for own in plan.cells:
        cell = Cell(own, names)
        for name, rows in drive(plan, cell):
            beat()
            reader.add(name, rows)
        never_sent += cell.skipped
    return reader.done(never_sent)


def tables_read(scenario: Scenario) -> tuple[str, ...]:
    """The tables that figures are read from, of those that the scenario gives."""
    usual = usual_tables(scenario)
    return tuple(name for name in COLUMNS if name in usual)


def _unreachable_is_out(scenario: Scenario) -> npt.NDArray[np.bool_]:
    """Of each producer, whether its release keeps a broker out while it is not reachable."""
    flags = [CLIENTS[client.release].unreachable_is_unavailable for client in scenario.clients]
    return np.repeat(flags, [group.count for group in scenario.producers])


def _beyond(again: Series, failed: Series) -> Series:
    """What is consumed again without having failed before: in order, a queue stands still at what fails."""
    beyond = np.maximum.accumulate(np.maximum(np.cumsum(again) - np.cumsum(failed), 0.0))
    return np.diff(beyond, prepend=0.0)


def _staying(changes: Series) -> Series:
    """What is counted for good: a skipped message that the group comes back to, or has cached, is none in the end."""
    return np.diff(np.minimum.accumulate(np.cumsum(changes)[::-1])[::-1], prepend=0.0)


def _parts(rows: pa.Table, column: str) -> Iterator[tuple[str, pa.Table]]:
    """The rows of each name of a column."""
    names = rows.column(column)
    for name in pc.unique(names).to_pylist():
        if name is not None:
            yield name, rows.filter(pc.equal(names.cast(pa.string()), name))


def _ints(rows: pa.Table, column: str) -> npt.NDArray[np.int64]:
    values = rows.column(column)
    if values.null_count:
        values = pc.fill_null(values, 0)
    return np.asarray(values.to_numpy(zero_copy_only=False)).astype(np.int64)


def _take_sends(found: RunFigures, rows: pa.Table) -> None:
    for group, own in _parts(rows, "producer_group"):
        at_us, weight = _ints(own, "arrival_us"), _ints(own, "messages")
        results = own.column("result").cast(pa.string())
        is_well = np.asarray(pc.is_in(results, pa.array(WELL)).to_numpy(zero_copy_only=False), bool)
        one_way = np.asarray(pc.equal(results, ONE_WAY).to_numpy(zero_copy_only=False), bool)
        lost = _ints(own, "lost").astype(bool) | (one_way & (_ints(own, "copies_kept") == 0))
        found.add("messages", group, at_us, weight)
        for kind, values in (
            ("failed", ~is_well * weight),
            ("lost", lost * weight),
            ("duplicates", np.maximum(_ints(own, "copies_stored") - 1, 0) * weight),
            ("retries", (is_well & (_ints(own, "attempts") > 1)) * weight),
        ):
            chosen = values > 0
            if chosen.any():
                found.add(kind, group, at_us[chosen], values[chosen])
        cells = found.waits.setdefault(group, np.zeros((found.bins, CELLS), np.int64))
        took = np.log2(np.maximum(_ints(own, "latency_us"), 1)) * CELLS_AN_OCTAVE
        place = np.minimum(took.astype(np.int64), CELLS - 1)
        add_at(cells, (np.minimum(at_us // found.bin_us, found.bins - 1), place), weight)
        _take_queues(found, own, at_us, weight)


def _take_queues(found: RunFigures, own: pa.Table, at_us: npt.NDArray[np.int64], weight: npt.NDArray[np.int64]) -> None:
    """Where messages went: counts by queue over the whole run, in the bins of their begins."""
    queue = _ints(own, "queue_id")
    topics, brokers = (own.column(name).combine_chunks().cast(pa.string()).dictionary_encode() for name in
                       ("topic", "broker"))  # fmt: skip
    topic, broker = (
        np.asarray(pc.fill_null(part.indices, -1).to_numpy(zero_copy_only=False), np.int64)
        for part in (topics, brokers)
    )
    key = ((topic + 1) * (len(brokers.dictionary) + 1) + broker + 1) * 4096 + queue
    chosen = broker >= 0
    for one in np.unique(key[chosen]).tolist():
        rest, number = divmod(one, 4096)
        which, at = divmod(rest, len(brokers.dictionary) + 1)
        place = f"{topics.dictionary[which - 1].as_py()} {brokers.dictionary[at - 1].as_py()} {number}"
        own_rows = key == one
        found.add("queue", place, at_us[own_rows], weight[own_rows])


COUNTS = {
    "consumed": "consumed", "consumed_twice": "consumed_again", "failed_deliveries": "failed",
    "dead_letters": "dead_letters", "failed_starts": "failed_starts",
}  # fmt: skip
SO_FAR = ("missed", "skipped")  # counted from the start on


def _take_consumers(found: RunFigures, rows: pa.Table, so_far: dict[str, dict[str, int]]) -> None:
    for group, own in _parts(rows, "consumer_group"):
        own = own.sort_by("window_start_us")
        at_us = _ints(own, "window_start_us")
        for kind, column in COUNTS.items():
            found.add(kind, group, at_us, _ints(own, column))
        for kind in SO_FAR:
            if kind in own.column_names:
                values = _ints(own, kind)
                before = so_far.setdefault(kind, {}).get(group, 0)
                found.add(kind, group, at_us, np.diff(values, prepend=before))
                so_far[kind][group] = int(values[-1])
        for kind in ("unowned", "double_owned"):
            found.add(kind, group, at_us, _ints(own, f"{kind}_us") / 1e6)
        found.peak("lag", group, at_us, _ints(own, "lag"))
        late = np.asarray(pc.fill_null(own.column("p99_ms"), 0.0).to_numpy(zero_copy_only=False), np.float64)
        found.peak("late_ms", group, at_us, np.nan_to_num(late))


def _take_delays(found: RunFigures, rows: pa.Table) -> None:
    for broker, own in _parts(rows, "broker"):
        at_us, level = _ints(own, "window_start_us"), _ints(own, "delay_level")
        if "delivered_again" in own.column_names:
            found.add("delivered_again", broker, at_us, _ints(own, "delivered_again"))
        late = np.nan_to_num(np.asarray(own.column("late_max_ms").to_numpy(zero_copy_only=False), np.float64))
        for kind, chosen in (("delay_ms", level > 0), ("timer_ms", level == 0)):
            if chosen.any():
                found.peak(kind, broker, at_us[chosen], late[chosen])


def _take_pops(found: RunFigures, rows: pa.Table) -> None:
    for group, own in _parts(rows, "consumer_group"):
        at_us = _ints(own, "window_start_us")
        found.add("revived", group, at_us, _ints(own, "revived") - _ints(own, "revived_failed"))
        for kind, column in POP_KINDS:
            if column in own.column_names:  # the last one is not in tables of earlier versions
                found.add(kind, group, at_us, _ints(own, column))


def _take_gaps(found: RunFigures, scenario: Scenario, until_us: int) -> None:
    """Seconds in which no machine of a replica set was its master and answered, a bin: the plan knows them."""
    edges = np.arange(found.bins + 1) * found.bin_us
    at_us = edges[:-1]
    for name, gaps in without_master(scenario).items():
        for from_us, gap_until_us in gaps:
            inside = np.diff(np.clip(edges, from_us, max(min(gap_until_us, until_us), from_us)))
            found.add("no_master", name, at_us[inside > 0], inside[inside > 0] / 1e6)


class Isolations:
    """The isolations of a run, from the changes of its fault items: what is held of them does not grow with the run.

    The changes of a fault item come in the order of time. stays_out: of each producer, whether its release
    (5.1.4) keeps a broker out that is not reachable until the next change; None: of none.
    """

    def __init__(self, brokers: list[str], end_us: int, stays_out: npt.NDArray[np.bool_] | None = None) -> None:
        self.brokers, self.end_us, self._unreachable_is_out = brokers, end_us, stays_out
        # Of each (producer, broker): its last change, and until when that keeps the broker out.
        self._since_us, self._until_us = np.zeros(0, np.int64), np.zeros(0, np.int64)
        self._found: list[npt.NDArray[np.int64]] = []

    def add(self, rows: pa.Table) -> None:
        """Take the next changes; those that proxies hold, numbered behind the producers, are none of a producer."""
        if self._unreachable_is_out is not None:
            rows = rows.filter(pc.less(rows.column("producer"), len(self._unreachable_is_out)))
        if not rows.num_rows:
            return
        places = pc.index_in(rows.column("broker").cast(pa.string()), pa.array(self.brokers, pa.string()))
        item = _ints(rows, "producer") * len(self.brokers) + np.asarray(places.to_numpy(), np.int64)
        order = np.lexsort((_ints(rows, "change_seq"), _ints(rows, "at_us"), item))
        item, at_us, until_us = item[order], _ints(rows, "at_us")[order], self._out_until_us(rows)[order]
        self._grow(int(item[-1]) + 1)
        first = np.r_[True, item[1:] != item[:-1]]
        self._end(item[first], self._since_us[item[first]], np.minimum(self._until_us[item[first]], at_us[first]))
        inside = np.flatnonzero(~first)
        self._end(item[inside], at_us[inside - 1], np.minimum(until_us[inside - 1], at_us[inside]))
        last = np.r_[first[1:], True]
        self._since_us[item[last]], self._until_us[item[last]] = at_us[last], until_us[last]

    def all(self) -> npt.NDArray[np.int64]:
        """Rows (broker, producer, from_us, until_us) of every isolation, in no order, after the last change."""
        self._end(np.arange(len(self._since_us)), self._since_us, self._until_us)
        self._until_us[:] = 0
        return np.concatenate([np.zeros((0, 4), np.int64), *self._found])

    def _out_until_us(self, rows: pa.Table) -> npt.NDArray[np.int64]:
        is_out = ~_ints(rows, "available").astype(bool)
        until_us = np.where(is_out, _ints(rows, "start_timestamp_ms") * 1000, 0)
        until_us[is_out & (until_us == 0)] = self.end_us
        if self._unreachable_is_out is not None:
            stays = self._unreachable_is_out[_ints(rows, "producer")] & ~_ints(rows, "reachable").astype(bool)
            until_us[is_out & stays] = self.end_us
        return np.minimum(until_us, self.end_us)

    def _grow(self, items: int) -> None:
        more = np.zeros(max(items - len(self._since_us), 0), np.int64)
        self._since_us, self._until_us = np.r_[self._since_us, more], np.r_[self._until_us, more]

    def _end(
        self, item: npt.NDArray[np.int64], from_us: npt.NDArray[np.int64], until_us: npt.NDArray[np.int64]
    ) -> None:
        real = until_us > from_us
        if real.any():
            producer, broker = np.divmod(item[real], len(self.brokers))
            self._found.append(np.stack([broker, producer, from_us[real], until_us[real]], axis=1))
