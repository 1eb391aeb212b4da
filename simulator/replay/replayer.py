"""A recording being replayed: its live memory, stepped row by row, stored and restored."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from simulator import codes
from simulator.client import memory as at
from simulator.compiled.jit import ready
from simulator.outcomes import labelled
from simulator.replay import replay_layout as lay
from simulator.replay.async_kernel import replay_async
from simulator.replay.replay_plan import Ints, ReplayPlan, Senders
from simulator.replay.sync_kernel import replay
from simulator.run.client_tables import Owners, fault_items_of, put_back, take_out
from state.columns import flags, named, numbers
from state.packing import LAYOUT_VERSION, LayoutError, pack, unpack
from state.row import StateRow, decode_tables, encode_table
from state.tables import DECISIONS


def _whole(values: Ints, kind: Any = np.int64) -> pa.Array:
    gaps = values == lay.NONE
    return numbers(np.where(gaps, 0, values), kind, gaps)


def _flags(values: Ints) -> pa.Array:
    return flags(values == 1, values == lay.NONE)


def _owners(who: Senders) -> Owners:
    views = np.array([(p, t, who.topics.index(topic)) for p, t, topic in who.views], np.int64).reshape(-1, 3)
    producer, thread, topic = views.T
    return Owners(producer, thread, topic, who.topics, np.array(who.producers, np.int64), who.brokers)


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
        ready(replay_async if plan.senders.slots else replay)
        self._c = plan.cells()
        self._m = plan.memory()
        self._kept = np.zeros(plan.places["kept"], np.int64)

    def step(self, rows: Ints) -> tuple[pa.Table, Ints]:
        """Replay rows int64[n, IN_SIZE]: their decisions, and for each row why it was refused (0: it was not)."""
        refused = np.zeros(len(rows), np.int64)
        out = np.empty(max(len(rows), 1) * lay.DECISIONS_A_ROW * lay.OUT_SIZE, np.int64)
        arrays = (self._c, self._m, self._kept, np.ascontiguousarray(rows).reshape(-1), refused, out)
        count = self._replay_async(*arrays) if self.plan.senders.slots else self._replay(*arrays)
        decisions = out[: count * lay.OUT_SIZE].reshape(-1, lay.OUT_SIZE)
        ended = decisions[:, lay.OUT_KIND] == lay.KIND_SEND_END
        self.sends += int(ended.sum())
        self.failures += int((ended & (decisions[:, lay.OUT_OUTCOME] != codes.SEND_OK)).sum())
        self.retries += int((decisions[:, lay.OUT_AFTER] == lay.AFTER_NAMES.index("retry")).sum())
        return self._table(decisions), refused

    def _replay(self, *arrays: Ints) -> int:
        client = self.plan.client
        made: int = replay(
            *arrays, client.select_on if self.plan.settings.strategy_on else client.select_off, client.update,
            client.over_budget, client.attempt_timeout, client.is_isolated, client.is_reachable, client.after_attempt,
        )  # fmt: skip
        return made

    def _replay_async(self, *arrays: Ints) -> int:
        client, path = self.plan.client, self.plan.async_client
        made: int = replay_async(
            *arrays, client.select_on if self.plan.settings.strategy_on else client.select_off, client.update,
            client.attempt_timeout, client.is_isolated, path.async_reachable, path.is_thrown, path.async_charged,
            path.retry_timeout, path.after_async, path.hands_over, path.async_exception, path.async_code,
        )  # fmt: skip
        return made

    def finish(self) -> pa.Table:
        """The decisions that waited for rows which the recording does not have; asynchronous ones never wait."""
        count = 0 if self.plan.senders.slots else len(self.plan.senders.threads)
        rows = np.full((count, lay.IN_SIZE), lay.NONE, np.int64)
        rows[:, lay.IN_EVENT] = lay.FINISH
        rows[:, lay.IN_SENDER] = np.arange(len(rows))
        return self.step(rows)[0]

    def _table(self, out: Ints) -> pa.Table:
        who = self.plan.senders
        view = out[:, lay.OUT_VIEW]
        code = out[:, lay.OUT_CODE]
        said = np.where((code == codes.NO_CODE) & (out[:, lay.OUT_OUTCOME] != codes.NO_MASTER), lay.NONE, code)
        said = np.where(out[:, lay.OUT_OUTCOME] == codes.SEND_OK, lay.NONE, said)
        columns = {
            "cell": numbers(np.zeros(len(out), np.int32)),
            "row": _whole(out[:, lay.OUT_ROW]),
            "kind": named(out[:, lay.OUT_KIND], lay.KINDS),
            "producer": _whole(self._owners.producer[view], np.int32),
            "thread": _whole(self._owners.thread[view], np.int32),
            "topic": named(self._owners.topic[view], who.topics),
            "send_seq": _whole(out[:, lay.OUT_SEND_SEQ]),
            "attempt": _whole(out[:, lay.OUT_ATTEMPT], np.int32),
            "clock_ms": _whole(out[:, lay.OUT_CLOCK_MS]),
            "is_open": _flags(out[:, lay.OUT_IS_OPEN]),
            "last_broker": named(out[:, lay.OUT_LAST_BROKER], who.brokers),
            "broker": named(out[:, lay.OUT_BROKER], who.brokers),
            "queue_id": _whole(out[:, lay.OUT_QUEUE_ID], np.int32),
            "steps": _whole(out[:, lay.OUT_STEPS]),
            "resets": _flags(out[:, lay.OUT_RESETS]),
            "pick_reason": named(out[:, lay.OUT_REASON], codes.PICK_REASON_NAMES),
            "after": named(out[:, lay.OUT_AFTER], lay.AFTER_NAMES),
            "timeout_least_ms": _whole(out[:, lay.OUT_TIMEOUT_LEAST_MS]),
            "timeout_most_ms": _whole(out[:, lay.OUT_TIMEOUT_MOST_MS]),
            "isolation": _flags(out[:, lay.OUT_ISOLATION]),
            "reachable": _flags(out[:, lay.OUT_REACHABLE]),
            "touched": _flags(out[:, lay.OUT_TOUCHED]),
            "moved": _flags(out[:, lay.OUT_MOVED]),
            "start_timestamp_ms": _whole(out[:, lay.OUT_START_MS]),
            "outcome": labelled(out[:, lay.OUT_OUTCOME], code),
            "response_code": _whole(said, np.int32),
        }
        return pa.Table.from_arrays([columns[name] for name in DECISIONS.schema.names], schema=DECISIONS.schema)

    def _views(self, m: Ints) -> Ints:
        places = self.plan.places
        return m[places["views"] : places["held_routes"]].reshape(-1, at.VIEW_SIZE)

    def _items(self, m: Ints) -> Ints:
        places, brokers = self.plan.places, len(self.plan.senders.brokers)
        blocks = m[places["faults"] : places["views"]].reshape(-1, at.faults_size(brokers))
        return fault_items_of(blocks, brokers)

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
            engine=pack({"replay_memory": m}),
        )

    @classmethod
    def restore(cls, plan: ReplayPlan, row: StateRow) -> Replayer:
        """A replay as it was when `row` was taken. Raises LayoutError if the row is not of this recording."""
        tables = decode_tables(row)
        if row.digest != plan.digest:
            raise LayoutError(f"the state is of run {row.digest}, this replay is of recording {plan.digest}")
        replayer = cls(plan)
        m = unpack(row.engine).get("replay_memory")
        if m is None or len(m) != len(replayer._m):
            raise LayoutError("the state lacks the memory of a replay")
        put_back(replayer._owners, replayer._views(m), replayer._items(m), tables)
        replayer._m = m
        replayer.clock_us = row.clock_us
        replayer.next_window = row.next_window
        replayer.events_in = row.events_in
        replayer.events_rejected = row.events_rejected
        replayer.sends, replayer.failures, replayer.retries = row.sends, row.failures, row.retries
        return replayer
