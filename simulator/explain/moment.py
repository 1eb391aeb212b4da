"""The moment of a choice: the run is done again up to it, and every question for a queue is witnessed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simulator import codes
from simulator.client.message_queue import NO_QUEUE, broker_of, queue_id_of
from simulator.client.rules import Select
from simulator.client.view import View
from simulator.compiled.python_rule import PythonRule
from simulator.compiled.raw_memory import CELL_BYTES
from simulator.compiled.records import Array, size_of
from simulator.explain.plain_rules import as_python
from simulator.plan.run_plan import MODES, CellPlan, Plan
from simulator.releases.producer_release import Client
from simulator.run.cell import Cell
from simulator.run.driver import Driver, Rows, windows_of


@dataclass(frozen=True)
class AskedAttempt:
    """What a run wrote of an attempt; last_broker: that of the message's attempt before, None for the first."""

    cell: int
    producer: int
    thread: int
    topic: str
    send_seq: int
    attempt: int
    begin_us: int
    broker: str
    queue_id: int
    pick_reason: str
    last_broker: str | None


@dataclass(frozen=True)
class Selection:
    """One question for a queue and its answer.

    before, after: the client memory; view: cell of it at which the view lies; picked: packed, or NO_QUEUE.
    """

    before: Array
    after: Array
    view: int
    now_ms: int
    last_broker: int
    reset_index: int
    picked: int

    @property
    def reason(self) -> int:
        """Why that queue: codes.PICK_*."""
        return int(View.at(self.after, self.view).pick_reason)


def _consume(rows: Rows) -> None:
    """Drive on; nobody wants the rows."""
    for _ in rows:
        pass


class _Witness:
    """Asks a producer's rule of selection, and keeps what it was asked and what it answered."""

    def __init__(self, own: CellPlan) -> None:
        self.seen: list[Selection] = []
        self.memory: Array = np.empty(0, np.int64)
        self._own = own

    def select(self, view: View, now_ms: int, last_broker: int, reset_index: int) -> int:
        """The rule's answer."""
        before = self.memory.copy()
        place = (view.address - self.memory.ctypes.data) // CELL_BYTES
        group = group_of(self._own, owner_of(self._own, place)[0])
        rule = select_of(self._own.clients[group], strategy_on=self._own.strategy_on[group])
        picked = int(as_python(rule)(view, now_ms, last_broker, reset_index))
        self.seen.append(Selection(before, self.memory.copy(), place, now_ms, last_broker, reset_index, picked))
        return picked


def selections_at(plan: Plan, cell_number: int, at_us: int) -> list[Selection]:
    """Every question for a queue in a cell at that microsecond, in order, of a run from its beginning."""
    own, window = plan.cells[cell_number], at_us // plan.window_us
    driver = Driver(plan, Cell(own, ()))
    for number, announced, events in windows_of(plan, own, 0, window + 1):
        driver.announce(number, announced)
        driver.arrive(number, events)
        if number < window:
            _consume(driver.complete(number))
    _consume(driver.pause_at(at_us))
    witness = _Witness(own)
    rule = PythonRule(Select, witness.select, NO_QUEUE)
    witness.memory = driver.cell.ask_instead(select=rule)
    _consume(driver.pause_at(at_us + 1))
    if rule.error is not None:
        raise rule.error
    return witness.seen


def select_of(client: Client, *, strategy_on: bool) -> Select:
    """The client's rule of selection."""
    return client.select_on if strategy_on else client.select_off


def group_of(own: CellPlan, producer: int) -> int:
    """Number of a producer's group."""
    place = int(np.flatnonzero(own.names.producer_of_thread == producer)[0])
    return int(own.names.group_of_thread[place])


def owner_of(own: CellPlan, view: int) -> tuple[int, int, int]:
    """Producer, thread and topic (its number) of the view that lies at that cell of the client memory."""
    first, count = own.memory.regions["views"]
    place = (view - first) // size_of(View)
    if not 0 <= place < count:  # of a route that was replaced meanwhile
        place = (view - own.memory.regions["held_views"][0]) // size_of(View) // int(own.settings.held_count)
    row, topic = divmod(place, int(own.settings.topics))
    return int(own.names.producer_of_view[row]), int(own.names.number_of_view[row]), topic


def selection_of(plan: Plan, attempt: AskedAttempt) -> Selection | None:
    """The question whose answer that attempt went to, None if the run as it is done now asks none that fits it."""
    own = plan.cells[attempt.cell]
    brokers, topic = list(own.names.brokers), list(own.names.topics).index(attempt.topic)
    last = -1 if attempt.last_broker is None else brokers.index(attempt.last_broker)
    # A thread of the client's own pool may choose for an asynchronous message; a retry of it keeps the queue id.
    is_async = MODES[int(own.names.modes[group_of(own, attempt.producer)])] == "async"
    for seen in selections_at(plan, attempt.cell, attempt.begin_us):
        producer, thread, of_topic = owner_of(own, seen.view)
        asks = (producer, of_topic, seen.last_broker) == (attempt.producer, topic, last)
        if not asks or seen.picked == NO_QUEUE or (thread != attempt.thread and not is_async):
            continue
        broker, queue_id = as_python(broker_of)(seen.picked), as_python(queue_id_of)(seen.picked)
        same_queue = queue_id == attempt.queue_id or (is_async and attempt.attempt > 1)
        same_reason = codes.PICK_REASON_NAMES[seen.reason] == attempt.pick_reason
        if brokers[broker] == attempt.broker and same_queue and same_reason:
            return seen
    return None
