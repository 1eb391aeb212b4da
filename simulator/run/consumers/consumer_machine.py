"""The consumers of a cell: the machine's memory, stepped after the event loop, stored and restored with the cell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from simulator.compiled.jit import ready
from simulator.compiled.memory_marks import marks_of
from simulator.compiled.records import Array, Cells, Region, layout_of, raise_if_outside, size_of
from simulator.compiled.region_store import RegionStore, columns, filled, line_zeros
from simulator.consumer.allocation.sharing import Sharing
from simulator.consumer.machine.consumer_loop import consume_until
from simulator.consumer.machine.late_consumer_rules import fill_late_consumer_rules
from simulator.consumer.memory.consumer_events import CHECK_ROUND, REBALANCE, SCALE, WINDOW_END, what_happens_to
from simulator.consumer.memory.consumer_group import ReadingGroup
from simulator.consumer.memory.consumer_output import CONSUMER_ROWS
from simulator.consumer.memory.consumer_settings import BY_START, MachineAction
from simulator.consumer.memory.consumer_side import Member
from simulator.consumer.memory.consumer_world import ConsumerWorld, ConsumptionKind, SubscriptionRules
from simulator.consumer.memory.half_message import HalfQueue
from simulator.consumer.memory.instance import Instance
from simulator.consumer.queue_log.stored_before import store_before
from simulator.consumer.rules.process_queue import CachedMessage, ProcessQueue
from simulator.engine.memory.settings import FAR
from simulator.kernel.machine_memory import Event
from simulator.kernel.pools import Pool
from simulator.kernel.row_memory import RowMemory
from simulator.plan.consumers.consumer_plan import ConsumerPlan
from simulator.run.consumers.action_rows import action_rows
from simulator.run.consumers.consumer_tables import consumer_table, open_transactions
from simulator.run.consumers.consumer_take_over import machine_taken_over, versions_at
from simulator.run.consumers.followed_rows import PENDING, PREFIX, FollowedRows
from simulator.run.consumers.fresh_regions import fresh_regions, room_before
from simulator.run.consumers.machine_pools import POOLS, further, needed
from simulator.run.consumers.machine_start import first_of_brokers, first_of_instances, first_of_revivers, phases
from simulator.run.consumers.still_waiting import StillWaiting, still_waiting
from simulator.run.state_texts import RunStateTexts
from state.packing import LayoutError, StatePart

CONSUMER_ROOM = {
    "stored": 1 << 13, "consumer_windows": 1 << 10, "consumed": 1 << 16, "assignments": 1 << 12, "rebalances": 1 << 12,
    "delays": 1 << 10, "retries": 1 << 10, "transactions": 1 << 14, "transaction_windows": 1 << 10,
    "check_backs": 1 << 10, "pops": 1 << 10, "proxied_consumers": 1 << 10,
}  # fmt: skip
REMEMBERED, GROWING = marks_of(ConsumerWorld).remembered, marks_of(ConsumerWorld).growing


class ConsumerMachine:
    """The consumer machine of a cell. `wanted`: names of the tables to put out."""

    def __init__(self, plan: ConsumerPlan, wanted: Iterable[str]) -> None:
        ready(consume_until)
        self.plan = plan
        self._store = RegionStore(ConsumerWorld)
        for name, cells in plan.cluster.items():
            self._store.put(name, cells)
        self._stride = _queue_cells(plan) // size_of(ProcessQueue)
        self.world.settings.queue_stride = self._stride
        for name, cells in fresh_regions(plan).items():
            self._store.put(name, cells)
        self._put_readers()
        self._put_kinds()
        fill_late_consumer_rules(self.world.late)
        self._followed = FollowedRows(plan)
        self._rows = self._row_memory(wanted)
        self._actions = np.empty((0, size_of(MachineAction)), np.int64)
        self._start_all()
        self.observe(np.empty((0, 5), np.int64))

    @property
    def world(self) -> ConsumerWorld:
        """What the machine reads and writes."""
        return self._store.directory

    @property
    def pages(self) -> int:
        """Pages that it has memory for."""
        return len(self._store.rows("pages"))

    def count_from(self, at_us: int) -> None:
        """Have `latency` and `late` count only what is consumed or delivered in windows that begin then or later."""
        self.world.settings.counted_from_us = at_us

    @property
    def latency(self) -> Array:
        """From the intended send time until consumed for the first time, by group: int64[groups, histogram.CELLS]."""
        return self._store.rows("overall").copy()

    @property
    def late(self) -> Array:
        """How late delayed messages became readable, by broker: int64[brokers, histogram.CELLS], [0, ...] without."""
        return self._store.rows("late_overall").copy()

    def still_waiting(self, end_us: int) -> StillWaiting:
        """What waits in delay levels and timer wheels at the end of the run."""
        queues, pages = self._store.rows("delay_queues"), self._store.rows("delay_pages")
        return still_waiting(queues, pages, int(self.plan.settings.brokers), self.plan.names, end_us)

    def _put_readers(self) -> None:
        """Rules of each subscription's release, and how its queues are shared."""
        self._sharings = [cells.copy() for cells in self.plan.sharings]
        memory = np.zeros(len(self._sharings) * size_of(SubscriptionRules), np.int64)
        self._reader_memory = memory
        region = Region.of(SubscriptionRules, memory)
        for number, (client, cells) in enumerate(zip(self.plan.clients, self._sharings, strict=True)):
            reader = region[number]
            for name in layout_of(SubscriptionRules).fields:
                value: Any = Sharing.at(cells) if name == "sharing" else getattr(client, name)
                setattr(reader, name, value)
        self.world.readers = region

    def _put_kinds(self) -> None:
        """Rules of each group's kind of consumption."""
        self._kind_memory = memory = np.zeros(len(self.plan.consumption) * size_of(ConsumptionKind), np.int64)
        region = Region.of(ConsumptionKind, memory)
        for number, rules in enumerate(self.plan.consumption):
            for name in layout_of(ConsumptionKind).fields:
                setattr(region[number], name, getattr(rules, name))
        self.world.consumption = region

    def _start_all(self) -> None:
        """Every instance has long been running, and is listed everywhere."""
        world, settings = self.world, self.world.settings
        count = int(settings.instances)
        rows = self._store.rows("instances")
        rows[:, _column("is_up")] = 1
        rows[self.plan.absent, _column("is_up")] = 0
        members = self._store.rows("members").reshape(-1, count, size_of(Member))
        for name in ("is_listed", "slave_seen_us"):
            members[:, [*self.plan.absent, *self.plan.proxied.instances], columns(Member)[name]] = 0
        listed = rows[:, _column("is_up")] == 1
        listed[self.plan.proxied.instances] = False  # brokers hear nothing of who consumes over proxies
        present_of = np.bincount(rows[listed, _column("group")], minlength=int(settings.groups))
        self._store.put("listed_counts", np.tile(present_of, int(settings.brokers)))
        rows[:, _column("rebalanced_us")] = -FAR
        rows[:, _column("reason")] = BY_START
        periods = self._store.rows("groups")[:, columns(ReadingGroup)["rebalance_us"]]
        rows[:, _column("phase_us")] = phases(self.plan, REBALANCE, periods[rows[:, _column("group")]])
        due = [(int(settings.window_us), WINDOW_END, 0)]
        due += first_of_instances(self._store.arrays["timers"])
        due += first_of_brokers(self.plan, self._store.arrays["broker_periods"])
        due += first_of_revivers(self.plan)
        polls = self._store.rows("groups")[:, columns(ReadingGroup)["scale_poll_us"]].tolist()
        due += [(poll_us, SCALE, number) for number, poll_us in enumerate(polls) if poll_us]
        if settings.half_queues:
            rounds = self._store.rows("half_queues")[:, columns(HalfQueue)["check_us"]].tolist()
            due += [(at, CHECK_ROUND, number) for number, at in enumerate(rounds)]
        self._store.put("known_versions", versions_at(self.plan, 0))
        due.sort()
        heap = filled(Event, len(due) + 16)
        heap[: len(due), 0] = [at for at, _, _ in due]
        heap[: len(due), 1] = [what_happens_to(kind, number) for _, kind, number in due]
        self._store.put("heap", heap)
        world.clock.heap_size = len(due)

    def _row_memory(self, wanted: Iterable[str]) -> RowMemory:
        settings = self.plan.settings
        progress = len(self._store.rows("progress"))
        most = {
            "stored": progress, "consumer_windows": int(settings.groups), "consumed": self.plan.most_batch,
            "assignments": 2 * int(settings.logs) * int(settings.subscriptions) + 64, "rebalances": 64,
            "delays": len(self.plan.delays.queues), "retries": len(self.plan.sent_back),
            "transactions": 4, "transaction_windows": int(settings.half_queues),
            "check_backs": int(settings.transaction_producers), "pops": len(self._store.rows("pop_waits")),
            "proxied_consumers": 8,
        }  # fmt: skip
        return RowMemory(self.world.output, CONSUMER_ROWS, CONSUMER_ROOM, most, frozenset(wanted))

    def observe(self, observations: Array) -> None:
        """Take over what will happen to brokers: observation rows int64[n, 5] (timetable.COLUMNS)."""
        world = self.world
        cells = action_rows(observations, self.plan.actions, world.serving, int(world.clock.now_us))
        self._actions = cells
        own = self.world.actions
        own.rows, own.count, own.next = Region.of(MachineAction, cells.reshape(-1)), len(cells), 0

    def follow(self, name: str, cells: Array, count: int) -> None:
        """Take over rows of a table of output.FOLLOWED."""
        self._followed.add(name, cells, count)

    def step(self, until_us: int) -> dict[str, list[pa.Table]]:
        """Handle everything before `until_us`; it follows all that brokers did before."""
        finished: dict[str, list[pa.Table]] = {name: [] for name in CONSUMER_ROOM}
        if self.world.clock.is_stocked == 0:
            self._stock()
        self._followed.hand_over(self.world, until_us)
        is_done = 0
        was_over = int(self.world.clock.ended)
        while not is_done:
            self._make_room()
            is_done = consume_until(self.world, until_us)
            raise_if_outside()
            self._flush(finished)
        if self.world.clock.ended and not was_over and self.world.output.transactions.room:
            finished["transactions"].append(open_transactions(self._store.rows("halves"), self.plan.names))
        self.world.actions.next = 0
        self._drop_past_actions()
        return finished

    def _stock(self) -> None:
        """Put what was stored before the run into the logs."""
        self.world.clock.is_stocked = 1
        before = self.plan.backlog
        if before is not None:
            for name, count in room_before(self.plan, before).items():
                self._grow(name, count)
            ready(store_before)
            store_before(self.world, *map(Cells.of, (before.counts, before.steps, before.body_bytes)))

    def _drop_past_actions(self) -> None:
        now_us = int(self.world.clock.now_us)
        if len(self._actions) and self._actions[0, 0] < now_us:
            self._actions = np.ascontiguousarray(self._actions[self._actions[:, 0] >= now_us])
        own = self.world.actions
        own.rows, own.count, own.next = Region.of(MachineAction, self._actions.reshape(-1)), len(self._actions), 0

    def _flush(self, finished: Mapping[str, list[pa.Table]]) -> None:
        for name, cells, count in self._rows.take():
            finished[name].append(consumer_table(name, cells, count, self.plan.names))

    def _make_room(self) -> None:
        """Have what may be taken grow: an event finds at least so much free."""
        clock, settings, least = self.world.clock, self.plan.settings, needed(self.plan)
        clock.short = 0
        for name in POOLS:
            if getattr(clock, name).spare < 0:
                self._grow(name, further(name, len(self._store.rows(name)), least[name]))
        margin = (
            len(self.plan.delays.deliverers)
            + 4 * (int(settings.instances) + int(settings.workers) + len(self._store.rows("holdings")))
            + 64
        )
        if clock.heap_size > len(self._store.rows("heap")) - margin:
            self._add("heap", filled(Event, max(len(self._store.rows("heap")), 2 * margin)))
        clock.heap_most = len(self._store.rows("heap")) - margin

    def _add(self, name: str, more: Array) -> None:
        if name == "pages":
            self._store.grow(name, more)
        else:
            self._store.put(name, np.concatenate([self._store.rows(name), more]))

    def _grow(self, name: str, count: int) -> None:
        """More records of a pool, all of them free."""
        record, values = POOLS[name]
        pool: Pool = getattr(self.world.clock, name)
        old = len(self._store.rows(name))
        numbers = np.arange(old, old + count)
        more = filled(record, count, number=numbers, next_record=numbers + 1, **values)
        more[-1, columns(record)["next_record"]] = pool.first
        pool.first = old
        pool.spare += count
        self._add(name, more)
        if name == "holdings":
            self._add_process_queues(count)

    def _add_process_queues(self, count: int) -> None:
        old, cells = self._store.arrays["process_queues"], _queue_cells(self.plan)
        queues = line_zeros(len(old) + count * cells)  # zeros that nobody writes take no time
        queues[: len(old)] = old
        queues[len(old) :].reshape(count, cells)[:, columns(ProcessQueue)["room"]] = self.plan.queue_room
        self._store.put("process_queues", queues, given_up=True)

    def parts(self) -> dict[str, StatePart]:
        """What is stored of the machine."""
        regions = {PREFIX + name: StatePart(self._store.arrays[name], self._store.fields(name)) for name in REMEMBERED}
        return regions | self._followed.parts()

    def take_over(self, other: ConsumerMachine) -> None:
        """Go on from the machine of another scenario at the same moment. Raises LayoutError if they do not fit."""
        new, old = ({name: one._store.arrays[name] for name in REMEMBERED} for one in (self, other))
        found = machine_taken_over(self.plan, new, other.plan, old, set(GROWING))
        for name, cells in found.items():
            self._store.put(name, cells)
        self._followed.take_over(other._followed)
        self.observe(np.empty((0, 5), np.int64))

    def restore(self, parts: Mapping[str, StatePart], observations: Array) -> None:
        """Take over what was stored. Raises LayoutError if it does not fit together."""
        for name in REMEMBERED:
            self._store.put(name, parts[PREFIX + name].values)
        self._followed.restore(parts)
        holdings, queues = len(self._store.rows("holdings")), len(self._store.arrays["process_queues"])
        if holdings * _queue_cells(self.plan) != queues:
            raise LayoutError(RunStateTexts.UNLIKE_REGIONS(one="consumers.holdings", other="consumers.process_queues"))
        self.observe(observations)


def _column(field: str) -> int:
    """The column of a field of an instance."""
    return columns(Instance)[field]


def _queue_cells(plan: ConsumerPlan) -> int:
    """Cells of one process queue with its entries: a multiple of the record itself."""
    return size_of(ProcessQueue) + plan.queue_room * size_of(CachedMessage)


GROWING_PARTS = (*(PREFIX + name for name in GROWING), *PENDING)
