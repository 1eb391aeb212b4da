"""Replay of `kafka_*.jsonl`: the sticky partitioner alone, and in the real accumulator of batches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from simulator.compiled.records import Cells, Region, size_of
from simulator.policies.choose.kafka_sticky import (
    NO_PARTITION,
    Sticky,
    build_table,
    next_by_table,
    next_without_table,
    stick_to,
    wants_switch,
)
from simulator.proof import kafka_accumulator as accumulators
from streaming.proof.golden.golden_case import must_be
from streaming.proof.golden.policies.policy_replay import PolicyReplay, record_of

NO_LEADER = accumulators.NO_LEADER
MAX_DRAWS = 64  # of one append


class _Cluster:
    """The partitions of a topic: the leader of each, and those with a leader in the order of the cluster's list."""

    def __init__(self, partitions: int) -> None:
        self.leaders, self.available = np.zeros(partitions, np.int64), np.zeros(partitions, np.int64)
        self.available_count = 0

    def change(self, order: Sequence[int], leaders: Sequence[int]) -> None:
        """Take another cluster."""
        found = [partition for partition in order if leaders[partition] != NO_LEADER]
        self.leaders[:], self.available_count = leaders, len(found)
        self.available[: len(found)] = found


class PartitionerReplay(PolicyReplay):
    """["L", sizes, ids, length, table], ["C", order, leaders] and ["A", bytes, may switch, [draws before], used,
    [draws], changed, next partition]."""

    def __init__(self, case: Mapping[str, Any], version: str) -> None:
        super().__init__(case, version)
        self._cluster = _Cluster(case["np"])
        self._cluster.change(*case["leaders"])
        self._sticky = record_of(Sticky)
        self._sticky.partition, self._sticky.batch_bytes = NO_PARTITION, case["batch"]
        self._sums = self._ids = np.zeros(1, np.int64)
        self._length = 0

    def step(self, operation: Sequence[Any]) -> None:
        """New queue sizes, another cluster, or bytes appended."""
        name, *fields = operation
        steps: Mapping[str, Callable[..., None]]
        steps = {"L": self._load, "C": self._cluster.change, "A": self._append}
        steps[name](*fields)

    def _load(self, sizes: list[int] | None, ids: list[int], length: int, expected: list[Any] | None) -> None:
        self._length = 0
        if sizes is not None:
            self._sums, self._ids = np.array(sizes, np.int64), np.array(ids, np.int64)
            self._length = int(build_table(Cells.of(self._sums), length, len(sizes)))
        found = [self._sums[: self._length].tolist(), self._ids[: self._length].tolist()]
        must_be("load table", expected, found if self._length else None)

    def _draw(self, draws: list[int]) -> None:
        must_be("a number was drawn", True, bool(draws))
        cluster = self._cluster
        drawn = draws.pop(0)
        if self._length:
            partition = next_by_table(Cells.of(self._sums), Cells.of(self._ids), self._length, drawn)
        else:
            leaders = Cells.of(cluster.available), cluster.available_count
            partition = next_without_table(*leaders, len(cluster.leaders), drawn)
        stick_to(self._sticky, int(partition))

    def _append(self, size: int, may_switch: int, before: list[int], *rest: Any) -> None:
        used, after, changed, expected = rest
        left = [list(before), list(after)]
        if self._sticky.partition == NO_PARTITION:
            self._draw(left[0])
        must_be("used partition", used, int(self._sticky.partition))
        is_changed = bool(wants_switch(self._sticky, size, may_switch))
        if is_changed:
            self._draw(left[1])
        must_be("changed", changed, int(is_changed))
        must_be("next partition, draws left", [expected, [[], []]], [int(self._sticky.partition), left])


