"""Replay of `send-*.jsonl` and `async-*.jsonl`: every message through the event loop, everything recorded compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from simulator import codes
from simulator.client.faults.fault_item import FaultTable
from simulator.client.message_queue import broker_of, queue_id_of
from simulator.client.rules import AttemptTimeout, Select, Update
from simulator.client.view import View
from simulator.compiled.python_rule import PythonRule
from simulator.engine.memory.output import AttemptRow, SendRow
from simulator.engine.memory.send import Attempt
from simulator.explain.plain_rules import as_python
from simulator.releases.producer_release import Client
from simulator.run.cell import Cell
from simulator.workload import Arrivals
from streaming.proof.golden.golden_case import START_MS, CaseDifference, Mismatch, must_be
from streaming.proof.golden.golden_faults import KnownFaults
from streaming.proof.golden.golden_plan import case_plan
from streaming.proof.golden.golden_results import async_result, sync_result
from streaming.proof.golden.golden_script import RecordedCluster, from_t0_ms, put_script

_broker_of, _queue_id_of = as_python(broker_of), as_python(queue_id_of)

# How the end of an attempt is recorded.
OUTCOMES = {
    codes.SEND_OK: "ok",
    codes.SEND_STATUS: "st{}",
    codes.BROKER_ERROR: "e{}",
    codes.CONNECT_REFUSED: "rc",
    codes.RESPONSE_TIMEOUT: "to",
    codes.SEND_FAILURE: "sf",
    codes.TOO_MUCH_REQUEST: "tm",
}


class MessagesReplay:
    """One case on one client: the loop runs message by message; what it asks and puts out is compared."""

    def __init__(self, case: Mapping[str, Any], client: Client, *, is_async: bool = False) -> None:
        self._case, self._client, self._is_async = case, client, is_async
        self._select = client.select_on if case["en"] else client.select_off
        plan = case_plan(case, client, is_async=is_async)
        self._cell = Cell(plan, ("attempts", "sends"))
        cluster = RecordedCluster(case, is_async=is_async, asked=self._note_request, timeout_ms=self._timeout_of)
        self._asked = [
            PythonRule(Select, self._choose),
            PythonRule(Update, self._update),
            PythonRule(AttemptTimeout, self._attempt_timeout),
        ]
        select, update, attempt_timeout = self._asked
        memory = self._cell.ask_instead(select=select, update=update, attempt_timeout=attempt_timeout)
        self._asked += put_script(cluster, self._cell.world.script)
        self._faults = KnownFaults(FaultTable.at(memory, plan.memory.faults), client, START_MS)
        self._begin(())

    def run(self) -> Iterator[CaseDifference | None]:
        """For every message of the case: its first difference."""
        for number, message in enumerate(self._case["msgs"]):
            difference = None
            try:
                self._send(message)
            except Mismatch as mismatch:
                difference = CaseDifference(self._case["id"], number, *mismatch.args)
            yield difference

    def _begin(self, message: Sequence[Any]) -> None:
        """Nothing is known of the message yet."""
        self._topic = message[1] if message else 0
        self._selects: Sequence[Sequence[Any]] = message[2] if message else ()
        self._new: list[list[Any]] = list(_extra(message).get("n", ()))
        self._made = 0  # selections
        self._timeouts: list[int] = []
        self._last_timeout_ms = 0
        self._updates: list[list[int]] = []
        self._difference: Mismatch | None = None

    def _send(self, message: Sequence[Any]) -> None:
        at_ms, topic, selects, attempts, updates, result, duration_ms = message[:7]
        if not 0 <= topic < len(self._case["routes"]):
            raise LookupError(f"topic {topic} of {len(self._case['routes'])}")
        self._begin(message)
        arrives_us = (START_MS + at_ms) * 1000
        cells = (np.array([cell], np.int64) for cell in (arrives_us, 0, topic, 0))
        out = self._cell.run(Arrivals(*cells), arrives_us + duration_ms * 1000 + 1)
        for rule in self._asked:
            if rule.error is not None:
                raise rule.error
        if self._difference is not None:
            raise self._difference
        must_be("number of selections", len(selects), self._made)
        made = [out.attempt_rows[row] for row in range(out.attempts.rows)]
        ended = [out.send_rows[row] for row in range(out.sends.rows)]
        began_ms = from_t0_ms(ended[0].begin_us) if ended else None
        must_be("time of the message", at_ms, began_ms)
        must_be("attempts", attempts, self._attempts_seen(made, at_ms))
        must_be("updates", updates, self._updates)
        must_be("result", result, self._result(ended[0], made))
        must_be("duration", duration_ms, from_t0_ms(ended[0].end_us) - at_ms)
        must_be("new queue lists (n)", self._new, [])
        self._faults.compare(_extra(message))

    def _attempts_seen(self, made: Sequence[AttemptRow], at_ms: int) -> list[list[Any]]:
        """As recorded: those that had an address to send to."""
        seen: list[list[Any]] = []
        for row in made:
            if row.outcome != codes.NO_MASTER:
                begin, end = (from_t0_ms(moment) - at_ms for moment in (row.begin_us, row.end_us))
                name = OUTCOMES[row.outcome].format(row.code)
                timeout_ms = self._timeouts[len(seen)] if len(seen) < len(self._timeouts) else None
                seen.append([int(row.broker), int(row.queue_id), begin, end, timeout_ms, name])
        return seen

    def _result(self, ended: SendRow, made: Sequence[AttemptRow]) -> list[Any]:
        if not self._is_async:
            return sync_result(ended)
        return [async_result(self._client, ended, made[-1].outcome if made else codes.NO_MASTER)]

    def _note_request(self, send: Attempt) -> None:
        self._timeouts.append(self._timeout_of(send) if self._is_async else self._last_timeout_ms)

    def _timeout_of(self, send: Attempt) -> int:
        return int(self._cell.world.async_parts[send.number].timeout_ms)

    def _attempt_timeout(self, budget_ms: int, elapsed_ms: int, max_ms: int, is_last: int) -> int:
        self._last_timeout_ms = int(self._client.attempt_timeout(budget_ms, elapsed_ms, max_ms, is_last))
        return self._last_timeout_ms

    def _update(
        self, faults: FaultTable, now_ms: int, broker: int, latency_ms: int, isolation: int, reachable: int
    ) -> int:
        """Every update is recorded; the client leaves the table alone where the strategy is off."""
        row = [broker, latency_ms, isolation]
        self._updates.append([*row, reachable] if self._client.has_detector else row)
        if not self._case["en"]:
            return 0
        return int(self._client.update(faults, now_ms, broker, latency_ms, isolation, reachable))

    def _choose(self, view: View, now_ms: int, last_broker: int, reset_index: int) -> int:
        """The client's selection with what was drawn when it was recorded; the first difference is kept."""
        expected = self._selects[self._made] if self._made < len(self._selects) else ()
        self._made += 1
        listing = self._faults.listed()
        try:
            must_be("number of selections", True, bool(expected))
            self._see_list(view)
            order = next((part for part in expected[3:] if isinstance(part, list)), None)
            drawn = next((part for part in expected[3:] if isinstance(part, int)), None)
            resets = reset_index and self._client.has_reset_index and self._case["en"]
            must_be("resetIndex draws", drawn is not None, bool(resets))
            view.counter.random = view.counter.random if drawn is None else drawn
            listing = self._faults.script_order(order)
            self._faults.forget_ranking()
        except Mismatch as mismatch:
            self._difference = self._difference or mismatch
        mutations = view.queues.mutated
        queue = int(self._select(view, now_ms, last_broker, reset_index))
        self._faults.restore_order(listing)
        try:
            self._compare_choice(view, expected, queue, view.queues.mutated != mutations)
        except Mismatch as mismatch:
            self._difference = self._difference or mismatch
        return queue

    def _see_list(self, view: View) -> None:
        """The list of a TopicPublishInfo that is used for the first time, and where its counter starts."""
        if view.counter.seeded:
            return
        unknown: list[Any] = [None, None, None]
        topic, start, expected = self._new.pop(0) if self._new else unknown
        must_be("a new TopicPublishInfo is used (n)", [self._topic, True], [topic, start is not None])
        view.counter.random = start
        must_be("queue list (list, n)", expected, _flat(view))

    def _compare_choice(self, view: View, expected: Sequence[Any], queue: int, is_mutated: bool) -> None:
        if is_mutated:
            must_be("queue list after (n)", self._new[:1], [[self._topic, None, _flat(view)]])
            self._new.pop(0)
        got = [_broker_of(queue), _queue_id_of(queue), int(view.counter.value)]
        must_be("broker, queue id, counter after", list(expected[:3]), got)
        must_be("exception swallowed (ex)", "ex" in expected[3:], bool(view.swallowed))
        is_ranked = any(isinstance(part, list) for part in expected[3:])
        must_be("the fault table was ranked (p)", is_ranked, self._faults.was_ranked())


def _flat(view: View) -> list[int]:
    """The queue list of a view, flat."""
    count = int(view.queues.count)
    cells: list[int] = view.queues.queues.array[:count].reshape(-1).tolist()
    return cells


def _extra(message: Sequence[Any]) -> Mapping[str, Any]:
    return message[7] if len(message) > 7 else {}
