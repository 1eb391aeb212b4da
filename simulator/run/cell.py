"""One cell of a run: its live arrays, stepped through windows of virtual time, stored and restored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from simulator import histogram
from simulator.client.selection.selectors import no_place
from simulator.compiled.jit import ready
from simulator.engine import layout
from simulator.engine.arrays import Live, join_cluster, join_live
from simulator.engine.layout import FAR, Ints
from simulator.engine.loop import run_until
from simulator.engine.sending.spare_sends import NEEDED
from simulator.plan.own_selector import OwnSelectors
from simulator.plan.run_plan import CellPlan
from simulator.plan.timetable import COLUMNS, timetable
from simulator.run.remembered import client_tables, restore_client
from simulator.run.row_tables import TABLE_OF
from simulator.run.workload import NO_ARRIVALS, Arrivals
from state.packing import LAYOUT_VERSION, LayoutError, pack, unpack
from state.row import StateRow, decode_tables, encode_table

ROOM = {"attempts": 1 << 16, "sends": 1 << 16, "fault_items": 1 << 16, "windows": 1 << 13}
COLUMN_COUNT = {
    "attempts": layout.ATTEMPT_COLUMNS,
    "sends": layout.SEND_COLUMNS,
    "fault_items": layout.FAULT_ITEM_COLUMNS,
    "windows": layout.WINDOW_COLUMNS,
}
PLACES = 1024  # in which messages can wait, at first
RECORDS = 256  # of asynchronous messages under way, at first
# Fields of Live that are rebuilt from others or need care when stored.
REBUILT = ("memory", "timetable")
# Parts that are as long as there is need, in rows of that many numbers.
GROWING = {
    "backlog": layout.BACKLOG_SIZE,
    "observations": len(COLUMNS),
    "sending": layout.SENDING_SIZE,
    "heap_at": 1,
    "heap_thread": 1,
}


def _fresh_live(plan: CellPlan) -> Live:
    settings = plan.cluster.settings
    threads, topics, brokers = len(plan.streams.stream), int(settings[layout.TOPICS]), int(settings[layout.BROKERS])
    counts = np.zeros((topics * brokers, layout.WINDOW_COUNTS), np.int64)
    counts[:, layout.IN_ROUTE] = plan.in_route.reshape(-1)
    numbers = np.zeros(layout.LIVE_NUMBERS, np.int64)
    numbers[layout.FREE_PLACE] = -1
    numbers[layout.FREE_RECORD] = -1
    numbers[layout.FREE_RECORDS] = 0 if plan.takes_records else FAR
    sending = np.zeros((threads, layout.SENDING_SIZE), np.int64)
    sending[:, layout.THREAD] = np.arange(threads)
    sending[:, layout.VIEW_ROW] = np.arange(threads)
    sending[:, layout.KEY] = -1
    states = np.zeros((len(plan.threads_of_producer), layout.PRODUCER_STATE_SIZE), np.int64)
    for queue in (layout.NUMBER_HEAD, layout.BYTES_HEAD, layout.SENDER_HEAD, layout.CALLBACK_HEAD):
        states[:, queue] = -1
    states[:, layout.NUMBER_LEFT] = plan.number_permits
    states[:, layout.BYTES_LEFT] = plan.byte_permits
    states[:, layout.CALLBACKS_LEFT] = plan.callback_threads
    idle = np.tile(np.arange(settings[layout.ASYNC_SENDERS]), len(states))
    detects = settings[layout.DETECTOR_ON] == 1
    numbers[layout.NEXT_DETECT_US] = settings[layout.DETECT_PERIOD_US] if detects else FAR
    polls = settings[layout.ROUTES_ON] == 1
    numbers[layout.NEXT_POLL_US] = plan.cluster.pollers[layout.POLL_PHASE_US] if polls else FAR
    producers = len(plan.threads_of_producer)
    links = int(settings[layout.LINKS_ON] * settings[layout.GROUPS]) * brokers * layout.LINK_TABLES
    begun = np.flatnonzero(plan.first_sends_us < FAR)
    sending[begun, layout.STATE] = layout.RESUMING
    sending[begun, layout.LENGTH] = 1
    first = begun[np.lexsort((begun, plan.first_sends_us[begun]))]  # sorted is a heap, too
    numbers[layout.HEAP_SIZE] = len(first)
    heap_at, heap_thread = np.zeros(threads, np.int64), np.zeros(threads, np.int64)
    heap_at[: len(first)], heap_thread[: len(first)] = plan.first_sends_us[first], first
    return Live(
        numbers=numbers,
        memory=plan.memory.cells.copy(),
        sending=sending.reshape(-1),
        send_seqs=np.zeros(threads * topics, np.int64),
        heap_at=heap_at,
        heap_thread=heap_thread,
        servers=np.zeros(plan.servers, np.int64),
        rings=np.zeros(plan.rings, np.int64),
        broker_states=np.zeros(brokers * layout.BROKER_STATE_SIZE, np.int64),
        timetable=np.empty(0, np.int64),
        backlog=np.zeros(0, np.int64),
        histogram=np.zeros(topics * brokers * histogram.CELLS, np.int64),
        window_counts=counts.reshape(-1),
        change_seqs=np.zeros(producers, np.int64),
        producer_routes=plan.producer_routes.copy(),
        created=np.zeros(topics * (1 + brokers) if polls else 0, np.int64),
        connections=np.zeros(producers * brokers, np.int64),
        links=np.zeros(links * layout.PERIODS_SIZE, np.int64),
        producer_states=np.concatenate([states.reshape(-1), idle]),
        key_orders=np.zeros(plan.key_orders, np.int64),
        sockets=np.full(producers * brokers * layout.SOCKET_SIZE if plan.takes_records else 0, -1, np.int64),
    )


class Cell:
    """A cell that can be stepped. `wanted`: names of the tables to put out."""

    def __init__(self, plan: CellPlan, wanted: Iterable[str] = tuple(ROOM)) -> None:
        ready(run_until)
        ready(no_place)
        self.plan = plan
        self.next_window = 0
        self.events_in = 0
        self.events_rejected = 0
        self._c = join_cluster(plan.cluster)
        self._m, self._live = join_live(_fresh_live(plan), self._c)
        self._observations = np.empty((0, len(COLUMNS)), np.int64)
        self._set_timetable()
        self._o = self._make_out(frozenset(wanted))
        own = plan.own_selectors
        self._own_place: Any = OwnSelectors(own, plan.names, lambda: self._m) if own else no_place
        self._scratch = np.zeros(4 * int(plan.cluster.settings[layout.BROKERS]), np.int64)

    def _replace(self, **parts: Ints) -> None:
        self._m, self._live = join_live(self._live._replace(**parts), self._c)

    def _make_out(self, wanted: frozenset[str]) -> Ints:
        settings = self.plan.cluster.settings
        brokers = int(settings[layout.BROKERS])
        detects = settings[layout.DETECTOR_ON] == 1
        most = {
            "attempts": 1,
            "sends": 2,
            "fault_items": brokers * (int(settings[layout.PRODUCERS]) if detects else 2),
            "windows": int(settings[layout.TOPICS]) * brokers,
        }
        rooms = [max(room, 2 * most[name]) if name in wanted else 0 for name, room in ROOM.items()]
        sizes = [room * columns for room, columns in zip(rooms, COLUMN_COUNT.values(), strict=True)]
        out = np.empty(layout.OUT_NUMBERS + sum(sizes), np.int64)
        out[: layout.ATTEMPT_ROOM] = 0
        out[layout.ATTEMPT_ROOM : layout.ATTEMPTS_AT] = rooms
        out[layout.ATTEMPTS_AT : layout.ATTEMPT_LIMIT] = layout.OUT_NUMBERS + np.cumsum([0, *sizes[:-1]])
        out[layout.ATTEMPT_LIMIT : layout.SENDS_ENDED] = [
            room - most[name] if room else FAR for name, room in zip(ROOM, rooms, strict=True)
        ]
        out[layout.SENDS_ENDED : layout.OUT_NUMBERS] = 0
        return out

    def _set_timetable(self) -> None:
        clock = self._live.numbers[layout.CLOCK_US]
        self._observations = self._observations[self._observations[:, 1] > clock]
        self._replace(timetable=timetable(self._observations, self._live.broker_states, self._live.links))

    @property
    def clock_us(self) -> int:
        """Virtual time reached."""
        return int(self._live.numbers[layout.CLOCK_US])

    @property
    def skipped(self) -> int:
        """Arrivals that met a blocked thread and were not sent."""
        return int(self._live.numbers[layout.SKIPPED])

    def observe(self, rows: Ints) -> None:
        """Take over observation rows int64[n, 5] (timetable.COLUMNS)."""
        if len(rows):
            self._observations = np.concatenate([self._observations, rows])
            self._set_timetable()

    def _make_places(self) -> None:
        """Double the places in which messages can wait, if none is free."""
        if self._live.numbers[layout.FREE_PLACE] >= 0:
            return
        places = len(self._live.backlog) // layout.BACKLOG_SIZE
        more = np.zeros((max(places, PLACES), layout.BACKLOG_SIZE), np.int64)
        more[:, layout.NEXT_PLACE] = np.arange(places + 1, places + 1 + len(more))
        more[-1, layout.NEXT_PLACE] = -1
        self._live.numbers[layout.FREE_PLACE] = places
        self._replace(backlog=np.concatenate([self._live.backlog, more.reshape(-1)]))

    def _make_records(self) -> None:
        """Double the records that can be taken, if too few are free."""
        numbers = self._live.numbers
        if numbers[layout.FREE_RECORDS] >= NEEDED:
            return
        records = len(self._live.heap_at)
        more = np.zeros((max(records, RECORDS), layout.SENDING_SIZE), np.int64)
        more[:, layout.NEXT_RECORD] = np.arange(records + 1, records + 1 + len(more))
        more[-1, layout.NEXT_RECORD] = numbers[layout.FREE_RECORD]
        numbers[layout.FREE_RECORD] = records
        numbers[layout.FREE_RECORDS] += len(more)
        none = np.zeros(len(more), np.int64)
        self._replace(
            sending=np.concatenate([self._live.sending, more.reshape(-1)]),
            heap_at=np.concatenate([self._live.heap_at, none]),
            heap_thread=np.concatenate([self._live.heap_thread, none]),
        )

    def step(self, arrivals: Arrivals, until_us: int) -> dict[str, list[pa.Table]]:
        """Handle every event before `until_us` (FAR: until nothing is in flight): finished rows by table name."""
        client = self.plan.client
        select = client.select_on if self.plan.strategy_on else client.select_off
        finished: dict[str, list[pa.Table]] = {name: [] for name in ROOM}
        row = 0
        while True:
            self._make_places()
            self._make_records()
            row = run_until(
                self._c, self._m, self._o, self._scratch, arrivals.at_us, arrivals.thread, arrivals.topic,
                arrivals.draw, row, until_us, select, client.update, client.over_budget, client.attempt_timeout,
                client.response_wait, client.is_isolated, client.is_reachable, client.after_attempt,
                client.hash_place, client.async_left, client.async_wait, client.is_thrown, client.async_charged,
                client.async_latency, client.async_reachable, client.retry_timeout, client.after_async,
                client.hands_over, client.async_exception, client.async_code, self._own_place,
            )  # fmt: skip
            if self._own_place is not no_place and self._own_place.error is not None:
                raise self._own_place.error
            self._flush(finished)
            if row >= 0:
                return finished
            row = -1 - row

    def drain(self) -> dict[str, list[pa.Table]]:
        """Let everything in flight end, with no more arrivals."""
        return self.step(NO_ARRIVALS, FAR)

    def _flush(self, finished: Mapping[str, list[pa.Table]]) -> None:
        for i, (name, columns) in enumerate(COLUMN_COUNT.items()):
            rows, room = int(self._o[layout.ATTEMPT_ROWS + i]), int(self._o[layout.ATTEMPT_ROOM + i])
            if rows:
                first = int(self._o[layout.ATTEMPTS_AT + i])
                cells = self._o[first : first + columns * room].reshape(columns, room)
                finished[name].append(TABLE_OF[name](cells[:, :rows].copy(), self.plan.names))
                self._o[layout.ATTEMPT_ROWS + i] = 0

    def _check_parts(self, parts: Mapping[str, Ints]) -> None:
        wanted = {name: len(getattr(self._live, name)) for name in Live._fields if name != "timetable"}
        for name in sorted(parts.keys() - wanted.keys() - {"observations"}):
            raise LayoutError(f"the state has a part {name}, which this scenario has not")
        for name, size in (*wanted.items(), ("observations", 0)):
            if name not in parts:
                raise LayoutError(f"the state lacks its part {name}")
            found = len(parts[name])
            if found % GROWING[name] if name in GROWING else found != size:
                raise LayoutError(f"the state's part {name} has {found} numbers, this scenario needs {size}")
        records = {len(parts["sending"]) // layout.SENDING_SIZE, len(parts["heap_at"]), len(parts["heap_thread"])}
        if len(records) > 1 or min(records) < len(self._live.heap_at):
            raise LayoutError("the state's parts sending, heap_at and heap_thread do not fit together")

    def snapshot(self) -> StateRow:
        """Everything that is remembered, as a state row."""
        memory, counters, fault_items = client_tables(self.plan, self._live)
        rings = self._live.rings.copy()
        rings[rings <= self.clock_us] = 0  # a service that has begun never fills the queue
        parts = {name: getattr(self._live, name) for name in Live._fields if name not in REBUILT}
        parts |= {"rings": rings, "memory": memory, "observations": self._observations.reshape(-1)}
        return StateRow(
            version=LAYOUT_VERSION,
            digest=self.plan.digest,
            clock_us=self.clock_us,
            next_window=self.next_window,
            events_in=self.events_in,
            events_handled=self.events_in - self.events_rejected,
            events_rejected=self.events_rejected,
            events_skipped=self.skipped,
            sends=int(self._o[layout.SENDS_ENDED]),
            failures=int(self._o[layout.SENDS_FAILED]),
            retries=int(self._o[layout.SENDS_RETRIED]),
            counters=encode_table(counters),
            fault_items=encode_table(fault_items),
            engine=pack(parts),
        )

    @classmethod
    def restore(cls, plan: CellPlan, row: StateRow, wanted: Iterable[str] = tuple(ROOM)) -> Cell:
        """A cell as it was when `row` was taken. Raises LayoutError if the row is of another layout or scenario."""
        tables = decode_tables(row)
        if row.digest != plan.digest:
            raise LayoutError(f"the state is of scenario {row.digest}, this run is of scenario {plan.digest}")
        cell = cls(plan, wanted)
        parts = unpack(row.engine)
        cell._check_parts(parts)
        cell.next_window = row.next_window
        cell.events_in = row.events_in
        cell.events_rejected = row.events_rejected
        cell._o[layout.SENDS_ENDED : layout.OUT_NUMBERS] = row.sends, row.failures, row.retries
        memory = restore_client(plan, parts.pop("memory"), tables)
        cell._observations = parts.pop("observations").reshape(-1, len(COLUMNS))
        cell._replace(**parts, memory=memory)
        cell._set_timetable()
        return cell
