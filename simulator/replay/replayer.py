"""A recording being replayed: its live memory, stepped row by row, stored and restored."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from simulator import codes
from simulator.client.rules import fill_rules
from simulator.client.selection.selectors import no_place
from simulator.client.view import View
from simulator.compiled.jit import ready
from simulator.compiled.records import Cells, Region, raise_if_outside, size_of
from simulator.compiled.region_store import RegionStore, columns
from simulator.outcomes import labelled
from simulator.plan.clients.client_blocks import faults_size
from simulator.replay import replay_codes
from simulator.replay.replay_plan import Ints, ReplayPlan, Senders
from simulator.replay.replay_world import Decision, InputRow, InstalledRoute, ReplayWorld, Sender
from simulator.replay.row_loop import replay
from simulator.run.client_tables import Owners, fault_items_of, put_back, take_out
from simulator.run.state_texts import RunStateTexts
from state.columns import flags, named, numbers
from state.packing import LAYOUT_VERSION, LayoutError, StatePart, check_parts, pack, unpack
from state.row import StateRow, decode_tables, encode_table
from state.tables import DECISIONS

MEMORY_REGIONS = {
    "views": View,
    "held_routes": None,
    "next_seqs": None,
    "senders": Sender,
    "routes": InstalledRoute,
}


def _whole(values: Ints, kind: type[np.signedinteger[Any]] = np.int64) -> pa.Array:
    gaps = values == replay_codes.NONE
    return numbers(np.where(gaps, 0, values), kind, gaps)


def _flags(values: Ints) -> pa.Array:
    return flags(values == 1, values == replay_codes.NONE)


def _owners(who: Senders) -> Owners:
    views = np.array([(p, t, who.topics.index(topic)) for p, t, topic in who.views], np.int64).reshape(-1, 3)
    producer, thread, topic = views.T
    has_flag = np.ones(len(who.producers), np.bool_)
    return Owners(producer, thread, topic, who.topics, np.array(who.producers, np.int64), who.brokers, has_flag)


class Replayer:
    """One replay that can be stepped."""

    def __init__(self, plan: ReplayPlan) -> None:
        self.plan = plan
        self._owners = _owners(plan.senders)
        self.clock_us = 0
        self.next_window = 0
        self.events_in = 0
        self.events_rejected = 0
        self.sends = self.failures = self.retries = 0
        ready(replay)
        self._store = RegionStore(ReplayWorld)
        self._store.put("settings", plan.recorded_settings())
        self._store.put("retry_codes", np.array(sorted(plan.client.retry_codes), np.int64))
        self._store.put("kept", np.zeros(plan.kept_cells, np.int64))
        client = plan.client.with_async_path_of(plan.async_client)
        strategy_on = plan.settings.strategy_on
        fill_rules(self._store.directory.rules, client, strategy_on=strategy_on, own_place=no_place)
        self._take_memory(plan.memory())

    def _take_memory(self, numbers: Ints) -> None:
        """Replay on a copy of that memory."""
        m = self._m = self._store.keep("memory", numbers)
        for name, record in MEMORY_REGIONS.items():
            first, end = self.plan.regions[name]
            if record is None:
                self._store.share(name, Cells.of(m, first, end - first))
            else:
                self._store.share(name, Region.of(record, m, first, (end - first) // size_of(record)))

    def step(self, rows: Ints) -> tuple[pa.Table, Ints]:
        """Replay rows int64[n, cells of an InputRow]: their decisions, and why each was refused (0: it was not)."""
        store, world = self._store, self._store.directory
        store.put("rows", rows)
        refused = store.put("refused", np.zeros(len(rows), np.int64))
        room = max(len(rows), 1) * replay_codes.DECISIONS_A_ROW
        decisions = store.put("decisions", np.empty((room, size_of(Decision)), np.int64))
        world.row_count = len(rows)
        count = int(replay(world))
        raise_if_outside()
        made = decisions.reshape(room, -1)[:count]
        self._count(made)
        return self._table(made), refused

    def _count(self, made: Ints) -> None:
        out = {name: made[:, cell] for name, cell in columns(Decision).items()}
        ended = out["kind"] == replay_codes.KIND_SEND_END
        self.sends += int(ended.sum())
        self.failures += int((ended & (out["outcome"] != codes.SEND_OK)).sum())
        self.retries += int((out["after"] == codes.RETRY).sum())

    def finish(self) -> pa.Table:
        """The decisions that waited for rows which the recording does not have; asynchronous ones never wait."""
        count = 0 if self.plan.senders.slots else len(self.plan.senders.threads)
        at = columns(InputRow)
        rows = np.full((count, len(at)), replay_codes.NONE, np.int64)
        rows[:, at["event"]] = replay_codes.FINISH
        rows[:, at["sender"]] = np.arange(len(rows))
        return self.step(rows)[0]

    def _table(self, made: Ints) -> pa.Table:
        who = self.plan.senders
        out = {name: made[:, cell] for name, cell in columns(Decision).items()}
        view, code = out["view"], out["code"]
        said = np.where((code == codes.NO_CODE) & (out["outcome"] != codes.NO_MASTER), replay_codes.NONE, code)
        said = np.where(out["outcome"] == codes.SEND_OK, replay_codes.NONE, said)
        named_columns = {
            "cell": numbers(np.zeros(len(made), np.int32)),
            "row": _whole(out["row"]),
            "kind": named(out["kind"], replay_codes.KINDS),
            "producer": _whole(self._owners.producer[view], np.int32),
            "thread": _whole(self._owners.thread[view], np.int32),
            "topic": named(self._owners.topic[view], who.topics),
            "send_seq": _whole(out["send_seq"]),
            "attempt": _whole(out["attempt"], np.int32),
            "clock_ms": _whole(out["clock_ms"]),
            "is_open": _flags(out["is_open"]),
            "last_broker": named(out["last_broker"], who.brokers),
            "broker": named(out["broker"], who.brokers),
            "queue_id": _whole(out["queue_id"], np.int32),
            "steps": _whole(out["steps"]),
            "resets": _flags(out["resets"]),
            "pick_reason": named(out["reason"], codes.PICK_REASON_NAMES),
            "after": named(out["after"], replay_codes.AFTER_NAMES),
            "timeout_least_ms": _whole(out["timeout_least_ms"]),
            "timeout_most_ms": _whole(out["timeout_most_ms"]),
            "isolation": _flags(out["isolation"]),
            "reachable": _flags(out["reachable"]),
            "touched": _flags(out["touched"]),
            "moved": _flags(out["moved"]),
            "start_timestamp_ms": _whole(out["start_ms"]),
            "outcome": labelled(out["outcome"], code),
            "response_code": _whole(said, np.int32),
        }
        return pa.Table.from_arrays([named_columns[name] for name in DECISIONS.schema.names], schema=DECISIONS.schema)

    def _views(self, m: Ints) -> Ints:
        places = self.plan.places
        return m[places["views"] : places["held_routes"]].reshape(-1, size_of(View))

    def _items(self, m: Ints) -> Ints:
        places, brokers = self.plan.places, len(self.plan.senders.brokers)
        blocks = m[places["faults"] : places["views"]].reshape(-1, faults_size(brokers))
        return fault_items_of(blocks, brokers)

    def _parts(self, m: Ints) -> dict[str, StatePart]:
        """The regions of the memory, what is no region of the world as plain numbers."""
        return {
            name: StatePart(m[first:end], self._store.fields(name) if name in MEMORY_REGIONS else ())
            for name, (first, end) in self.plan.regions.items()
        }

    def snapshot(self) -> StateRow:
        """Everything that is remembered, as a state row."""
        places, m = self.plan.places, self._m.copy()
        next_seqs = m[places["next_seqs"] : places["senders"]]
        counters, fault_items = take_out(self._owners, self._views(m), self._items(m), next_seqs)
        return StateRow(
            version=LAYOUT_VERSION,
            digest=self.plan.digest,
            clock_us=self.clock_us,
            next_window=self.next_window,
            events_in=self.events_in,
            events_handled=self.events_in - self.events_rejected,
            events_rejected=self.events_rejected,
            events_skipped=0,
            sends=self.sends,
            failures=self.failures,
            retries=self.retries,
            counters=encode_table(counters),
            fault_items=encode_table(fault_items),
            engine=pack(self._parts(m)),
        )

    @classmethod
    def restore(cls, plan: ReplayPlan, row: StateRow) -> Replayer:
        """A replay as it was when `row` was taken. Raises LayoutError if the row is not of this recording."""
        tables = decode_tables(row)
        if row.digest != plan.digest:
            raise LayoutError(RunStateTexts.OTHER_RECORDING(state=row.digest, recording=plan.digest))
        replayer = cls(plan)
        parts = unpack(row.engine)
        check_parts(parts, replayer._parts(replayer._m))
        m = np.concatenate([parts[name].values for name in plan.regions])
        put_back(replayer._owners, replayer._views(m), replayer._items(m), tables)
        replayer._take_memory(m)
        replayer.clock_us = row.clock_us
        replayer.next_window = row.next_window
        replayer.events_in = row.events_in
        replayer.events_rejected = row.events_rejected
        replayer.sends, replayer.failures, replayer.retries = row.sends, row.failures, row.retries
        return replayer
