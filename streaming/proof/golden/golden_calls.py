"""Replay of one message over a stubbed channel, through the event loop: attempt k meets line k of the script.

To whichever broker it goes: the selection was not recorded, so attempt k goes to broker k of the cell. The messages of
a client go one after the other through one cell, each long after the one before.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from simulator import codes
from simulator.client.faults.fault_item import FaultTable
from simulator.client.message_queue import packed
from simulator.client.rules import Select, Update
from simulator.client.view import View
from simulator.compiled.python_rule import PythonRule
from simulator.engine.memory.output import AttemptRow, SendRow
from simulator.explain.plain_rules import as_python
from simulator.releases.producer_release import Client
from simulator.run.cell import Cell
from simulator.workload import Arrivals
from streaming.proof.golden.golden_case import must_be
from streaming.proof.golden.golden_files import Case
from streaming.proof.golden.golden_plan import scripted_plan
from streaming.proof.golden.golden_results import async_result, exception_seen, sync_result
from streaming.proof.golden.golden_script import StubbedChannel, put_script

ATTEMPTS_MAX = 16
MESSAGE_US = 600_000_000  # longer than any message takes
CELLS_KEPT = 4
FIRST_US = 60_000_000


class CallsCell:
    """The cell of a client's messages of one kind; what they do to the fault table is in `updates`."""

    def __init__(self, client: Client, *, is_async: bool) -> None:
        self._client = client
        brokers = [f"broker-{number}" for number in range(ATTEMPTS_MAX)]
        plan = scripted_plan(client, brokers, ["topic"], {}, is_async=is_async)
        self._cell, self._next_us = Cell(plan, ("attempts", "sends")), FIRST_US
        self._selected = 0
        self.channel = StubbedChannel(is_async=is_async)
        self.updates: list[list[int]] = []
        self._asked = [PythonRule(Select, self._choose), PythonRule(Update, self._update)]
        self._cell.ask_instead(select=self._asked[0], update=self._asked[1])
        self._asked += put_script(self.channel, self._cell.world.script)

    def send(self, case: Case) -> tuple[SendRow, list[AttemptRow]]:
        """The one message of the case and its attempts. Raises LookupError if it has too many, or does not end."""
        if not 0 <= case["rt"] < ATTEMPTS_MAX:
            raise LookupError(f"{case['rt']} retries")
        kind = self._cell.world.client_kinds[0]
        kind.send_msg_timeout_ms = case["to"]
        kind.attempts_total = kind.async_attempts_total = 1 + case["rt"]
        kind.retry_not_store_ok = case["ns"]
        self.channel.lines, self.channel.calls = case["script"], []
        self.updates, self._selected = [], 0
        self._next_us += MESSAGE_US
        self.channel.began_us = self._next_us
        cells = (np.array([cell], np.int64) for cell in (self._next_us, 0, 0, 0))
        out = self._cell.run(Arrivals(*cells), self._next_us + MESSAGE_US)
        for rule in self._asked:
            if rule.error is not None:
                raise rule.error
        if out.sends.rows != 1:
            raise LookupError(f"{out.sends.rows} messages ended")
        return out.send_rows[0], [out.attempt_rows[row] for row in range(out.attempts.rows)]

    def _choose(self, view: View, now_ms: int, last_broker: int, reset_index: int) -> int:
        self._selected += 1
        view.pick_reason = codes.PICK_PLAIN
        return int(as_python(packed)(self._selected - 1, 0))

    def _update(
        self, faults: FaultTable, now_ms: int, broker: int, latency_ms: int, isolation: int, reachable: int
    ) -> int:
        """The update of an item that nothing is known of: then its start says what the broker is avoided for."""
        item = faults.items[broker]
        item.start_timestamp = 0
        changed = int(self._client.update(faults, now_ms, broker, latency_ms, isolation, reachable))
        duration_ms = int(item.start_timestamp) - now_ms if item.start_timestamp else 0
        row = [now_ms - self._next_us // 1000, broker, latency_ms, duration_ms]
        self.updates.append([*row, reachable] if self._client.has_detector else row)
        return changed


@lru_cache(maxsize=CELLS_KEPT)
def _cell_of(client: Client, is_async: bool) -> CallsCell:
    return CallsCell(client, is_async=is_async)


class CallsReplay:
    """One message of one producer: what it calls, what it does to the fault table and what its caller gets."""

    def __init__(self, case: Case, client: Client, *, is_async: bool) -> None:
        self._case, self._client, self._is_async = case, client, is_async
        self._cell = _cell_of(client, is_async)

    def compare(self) -> None:
        """Raise Mismatch unless the client does what was recorded."""
        case, cell = self._case, self._cell
        try:
            ended, made = cell.send(case)
        except BaseException:
            _cell_of.cache_clear()  # it may be in the midst of that message
            raise
        calls = [[None if call[1] is None else 1, *call[2:]] for call in case["calls"]]
        must_be("calls", calls, cell.channel.calls)
        updates = self._reported(cell.updates, made) if self._is_async else cell.updates
        # A recorded update names the broker, a replayed one the attempt that went to it.
        brokers: dict[int, int] = {}
        for (_, broker, *_), (_, attempt, *_) in zip(case["updates"], updates, strict=False):
            brokers.setdefault(attempt, broker)
        must_be("updates", case["updates"], [[at, brokers.get(attempt), *rest] for at, attempt, *rest in updates])
        must_be("results", case["results"], self._results(ended, made))

    def _reports(self, attempt: AttemptRow) -> int:
        """How often the client reports the end of an asynchronous attempt."""
        return self._client.refusals_reported if attempt.outcome == codes.TOO_MUCH_REQUEST else 1

    def _reported(self, updates: Sequence[list[int]], made: Sequence[AttemptRow]) -> list[list[int]]:
        """Each update as often as what it follows from is reported; the loop makes it once, which is the same."""
        refused = {int(row.broker): self._reports(row) for row in made}
        return [update for update in updates for _ in range(refused[update[1]])]

    def _results(self, ended: SendRow, made: Sequence[AttemptRow]) -> list[list[Any]]:
        """What the caller gets; of an asynchronous message every report to its callback, early ones too."""
        if not self._is_async:
            result = sync_result(ended)
            return [["ok", result[0]] if ended.result in (codes.SEND_OK, codes.SEND_STATUS) else ["throw", *result]]
        last = async_result(self._client, ended, made[-1].outcome if made else codes.NO_MASTER)
        early = [self._early(row) for row in made[:-1] for _ in range(self._reports(row) - 1)]
        return [*early, *([last[:2] if last[0] == "ok" else last] * (self._reports(made[-1]) if made else 1))]

    def _early(self, refused: AttemptRow) -> list[Any]:
        result, code = self._client.failed_with(refused.outcome, refused.code, refused.attempt)
        return exception_seen(self._client, result, code, refused.outcome, int(refused.attempt))
