"""One cell of a run: its live arrays, stepped through windows of virtual time, stored and restored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from simulator.client.faults.fault_item import FaultItem
from simulator.client.rules import fill_rules
from simulator.client.selection.selectors import no_place
from simulator.client.view import RouteVersion, View
from simulator.compiled.jit import ready
from simulator.compiled.records import Array, Cells, Region, raise_if_outside
from simulator.compiled.region_store import RegionStore, column, columns, filled
from simulator.engine.late_rules import fill_late_rules
from simulator.engine.loop import run_until
from simulator.engine.memory.output import FOLLOWED, ROWS, Output
from simulator.engine.memory.send import Waiting
from simulator.engine.memory.settings import FAR
from simulator.engine.memory.world import World
from simulator.kernel.machine_memory import Event
from simulator.kernel.pools import Pool
from simulator.kernel.row_memory import RowMemory
from simulator.plan.own_selector import OwnSelectors
from simulator.plan.run_plan import CellPlan
from simulator.plan.timetable import COLUMNS, timetable
from simulator.run.consumers.consumer_machine import CONSUMER_ROOM, GROWING_PARTS, ConsumerMachine
from simulator.run.election_rows import elections_between, replicas_between
from simulator.run.fresh import GROWING, PARTS, POOLS, REMEMBERED, TAKEN, events_at_once, fresh_regions
from simulator.run.remembered import client_tables, items_of, restore_client
from simulator.run.row_tables import table_of
from simulator.run.state_texts import RunStateTexts
from simulator.run.taking_over import client_memory_taken_over, taken_over
from simulator.workload import NO_ARRIVALS, Arrivals
from state.failover_tables import ELECTIONS, REPLICAS, SET_TABLES
from state.packing import LAYOUT_VERSION, LayoutError, StatePart, check_parts, pack, unpack
from state.proxied_tables import PROXIED_ATTEMPTS
from state.row import StateRow, decode_tables, encode_table

FOLLOWED_ROOM, FOLLOWED_OF_EVENT = {"appends": 1 << 16, "losses": 1 << 12, "answers": 1 << 12}, 8
ROOM = {"attempts": 1 << 16, "sends": 1 << 16, "fault_items": 1 << 16, "windows": 1 << 13}
PROXIED_ROOM = {PROXIED_ATTEMPTS.name: 1 << 13}
CELL_TABLES = (*ROOM, *PROXIED_ROOM, *(table.name for table in SET_TABLES), *CONSUMER_ROOM)
PLACES = 1024  # in which messages can wait, at first
RECORDS = 256  # of a pool, at first
STRUCK = ("broker_states", "links", "proxies")  # regions that the timetable has periods of
OBSERVATIONS, CLIENT_MEMORY = "observations", "client_memory"  # parts of a state that are no regions


class Cell:
    """A cell that can be stepped.

    `wanted`: names of the tables to put out. `uses_up`: it works on the plan's own memory, which is large; there can be
    no snapshot of it and no other cell of the plan.
    """

    def __init__(self, plan: CellPlan, wanted: Iterable[str] = tuple(ROOM), *, uses_up: bool = False) -> None:
        ready(run_until)
        ready(no_place)
        self.plan = plan
        self.next_window = 0
        self.events_in = 0
        self.events_rejected = 0
        self._store = RegionStore(World)
        for name, cells in plan.cluster.items():
            self._store.put(name, cells, given_up=uses_up)
        for name, cells in fresh_regions(plan).items():
            self._store.put(name, cells, given_up=True)
        self._put_client_memory(plan.memory.cells, given_up=uses_up)
        self._consumers: ConsumerMachine | None = None
        self._observations = np.empty((0, len(COLUMNS)), np.int64)
        self._set_timetable()
        self._rows = self._row_memory(wanted)
        self._elections = plan.elections if ELECTIONS.name in wanted else ()
        self._replica_states = plan.replica_states if REPLICAS.name in wanted else ()
        if plan.consumers is not None:
            self._consumers = ConsumerMachine(plan.consumers, wanted)
        store, own = self._store, plan.own_selectors
        self._own_place: Any = OwnSelectors(own, plan.names, lambda: store.directory.messages) if own else no_place
        for kind, (client, on) in enumerate(zip(plan.clients, plan.strategy_on, strict=True)):
            fill_rules(self.world.client_kinds[kind].rules, client, strategy_on=on, own_place=self._own_place)
        plan.policy.fill_rules(self.world.policy)
        fill_late_rules(self.world.late)
        self._show_counts()

    @property
    def world(self) -> World:
        """What the event loop reads and writes."""
        return self._store.directory

    def _put_client_memory(self, cells: Array, *, given_up: bool = False) -> None:
        memory = self._store.keep(CLIENT_MEMORY, cells, given_up=given_up)
        for name, record in (("views", View), ("held_views", View), ("versions", RouteVersion)):
            self._store.share(name, Region.of(record, memory, *self.plan.memory.regions[name]))

    def _show_counts(self) -> None:
        world = self.world
        world.ask.allowed, world.ask.in_flight = world.allowed, world.in_flight

    def _row_memory(self, wanted: Iterable[str]) -> RowMemory:
        """Where finished rows are put out; what brokers append, lose and answer only for consumers."""
        settings = self.plan.settings
        brokers = int(settings.brokers)
        most = {
            "attempts": 1,
            "sends": 2,
            "fault_items": brokers * (int(settings.producers) if settings.detector_on else 2),
            "windows": int(settings.topics) * brokers,
            PROXIED_ATTEMPTS.name: 1,
            **dict.fromkeys(FOLLOWED, FOLLOWED_OF_EVENT),
        }
        followed = () if self.plan.consumers is None else FOLLOWED
        return RowMemory(self.world.output, ROWS, ROOM | PROXIED_ROOM | FOLLOWED_ROOM, most, {*wanted, *followed})

    def _set_timetable(self) -> None:
        self._observations = self._observations[self._observations[:, 1] > self.clock_us]
        rows = self._store.rows
        self._store.put("timetable", timetable(self._observations, *map(rows, STRUCK)))
        if self._consumers is not None:
            self._consumers.observe(self._observations)

    @property
    def clock_us(self) -> int:
        """Virtual time reached."""
        return int(self.world.clock.now_us)

    @property
    def skipped(self) -> int:
        """Arrivals that met a blocked thread and were not sent."""
        return int(self.world.clock.skipped)

    def ask_instead(self, **rules: Callable[..., int]) -> Array:
        """Have the loop ask these instead of the rules of their names; gives the client memory that views lie in."""
        for name, rule in rules.items():
            for kind in range(len(self.plan.clients)):
                setattr(self.world.client_kinds[kind].rules, name, rule)
        self._asked = rules  # the world holds their addresses only
        return self._store.arrays[CLIENT_MEMORY]

    @property
    def observations(self) -> Array:
        """The observation rows int64[n, 5] that it knows and that are not over."""
        return self._observations

    def observe(self, rows: Array) -> None:
        """Take over observation rows int64[n, 5] (timetable.COLUMNS)."""
        if len(rows):
            self._observations = np.concatenate([self._observations, rows])
            self._set_timetable()

    def foresee(self, rows: Array) -> None:
        """Have those observation rows announced instead of what was."""
        self._observations = rows
        self._set_timetable()

    def take_over(self, other: Cell) -> None:
        """Go on from the cell of another scenario at the same moment. Raises LayoutError if they do not fit."""
        new, old = ({name: cell._store.arrays[name] for name in REMEMBERED} for cell in (self, other))
        found, mine, theirs = (
            taken_over(self.plan, new, old),
            self._store.arrays[CLIENT_MEMORY],
            other._store.arrays[CLIENT_MEMORY],
        )
        self._put_client_memory(client_memory_taken_over(self.plan, mine, other.plan, theirs))
        for name in REMEMBERED:
            self._store.put(name, found[name])
        self.next_window, self.events_in = other.next_window, other.events_in
        self.events_rejected = other.events_rejected
        if self._consumers is not None:
            if other._consumers is None:
                raise LayoutError(RunStateTexts.NO_CONSUMERS())
            self._consumers.take_over(other._consumers)
        self._show_counts()
        self._set_timetable()

    def avoided(self) -> Iterator[tuple[int, int]]:
        """(producer * brokers + broker, until when it is avoided) by the fault items that hold now."""
        items = items_of(self.plan, self._store.arrays[CLIENT_MEMORY])
        until_us = column(FaultItem, items, "start_timestamp") * 1000
        is_out = self.plan.names.unreachable_is_unavailable[:, None]
        until_us[is_out & (column(FaultItem, items, "reachable") == 0)] = FAR
        until_us[column(FaultItem, items, "present") == 0] = 0
        flat = until_us.reshape(-1)
        for place in np.flatnonzero(flat > self.clock_us).tolist():
            yield place, int(flat[place])

    def _add(self, name: str, more: Array) -> None:
        """Let a region grow by those rows."""
        self._store.put(name, np.concatenate([self._store.rows(name), more]))

    def _make_places(self) -> None:
        """Double the places in which messages can wait, if none is free."""
        clock, places = self.world.clock, len(self._store.rows("backlog"))
        if clock.free_place >= 0:
            return
        count = max(places, PLACES)
        more = filled(Waiting, count, next_place=np.arange(places + 1, places + 1 + count))
        more[-1, columns(Waiting)["next_place"]] = -1
        clock.free_place = places
        self._add("backlog", more)

    def _make_records(self) -> None:
        """Give more records to every pool that has too few left."""
        clock = self.world.clock
        clock.short = 0
        for name, (region, record) in POOLS.items():
            pool: Pool = getattr(clock, name)
            if pool.spare >= 0:
                continue
            records = len(self._store.rows(region))
            count = max(records, RECORDS)
            numbers = np.arange(records, records + count)
            more = filled(record, count, number=numbers, next_record=numbers + 1)
            more[-1, columns(record)["next_record"]] = pool.first
            pool.first = records
            pool.spare += count
            self._add(region, more)
            for part, kind in PARTS.get(region, ()):
                self._add(part, filled(kind, count))
            self._add("heap", filled(Event, count))

    def _put_arrivals(self, arrivals: Arrivals) -> None:
        own = self.world.arrivals
        own.at_us, own.thread = Cells.of(arrivals.at_us), Cells.of(arrivals.thread)
        own.topic, own.draw = Cells.of(arrivals.topic), Cells.of(arrivals.draw)
        own.count, own.next = len(arrivals), 0

    def step(self, arrivals: Arrivals, until_us: int) -> dict[str, list[pa.Table]]:
        """Handle every event before `until_us` (FAR: until nothing is in flight): finished rows by table name."""
        finished: dict[str, list[pa.Table]] = {name: [] for name in (*ROOM, *PROXIED_ROOM)}
        names, began_us = self.plan.names, self.clock_us
        if self._elections:
            found = elections_between(self._elections, names.cell, names.brokers, began_us, until_us)
            finished[ELECTIONS.name] = [] if found is None else [found]
        if self._replica_states:
            found = replicas_between(self._replica_states, names.cell, names.brokers, began_us, until_us)
            finished[REPLICAS.name] = [] if found is None else [found]
        self._put_arrivals(arrivals)
        while not self._run(until_us):
            self._flush(finished)
        self._flush(finished)
        if self._consumers is not None:
            finished |= self._consumers.step(until_us)
        return finished

    def run(self, arrivals: Arrivals, until_us: int) -> Output:
        """The same for a few arrivals: the finished rows as the loop put them out, until the next call."""
        self._rows.clear()
        self._put_arrivals(arrivals)
        while not self._run(until_us):
            if not self._rows.has_room():
                raise ValueError(RunStateTexts.NO_ROOM())
        return self.world.output

    def _run(self, until_us: int) -> int:
        """Handle events until there is no more room, which gives 0, or it is done."""
        self._make_places()
        self._make_records()
        is_done = run_until(self.world, until_us)
        raise_if_outside()
        if self._own_place is not no_place and self._own_place.error is not None:
            raise self._own_place.error
        return is_done

    @property
    def consumers(self) -> ConsumerMachine | None:
        """The machine of whoever reads what is stored."""
        return self._consumers

    def drain(self) -> dict[str, list[pa.Table]]:
        """Let everything in flight end, with no more arrivals."""
        return self.step(NO_ARRIVALS, FAR)

    def _flush(self, finished: Mapping[str, list[pa.Table]]) -> None:
        for name, cells, count in self._rows.take():
            if name not in FOLLOWED:
                finished[name].append(table_of(name, cells, count, self.plan.names))
            elif self._consumers is not None:
                self._consumers.follow(name, cells, count)

    def _parts(self) -> dict[str, StatePart]:
        """What is stored of the regions, the client memory and the observations."""
        regions = {name: StatePart(self._store.arrays[name], self._store.fields(name)) for name in REMEMBERED}
        consumers = {} if self._consumers is None else self._consumers.parts()
        return {
            **regions,
            **consumers,
            CLIENT_MEMORY: StatePart(self._store.arrays[CLIENT_MEMORY]),
            OBSERVATIONS: StatePart(self._observations.reshape(-1), COLUMNS),
        }

    def _check_parts(self, parts: Mapping[str, StatePart]) -> None:
        check_parts(parts, self._parts(), (*GROWING, *GROWING_PARTS))
        counts = {name: len(parts[name].values) // len(parts[name].fields) for name in ("heap", *TAKEN)}
        events = events_at_once(self.plan, counts)
        if counts["heap"] != events or any(counts[part] != counts["attempts"] for part, _ in PARTS["attempts"]):
            raise LayoutError(RunStateTexts.UNLIKE_REGIONS(one="attempts", other="heap"))

    def snapshot(self) -> StateRow:
        """Everything that is remembered, as a state row."""
        arrays, clock = self._store.arrays, self.world.clock
        memory, counters, fault_items = client_tables(self.plan, arrays[CLIENT_MEMORY], arrays["send_seqs"])
        rings = arrays["rings"].copy()
        rings[rings <= self.clock_us] = 0  # a service that has begun never fills the queue
        return StateRow(
            version=LAYOUT_VERSION,
            digest=self.plan.digest,
            clock_us=self.clock_us,
            next_window=self.next_window,
            events_in=self.events_in,
            events_handled=self.events_in - self.events_rejected,
            events_rejected=self.events_rejected,
            events_skipped=self.skipped,
            sends=int(clock.sends_ended),
            failures=int(clock.sends_failed),
            retries=int(clock.attempts_again),
            counters=encode_table(counters),
            fault_items=encode_table(fault_items),
            engine=pack(self._parts() | {"rings": StatePart(rings), CLIENT_MEMORY: StatePart(memory)}),
        )

    @classmethod
    def restore(cls, plan: CellPlan, row: StateRow, wanted: Iterable[str] = tuple(ROOM)) -> Cell:
        """A cell as it was when `row` was taken. Raises LayoutError if the row is of another layout or scenario."""
        tables = decode_tables(row)
        if row.digest != plan.digest:
            raise LayoutError(RunStateTexts.OTHER_SCENARIO(state=row.digest, scenario=plan.digest))
        cell = cls(plan, wanted)
        parts = unpack(row.engine)
        cell._check_parts(parts)
        cell.next_window = row.next_window
        cell.events_in = row.events_in
        cell.events_rejected = row.events_rejected
        cell._put_client_memory(restore_client(plan, parts[CLIENT_MEMORY].values, tables))
        cell._observations = parts[OBSERVATIONS].values.reshape(-1, len(COLUMNS))
        for name in REMEMBERED:
            cell._store.put(name, parts[name].values)
        if cell._consumers is not None:
            cell._consumers.restore(parts, cell._observations)
        cell._show_counts()
        cell._set_timetable()
        return cell