class AccumulatorReplay(PolicyReplay):
    """["a", partition, bytes, chosen, appended, new batch, [draws], sticky after], ["t", ms], ["u", node, up],
    ["r", ready nodes, table, [[partition, records] sent]] and ["C", order, leaders]."""

    def __init__(self, case: Mapping[str, Any], version: str) -> None:
        super().__init__(case, version)
        partitions, self._now_ms = case["np"], 0
        self._cluster, self._up = _Cluster(partitions), [1] * case["nodes"]
        self._ready = np.zeros(case["nodes"], np.int64)
        self._draws = np.zeros(MAX_DRAWS, np.int64)
        state = record_of(accumulators.Accumulator)
        state.batch_bytes, state.linger_ms = case["batch"], case["linger"]
        state.is_adaptive, state.availability_ms = case["adaptive"], case["avail"]
        state.partition_count = partitions
        state.sticky.partition, state.sticky.batch_bytes = NO_PARTITION, case["batch"]
        appends = sum(operation[0] == "a" for operation in case["ops"])
        self._memory = [
            np.zeros(count * size_of(record), np.int64)
            for record, count in (
                (accumulators.PartitionQueue, partitions),
                (accumulators.Batch, appends + 1),
                (accumulators.NodeTimes, case["nodes"]),
            )
        ]
        self._tables = np.zeros((2, partitions), np.int64)
        state.queues = Region.of(accumulators.PartitionQueue, self._memory[0])
        state.batches = Region.of(accumulators.Batch, self._memory[1])
        state.nodes = Region.of(accumulators.NodeTimes, self._memory[2])
        state.leaders, state.available = Cells.of(self._cluster.leaders), Cells.of(self._cluster.available)
        state.sizes, state.partitions = Cells.of(self._tables[0]), Cells.of(self._tables[1])
        state.draws = Cells.of(self._draws)
        for place in range(appends):
            state.batches[place].next_batch = place + 1
        self._state = state
        self._change(*case["leaders"])

    def step(self, operation: Sequence[Any]) -> None:
        """An append, a pause, a broker up or down, a pass of the sender, or another cluster."""
        name, *fields = operation
        steps: Mapping[str, Callable[..., None]]
        steps = {"a": self._append, "t": self._pass, "u": self._turn, "r": self._send, "C": self._change}
        steps[name](*fields)

    def _change(self, order: Sequence[int], leaders: Sequence[int]) -> None:
        self._cluster.change(order, leaders)
        self._state.available_count = self._cluster.available_count

    def _pass(self, ms: int) -> None:
        self._now_ms += ms

    def _turn(self, node: int, is_up: int) -> None:
        self._up[node] = is_up

    def _append(self, partition: int, value_bytes: int, *expected: Any) -> None:
        chosen, appended, made, draws, sticky = expected
        state = self._state
        self._draws[: len(draws)], state.draw_count, state.drawn = draws, len(draws), 0
        got = int(accumulators.append(state, partition, value_bytes, self._now_ms))
        must_be("chosen partition", chosen, got)
        must_be("bytes, new batch", [appended, made], [int(state.appended_bytes), int(state.made_batch)])
        must_be("draws, sticky partition", [len(draws), sticky], [int(state.drawn), int(state.sticky.partition)])

    def _send(self, nodes: list[int], table: list[Any] | None, sent: list[list[int]]) -> None:
        state = self._state
        self._ready[:] = 0
        accumulators.find_ready(state, self._now_ms, Cells.of(self._ready))
        ready = np.flatnonzero(self._ready).tolist()
        must_be("ready nodes", nodes, ready)
        length = int(state.table_length)
        must_be("load table", table, self._tables[:, :length].tolist() if length else None)
        for node in ready:
            accumulators.note_pass(state.nodes[node], self._now_ms, self._up[node])
        drains = {node for node in ready if self._up[node]}
        led = [partition for partition, leader in enumerate(self._cluster.leaders.tolist()) if leader in drains]
        records = [[partition, int(accumulators.take_batch(state, state.queues[partition]))] for partition in led]
        must_be("sent", sent, [row for row in records if row[1]])
